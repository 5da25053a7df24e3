extension MTLCap {
    /// What to answer: a list of rules, and the names of built-in profiles.
    ///
    /// Built from values, or from text in the language that the command and the environment use too:
    ///
    ///     print(MTLCap.Profile.auto.capping(.metal, at: .off))  // auto,metal.max=off
    ///     print("auto,working_set.max=11G" as MTLCap.Profile)   // auto,working_set.max=11G
    ///
    /// Later rules win. Whether a profile is well-formed is seen when it is applied or explained.
    public struct Profile: Hashable, Sendable {
        /// The profile as text, such as "auto,metal=off".
        public let text: String

        /// A profile from text, such as "auto,metal=off".
        public init(_ text: String) {
            self.text = text
        }

        /// The profile in a file, one item a line; `#` starts a comment.
        public static func file(_ path: String) -> Profile {
            Profile("@\(path)")
        }

        /// With a floor: at least `value`.
        public func raising<Value>(_ capability: Capability<Value>, to value: Value) -> Profile {
            adding("\(capability.key).min=\(capability.coding.write(value))")
        }

        /// With a ceiling: at most `value`.
        public func capping<Value>(_ capability: Capability<Value>, at value: Value) -> Profile {
            adding("\(capability.key).max=\(capability.coding.write(value))")
        }

        /// With a floor and a ceiling: exactly `value`.
        public func setting<Value>(_ capability: Capability<Value>, to value: Value) -> Profile {
            adding("\(capability.key)=\(capability.coding.write(value))")
        }

        /// With the rules of another profile after these.
        public func adding(_ other: Profile) -> Profile {
            Profile("\(text),\(other.text)")
        }
    }

    /// Something that is known to break programs: refused, or warned about, unless it is allowed.
    public struct Hazard: Hashable, Sendable {
        /// Its name, such as "beyond-hardware".
        public let name: String

        /// A hazard by its name.
        public init(_ name: String) {
            self.name = name
        }
    }
}

extension MTLCap.Profile: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// A profile from text, such as "auto,metal=off".
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The profile as text.
    public var description: String { text }
}

extension MTLCap.Hazard: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A hazard by its name.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The name.
    public var description: String { name }
}
