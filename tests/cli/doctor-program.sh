# Programs that can be told of without a Mac's files, and what is none.
. "$CASES/common"
printf '#!/bin/sh\ntrue\n' >script
printf '#!/usr/bin/env -S FOO=1 ./script\n' >second
printf '#!/bin/sh\n' >no-program
chmod +x script second
printf '\312\376\272\276\0\0\0\064' >Java.class
chmod +x Java.class
mkdir Program.app
transcript doctor --machine sip=on ./script
PATH=.:$PATH transcript doctor --machine sip=on script argument
transcript doctor --machine sip=on ./second
transcript doctor --machine sip=on,arch=arm64 -- /bin/bash -c ls
transcript doctor --machine sip=off,macos=26.1,arch=arm64 /bin/bash
transcript doctor /bin/sh
# What PATH leads to is Apple's too, where every Mac has it.
printf '#!/usr/bin/env bash\nexec >log\nexec ./client "$@" # the last thing\n' >third
mkdir bin
printf '#!/bin/sh\nexec /usr/local/bin/mtlcap run -- ./client\n' >own
chmod +x third own
cp /usr/bin/env bin/tee
cp /usr/bin/env bin/nothing-of-apples
transcript doctor --machine sip=on ./third
transcript doctor --machine sip=on bash -c ls
transcript doctor --machine sip=off,macos=26,arch=arm64 -- tee
transcript doctor --machine sip=on ./own
PATH=$PWD/bin:$PATH transcript doctor tee | sed "s|$PWD/|HERE/|"
PATH=$PWD/bin:$PATH transcript doctor nothing-of-apples | sed "s|$PWD/|HERE/|"
transcript doctor ./Java.class
transcript doctor ./no-program
transcript doctor ./Program.app
transcript doctor nothing-of-this-name
transcript doctor --machine sip=maybe /bin/sh
transcript doctor --machine macos=9 /bin/sh
transcript doctor --machine arch=ppc /bin/sh
transcript doctor --machine sip=on, /bin/sh
transcript doctor --machine cpu=arm64 /bin/sh
transcript doctor --children all /bin/sh
transcript doctor --frobnicate
