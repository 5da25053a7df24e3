import CMTLCap

extension MTLCap {
    /// One question that Metal answers about a device, and the type of its answer.
    ///
    ///     let raytracing: Bool = try MTLCap.query(.raytracing).effective
    ///     let memory: MTLCap.ByteCount = try MTLCap.query(.threadgroupMemory).effective
    ///     let value: MTLCap.AnyValue = try MTLCap.query("threadgroup_memory").effective
    public struct Capability<Value: Hashable & Sendable>: Sendable {
        /// Its name in profiles: "threadgroup_memory".
        public let key: String
        let coding: Coding<Value>

        init(_ key: String, _ coding: Coding<Value>) {
            self.key = key
            self.coding = coding
        }
    }

    /// How a capability's value is read from an answer, and written in a profile.
    struct Coding<Value: Hashable & Sendable>: Sendable {
        let read: @Sendable (mtlcap_value, _ kind: Int32) -> Value
        let write: @Sendable (Value) -> String
    }
}

extension MTLCap.Capability: Hashable, CustomStringConvertible {
    /// The key.
    public var description: String { key }

    /// Are these the same question?
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension MTLCap.Capability: ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByStringLiteral
where Value == MTLCap.AnyValue {
    /// A capability by its key, or by Metal's name where only one key has it.
    public init(_ key: String) {
        self.init(key, .any)
    }

    /// A capability by its key, or by Metal's name where only one key has it.
    public init(stringLiteral key: String) {
        self.init(key, .any)
    }
}

extension MTLCap.Coding where Value == MTLCap.Level {
    static var level: Self {
        Self(
            read: { value, _ in MTLCap.Level(Int(clamping: value.number.0)) },
            write: { $0.description })
    }
}

extension MTLCap.Coding where Value == Bool {
    static var bool: Self {
        Self(read: { value, _ in value.number.0 != 0 }, write: { $0 ? "on" : "off" })
    }
}

extension MTLCap.Coding where Value == MTLCap.ByteCount {
    static var bytes: Self {
        Self(read: { value, _ in .bytes(value.number.0) }, write: { String($0.bytes) })
    }
}

extension MTLCap.Coding where Value == UInt64 {
    static var number: Self {
        Self(read: { value, _ in value.number.0 }, write: { $0.description })
    }
}

extension MTLCap.Coding where Value == MTLCap.Dimensions {
    static var dimensions: Self {
        Self(
            read: { value, _ in
                MTLCap.Dimensions(
                    width: value.number.0, height: value.number.1, depth: value.number.2)
            },
            write: { $0.description })
    }
}

extension MTLCap.Coding where Value == String {
    static var text: Self {
        Self(read: { value, _ in string(of: value.text) }, write: { $0 })
    }
}

extension MTLCap.Coding where Value == MTLCap.AnyValue {
    static var any: Self {
        Self(
            read: { value, kind in
                switch MTLCap.Kind(kind) {
                case .family, .count: return .level(MTLCap.Coding.level.read(value, kind))
                case .bool: return .bool(value.number.0 != 0)
                case .size, .tier: return .number(value.number.0)
                case .size3: return .dimensions(MTLCap.Coding.dimensions.read(value, kind))
                case .text, .unknown: return .text(string(of: value.text))
                }
            },
            write: { $0.description })
    }
}
