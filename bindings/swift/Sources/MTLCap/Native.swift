import CMTLCap

// What the rest needs for calling C.

/// Throws what a status other than success stands for.
func succeed(_ status: Int32) throws {
    if status != MTLCAP_OK.rawValue {
        throw MTLCapError.last(status)
    }
}

/// A structure of the C library that `call` has filled.
func filled<Structure>(
    _ empty: Structure, by call: (UnsafeMutablePointer<Structure>) -> Int32
) throws -> Structure {
    var structure = prepared(empty)
    try succeed(call(&structure))
    return structure
}

/// A structure of the C library with its size in it.
func prepared<Structure>(_ empty: Structure) -> Structure {
    var structure = empty
    withUnsafeMutablePointer(to: &structure) { mtlcap_init($0, MemoryLayout<Structure>.size) }
    return structure
}

/// The text in an array of characters, which Swift sees as a tuple.
func string<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// The same, and nil for "".
func stringIfAny<Characters>(of characters: Characters) -> String? {
    let found = string(of: characters)
    return found.isEmpty ? nil : found
}

/// Text for C, which ends at a zero byte.
func cText(_ text: String, _ what: String) throws -> String {
    if text.utf8.contains(0) {
        throw MTLCapError.invalidArgument(message: "\(what) has a zero byte in it")
    }
    return text
}

func withOptions<Result>(
    allowing hazards: [MTLCap.Hazard], generation: UnsafeMutablePointer<UInt64>? = nil,
    nested: Bool = false,
    _ body: (UnsafePointer<mtlcap_options>) throws -> Result
) throws -> Result {
    let allow = try cText(hazards.map(\.name).joined(separator: "+"), "the name of a hazard")
    return try allow.withCString { names in
        var options = prepared(mtlcap_options())
        options.allow = names
        options.generation = generation
        options.nested = nested ? 1 : 0
        return try body(&options)
    }
}
