# The binding for Ruby, on the simulated Metal. With the argument no-metal: without it.
require "mtlcap"

def equal(expected, found)
  raise "expected #{expected.inspect}, found #{found.inspect}" unless expected == found
end

def fails(error, text = //)
  yield
rescue error => e
  raise "#{e.message.inspect} is not like #{text.inspect}" unless text.match?(e.message)
  e
else
  raise "no #{error}"
end

if ARGV == ["no-metal"]
  equal(-3, fails(Mtlcap::UnsupportedError, /not supported here|Objective-C/) { Mtlcap.apply }.status)
  fails(Mtlcap::UnsupportedError) { Mtlcap.query("apple") }
  equal(true, Mtlcap.capabilities.size > 40)
  Mtlcap.restore
  equal(false, Mtlcap.active?)
  puts "no-metal: passed"
  exit
end

# apply, query
report = Mtlcap.apply("auto")
equal("auto", report.profile)
equal("apple: 5 -> 7 (auto: apple.min=7)", report.changes.first.to_s)
equal(Mtlcap.generation, report.generation)
equal(true, Mtlcap.active?)
answer = Mtlcap.query("apple")
equal([7, 5, "family", "7", "auto: apple.min=7", "Metal"],
      [answer.effective, answer.stock, answer.kind, answer.effective_text, answer.rule, answer.source])
equal([true, false, true], [answer.overridden?, answer.derived?, answer.stock_known?])
equal("apple: 7 (stock: 5; auto: apple.min=7)", answer.to_s)
equal("raytracing: yes (stock: no; derived)", Mtlcap.query("raytracing").to_s)
equal([true, 32768, [1024, 1024, 1024], "Apple Paravirtual device"],
      %w[raytracing threadgroup_memory maxThreadsPerThreadgroup name].map { |key|
        Mtlcap.query(key).effective
      })

# check
check = Mtlcap.check("apple>=8", Mtlcap.devices.first)
equal([false, "apple", ">=8", "7", "expected apple>=8, found 7", check.message],
      [check.met?, check.capability, check.expected, check.found, check.message, check.to_s])
equal(true, Mtlcap.check("apple>=7").met?)
fails(Mtlcap::ArgumentError) { Mtlcap.check("apple") }

# refuse, with the message; what was in force stays
error = fails(Mtlcap::HazardError, /the silicon is older/) { Mtlcap.apply("apple.min=9") }
equal([-6, "beyond-hardware"], [error.status, error.hazard])
error = fails(Mtlcap::ProfileError, /did you mean 'apple'\?/) { Mtlcap.apply("auto,appel.min=7") }
equal([-5, "appel.min=7", 6, 0], [error.status, error.item, error.column, error.line])
fails(Mtlcap::ProfileFileError, %r{/nowhere}) { Mtlcap.apply("@/nowhere") }
fails(Mtlcap::CapabilityError, /nonsense/) { Mtlcap.query("nonsense") }
fails(Mtlcap::Error, /NUL/) { Mtlcap.apply("auto\0,lume") }
fails(TypeError) { Mtlcap.query(3) }
fails(TypeError) { Mtlcap.query("apple", "first") }
[0.5, Float::NAN, "7"].each do |it|
  fails(TypeError, /^device must be a Device or an address, not #{it.inspect}$/) { Mtlcap.query("apple", it) }
  fails(TypeError, /^device must be/) { Mtlcap.adopt(it) }
end
fails(RangeError) { Mtlcap.query("apple", 2**64) }
equal(report.generation, Mtlcap.generation)
equal(7, Mtlcap.query("apple").effective)

# arguments of the wrong type; symbols are as good as strings
fails(TypeError, /^profile must be a String or a Symbol, not nil$/) { Mtlcap.apply(nil) }
fails(TypeError, /^profile must be/) { Mtlcap.explain(3) }
fails(TypeError, /^profile must be/) { Mtlcap.profile(["auto"]) {} }
fails(TypeError, /^capability must be a String or a Symbol, not 3$/) { Mtlcap.query(3) }
fails(TypeError, /^expectation must be/) { Mtlcap.check(nil) }
fails(TypeError, /^allow must be/) { Mtlcap.apply("auto", allow: [1]) }
fails(ArgumentError, /^profile needs a block, and holds while that runs/) { Mtlcap.profile("auto") }
[$stdout, 3].each { |it| fails(TypeError, /^logger must be a Logger/) { Mtlcap.logger = it } }
equal(nil, Mtlcap.logger)
equal([report.generation, 7], [Mtlcap.generation, Mtlcap.query(:apple).effective])
equal("auto", Mtlcap.apply(:auto, allow: :metal).profile)

# everything describes itself
equal("#<Mtlcap::Answer apple: 7 (stock: 5; auto: apple.min=7)>", Mtlcap.query("apple").inspect)
equal(["auto", "  apple: 5 -> 7 (auto: apple.min=7)"], Mtlcap.report.to_s.lines(chomp: true).first(2))
equal("#<Mtlcap::Device Apple Paravirtual device (AppleParavirtDevice)>", Mtlcap.devices.first.inspect)
[Mtlcap.report, Mtlcap.explain("apple.min=9"), Mtlcap.explain("auto"), Mtlcap.machine, Mtlcap.check("apple=7"),
 Mtlcap.explain("apple.min=9").findings[0], Mtlcap.report.changes[0], Mtlcap.capabilities[0],
 Mtlcap.profiles[0], Mtlcap.hazards[0]].each do |it|
  raise it.inspect unless it.inspect == "#<#{it.class} #{it}>" && !it.inspect.include?("swig")
end

# with consent, by one name or several
equal("beyond-hardware", Mtlcap.apply("apple.min=9", allow: error = "beyond-hardware").allowed)
report = Mtlcap.apply("lume", allow: %w[beyond-hardware threadgroup-memory])
equal(%w[beyond-hardware threadgroup-memory], report.findings.select(&:allowed?).map(&:hazard).sort)

# restore
Mtlcap.restore
equal([5, 5, false, 0], [Mtlcap.query("apple").effective, Mtlcap.query("apple").stock,
                         Mtlcap.active?, Mtlcap.report.generation])

# profile: what was before comes back, also when the block raises
Mtlcap.profile("apple.max=4") do |outer|
  equal("apple.max=4", outer.profile)
  equal(:result, Mtlcap.profile("auto") { :result })
  fails(RuntimeError, /mine/) { Mtlcap.profile("auto") { raise "mine" } }
  equal(4, Mtlcap.query("apple").effective)
end
equal(5, Mtlcap.query("apple").effective)
fails(Mtlcap::HazardError) { Mtlcap.profile("apple.min=9") { raise "not reached" } }

# explain, devices, tables
explanation = Mtlcap.explain("apple.min=9")
equal([-6, "beyond-hardware", false], [explanation.status, explanation.findings.first.hazard,
                                       Mtlcap.active?])
equal([0, ""], [Mtlcap.explain("auto").status, Mtlcap.explain("auto").error])
device = Mtlcap.devices.first
equal(["Apple Paravirtual device", true], [device.name, device.paravirtual?])
equal([5, 5], [device, device.pointer].map { |it| Mtlcap.query("apple", it).effective })
Mtlcap.adopt(device)
fails(Mtlcap::ArgumentError) { Mtlcap.adopt(nil) }
equal([true, "Apple M1 Ultra (Virtual)"], [Mtlcap.machine.virtual_machine, Mtlcap.machine.chip])
equal("bytes", Mtlcap.capabilities.find { |it| it.key == "threadgroup_memory" }.unit)
equal(true, Mtlcap.hazards.find { |it| it.name == "metal" }.refuses?)
equal("stock", Mtlcap.profiles.first.name)

# what fails keeps no memory
resident = -> { File.read("/proc/self/statm").split[1].to_i * 4 }
failing = lambda do |count|
  count.times do
    Mtlcap.query("nonsense" * 500, 0.5)
  rescue TypeError
    begin
      Mtlcap.query("nonsense" * 500)
    rescue Mtlcap::CapabilityError
      next
    end
  end
end
failing.call(500)
before = resident.call
failing.call(10_000) # of 4 KB and more each
raise "#{resident.call - before} KB" if resident.call - before > 20_000

# nothing that a caller holds dies with what it came from
GC.stress = true
rules = Mtlcap.explain("auto").rules
equal(["apple: 5 -> 7 (auto: apple.min=7)"], rules.map(&:to_s))
GC.stress = false
puts "passed"
