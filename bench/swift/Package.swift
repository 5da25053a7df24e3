// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "bench",
    platforms: [.macOS(.v11)],
    dependencies: [.package(name: "libmtlcap", path: "../..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "MTLCap", package: "libmtlcap"),
                .product(name: "CMTLCap", package: "libmtlcap"),
            ])
    ]
)
