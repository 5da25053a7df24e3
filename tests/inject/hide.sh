# hide: no device is to be seen, and none is made.
expect 'create: nil
list:
observe:
observer: nil
created: 0' MTLCAP_PROFILE=hide "$CLIENT" create list observe count
expect 'create: nil' MTLCAP_PROFILE=hide MTLCAP_STRICT=1 "$CLIENT" create
expect 'mtlcap: hidden profile="hide" pid=*
create: nil
create: nil' MTLCAP_PROFILE=hide MTLCAP_LOG=info "$CLIENT" create create
expect 'mtlcap: the profile has other items than hide*
create: nil' MTLCAP_PROFILE=hide,apple.min=7 MTLCAP_LOG=warning "$CLIENT" create
expect 'create: nil
create: nil' MTLCAP_PROFILE=hide "$CLIENT" create fork-create
# Where there is no Foundation to make a list with.
expect 'list: nil' MTLCAP_PROFILE=hide "$BARE" list
