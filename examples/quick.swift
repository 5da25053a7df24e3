// The library in a few lines.
import MTLCap

func ask(_ capability: MTLCap.Capability<MTLCap.AnyValue>) throws {
    let answer = try MTLCap.query(capability)
    print("\(capability): \(answer.effectiveText) (stock: \(answer.stockText))")
}

try MTLCap.apply(.auto)  // before the first Metal client asks
try ask("apple")

do {
    try MTLCap.apply("apple.min=9")
} catch let error as MTLCapError {  // what was in force stays
    guard case .hazard(_, let hazard) = error else { throw error }
    print("refused: \(hazard) (\(error.status))")
}

try MTLCap.restore()  // stock answers, for every caller
try ask("apple")
