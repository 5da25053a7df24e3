#if !canImport(Metal)
    import MTLCap
    import XCTest

    final class QueryTests: SimulatedMetalTestCase {
        func testEveryTypeOfAnswer() throws {
            XCTAssertEqual(try MTLCap.query(.apple).effective, 5)
            XCTAssertEqual(try MTLCap.query(.textureSampleCount).effective, 4)
            XCTAssertEqual(try MTLCap.query(.raytracing).effective, false)
            XCTAssertEqual(try MTLCap.query(.threadgroupMemory).effective, .kibibytes(32))
            XCTAssertEqual(try MTLCap.query(.argumentBuffers).effective, 2)
            XCTAssertEqual(try MTLCap.query(.threadsPerThreadgroup).effective.width, 1024)
            XCTAssertEqual(try MTLCap.query(.name).effective, "Apple Paravirtual device")
        }

        func testByText() throws {
            XCTAssertEqual(try MTLCap.query("apple").effective, .level(5))
            XCTAssertEqual(try MTLCap.query("raytracing").effective, .bool(false))
            XCTAssertEqual(
                try MTLCap.query("maxThreadgroupMemoryLength").effective, .number(32_768))
            XCTAssertEqual(
                try MTLCap.query("name").effective, .text("Apple Paravirtual device"))
            guard case .dimensions = try MTLCap.query("threads_per_threadgroup").effective else {
                return XCTFail("not of three dimensions")
            }
            for row in MTLCap.capabilities {
                XCTAssertEqual(try MTLCap.query(row.capability).capability, row.key)
            }
        }

        func testWhatMakesTheDifference() throws {
            try MTLCap.apply(.auto)
            let apple = try MTLCap.query(.apple)
            XCTAssertEqual(apple.stock, 5)
            XCTAssertEqual(apple.stockText, "5")
            XCTAssertEqual(apple.effectiveText, "7")
            XCTAssertTrue(apple.isOverridden)
            XCTAssertEqual(apple.rule, "auto: apple.min=7")
            XCTAssertEqual(apple.source, "Metal")
            XCTAssertEqual(apple.description, "apple: 7 (stock: 5; auto: apple.min=7)")
            let raytracing = try MTLCap.query(.raytracing)
            XCTAssertTrue(raytracing.isDerived)
            XCTAssertNil(raytracing.rule)
            XCTAssertEqual(raytracing.description, "raytracing: yes (stock: no; derived)")
            XCTAssertEqual(try MTLCap.query(.mac).description, "mac: 2")
        }

        func testDevices() throws {
            let devices = try MTLCap.devices().filter { !$0.isAdopted }
            XCTAssertEqual(devices.count, 1)
            let device = try XCTUnwrap(devices.first)
            XCTAssertEqual(device.name, "Apple Paravirtual device")
            XCTAssertEqual(device.className, "AppleParavirtDevice")
            XCTAssertTrue(device.isParavirtual)
            XCTAssertFalse(device.isAdopted)
            XCTAssertEqual(try MTLCap.query(.apple, device: device).effective, 5)
            XCTAssertEqual(
                try MTLCap.query(.apple, device: XCTUnwrap(device.pointer)).effective, 5)
        }

        func testAdoptedDevice() throws {
            let other = try SimulatedMetal.otherDevice(of: "paravirt-m3")
            XCTAssertEqual(try MTLCap.query(.apple, device: other).effective, 5)
            try MTLCap.apply(.stock.capping(.apple, at: 4))
            try MTLCap.adopt(other)
            XCTAssertEqual(try MTLCap.query(.apple, device: other).effective, 4)
            XCTAssertEqual(
                try MTLCap.devices().filter(\.isAdopted).map(\.pointer), [other])
            XCTAssertEqual(
                try MTLCap.check("apple<=4", device: other).isMet, true)
        }

        func testNotADevice() throws {
            let object = try SimulatedMetal.object()
            for body in [
                { _ = try MTLCap.query(.apple, device: object) },
                { _ = try MTLCap.check("apple>=5", device: object) },
                { try MTLCap.adopt(object) },
            ] {
                let error = try error(of: body)
                guard case .notADevice = error else { return XCTFail("\(error)") }
            }
        }

        func testUnknownCapability() throws {
            let error = try error { _ = try MTLCap.query("appel") }
            guard case .unknownCapability(let message) = error else { return XCTFail("\(error)") }
            XCTAssertTrue(message.contains("apple"), message)
        }

        func testCheck() throws {
            let unmet = try MTLCap.check("apple>=7")
            XCTAssertFalse(unmet.isMet)
            XCTAssertEqual(unmet.capability, "apple")
            XCTAssertEqual(unmet.expected, ">=7")
            XCTAssertEqual(unmet.found, "5")
            XCTAssertEqual(unmet.description, "expected apple>=7, found 5")
            try MTLCap.apply(.auto)
            XCTAssertTrue(try MTLCap.check("apple>=7").isMet)
            let error = try error { _ = try MTLCap.check("apple>7>8") }
            guard case .invalidArgument = error else { return XCTFail("\(error)") }
        }

        func testMachine() throws {
            let machine = try MTLCap.machine()
            XCTAssertEqual(machine.chip, "Apple M1 Ultra (Virtual)")
            XCTAssertEqual(machine.chipFamily, 7)
            XCTAssertEqual(machine.isVirtualMachine, true)
            XCTAssertEqual(machine.isAppleSilicon, true)
            XCTAssertNotNil(machine.memory)
            XCTAssertTrue(machine.isSimulated)
        }
    }
#endif
