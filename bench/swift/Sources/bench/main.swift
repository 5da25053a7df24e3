// How long apply and query take from Swift, and how much of it is the C library's.
//
//     cd bench/swift && swift build -c release
//     LD_PRELOAD=../../build/release/lib/simmetal/libsimmetal.so.0 .build/release/bench

import CMTLCap
import Foundation
import MTLCap

let runs = 21

/// What this thread has computed, in nanoseconds.
func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The median of several runs, each of `count` calls.
func measure(_ name: String, _ count: Int, _ action: () throws -> Void) rethrows {
    var times: [UInt64] = []
    for _ in 0..<runs {
        let start = now()
        for _ in 0..<count {
            try action()
        }
        times.append(now() - start)
    }
    let median = Double(times.sorted()[runs / 2]) / Double(count) / 1000
    print(
        name.padding(toLength: 34, withPad: " ", startingAt: 0), String(format: "%8.3f us", median))
}

var answer = mtlcap_answer()
mtlcap_init(&answer, MemoryLayout<mtlcap_answer>.size)
try MTLCap.apply(.auto)
try measure("query, bool", 2000) { _ = try MTLCap.query(.raytracing) }
measure("query, bool, from C", 2000) { mtlcap_query(nil, "raytracing", &answer) }
try measure("query, size", 2000) { _ = try MTLCap.query(.threadgroupMemory) }
measure("query, size, from C", 2000) { mtlcap_query(nil, "threadgroup_memory", &answer) }
try measure("query, family", 2000) { _ = try MTLCap.query(.apple) }
measure("query, family, from C", 2000) { mtlcap_query(nil, "apple", &answer) }
try measure("the same profile again", 100) { try MTLCap.apply(.auto) }
measure("the same profile again, from C", 100) { mtlcap_apply_profile("auto", nil) }
