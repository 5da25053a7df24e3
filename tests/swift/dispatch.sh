#!/bin/sh
# dispatch.sh SWIFTC SOURCE WORK SIMMETAL: a program, and Swift's own command, do with the simulated Metal
# preloaded what they do without it.
set -eu
swiftc=$1 source=$2 work=$3 simmetal=$4
rm -rf "$work"
mkdir -p "$work"
"$swiftc" -warnings-as-errors "$source/tests/swift/dispatch.swift" -o "$work/dispatch"
printf 'task\ntimer\ngroup\nrun loop\nprocess 3\n' >"$work/expected.txt"
for preload in "" "$simmetal"; do
  LD_PRELOAD=$preload timeout 60 "$work/dispatch" >"$work/printed.txt"
  diff "$work/expected.txt" "$work/printed.txt"
done

mkdir -p "$work/package/Sources/program"
echo 'print("ran")' >"$work/package/Sources/program/main.swift"
cat >"$work/package/Package.swift" <<'EOF_MANIFEST'
// swift-tools-version: 5.9
import PackageDescription

let package = Package(name: "program", targets: [.executableTarget(name: "program")])
EOF_MANIFEST
LD_PRELOAD=$simmetal timeout 240 "${swiftc%c}" run --package-path "$work/package" \
  --cache-path "$work/cache" | grep -x ran
