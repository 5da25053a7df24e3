#if canImport(Metal)
    import Metal

    extension MTLCap {
        /// Asks a device, as any caller would, and tells what it would say by itself.
        ///
        /// - Parameters:
        ///   - capability: The question.
        ///   - device: Metal's device, also a tool's wrapper around one.
        /// - Returns: The stock and the effective answer, and what made the difference.
        /// - Throws: As for a ``Device``.
        public static func query<Value>(
            _ capability: Capability<Value>, device: any MTLDevice
        ) throws -> Answer<Value> {
            try withPointer(device) { try query(capability, device: $0) }
        }

        /// Asks a device as any caller would, and compares the answer with what is expected of it.
        ///
        /// - Parameters:
        ///   - expectation: A key, `=`, `!=`, `>=` or `<=`, and a value as in a profile: "apple>=7".
        ///   - device: Metal's device, also a tool's wrapper around one.
        /// - Returns: Whether it is met. A device that cannot be asked meets none.
        /// - Throws: As for a ``Device``.
        public static func check(_ expectation: String, device: any MTLDevice) throws -> Check {
            try withPointer(device) { try check(expectation, device: $0) }
        }

        /// Makes a device known, and applies the profile in force to its class.
        ///
        /// For one that is not in Metal's list, or that has come since the last `apply`. It is kept
        /// alive. Idempotent.
        ///
        /// - Parameter device: Metal's device.
        /// - Throws: As `apply`.
        public static func adopt(_ device: any MTLDevice) throws {
            try withPointer(device) { try adopt($0) }
        }

        private static func withPointer<Result>(
            _ device: any MTLDevice, _ body: (UnsafeMutableRawPointer) throws -> Result
        ) rethrows -> Result {
            let object = device as AnyObject
            return try withExtendedLifetime(object) {
                try body(Unmanaged.passUnretained(object).toOpaque())
            }
        }
    }

    extension MTLCap.Device {
        /// Metal's own object.
        public var metalDevice: (any MTLDevice)? {
            pointer.flatMap {
                Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? any MTLDevice
            }
        }
    }
#endif
