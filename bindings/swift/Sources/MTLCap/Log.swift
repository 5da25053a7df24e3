import CMTLCap
import Foundation

extension MTLCap {
    /// How much the library has to say.
    public enum LogLevel: Int32, Comparable, Sendable {
        /// Nothing.
        case off = 0
        /// What is wrong.
        case error = 1
        /// Also what may be. The default.
        case warning = 2
        /// Also what is done.
        case info = 3
        /// Everything.
        case debug = 4

        /// Does a level say less than another?
        public static func < (left: LogLevel, right: LogLevel) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Sends what the library has to say to a function; at first it goes to standard error.
    ///
    /// - Parameters:
    ///   - level: The most talkative level to send.
    ///   - handler: Called on the thread that causes the message; it may call anything of this
    ///     package. Nil: standard error.
    /// - Throws: ``MTLCapError/outOfMemory(message:)``: the log stays as it was.
    public static func setLog(
        upTo level: LogLevel = .warning, _ handler: (@Sendable (LogLevel, String) -> Void)? = nil
    ) throws {
        guard let handler else {
            return try succeed(mtlcap_set_log(level.rawValue, nil, nil))
        }
        let before = logHandler.exchange(handler)
        do {
            try succeed(mtlcap_set_log(level.rawValue, log, nil))
        } catch {
            _ = logHandler.exchange(before)
            throw error
        }
    }
}

private func log(_ level: Int32, _ message: UnsafePointer<CChar>?, _: UnsafeMutableRawPointer?) {
    guard let message else { return }
    logHandler.current?(MTLCap.LogLevel(rawValue: level) ?? .error, String(cString: message))
}

/// The handler in use. C gets one function for all of them, so none has to outlive its successor.
private let logHandler = LogHandler()

private final class LogHandler: @unchecked Sendable {
    typealias Function = @Sendable (MTLCap.LogLevel, String) -> Void

    private let lock = NSLock()
    private var function: Function?

    var current: Function? {
        lock.lock()
        defer { lock.unlock() }
        return function
    }

    func exchange(_ new: Function?) -> Function? {
        lock.lock()
        defer { lock.unlock() }
        let old = function
        function = new
        return old
    }
}
