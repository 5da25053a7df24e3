. "$CASES/common"
export SIMMETAL_DEVICES=none
transcript probe
transcript probe --json
transcript probe -p auto
transcript probe -p aple=7
transcript probe --expect apple=5
transcript profiles capture
