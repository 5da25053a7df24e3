#if !canImport(Metal)
    import Foundation
    import MTLCap
    import XCTest

    /// On the machine `paravirt-old-sdk`, where the profile `auto` meets a hazard that only warns.
    final class LogTests: SimulatedMetalTestCase {
        private final class Messages: @unchecked Sendable {
            private let lock = NSLock()
            private var kept: [(MTLCap.LogLevel, String)] = []

            func keep(_ level: MTLCap.LogLevel, _ message: String) {
                lock.lock()
                defer { lock.unlock() }
                kept.append((level, message))
            }

            var all: [(level: MTLCap.LogLevel, message: String)] {
                lock.lock()
                defer { lock.unlock() }
                return kept.map { (level: $0.0, message: $0.1) }
            }
        }

        override func tearDownWithError() throws {
            try MTLCap.setLog()
            try super.tearDownWithError()
        }

        func testHandler() throws {
            let first = Messages()
            let second = Messages()
            try MTLCap.setLog(upTo: .debug) { level, message in
                first.keep(level, message)
                _ = try? MTLCap.query(.apple)
            }
            try MTLCap.withProfile(.auto) { _ in }
            let count = first.all.count
            XCTAssertGreaterThan(count, 0)
            XCTAssertTrue(
                first.all.contains { $0.level == .warning && $0.message.contains("old-sdk-bf16") })

            try MTLCap.setLog(upTo: .debug, { second.keep($0, $1) })
            try MTLCap.withProfile(.auto) { _ in }
            XCTAssertEqual(first.all.count, count)
            XCTAssertGreaterThan(second.all.count, 0)
        }

        func testOff() throws {
            let messages = Messages()
            try MTLCap.setLog(upTo: .off, { messages.keep($0, $1) })
            try MTLCap.withProfile(.auto) { _ in }
            XCTAssertEqual(messages.all.count, 0)
            XCTAssertLessThan(MTLCap.LogLevel.error, .debug)
        }
    }
#endif
