# The file itself: what it exports, what it needs, and that it stays.
expect_text 'MTLCopyAllDevices MTLCopyAllDevicesWithObserver MTLCreateSystemDefaultDevice ' sh -c \
  'nm -D --defined-only "$INJECT" | sed "s/.* //" | LC_ALL=C sort | tr "\n" " "'
[ "$SANITIZED" ] || expect_text 'libc.so.6 ' sh -c \
  'readelf -d "$INJECT" | sed -n "s/.*NEEDED.*\[\(.*\)\]/\1/p" | grep -v "^ld-linux" | tr "\n" " "'
expect_text '*NODELETE*' readelf -d "$INJECT"
