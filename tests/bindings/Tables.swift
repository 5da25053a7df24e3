// The tables of the Swift package, as tables.cpp prints those of the C library. It has no statuses by
// name; of an error it prints the case.
import MTLCap

func bit(_ value: Bool) -> Int { value ? 1 : 0 }

var status = -1
while true {
    let error = MTLCapError(status: status, message: "")
    if case .other = error { break }
    print("error", status, Mirror(reflecting: error).children.first?.label ?? "?")
    status -= 1
}
for row in MTLCap.capabilities {
    print(
        "capability", row.key, row.selector, row.kind, row.unit ?? "", bit(row.canLower),
        bit(row.canRaise), row.hazard?.name ?? "")
}
for row in MTLCap.profiles { print("profile", row.profile, row.rules) }
for row in MTLCap.hazards { print("hazard", row.hazard, bit(row.refuses), row.when) }
print("version", MTLCap.version)
