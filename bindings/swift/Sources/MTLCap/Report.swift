import CMTLCap

extension MTLCap {
    /// An answer that differs from stock, or would, on one device.
    public struct Change: Hashable, Sendable {
        private let address: UInt
        /// The key of the question.
        public let capability: String
        /// For people: "7", "off", "yes"; "" where there is no device.
        public let stock: String
        /// For people, as ``stock``.
        public let effective: String
        /// What decides: "auto: apple.min=7"; nil if it is derived.
        public let rule: String?
        /// It has no rule of its own: Metal computes it from one that has.
        public let isDerived: Bool

        /// The `id<MTLDevice>`; nil where there is none.
        public var device: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

        init(_ change: mtlcap_change) {
            address = UInt(bitPattern: change.device)
            capability = string(of: change.capability)
            stock = string(of: change.stock)
            effective = string(of: change.effective)
            rule = stringIfAny(of: change.rule)
            isDerived = change.derived != 0
        }

        init(_ change: mtlcap_rule) {
            address = UInt(bitPattern: change.device)
            capability = string(of: change.capability)
            stock = string(of: change.stock)
            effective = string(of: change.effective)
            rule = stringIfAny(of: change.rule)
            isDerived = false
        }
    }

    /// A hazard that a profile meets on this machine.
    public struct Finding: Hashable, Sendable {
        /// What it is.
        public let hazard: Hazard
        /// The rule that meets it.
        public let rule: String
        /// The reason, and how to override it.
        public let message: String
        /// Refused unless allowed; otherwise a warning.
        public let refuses: Bool
        /// It was allowed.
        public let isAllowed: Bool

        init(_ finding: mtlcap_finding) {
            hazard = Hazard(string(of: finding.hazard))
            rule = string(of: finding.rule)
            message = string(of: finding.message)
            refuses = finding.refuses != 0
            isAllowed = finding.allowed != 0
        }
    }

    /// What the apply that is in force did.
    public struct Report: Hashable, Sendable {
        /// The number of that apply; 0: none is in force.
        public let generation: UInt64
        /// As it was given; nil if none is in force.
        public let profile: Profile?
        /// The hazards that were consented to.
        public let allowed: [Hazard]
        /// How many devices it has seen.
        public let deviceCount: Int
        /// How many classes of devices have hooks.
        public let classCount: Int
        /// How many hooks are in place, those that pass through included.
        public let hookCount: Int
        /// What differs from stock.
        public let changes: [Change]
        /// The hazards that were met, and allowed or only warned about.
        public let findings: [Finding]
    }

    /// What a profile would do on this machine.
    public struct Explanation: Hashable, Sendable {
        /// What `apply` would throw; nil if it would succeed.
        public let error: MTLCapError?
        /// Its rules, as each would act on each device. What Metal would derive is not foreseen.
        public let rules: [Change]
        /// The hazards that it meets.
        public let findings: [Finding]
    }

    /// What the apply that is in force did, whoever applied it.
    ///
    /// - Returns: Generation 0 if no profile is in force.
    /// - Throws: ``MTLCapError/incompatibleVersion(message:)``.
    public static func report() throws -> Report {
        while true {
            if let report = try reportUnlessReplaced() {
                return report
            }
        }
    }

    private static func reportUnlessReplaced() throws -> Report? {
        let info = try filled(mtlcap_report()) { mtlcap_report_info($0) }
        let changes: [Change]
        let findings: [Finding]
        do {
            changes = try (0..<info.change_count).map { index in
                Change(try filled(mtlcap_change()) { mtlcap_report_change(index, $0) })
            }
            findings = try (0..<info.finding_count).map { index in
                Finding(try filled(mtlcap_finding()) { mtlcap_report_finding(index, $0) })
            }
        } catch MTLCapError.invalidArgument {  // another profile has fewer of them
            return nil
        }
        let after = try filled(mtlcap_report()) { mtlcap_report_info($0) }
        guard after.published == info.published else { return nil }
        return Report(
            generation: info.generation,
            profile: stringIfAny(of: info.profile).map { Profile($0) },
            allowed: string(of: info.allowed).split(separator: "+").map { Hazard(String($0)) },
            deviceCount: Int(info.device_count),
            classCount: Int(info.class_count),
            hookCount: Int(info.hook_count),
            changes: changes,
            findings: findings)
    }

    /// Tells what a profile would do on this machine, changing nothing.
    ///
    /// - Parameters:
    ///   - profile: What to explain.
    ///   - hazards: The hazards that would be consented to.
    /// - Returns: Also for a profile that would be refused.
    /// - Throws: ``MTLCapError/malformedProfile(message:item:line:column:)``,
    ///   ``MTLCapError/unreadableFile(message:item:line:column:)``.
    public static func explain(
        _ profile: Profile, allowing hazards: [Hazard] = []
    ) throws -> Explanation {
        let text = try cText(profile.text, "a profile")
        return try withOptions(allowing: hazards) { options in
            let info = try filled(mtlcap_explanation()) {
                mtlcap_explain_profile(text, options, $0)
            }
            let error = info.status == MTLCAP_OK.rawValue ? nil : MTLCapError.last(info.status)
            return Explanation(
                error: error,
                rules: try (0..<info.rule_count).map { index in
                    Change(
                        try filled(mtlcap_rule()) { mtlcap_explain_rule(text, options, index, $0) })
                },
                findings: try (0..<info.finding_count).map { index in
                    Finding(
                        try filled(mtlcap_finding()) {
                            mtlcap_explain_finding(text, options, index, $0)
                        })
                })
        }
    }
}

extension MTLCap.Change: CustomStringConvertible {
    /// One line: "apple: 5 -> 7 (auto: apple.min=7)".
    public var description: String {
        "\(capability): \(stock) -> \(effective) (\(rule ?? "derived"))"
    }
}

extension MTLCap.Report: CustomStringConvertible {
    /// A line, and one for each change.
    public var description: String {
        guard let profile else { return "no profile is in force" }
        let title = "\(profile): \(changes.count) answers differ from stock"
        return ([title] + changes.map(\.description)).joined(separator: "\n  ")
    }
}
