import CMTLCap

extension MTLCap {
    /// What a device answers.
    public struct Answer<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The key of the question.
        public let capability: String
        /// What the device says by itself.
        ///
        /// Nil if that cannot be known: the device was first seen while a profile was in force, or
        /// another tool's shim is above it.
        public let stock: Value?
        /// What callers get now.
        public let effective: Value
        /// For people: "7", "off", "32768", "1024x1024x1024", "yes", a name.
        public let stockText: String
        /// For people, as ``stockText``.
        public let effectiveText: String
        /// The profile in force has a rule for it on this device.
        public let isOverridden: Bool
        /// It has no rule of its own, and Metal computes it from one that has.
        public let isDerived: Bool
        /// What decides: "apple.min=7", "auto: apple.min=7"; nil if it is not overridden.
        public let rule: String?
        /// Where the stock answer comes from: "Metal", or the path of another tool's shim.
        public let source: String
    }

    /// An answer, compared with what is expected of it.
    public struct Check: Hashable, Sendable {
        /// The key of the question.
        public let capability: String
        /// Is the answer as expected?
        public let isMet: Bool
        /// What is expected: ">=7", "=32K".
        public let expected: String
        /// What callers get, for people: "5", "32768 (32 KiB)"; nil if the device cannot be asked.
        public let found: String?
        /// A sentence: "expected apple>=7, found 5".
        public let message: String
    }

    /// Asks a device, as any caller would, and tells what it would say by itself.
    ///
    /// - Parameters:
    ///   - capability: The question.
    ///   - device: Nil: the first of ``devices()``.
    /// - Returns: The stock and the effective answer, and what made the difference.
    /// - Throws: ``MTLCapError/unknownCapability(message:)``, ``MTLCapError/noDevice(message:)``,
    ///   ``MTLCapError/unsupported(message:)``: no Metal here, or the device cannot be asked that.
    public static func query<Value>(
        _ capability: Capability<Value>, device: Device? = nil
    ) throws -> Answer<Value> {
        try query(capability, pointer: device?.pointer)
    }

    /// Asks a device by its pointer, an `id<MTLDevice>`.
    ///
    /// A pointer that dangles cannot be told from a device, and may crash.
    ///
    /// - Parameters:
    ///   - capability: The question.
    ///   - device: A device that the caller keeps alive.
    /// - Returns: As for a ``Device``.
    /// - Throws: As for a ``Device``, and ``MTLCapError/notADevice(message:)``.
    public static func query<Value>(
        _ capability: Capability<Value>, device: UnsafeMutableRawPointer
    ) throws -> Answer<Value> {
        try query(capability, pointer: device)
    }

    /// Asks a device as any caller would, and compares the answer with what is expected of it.
    ///
    /// - Parameters:
    ///   - expectation: A key, `=`, `!=`, `>=` or `<=`, and a value as in a profile: "apple>=7".
    ///   - device: Nil: the first of ``devices()``.
    /// - Returns: Whether it is met. A device that cannot be asked meets none.
    /// - Throws: ``MTLCapError/invalidArgument(message:)``: malformed; or as `query`.
    public static func check(_ expectation: String, device: Device? = nil) throws -> Check {
        try check(expectation, pointer: device?.pointer)
    }

    /// Compares the answer of a device, by its pointer, with what is expected of it.
    ///
    /// - Parameters:
    ///   - expectation: As for a ``Device``.
    ///   - device: An `id<MTLDevice>` that the caller keeps alive.
    /// - Returns: As for a ``Device``.
    /// - Throws: As for a ``Device``, and ``MTLCapError/notADevice(message:)``.
    public static func check(
        _ expectation: String, device: UnsafeMutableRawPointer
    ) throws -> Check {
        try check(expectation, pointer: device)
    }

    private static func query<Value>(
        _ capability: Capability<Value>, pointer: UnsafeMutableRawPointer?
    ) throws -> Answer<Value> {
        let key = try cText(capability.key, "a capability")
        let answer = try filled(mtlcap_answer()) { mtlcap_query(pointer, key, $0) }
        let read = capability.coding.read
        return Answer(
            capability: string(of: answer.capability),
            stock: answer.stock_known == 0 ? nil : read(answer.stock, answer.kind),
            effective: read(answer.effective, answer.kind),
            stockText: string(of: answer.stock.text),
            effectiveText: string(of: answer.effective.text),
            isOverridden: answer.overridden != 0,
            isDerived: answer.derived != 0,
            rule: stringIfAny(of: answer.rule),
            source: string(of: answer.source))
    }

    private static func check(
        _ expectation: String, pointer: UnsafeMutableRawPointer?
    ) throws -> Check {
        let wanted = try cText(expectation, "an expectation")
        let check = try filled(mtlcap_check()) { mtlcap_check_answer(pointer, wanted, $0) }
        return Check(
            capability: string(of: check.capability),
            isMet: check.met != 0,
            expected: string(of: check.expected),
            found: stringIfAny(of: check.found),
            message: string(of: check.message))
    }
}

extension MTLCap.Answer: CustomStringConvertible {
    /// One line: "apple: 7 (stock: 5; auto: apple.min=7)".
    public var description: String {
        if stockText == effectiveText {
            return "\(capability): \(effectiveText)"
        }
        let why = rule ?? (isDerived ? "derived" : source)
        return "\(capability): \(effectiveText) (stock: \(stockText); \(why))"
    }
}

extension MTLCap.Check: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
