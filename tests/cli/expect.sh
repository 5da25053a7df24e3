. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
met() {
  code=0
  "$MTLCAP" probe -p auto "$@" >out.txt 2>err.txt || code=$?
  echo "$*: $code"
  grep -vxF 'mtlcap: not a Mac: the GPU is simulated; SIMMETAL_DEVICES chooses which' err.txt
}
for expectation in apple=7 'apple>=7' 'apple<=7' 'apple!=8' 'apple>=5' metal=off 'metal!=3' \
  'metal<=4' threadgroup_memory=32768 threadgroup_memory=32K 'threadgroup_memory>=32KiB' \
  'working_set>=1G' maxThreadgroupMemoryLength=32k threads_per_threadgroup=1024x1024x1024 \
  'threads_per_threadgroup>=1024' unified_memory=yes unified_memory=ON unified_memory!=no \
  'name=Apple Paravirtual device' 'name!=Apple M1' 'texture_sample_count>=4'; do
  met --expect "$expectation"
done
for expectation in apple=8 'apple>=8' 'apple<=6' 'apple!=7' 'metal>=3' threadgroup_memory=64K \
  'threadgroup_memory<=16K' 'working_set>=1T' 'threads_per_threadgroup>=1024x1024x1025' \
  unified_memory=off 'name=Apple M1' 'name!=Apple Paravirtual device'; do
  met --expect "$expectation"
done
met --expect apple=7 --expect metal=3 --expect mac=2
