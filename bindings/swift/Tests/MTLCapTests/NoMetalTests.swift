#if !canImport(Metal)
    import MTLCap
    import XCTest

    /// Where there is no Metal, and no Objective-C runtime: to be run in a process of its own.
    final class NoMetalTests: XCTestCase {
        func testUnsupported() {
            for body in [
                { _ = try MTLCap.apply(.auto) },
                { _ = try MTLCap.query(.apple) },
                { _ = try MTLCap.check("apple>=7") },
                { _ = try MTLCap.devices() },
                { try MTLCap.withProfile(.auto) { _ in XCTFail("entered") } },
            ] {
                XCTAssertThrowsError(try body()) { error in
                    guard case .unsupported? = error as? MTLCapError else {
                        return XCTFail("\(error)")
                    }
                }
            }
        }

        func testWhatNeedsNoMetal() throws {
            try MTLCap.restore()
            XCTAssertFalse(MTLCap.isActive)
            XCTAssertEqual(MTLCap.generation, 0)
            XCTAssertEqual(try MTLCap.report().generation, 0)
            XCTAssertFalse(MTLCap.capabilities.isEmpty)
            XCTAssertEqual(try MTLCap.explain(.auto).error?.status, -3)
            XCTAssertFalse(try MTLCap.machine().isSimulated)
        }
    }
#endif
