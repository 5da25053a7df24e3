import CMTLCap

/// Decides, per process, what Metal says about a GPU.
///
///     import MTLCap
///
///     let applied = try MTLCap.apply(.auto)   // before the first Metal client asks
///     print(try MTLCap.query(.apple))         // apple: 7 (stock: 5; auto: apple.min=7)
///     try applied.restore()                   // stock answers, for every caller
///
/// A capability is one question that Metal answers about a device. What the device says by itself is
/// the stock answer; what callers get now is the effective answer. A profile is a list of rules that
/// turn stock answers into effective ones. It holds for the whole process.
///
/// Programs ask Metal early and remember the answers, so apply a profile before a client's first
/// question.
///
/// Every function may be called from any thread. Those that throw, throw ``MTLCapError``.
public enum MTLCap {
    /// The version of the C library in use, such as "0.1.0".
    public static var version: String { String(cString: mtlcap_version()) }

    /// Is any answer overridden in this process now, by any copy of this library?
    ///
    /// For benchmarks that must not run under an override. Never loads Metal.
    public static var isActive: Bool { mtlcap_is_active() != 0 }

    /// The number of the apply that is in force; 0: none.
    public static var generation: UInt64 { mtlcap_generation() }

    /// Applies a profile to every Metal device of this process, all of it or nothing.
    ///
    /// Applying again replaces the profile in one step. On failure what was in force stays in force.
    ///
    /// - Parameters:
    ///   - profile: What to answer.
    ///   - hazards: The hazards that are consented to.
    /// - Returns: What was done, and the way back. Nothing is restored when it goes out of scope.
    /// - Throws: ``MTLCapError/malformedProfile(message:item:line:column:)``,
    ///   ``MTLCapError/hazard(message:hazard:)``, ``MTLCapError/noDevice(message:)``,
    ///   ``MTLCapError/unsupported(message:)``, or another: it could not be applied.
    @discardableResult
    public static func apply(
        _ profile: Profile = .auto, allowing hazards: [Hazard] = []
    ) throws -> Applied {
        let generation = try putInForce(profile, allowing: hazards)
        return Applied(generation: generation, profile: profile, report: try report())
    }

    /// Stock answers at once, for every caller and whoever applied the profile.
    ///
    /// Idempotent, and safe where nothing was applied. What programs have remembered stays with them.
    ///
    /// - Throws: ``MTLCapError/incompatibleVersion(message:)``.
    public static func restore() throws {
        try succeed(mtlcap_restore())
    }

    /// A profile that was put in force, and the way back.
    public struct Applied: Hashable, Sendable {
        /// The number of the apply.
        public let generation: UInt64
        /// What was applied.
        public let profile: Profile
        /// What it did.
        public let report: Report
    }

    static func putInForce(
        _ profile: Profile, allowing hazards: [Hazard], nested: Bool = false
    ) throws -> UInt64 {
        var generation: UInt64 = 0
        let text = try cText(profile.text, "a profile")
        try withOptions(allowing: hazards, generation: &generation, nested: nested) {
            try succeed(mtlcap_apply_profile(text, $0))
        }
        return generation
    }
}
