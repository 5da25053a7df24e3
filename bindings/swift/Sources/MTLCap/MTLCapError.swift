import CMTLCap
import Foundation

/// Something could not be done; what was in force before still is.
///
/// Every case has a message: a sentence that says what is wrong, where, and what would be right.
public enum MTLCapError: Error, Hashable, Sendable {
    /// An argument is not one that the function takes.
    case invalidArgument(message: String)
    /// Out of memory.
    case outOfMemory(message: String)
    /// Not supported here: there is no Metal, or the device has no such question.
    case unsupported(message: String)
    /// There is no Metal device.
    case noDevice(message: String)
    /// A profile is malformed: the item; of a file the line, from 1; the column in bytes, from 1.
    case malformedProfile(message: String, item: String, line: Int?, column: Int)
    /// A profile is known to break programs; allowing the hazard overrides that.
    case hazard(message: String, hazard: MTLCap.Hazard)
    /// There is no such capability.
    case unknownCapability(message: String)
    /// A pointer is not a Metal device.
    case notADevice(message: String)
    /// Too many answers are overridden at once.
    case tooManyOverrides(message: String)
    /// A hook was installed, but Metal's callers do not reach it; nothing was changed.
    case hookNotReached(message: String)
    /// A profile's file cannot be read: the item that names it, and its place in the profile.
    case unreadableFile(message: String, item: String, line: Int?, column: Int)
    /// Another copy of the library in this process is too old, or too new.
    case incompatibleVersion(message: String)
    /// Another apply is in progress.
    case busy(message: String)
    /// The Objective-C runtime refused a hook.
    case hookRefused(message: String)
    /// A status that this version of the package does not know.
    case other(message: String, status: Int)
}

extension MTLCapError {
    /// What stands for a status of the C library.
    public init(status: Int, message: String) {
        self.init(Int32(truncatingIfNeeded: status), mtlcap_error(), message: message)
    }

    /// What went wrong in the last call on this thread.
    static func last(_ status: Int32) -> MTLCapError {
        var error = prepared(mtlcap_error())
        if mtlcap_last_error_info(&error) == MTLCAP_OK.rawValue, error.status == status {
            return MTLCapError(status, error, message: string(of: error.message))
        }
        return MTLCapError(
            status: Int(status), message: String(cString: mtlcap_strerror(status)))
    }

    private init(_ status: Int32, _ error: mtlcap_error, message: String) {
        let line = error.line == 0 ? nil : Int(error.line)
        let column = Int(error.column)
        let item = string(of: error.item)
        switch status {
        case MTLCAP_E_ARGUMENT.rawValue: self = .invalidArgument(message: message)
        case MTLCAP_E_NO_MEMORY.rawValue: self = .outOfMemory(message: message)
        case MTLCAP_E_UNSUPPORTED.rawValue: self = .unsupported(message: message)
        case MTLCAP_E_NO_DEVICE.rawValue: self = .noDevice(message: message)
        case MTLCAP_E_PROFILE.rawValue:
            self = .malformedProfile(message: message, item: item, line: line, column: column)
        case MTLCAP_E_HAZARD.rawValue:
            self = .hazard(message: message, hazard: MTLCap.Hazard(string(of: error.hazard)))
        case MTLCAP_E_CAPABILITY.rawValue: self = .unknownCapability(message: message)
        case MTLCAP_E_NOT_A_DEVICE.rawValue: self = .notADevice(message: message)
        case MTLCAP_E_SLOTS.rawValue: self = .tooManyOverrides(message: message)
        case MTLCAP_E_NOT_REACHED.rawValue: self = .hookNotReached(message: message)
        case MTLCAP_E_FILE.rawValue:
            self = .unreadableFile(message: message, item: item, line: line, column: column)
        case MTLCAP_E_VERSION.rawValue: self = .incompatibleVersion(message: message)
        case MTLCAP_E_BUSY.rawValue: self = .busy(message: message)
        case MTLCAP_E_RUNTIME.rawValue: self = .hookRefused(message: message)
        default: self = .other(message: message, status: Int(status))
        }
    }

    private var parts: (status: Int32, message: String) {
        switch self {
        case .invalidArgument(let message): return (MTLCAP_E_ARGUMENT.rawValue, message)
        case .outOfMemory(let message): return (MTLCAP_E_NO_MEMORY.rawValue, message)
        case .unsupported(let message): return (MTLCAP_E_UNSUPPORTED.rawValue, message)
        case .noDevice(let message): return (MTLCAP_E_NO_DEVICE.rawValue, message)
        case .malformedProfile(let message, _, _, _): return (MTLCAP_E_PROFILE.rawValue, message)
        case .hazard(let message, _): return (MTLCAP_E_HAZARD.rawValue, message)
        case .unknownCapability(let message): return (MTLCAP_E_CAPABILITY.rawValue, message)
        case .notADevice(let message): return (MTLCAP_E_NOT_A_DEVICE.rawValue, message)
        case .tooManyOverrides(let message): return (MTLCAP_E_SLOTS.rawValue, message)
        case .hookNotReached(let message): return (MTLCAP_E_NOT_REACHED.rawValue, message)
        case .unreadableFile(let message, _, _, _): return (MTLCAP_E_FILE.rawValue, message)
        case .incompatibleVersion(let message): return (MTLCAP_E_VERSION.rawValue, message)
        case .busy(let message): return (MTLCAP_E_BUSY.rawValue, message)
        case .hookRefused(let message): return (MTLCAP_E_RUNTIME.rawValue, message)
        case .other(let message, let status): return (Int32(truncatingIfNeeded: status), message)
        }
    }

    /// The C library's status, such as -5.
    public var status: Int { Int(parts.status) }

    /// What is wrong, where, and what would be right.
    public var message: String { parts.message }
}

extension MTLCapError: CustomStringConvertible, LocalizedError {
    /// The message.
    public var description: String { message }

    /// The message.
    public var errorDescription: String? { message }
}
