// Apply and query from Swift, a round for each line on stdin: see languages.py.

import CMTLCap
import Foundation
import MTLCap

/// What this thread has computed, in microseconds.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) * 1e-3
}

var answer = mtlcap_answer()
mtlcap_init(&answer, MemoryLayout<mtlcap_answer>.size)

let cases: [(name: String, calls: Int, action: () throws -> Void)] = [
    ("query, yes or no", 2000, { _ = try MTLCap.query(.raytracing) }),
    ("query, size", 2000, { _ = try MTLCap.query(.threadgroupMemory) }),
    ("query, family", 2000, { _ = try MTLCap.query(.apple) }),
    ("apply and restore", 100, { try MTLCap.apply(.auto).restore() }),
    ("C's query", 2000, { mtlcap_query(nil, "threadgroup_memory", &answer) }),
]

/// One line of JSON, at once.
func say(_ items: [String]) {
    print("[\(items.joined(separator: ", "))]")
    fflush(stdout)
}

say(cases.map { "\"\($0.name)\"" })
while readLine() != nil {
    try MTLCap.apply(.auto)
    var times: [String] = []
    for (_, calls, action) in cases {
        let start = now()
        for _ in 0..<calls {
            try action()
        }
        times.append(String((now() - start) / Double(calls)))
    }
    say(times)
}
