// What capabilities answer with, and what profiles set them to.

extension MTLCap {
    /// Of a row of numbered things, such as GPU families, the highest that a device says yes to.
    ///
    /// A family's number is the one in its name: 7 is `MTLGPUFamilyApple7`.
    public struct Level: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
        /// The number; 0: none at all.
        public let number: Int

        /// None at all.
        public static let off = Level(0)

        /// The level of a number.
        public init(_ number: Int) {
            self.number = number
        }

        /// The level of a number.
        public init(integerLiteral number: Int) {
            self.number = number
        }

        /// Is a level below another?
        public static func < (left: Level, right: Level) -> Bool {
            left.number < right.number
        }
    }

    /// A size of memory.
    public struct ByteCount: Hashable, Comparable, Sendable {
        /// The number of bytes.
        public let bytes: UInt64

        /// Not rounded: `.bytes(32_768)` is `.kibibytes(32)`.
        public static func bytes(_ count: UInt64) -> ByteCount {
            ByteCount(bytes: count)
        }

        /// 1024 bytes each.
        public static func kibibytes(_ count: UInt64) -> ByteCount {
            multiplied(count, by: 1 << 10)
        }

        /// 1024 KiB each.
        public static func mebibytes(_ count: UInt64) -> ByteCount {
            multiplied(count, by: 1 << 20)
        }

        /// 1024 MiB each.
        public static func gibibytes(_ count: UInt64) -> ByteCount {
            multiplied(count, by: 1 << 30)
        }

        /// What is too large becomes the largest.
        private static func multiplied(_ count: UInt64, by unit: UInt64) -> ByteCount {
            let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
            return ByteCount(bytes: overflow ? .max : bytes)
        }

        /// Is a size smaller than another?
        public static func < (left: ByteCount, right: ByteCount) -> Bool {
            left.bytes < right.bytes
        }
    }

    /// A size in three dimensions.
    public struct Dimensions: Hashable, Sendable {
        /// The first dimension.
        public let width: UInt64
        /// The second dimension.
        public let height: UInt64
        /// The third dimension.
        public let depth: UInt64

        /// A size in three dimensions.
        public init(width: UInt64, height: UInt64, depth: UInt64) {
            self.width = width
            self.height = height
            self.depth = depth
        }
    }

    /// A value of a capability whose type is not known before the program runs.
    public enum AnyValue: Hashable, Sendable {
        /// The highest number that is answered yes.
        case level(Level)
        /// Yes or no.
        case bool(Bool)
        /// A number; its unit is the capability's.
        case number(UInt64)
        /// A size in three dimensions.
        case dimensions(Dimensions)
        /// Text.
        case text(String)
    }
}

extension MTLCap.Level: CustomStringConvertible {
    /// "7" or "off", as in a profile.
    public var description: String { number == 0 ? "off" : String(number) }
}

extension MTLCap.ByteCount: CustomStringConvertible {
    /// "32 KiB", in the largest unit that divides it.
    public var description: String {
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        where bytes != 0 && bytes.trailingZeroBitCount >= shift {
            return "\(bytes >> shift) \(unit)"
        }
        return "\(bytes) bytes"
    }
}

extension MTLCap.Dimensions: CustomStringConvertible {
    /// "1024x1024x1024", as in a profile.
    public var description: String { "\(width)x\(height)x\(depth)" }
}

extension MTLCap.AnyValue: CustomStringConvertible {
    /// As in a profile.
    public var description: String {
        switch self {
        case .level(let level): return level.description
        case .bool(let yes): return yes ? "on" : "off"
        case .number(let number): return String(number)
        case .dimensions(let dimensions): return dimensions.description
        case .text(let text): return text
        }
    }
}

extension MTLCap.AnyValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A number.
    public init(integerLiteral number: UInt64) {
        self = .number(number)
    }

    /// Yes or no.
    public init(booleanLiteral yes: Bool) {
        self = .bool(yes)
    }
}
