. "$CASES/common"
transcript run
transcript run -p auto
transcript run --
transcript run -p -- true
transcript run -p auto -p stock -- true
transcript run --allow nothing -- true
transcript run --allow metal --allow mac -- true
transcript run --require apple -- true
transcript run --require 'nothing>=7' -- true
transcript run --require 'name=a,b' -- true
transcript run --log loud -- true
transcript run --log info: -- true
transcript run --children all -- true
transcript run --timing never -- true
transcript run --receipt a --receipt b -- true
transcript run --frobnicate -- true
transcript env --format csh
transcript env --format sh --format fish
transcript env --strip -p auto
transcript env --strip --launchd x
transcript env --format launchd -- true
transcript env --launchd x
transcript env --launchd x --launchd y
transcript env --format sh --launchd x -- true
transcript env --launchd x --format sh -- true
transcript env true
transcript env -p nonsense
transcript selftest 3
transcript selftest --check 0
transcript selftest --check 1 --check 2
transcript selftest --check x
transcript selftest --in-process
