import CMTLCap

extension MTLCap {
    /// A Metal device. It lives as long as the process.
    public struct Device: Hashable, Sendable {
        private let address: UInt
        /// Metal's name for it: "Apple Paravirtual device".
        public let name: String
        /// The Objective-C class that answers, below any tool's wrapper.
        public let className: String
        /// It is Apple's paravirtual device, of a virtual machine.
        public let isParavirtual: Bool
        /// It became known by `adopt`.
        public let isAdopted: Bool

        /// The `id<MTLDevice>`.
        public var pointer: UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: address)
        }

        init(_ device: mtlcap_device) {
            address = UInt(bitPattern: device.device)
            name = string(of: device.name)
            className = string(of: device.class_name)
            isParavirtual = device.paravirtual != 0
            isAdopted = device.adopted != 0
        }
    }

    /// The machine as profiles and hazards see it. Nil: unknown.
    public struct Machine: Hashable, Sendable {
        /// RAM.
        public let memory: ByteCount?
        /// Is it a virtual machine?
        public let isVirtualMachine: Bool?
        /// Apple silicon, or Intel.
        public let isAppleSilicon: Bool?
        /// The processor's brand string: "Apple M1 Ultra (Virtual)".
        public let chip: String?
        /// The Apple family of the chip's own GPU.
        public let chipFamily: Level?
        /// The model, such as "VirtualMac2,1".
        public let model: String?
        /// The version of macOS: "26.5.2".
        public let osVersion: String?
        /// The GPU is that of the simulated Metal.
        public let isSimulated: Bool
    }

    /// Metal's devices, the first of them first, then those that were adopted.
    ///
    /// - Returns: None, if Metal has none.
    /// - Throws: ``MTLCapError/unsupported(message:)``: there is no Metal here.
    public static func devices() throws -> [Device] {
        var count: UInt32 = 0
        try succeed(mtlcap_device_count(&count))
        var found: [Device] = []
        for index in 0..<count {
            do {
                found.append(
                    Device(try filled(mtlcap_device()) { mtlcap_device_info(index, $0) }))
            } catch MTLCapError.noDevice {  // one has gone since
                break
            }
        }
        return found
    }

    /// Makes a device known, by its pointer, and applies the profile in force to its class.
    ///
    /// For one that is not in Metal's list, or that has come since the last `apply`. It is kept
    /// alive. Idempotent.
    ///
    /// - Parameter device: An `id<MTLDevice>`.
    /// - Throws: ``MTLCapError/notADevice(message:)``, or as `apply`.
    public static func adopt(_ device: UnsafeMutableRawPointer) throws {
        try succeed(mtlcap_adopt_device(device))
    }

    /// The machine as profiles and hazards see it.
    ///
    /// - Returns: Facts of the system.
    /// - Throws: ``MTLCapError/incompatibleVersion(message:)``.
    public static func machine() throws -> Machine {
        let machine = try filled(mtlcap_machine()) { mtlcap_machine_info($0) }
        func known(_ value: Int32) -> Bool? {
            value == MTLCAP_UNKNOWN ? nil : value != 0
        }
        return Machine(
            memory: machine.memory == 0 ? nil : .bytes(machine.memory),
            isVirtualMachine: known(machine.virtual_machine),
            isAppleSilicon: known(machine.apple_silicon),
            chip: stringIfAny(of: machine.chip),
            chipFamily: machine.chip_family == 0 ? nil : Level(Int(machine.chip_family)),
            model: stringIfAny(of: machine.model),
            osVersion: stringIfAny(of: machine.os_version),
            isSimulated: machine.simulated != 0)
    }
}
