// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "libmtlcap",
    platforms: [.macOS(.v11)],
    products: [
        .library(name: "MTLCap", targets: ["MTLCap"]),
        .library(name: "CMTLCap", targets: ["CMTLCap"]),
    ],
    targets: [
        // The C library. Its path is the root because a target's public headers must lie below it.
        .target(
            name: "CMTLCap",
            path: ".",
            sources: ["lib/core", "lib/host", "lib/runtime"],
            publicHeadersPath: "include",
            cSettings: [
                .headerSearchPath("lib"),
                .define("_POSIX_C_SOURCE", to: "200809L", .when(platforms: [.linux])),
            ],
            linkerSettings: [
                .linkedLibrary("objc", .when(platforms: [.macOS])),
                .linkedLibrary("dl", .when(platforms: [.linux])),
                .linkedLibrary("pthread", .when(platforms: [.linux])),
            ]
        ),
        .target(
            name: "MTLCap",
            dependencies: ["CMTLCap"],
            path: "bindings/swift/Sources/MTLCap"
        ),
        .testTarget(
            name: "MTLCapTests",
            dependencies: ["MTLCap", "CMTLCap"],
            path: "bindings/swift/Tests/MTLCapTests"
        ),
    ],
    cLanguageStandard: .c11
)
