#!/bin/sh
# metal.sh SWIFTC SOURCE WORK: what the Swift package has for a Mac's Metal compiles, against a
# stand-in for Metal, and so do its tests; as Swift 5 and as Swift 6, without a warning.
set -eu
swiftc=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$swiftc" -emit-module -module-name Metal "$source/tests/swift/metal/Metal.swift"
# Which can only be compiled if the rest was compiled for Metal.
cat >uses.swift <<'EOF'
import MTLCap
import Metal
public func metal(_ device: MTLCap.Device) -> (any MTLDevice)? { device.metalDevice }
EOF
for version in 5 6; do
  options="-swift-version $version -strict-concurrency=complete -warnings-as-errors -I . -I $source/include"
  # shellcheck disable=SC2086 # one word each
  "$swiftc" -emit-module -module-name MTLCap $options "$source"/bindings/swift/Sources/MTLCap/*.swift
  # shellcheck disable=SC2086 # one word each
  "$swiftc" -typecheck -module-name MTLCapTests $options uses.swift \
    "$source"/bindings/swift/Tests/MTLCapTests/MacTests.swift
done
