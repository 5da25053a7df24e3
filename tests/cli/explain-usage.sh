# What is wrong on the command line.
. "$CASES/common"
transcript explain --all-profiles
transcript explain --require kernels
transcript explain llama --require matrixes
transcript explain llama --all-profiles -p auto
transcript explain llama --all-profiles --require matrices
transcript explain llama --allow metal
transcript explain llama -p auto --allow mettal
transcript explain llama -p auto -p stock
transcript explain llama --from probe.json -p auto
transcript explain llama --from probe.json --device 0
transcript explain llama --device one
transcript explain llama --device 7
transcript explain llama --device 0 --device 0
transcript explain llama --frobnicate
for sdk in abc 99999.1 15. .1 1.2.3.4 00015 -1 ''; do
  transcript explain llama --sdk "$sdk"
done 2>&1 | grep -v '^usage\|^ \|explains'
transcript explain ollama --sdk 15.2.1 | tail -n 1
