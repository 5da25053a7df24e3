import Dispatch
import Foundation

// What Swift does by its own libdispatch.
let task = DispatchSemaphore(value: 0)
Task {
    try await Task.sleep(nanoseconds: 1_000_000)
    print("task")
    task.signal()
}
task.wait()

let timer = DispatchSource.makeTimerSource()
let fired = DispatchSemaphore(value: 0)
timer.setEventHandler { fired.signal() }
timer.schedule(deadline: .now() + 0.001)
timer.resume()
fired.wait()
print("timer")

let group = DispatchGroup()
DispatchQueue.global().async(group: group) {}
DispatchQueue(label: "serial").async(group: group) {}
group.wait()
print("group")

_ = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in print("run loop") }
RunLoop.main.run(until: Date() + 0.1)

let process = Process()
process.executableURL = URL(fileURLWithPath: "/bin/sh")
process.arguments = ["-c", "exit 3"]
try process.run()
process.waitUntilExit()
print("process", process.terminationStatus)
