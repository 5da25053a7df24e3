. "$CASES/common"
transcript probe -p aple.min=7
transcript probe -p auto,apple.min=seven
transcript probe -p auto,
transcript probe -p apple.min=99
transcript probe -p name=M1
transcript probe -p hide
transcript probe -p @nowhere.mtlcap
transcript probe --diff auto frobnicate
printf 'auto\n\napple.min=x # seven\n' >bad.mtlcap
transcript probe -p @bad.mtlcap
