# Nothing is started if the profile cannot be applied here.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
try() {
  started "$@" -- touch started
  [ ! -e started ] || echo "it was started"
}
try -p nonsense
try -p apple.min=x
try -p @nothing
try -p lume
try -p apple.min=9 --allow threadgroup-memory
left
