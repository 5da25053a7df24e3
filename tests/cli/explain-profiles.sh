# Under a profile, and under all of them.
. "$CASES/common"
transcript explain mlx -p metal.min=3 --allow metal
transcript explain pytorch -p lume
transcript explain tinygrad -p apple.min=
transcript explain tinygrad --all-profiles
SIMMETAL_DEVICES=m3 transcript explain cubecl --all-profiles --allow live-internals
transcript explain llama -p auto --require tuned --require matrices
transcript explain cand --require kernels
transcript explain llama --require matrices --require reductions >out.txt
grep -v '^ \|^$\|^o\|^unknown' out.txt
