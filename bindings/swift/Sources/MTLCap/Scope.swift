import CMTLCap

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
        let generation = try putInForce(profile, allowing: hazards, nested: true)
        let result: Result
        do {
            result = try body(report())
        } catch {
            mtlcap_restore_generation(generation)
            throw error
        }
        try succeed(mtlcap_restore_generation(generation))
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
            let generation = try putInForce(profile, allowing: hazards, nested: true)
            let result: Result
            do {
                result = try await body(report())
            } catch {
                mtlcap_restore_generation(generation)
                throw error
            }
            try succeed(mtlcap_restore_generation(generation))
            return result
        }
    #endif
}

extension MTLCap.Applied {
    /// Has it been neither replaced nor restored?
    ///
    /// After a `withProfile` that began while it was in force, it is in force again.
    public var isInForce: Bool { MTLCap.generation == generation }

    /// Stock answers at once, for every caller, if this is what is in force.
    ///
    /// Does nothing if it has been replaced or restored since, so that two users in one process do
    /// not undo each other. Within a `withProfile` that began while it was in force: it does not come
    /// back afterwards.
    ///
    /// - Throws: ``MTLCapError/incompatibleVersion(message:)``.
    public func restore() throws {
        try succeed(mtlcap_restore_generation(generation))
    }
}
