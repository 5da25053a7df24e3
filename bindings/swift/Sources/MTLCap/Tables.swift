import CMTLCap

extension MTLCap {
    /// The kinds of answers.
    public enum Kind: Hashable, Sendable {
        /// An axis of GPU families: ``Level``.
        case family
        /// "Supports N?": ``Level``.
        case count
        /// Yes or no.
        case bool
        /// A number with a unit.
        case size
        /// A tier: the number in its name.
        case tier
        /// A size in three dimensions: ``Dimensions``.
        case size3
        /// Text.
        case text
        /// One that this version of the package does not know.
        case unknown

        init(_ number: Int32) {
            switch number {
            case MTLCAP_KIND_FAMILY: self = .family
            case MTLCAP_KIND_COUNT: self = .count
            case MTLCAP_KIND_BOOL: self = .bool
            case MTLCAP_KIND_SIZE: self = .size
            case MTLCAP_KIND_TIER: self = .tier
            case MTLCAP_KIND_SIZE3: self = .size3
            case MTLCAP_KIND_TEXT: self = .text
            default: self = .unknown
            }
        }
    }

    /// What there is to know about a capability.
    public struct CapabilityInfo: Hashable, Sendable {
        /// Its name in profiles: "threadgroup_memory".
        public let key: String
        /// Metal's name: "maxThreadgroupMemoryLength".
        public let selector: String
        /// The kind of its answers.
        public let kind: Kind
        /// "bytes", "threads", ...; nil if it has none.
        public let unit: String?
        /// A profile may lower it.
        public let canLower: Bool
        /// A profile may raise it; its hazard may ask for consent.
        public let canRaise: Bool
        /// What raising it meets.
        public let hazard: Hazard?
        /// One sentence.
        public let summary: String

        /// For `query`.
        public var capability: Capability<AnyValue> { Capability(key) }

        init(_ info: mtlcap_capability) {
            key = String(cString: info.key)
            selector = String(cString: info.selector)
            kind = Kind(info.kind)
            unit = info.unit.pointee == 0 ? nil : String(cString: info.unit)
            canLower = info.change & MTLCAP_CAN_LOWER != 0
            canRaise = info.change & MTLCAP_CAN_RAISE != 0
            hazard = info.hazard.pointee == 0 ? nil : Hazard(String(cString: info.hazard))
            summary = String(cString: info.summary)
        }
    }

    /// What there is to know about a built-in profile.
    public struct ProfileInfo: Hashable, Sendable {
        /// For `apply`.
        public let profile: Profile
        /// What it stands for; for `auto` and `stock` words in parentheses.
        public let rules: String
        /// What it is for.
        public let summary: String
        /// Where its numbers come from; nil if it has none.
        public let source: String?

        init(_ info: mtlcap_profile) {
            profile = Profile(String(cString: info.name))
            rules = String(cString: info.rules)
            summary = String(cString: info.summary)
            source = info.source.pointee == 0 ? nil : String(cString: info.source)
        }
    }

    /// What there is to know about a hazard.
    public struct HazardInfo: Hashable, Sendable {
        /// For `allowing:`.
        public let hazard: Hazard
        /// What raises it.
        public let when: String
        /// What it does to whom.
        public let breaks: String
        /// Who saw it.
        public let source: String
        /// Refused unless allowed; otherwise a warning is logged.
        public let refuses: Bool

        init(_ info: mtlcap_hazard) {
            hazard = Hazard(String(cString: info.name))
            when = String(cString: info.when)
            breaks = String(cString: info.breaks)
            source = String(cString: info.source)
            refuses = info.refuses != 0
        }
    }

    /// Every capability that the library knows, whether or not a device has it.
    public static var capabilities: [CapabilityInfo] {
        rows(mtlcap_capability(), mtlcap_capability_count(), mtlcap_capability_info)
            .map { CapabilityInfo($0) }
    }

    /// The built-in profiles.
    public static var profiles: [ProfileInfo] {
        rows(mtlcap_profile(), mtlcap_profile_count(), mtlcap_profile_info).map { ProfileInfo($0) }
    }

    /// The hazards.
    public static var hazards: [HazardInfo] {
        rows(mtlcap_hazard(), mtlcap_hazard_count(), mtlcap_hazard_info).map { HazardInfo($0) }
    }

    private static func rows<Row>(
        _ empty: Row, _ count: UInt32, _ info: (UInt32, UnsafeMutablePointer<Row>?) -> Int32
    ) -> [Row] {
        (0..<count).compactMap { index in
            var row = prepared(empty)
            return info(index, &row) == MTLCAP_OK.rawValue ? row : nil
        }
    }
}
