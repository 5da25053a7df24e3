. "$CASES/common"
transcript help
transcript help probe
transcript help profiles
transcript help run
transcript help trace
transcript help doctor
transcript help explain
transcript help env
transcript help selftest
transcript help help
transcript help version
transcript help language
transcript help exit-codes
