. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
transcript profiles show auto
transcript profiles show lume
transcript profiles show stock
SIMMETAL_DEVICES=none transcript profiles show lume
