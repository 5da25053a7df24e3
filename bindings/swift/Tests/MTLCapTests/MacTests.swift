#if canImport(Metal)
    import MTLCap
    import Metal
    import XCTest

    /// On the GPU of a Mac, whatever it is.
    final class MacTests: XCTestCase {
        override func tearDownWithError() throws {
            try MTLCap.restore()
        }

        func testApplyAndRestore() throws {
            let device = try XCTUnwrap(MTLCreateSystemDefaultDevice())
            let stock = try MTLCap.query(.apple, device: device)
            let applied = try MTLCap.apply(.auto)
            let answer = try MTLCap.query(.apple, device: device)
            XCTAssertEqual(answer.stock, stock.effective)
            XCTAssertGreaterThanOrEqual(answer.effective, stock.effective)
            if answer.effective > .off {
                let family = try XCTUnwrap(MTLGPUFamily(rawValue: 1000 + answer.effective.number))
                XCTAssertTrue(device.supportsFamily(family))
            }
            XCTAssertTrue(try MTLCap.check("apple=\(answer.effective)", device: device).isMet)
            try applied.restore()
            XCTAssertEqual(try MTLCap.query(.apple, device: device).effective, stock.effective)
        }

        func testDevices() throws {
            for device in try MTLCap.devices() {
                XCTAssertEqual(device.metalDevice?.name, device.name)
            }
            try MTLCap.adopt(try XCTUnwrap(MTLCreateSystemDefaultDevice()))
        }
    }
#endif
