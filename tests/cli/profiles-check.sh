. "$CASES/common"
export SIMMETAL_DEVICES=paravirt
transcript profiles check auto
transcript profiles check stock
transcript profiles check apple.min=9
transcript profiles check apple.min=9 --allow beyond-hardware
transcript profiles check --allow=beyond-hardware+threadgroup-memory lume
transcript profiles check lume --allow threadgroup-memory
transcript profiles check auto,aple.min=7
transcript profiles check @nowhere.mtlcap
transcript profiles check -- auto
SIMMETAL_DEVICES=none transcript profiles check apple.min=9,metal=off
SIMMETAL_DEVICES=none transcript profiles check apple.min=x
SIMMETAL_DEVICES=paravirt,m1-ultra transcript profiles check auto
# A hazard that many rules meet is told once.
SIMMETAL_DEVICES=m3 transcript profiles check like-apple5 | sed -n '/^hazards/,$p'
# A machine that does not exist is not taken for one without a device.
SIMMETAL_DEVICES=frobnicate transcript profiles check auto | sed 's/there are: .*/there are: .../'
