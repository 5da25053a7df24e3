#!/bin/sh
# format.sh SWIFT SOURCE: the Swift sources are formatted, and documented, as .swift-format says. To
# mend it: swift format -i --configuration bindings/swift/.swift-format -r bindings/swift Package.swift
set -eu
cd "$2"
exec "$1" format lint --strict --configuration bindings/swift/.swift-format --recursive \
  bench/swift bindings/swift examples tests/bindings tests/swift Package.swift
