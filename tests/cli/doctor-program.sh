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
