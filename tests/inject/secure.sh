# A program with rights that its caller does not have. The dynamic linker preloads nothing into such
# a one: this one is linked to the library.
PRELOAD=
expect 'secure: no
create: Apple7' MTLCAP_PROFILE=auto "$LINKED" secure create

group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
[ "$group" ] || group=$(if [ "$(id -u)" = 0 ]; then echo 1; fi)
if [ -z "$group" ]; then
  echo "this user has one group only: no set-group-ID program can be made"
  exit 1
fi
cp "$LINKED" set_group_id
chgrp "$group" set_group_id
chmod 2755 set_group_id
expect 'secure: yes
create: Apple5' MTLCAP_PROFILE=auto ./set_group_id secure create
expect 'create: Apple5' MTLCAP_STRICT=1 MTLCAP_PROFILE=misspelt MTLCAP_LOG="debug:$PWD/log" \
  MTLCAP_RECEIPT="$PWD/receipt" MTLCAP_TRACE="$PWD/trace" MTLCAP_REQUIRE='apple>=9' ./set_group_id create
expect_text 'set_group_id' ls
