#if !canImport(Metal)
    import Foundation
    import MTLCap
    import XCTest

    /// The simulated Metal, which the variable MTLCAP_SIMMETAL names, as its clients see it.
    enum SimulatedMetal {
        private static let library: UnsafeMutableRawPointer? = {
            guard let path = ProcessInfo.processInfo.environment["MTLCAP_SIMMETAL"] else {
                return nil
            }
            // Global: Metal's functions are looked for by name. Never closed: classes cannot go.
            return dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE)
        }()

        private static func function<Function>(_ name: String, _: Function.Type) throws -> Function
        {
            let library = try XCTUnwrap(
                library, "MTLCAP_SIMMETAL is not the path of libsimmetal.so.0 of a build")
            return unsafeBitCast(try XCTUnwrap(dlsym(library, name)), to: Function.self)
        }

        static func load() throws {
            _ = try function("simmetal_ask", (@convention(c) () -> Void).self)
        }

        /// What Metal gives to a client.
        static func defaultDevice() throws -> UnsafeMutableRawPointer {
            typealias Create = @convention(c) () -> UnsafeMutableRawPointer?
            return try XCTUnwrap(function("MTLCreateSystemDefaultDevice", Create.self)())
        }

        /// A device that is not in Metal's list.
        static func otherDevice(of machine: String) throws -> UnsafeMutableRawPointer {
            typealias Create = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
            return try XCTUnwrap(function("simmetal_create_device", Create.self)(machine))
        }

        /// An object that is no device.
        static func object() throws -> UnsafeMutableRawPointer {
            typealias LookUp = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
            return try XCTUnwrap(function("objc_lookUpClass", LookUp.self)("NSObject"))
        }

        /// Asks as a client does.
        static func supportsFamily(_ family: Int64) throws -> Bool {
            typealias Ask =
                @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Int64) -> UInt64
            let ask = try function("simmetal_ask_with", Ask.self)
            return ask(try defaultDevice(), "supportsFamily:", family) != 0
        }
    }

    /// A test on the simulated Metal, which begins and ends with stock answers.
    class SimulatedMetalTestCase: XCTestCase {
        override func setUpWithError() throws {
            try SimulatedMetal.load()
        }

        override func tearDownWithError() throws {
            try MTLCap.restore()
            XCTAssertFalse(MTLCap.isActive)
        }

        /// What `body` throws.
        func error(of body: () throws -> Void) throws -> MTLCapError {
            do {
                try body()
            } catch {
                return try XCTUnwrap(error as? MTLCapError)
            }
            return .other(message: "nothing was thrown", status: 0)
        }
    }
#endif
