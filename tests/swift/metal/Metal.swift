// What the Swift package and its tests use of Apple's Metal, for compiling what is for a Mac only.

/// A GPU.
public protocol MTLDevice: AnyObject {
    /// Its name.
    var name: String { get }
    /// Does it support a family?
    func supportsFamily(_ family: MTLGPUFamily) -> Bool
}

/// A family of GPUs.
public struct MTLGPUFamily: RawRepresentable {
    /// Metal's constant.
    public let rawValue: Int

    /// The family of a constant.
    public init?(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// The device to use.
public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? {
    nil
}
