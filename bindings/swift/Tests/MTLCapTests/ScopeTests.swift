#if !canImport(Metal)
    import CMTLCap
    import Foundation
    import MTLCap
    import XCTest

    final class ScopeTests: SimulatedMetalTestCase {
        private struct Stop: Error {}

        private func apple() throws -> MTLCap.Level {
            try MTLCap.query(.apple).effective
        }

        func testNested() throws {
            try MTLCap.withProfile(.stock.capping(.apple, at: 4)) { outer in
                XCTAssertEqual(try apple(), 4)
                XCTAssertEqual(outer.profile, "stock,apple.max=4")
                let found = try MTLCap.withProfile(.auto) { inner in
                    XCTAssertGreaterThan(inner.generation, outer.generation)
                    return try apple()
                }
                XCTAssertEqual(found, 7)
                XCTAssertEqual(try apple(), 4)
            }
            XCTAssertEqual(try apple(), 5)
            XCTAssertFalse(MTLCap.isActive)
        }

        func testThrown() throws {
            XCTAssertThrowsError(try MTLCap.withProfile(.auto) { _ in throw Stop() }) {
                XCTAssertTrue($0 is Stop)
            }
            XCTAssertFalse(MTLCap.isActive)
        }

        func testWhatApplyDidComesBack() throws {
            try MTLCap.apply(.auto.raising(.apple, to: 9), allowing: [.beyondHardware])
            try MTLCap.withProfile(.stock) { _ in
                XCTAssertEqual(try apple(), 5)
            }
            XCTAssertEqual(try apple(), 9)
            XCTAssertEqual(try MTLCap.report().allowed, [.beyondHardware])
        }

        func testWhatApplyDidIsRestoredAfterwards() throws {
            let applied = try MTLCap.apply(.auto)
            for _ in 0..<2 {
                try MTLCap.withProfile("apple.max=4") { _ in
                    try MTLCap.withProfile(.stock) { _ in
                        XCTAssertFalse(applied.isInForce)
                    }
                    XCTAssertEqual(try apple(), 4)
                }
                XCTAssertTrue(applied.isInForce)
                XCTAssertEqual(try apple(), 7)
            }
            try applied.restore()
            XCTAssertFalse(applied.isInForce)
            XCTAssertFalse(MTLCap.isActive)

            let replaced = try MTLCap.apply(.auto)
            try MTLCap.withProfile(.stock) { _ in }
            try MTLCap.apply("apple.max=4")
            try replaced.restore()
            XCTAssertEqual(try apple(), 4)
        }

        func testWhatIsRestoredInsideDoesNotComeBack() throws {
            let applied = try MTLCap.apply(.auto)
            try MTLCap.withProfile("apple.max=4") { _ in
                try applied.restore()
                XCTAssertEqual(try apple(), 4)
            }
            XCTAssertFalse(MTLCap.isActive)
        }

        /// Its `apply` was another's, who holds but the number.
        func testOverSomebodyElses() throws {
            XCTAssertEqual(mtlcap_apply_profile("apple.min=6", nil), 0)
            let generation = mtlcap_generation()
            try MTLCap.withProfile("apple.max=4") { _ in }
            XCTAssertEqual(try apple(), 6)
            XCTAssertEqual(mtlcap_restore_generation(generation), 0)
            XCTAssertEqual(try apple(), 5)
        }

        func testInALogHandler() throws {
            let calls = Calls()
            try MTLCap.setLog(upTo: .info) { _, _ in
                guard calls.isFirst() else { return }
                try? MTLCap.withProfile(.stock.capping(.apple, at: 4)) { _ in }
            }
            defer { try? MTLCap.setLog() }
            try MTLCap.withProfile(.auto) { _ in
                XCTAssertEqual(try apple(), 7)
            }
            XCTAssertFalse(calls.isFirst())
            XCTAssertEqual(MTLCap.generation, 0)
        }

        private final class Calls: @unchecked Sendable {
            private let lock = NSLock()
            private var count = 0

            func isFirst() -> Bool {
                lock.lock()
                defer { lock.unlock() }
                count += 1
                return count == 1
            }
        }

        #if compiler(>=6)
            @MainActor
            func testAsynchronous() async throws {
                var asked = 0  // of the main actor, as the body is
                let found = try await MTLCap.withProfile(.auto) { report in
                    XCTAssertEqual(report.profile, .auto)
                    try await Task.sleep(nanoseconds: 1_000_000)
                    asked += 1
                    return try MTLCap.withProfile("apple.max=4") { _ in try apple() }
                }
                XCTAssertEqual(found, 4)
                XCTAssertEqual(asked, 1)
                XCTAssertFalse(MTLCap.isActive)

                do {
                    try await MTLCap.withProfile(.auto) { _ in
                        await Task.yield()
                        throw Stop()
                    }
                    XCTFail("nothing was thrown")
                } catch is Stop {
                    XCTAssertFalse(MTLCap.isActive)
                }
            }
        #endif

        func testApplyAndRestoreInsideStay() throws {
            try MTLCap.withProfile(.auto) { _ in
                _ = try MTLCap.apply(.stock.capping(.apple, at: 4))
            }
            XCTAssertEqual(try apple(), 4)
            try MTLCap.withProfile(.auto) { _ in
                try MTLCap.restore()
            }
            XCTAssertEqual(try apple(), 5)
        }

        func testRefusedChangesNothing() throws {
            XCTAssertThrowsError(try MTLCap.withProfile(.lume) { _ in XCTFail("entered") })
            XCTAssertFalse(MTLCap.isActive)
        }

        /// Calls of two threads that end in the order in which they began.
        func testEndsInAnyOrder() throws {
            let entered = DispatchSemaphore(value: 0)
            let leave = DispatchSemaphore(value: 0)
            let left = expectation(description: "the other thread has left")
            Thread.detachNewThread {
                try? MTLCap.withProfile(.stock.capping(.apple, at: 4)) { _ in
                    entered.signal()
                    leave.wait()
                }
                left.fulfill()
            }
            entered.wait()
            try MTLCap.withProfile(.auto) { _ in
                leave.signal()
                wait(for: [left], timeout: 60)
                XCTAssertEqual(try apple(), 7)
            }
            XCTAssertEqual(try apple(), 5)
        }

        func testManyThreads() throws {
            try MTLCap.apply(.auto)  // before others ask: see mtlcap_apply_profile()
            try MTLCap.restore()
            DispatchQueue.concurrentPerform(iterations: 8) { index in
                for _ in 0..<50 {
                    do {
                        try MTLCap.withProfile(index % 2 == 0 ? .auto : "apple.max=4") { _ in
                            let level = try apple()
                            XCTAssertTrue([4, 5, 7].contains(level), "\(level)")
                        }
                    } catch {
                        XCTFail("\(error)")
                    }
                }
            }
            XCTAssertEqual(try apple(), 5)
            XCTAssertFalse(MTLCap.isActive)
        }
    }
#endif
