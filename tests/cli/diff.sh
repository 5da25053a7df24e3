. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
transcript probe --diff stock auto
transcript probe --diff auto stock
transcript probe --diff auto apple.min=7
transcript probe --diff auto auto,apple.max=4
