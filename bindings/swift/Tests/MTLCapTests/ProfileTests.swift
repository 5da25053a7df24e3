import MTLCap
import XCTest

/// Profiles as a type: nothing here needs Metal.
final class ProfileTests: XCTestCase {
    func testBuiltFromValues() {
        let profile = MTLCap.Profile.auto
            .raising(.apple, to: 7)
            .raising(.readWriteTexture, to: 2)
            .capping(.threadgroupMemory, at: .kibibytes(32))
            .capping(.metal, at: .off)
            .capping(.threadsPerThreadgroup, at: .init(width: 512, height: 256, depth: 64))
            .setting(.raytracing, to: false)
            .setting("working_set", to: 1024)
            .adding("like-m1,@file")
        XCTAssertEqual(
            profile.text,
            "auto,apple.min=7,read_write_texture.min=2,threadgroup_memory.max=32768,metal.max=off,"
                + "threads_per_threadgroup.max=512x256x64,raytracing=off,working_set=1024,"
                + "like-m1,@file")
    }

    func testBuiltFromText() {
        let literal: MTLCap.Profile = "auto,metal=off"
        XCTAssertEqual(literal, .auto.setting(.metal, to: .off))
        XCTAssertEqual(literal.description, "auto,metal=off")
        XCTAssertEqual(MTLCap.Profile.file("a/b").text, "@a/b")
        XCTAssertEqual(MTLCap.Profile.likeM1.adding("apple.min=\(7)").text, "like-m1,apple.min=7")
    }

    func testSizes() {
        XCTAssertEqual(MTLCap.ByteCount.kibibytes(32), .bytes(32_768))
        XCTAssertEqual(MTLCap.ByteCount.mebibytes(1), .kibibytes(1024))
        XCTAssertEqual(MTLCap.ByteCount.gibibytes(11).bytes, 11_811_160_064)
        XCTAssertEqual(MTLCap.ByteCount.gibibytes(.max).bytes, .max)
        XCTAssertLessThan(MTLCap.ByteCount.kibibytes(1), .mebibytes(1))
        XCTAssertEqual(
            [.kibibytes(32), .gibibytes(3), .bytes(1025), .bytes(0)].map(
                \MTLCap.ByteCount.description),
            ["32 KiB", "3 GiB", "1025 bytes", "0 bytes"])
    }

    func testLevels() {
        XCTAssertLessThan(MTLCap.Level.off, 1)
        XCTAssertEqual(MTLCap.Level(7).description, "7")
        XCTAssertEqual(MTLCap.Level.off.description, "off")
    }

    func testCapabilitiesAreTheirKeys() {
        XCTAssertEqual(MTLCap.Capability.threadgroupMemory.key, "threadgroup_memory")
        XCTAssertEqual(Set([MTLCap.Capability.raytracing, .raytracing]).count, 1)
        XCTAssertEqual("raytracing" as MTLCap.Capability, MTLCap.Capability("raytracing"))
    }
}
