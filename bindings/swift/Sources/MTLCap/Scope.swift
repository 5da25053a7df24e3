import CMTLCap
import Foundation

extension MTLCap {
    /// Runs `body` with a profile in force, for the whole process.
    ///
    /// Afterwards, what was in force before comes back: the profile of the call around this one, or
    /// of `apply`, or stock. If by then something else is in force (another `apply`, `restore`, or
    /// another thread's call that began later), nothing is changed; so calls may end in any order,
    /// and the last one to end brings back what there was before all of them.
    ///
    /// - Parameters:
    ///   - profile: What to answer.
    ///   - hazards: The hazards that are consented to.
    ///   - body: Gets what was done.
    /// - Returns: What `body` returns.
    /// - Throws: As `apply`, or what `body` throws.
    public static func withProfile<Result>(
        _ profile: Profile, allowing hazards: [Hazard] = [],
        _ body: (Report) throws -> Result
    ) throws -> Result {
        let layer = try layers.enter(profile, allowing: hazards)
        let result: Result
        do {
            result = try body(report())
        } catch {
            try? layers.leave(layer)
            throw error
        }
        try layers.leave(layer)
        return result
    }

    #if compiler(>=6)
        /// Runs an asynchronous `body` with a profile in force, for the whole process, and what else
        /// runs meanwhile.
        ///
        /// As the `withProfile` of a `body` that is not asynchronous; it is called where the caller
        /// is isolated.
        ///
        /// - Parameters:
        ///   - profile: What to answer.
        ///   - hazards: The hazards that are consented to.
        ///   - isolation: The caller's actor.
        ///   - body: Gets what was done.
        /// - Returns: What `body` returns.
        /// - Throws: As `apply`, or what `body` throws.
        public static func withProfile<Result>(
            _ profile: Profile, allowing hazards: [Hazard] = [],
            isolation: isolated (any Actor)? = #isolation,
            _ body: (Report) async throws -> Result
        ) async throws -> Result {
            let layer = try layers.enter(profile, allowing: hazards)
            let result: Result
            do {
                result = try await body(report())
            } catch {
                try? layers.leave(layer)
                throw error
            }
            try layers.leave(layer)
            return result
        }
    #endif
}

extension MTLCap.Applied {
    /// Has it been neither replaced nor restored?
    ///
    /// After a `withProfile` that began while it was in force, it is in force again.
    public var isInForce: Bool { layers.isInForce(generation) }

    /// Stock answers at once, for every caller, if this is what is in force.
    ///
    /// Does nothing if it has been replaced or restored since, so that two users in one process do
    /// not undo each other.
    ///
    /// - Throws: ``MTLCapError/incompatibleVersion(message:)``.
    public func restore() throws {
        try layers.restore(generation)
    }
}

/// A profile that was put in force, and what was in force before it.
private final class Layer {
    let profile: MTLCap.Profile
    let hazards: [MTLCap.Hazard]
    let before: Layer?
    let first: UInt64  // generation, of those that it has had
    var generation: UInt64
    var isLeft = false

    init(
        _ profile: MTLCap.Profile, _ hazards: [MTLCap.Hazard], generation: UInt64 = 0,
        before: Layer? = nil
    ) {
        self.profile = profile
        self.hazards = hazards
        self.first = generation
        self.generation = generation
        self.before = before
    }

    func putInForce() throws {
        generation = try MTLCap.putInForce(profile, allowing: hazards)
    }
}

private let layers = Layers()

/// One thread at a time enters or leaves.
private final class Layers: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var top: Layer?  // what has been put in force here last

    func enter(_ profile: MTLCap.Profile, allowing hazards: [MTLCap.Hazard]) throws -> Layer {
        lock.lock()
        defer { lock.unlock() }
        let layer = Layer(profile, hazards, before: try inForce())
        try layer.putInForce()
        top = layer
        return layer
    }

    func leave(_ layer: Layer) throws {
        lock.lock()
        defer { lock.unlock() }
        layer.isLeft = true
        guard MTLCap.generation == layer.generation else { return }
        var before = layer.before
        while let left = before, left.isLeft {
            before = left.before
        }
        do {
            guard let before else {
                return try succeed(mtlcap_restore_generation(layer.generation))
            }
            try before.putInForce()
            top = before
        } catch {
            mtlcap_restore_generation(layer.generation)
            throw error
        }
    }

    func isInForce(_ first: UInt64) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return MTLCap.generation == latest(of: first)
    }

    func restore(_ first: UInt64) throws {
        lock.lock()
        defer { lock.unlock() }
        try succeed(mtlcap_restore_generation(latest(of: first)))
    }

    /// The generation that an `apply` has now, which scopes have brought back since.
    private func latest(of first: UInt64) -> UInt64 {
        guard let top, top.first == first else { return first }
        return top.generation
    }

    /// What is in force now, whoever applied it.
    private func inForce() throws -> Layer? {
        if let top, top.generation == MTLCap.generation {
            return top
        }
        let report = try MTLCap.report()
        guard let profile = report.profile else { return nil }
        let room = MemoryLayout.size(ofValue: mtlcap_report().profile)
        if profile.text.utf8.count >= room - 1 {
            throw MTLCapError.unsupported(
                message: "the profile in force is too long to come back to: \(profile)")
        }
        return Layer(profile, report.allowed, generation: report.generation)
    }
}
