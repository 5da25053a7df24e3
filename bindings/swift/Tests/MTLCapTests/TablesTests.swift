import CMTLCap
import MTLCap
import XCTest

/// The C library's tables, and what Swift makes of them. Nothing here needs Metal.
final class TablesTests: XCTestCase {
    /// A status that is added in C needs a case in Swift.
    func testEveryStatusHasACase() {
        var status: Int32 = -1
        let unknown = String(cString: mtlcap_strerror(1))
        while String(cString: mtlcap_strerror(status)) != unknown {
            let error = MTLCapError(status: Int(status), message: "m")
            if case .other = error {
                XCTFail("status \(status) has no case")
            }
            XCTAssertEqual(error.status, Int(status))
            XCTAssertEqual(error.message, "m")
            status -= 1
        }
        XCTAssertLessThan(status, -10)
        XCTAssertEqual(
            MTLCapError(status: -1000, message: "m"), .other(message: "m", status: -1000))
    }

    func testErrorsDescribeThemselves() {
        let error: Error = MTLCapError.busy(message: "later")
        XCTAssertEqual("\(error)", "later")
        XCTAssertEqual(error.localizedDescription, "later")
    }

    func testCapabilities() throws {
        let rows = MTLCap.capabilities
        XCTAssertEqual(rows.count, Int(mtlcap_capability_count()))
        XCTAssertFalse(rows.contains { $0.kind == .unknown || $0.selector.isEmpty })
        let row = try XCTUnwrap(rows.first { $0.key == "threadgroup_memory" })
        XCTAssertEqual(row.selector, "maxThreadgroupMemoryLength")
        XCTAssertEqual(row.kind, .size)
        XCTAssertEqual(row.unit, "bytes")
        XCTAssertTrue(row.canLower && row.canRaise)
        XCTAssertEqual(row.hazard, .threadgroupMemory)
        XCTAssertEqual(row.capability, "threadgroup_memory")
        let name = try XCTUnwrap(rows.first { $0.key == "name" })
        XCTAssertFalse(name.canLower || name.canRaise)
        XCTAssertNil(name.unit)
        XCTAssertNil(name.hazard)
    }

    func testProfiles() throws {
        XCTAssertEqual(MTLCap.profiles.count, Int(mtlcap_profile_count()))
        let row = try XCTUnwrap(MTLCap.profiles.first { $0.profile == .lume })
        XCTAssertEqual(row.rules, "apple.min=9,threadgroup_memory.min=64K")
        XCTAssertNotNil(row.source)
        XCTAssertNil(MTLCap.profiles.first { $0.profile == .stock }?.source)
    }

    func testHazards() throws {
        XCTAssertEqual(MTLCap.hazards.count, Int(mtlcap_hazard_count()))
        let row = try XCTUnwrap(MTLCap.hazards.first { $0.hazard == .beyondHardware })
        XCTAssertTrue(row.refuses)
        XCTAssertFalse(row.when.isEmpty || row.breaks.isEmpty || row.source.isEmpty)
        XCTAssertEqual(MTLCap.hazards.first { $0.hazard == .pytorchMPP }?.refuses, false)
    }

    func testVersion() {
        XCTAssertEqual(
            MTLCap.version,
            "\(MTLCAP_VERSION_MAJOR).\(MTLCAP_VERSION_MINOR).\(MTLCAP_VERSION_PATCH)")
    }
}
