#if !canImport(Metal)
    import Foundation
    import MTLCap
    import XCTest

    final class ApplyTests: SimulatedMetalTestCase {
        func testApplyAndRestore() throws {
            XCTAssertFalse(try SimulatedMetal.supportsFamily(1007))
            let applied = try MTLCap.apply(.auto)
            XCTAssertTrue(applied.isInForce)
            XCTAssertTrue(MTLCap.isActive)
            XCTAssertEqual(MTLCap.generation, applied.generation)
            XCTAssertTrue(try SimulatedMetal.supportsFamily(1007))
            XCTAssertEqual(try MTLCap.query(.apple).effective, 7)

            try applied.restore()
            XCTAssertFalse(applied.isInForce)
            XCTAssertFalse(MTLCap.isActive)
            XCTAssertEqual(MTLCap.generation, 0)
            XCTAssertFalse(try SimulatedMetal.supportsFamily(1007))
            try applied.restore()
        }

        func testTypedProfile() throws {
            try MTLCap.apply(
                .auto.capping(.workingSet, at: .gibibytes(1)).capping(.apple, at: 6)
                    .setting(.raytracing, to: false))
            XCTAssertEqual(try MTLCap.query(.workingSet).effective, .gibibytes(1))
            XCTAssertEqual(try MTLCap.query(.apple).effective, 6)
            XCTAssertFalse(try MTLCap.query(.raytracing).effective)
        }

        func testReport() throws {
            XCTAssertEqual(try MTLCap.report().description, "no profile is in force")
            let report = try MTLCap.apply(.auto).report
            XCTAssertEqual(report.profile, .auto)
            XCTAssertEqual(report.allowed, [])
            XCTAssertEqual(report.deviceCount, 1)
            XCTAssertEqual(report.changes.first?.description, "apple: 5 -> 7 (auto: apple.min=7)")
            XCTAssertEqual(report.changes.first?.device, try MTLCap.devices().first?.pointer)
            XCTAssertTrue(report.changes.contains { $0.isDerived && $0.capability == "raytracing" })
            XCTAssertEqual(report.findings, [])
            XCTAssertTrue(report.description.hasPrefix("auto: "), report.description)
            XCTAssertEqual(try MTLCap.report(), report)
        }

        func testNothingIsRestoredInSilence() throws {
            do {
                _ = try MTLCap.apply(.auto)
            }
            XCTAssertTrue(try SimulatedMetal.supportsFamily(1007))
        }

        func testRestoreOfWhatWasReplacedDoesNothing() throws {
            let first = try MTLCap.apply(.auto)
            let second = try MTLCap.apply(.auto.capping(.apple, at: 6))
            try first.restore()
            XCTAssertTrue(second.isInForce)
            XCTAssertEqual(try MTLCap.query(.apple).effective, 6)
        }

        func testRefused() throws {
            let error = try error { try MTLCap.apply(.auto.raising(.apple, to: 9)) }
            guard case .hazard(let message, .beyondHardware) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertTrue(message.contains("beyond-hardware"), message)
            XCTAssertEqual(error.status, -6)
            XCTAssertFalse(MTLCap.isActive)

            let applied = try MTLCap.apply(
                .auto.raising(.apple, to: 9), allowing: [.beyondHardware, .metal])
            XCTAssertEqual(applied.report.allowed, [.beyondHardware, .metal])
            XCTAssertEqual(applied.report.findings.map(\.hazard), [.beyondHardware])
            XCTAssertEqual(applied.report.findings.first?.isAllowed, true)
            XCTAssertEqual(try MTLCap.query(.apple).effective, 9)
        }

        func testWhatWasInForceStaysInForce() throws {
            let applied = try MTLCap.apply(.auto)
            XCTAssertThrowsError(try MTLCap.apply("nonsense"))
            XCTAssertTrue(applied.isInForce)
        }

        func testMalformed() throws {
            let error = try error { try MTLCap.apply("auto,appel.min=3") }
            guard case .malformedProfile(let message, "appel.min=3", nil, 6) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertTrue(message.contains("apple"), message)
        }

        func testFile() throws {
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("mtlcap-\(getpid()).profile")
            defer { try? FileManager.default.removeItem(at: file) }
            try "# two lines\nauto\napple.max=6\n".write(
                to: file, atomically: true, encoding: .utf8)
            try MTLCap.apply(.file(file.path))
            XCTAssertEqual(try MTLCap.query(.apple).effective, 6)

            try "auto\nappel=6\n".write(to: file, atomically: true, encoding: .utf8)
            let malformed = try error { try MTLCap.apply(.file(file.path)) }
            guard case .malformedProfile(_, "appel=6", 2, 1) = malformed else {
                return XCTFail("\(malformed)")
            }
            let missing = try error { try MTLCap.apply(.file("/nowhere")) }
            guard case .unreadableFile(_, "@/nowhere", nil, 1) = missing else {
                return XCTFail("\(missing)")
            }
        }

        func testZeroBytes() throws {
            for body in [
                { _ = try MTLCap.apply("auto\0") },
                { _ = try MTLCap.apply(.auto, allowing: ["metal\0"]) },
                { _ = try MTLCap.query("apple\0") },
                { _ = try MTLCap.check("apple>=5\0") },
            ] {
                let error = try error(of: body)
                guard case .invalidArgument = error else { return XCTFail("\(error)") }
            }
        }

        func testExplain() throws {
            let good = try MTLCap.explain(.auto)
            XCTAssertNil(good.error)
            XCTAssertEqual(good.rules.map(\.description), ["apple: 5 -> 7 (auto: apple.min=7)"])
            let refused = try MTLCap.explain(.lume)
            XCTAssertEqual(refused.error?.status, -6)
            XCTAssertEqual(
                Set(refused.findings.map(\.hazard)), [.beyondHardware, .threadgroupMemory])
            XCTAssertNil(
                try MTLCap.explain(.lume, allowing: [.beyondHardware, .threadgroupMemory]).error)
            XCTAssertThrowsError(try MTLCap.explain("nonsense"))
            XCTAssertFalse(MTLCap.isActive)
        }
    }
#endif
