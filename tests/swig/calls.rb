# What Ruby does around a call; see calls.py.
require "mtlcap"
require "fiddle"
require "logger"
require "stringio"
require "tempfile"

def true?(value) = value ? "True" : "False"
def apple = Mtlcap.query("apple").effective

# A logger of warnings for a block.
def logger
  add = ->(severity, message, *) { yield severity, message if severity >= Logger::WARN }
  Class.new { define_method(:add, &add) }.new
end

# What a block warns of.
def warned
  before, $stderr = $stderr, StringIO.new
  yield
  $stderr.string.lines
ensure
  $stderr = before
end

def log
  text = StringIO.new
  Mtlcap.logger = Logger.new(text)
  Mtlcap.apply("auto")
  raise text.string unless text.string.match?(/WARN.*mtlcap.*old-sdk-bf16/)
  told = []
  Mtlcap.logger = logger { |severity, message| told << [severity, message, apple] }
  Mtlcap.apply("auto")
  (severity, message, family), = told
  puts "told: #{severity == Logger::WARN ? "warning" : severity} " \
       "#{true?(message.include?("old-sdk-bf16"))}, apple #{family}"
  told.clear
  Mtlcap.apply("auto", allow: "old-sdk-bf16")
  puts "told when allowed: #{told.size}"
  # On the thread of the call.
  Mtlcap.logger = logger { told << Thread.current }
  thread = Thread.new { Mtlcap.apply("auto") }.join
  raise told.inspect unless told == [thread]
  told.clear
  Mtlcap.logger = logger { raise "mine" }
  reported = warned { Mtlcap.apply("auto") }
  puts "failing handler: reported #{true?(reported == ["mtlcap: the logger failed: mine\n"])}, " \
       "applied #{true?(Mtlcap.active?)}"
  Mtlcap.logger = nil
  Mtlcap.apply("auto")
  puts "told after null: #{told.size}"
end

# What does not return normally from the logger, or from making an error, leaves nothing behind: no
# profile in force, and no call of this thread that messages would belong to.
def thrown
  [-> { throw :out }, -> { raise NotImplementedError }].each do |leap|
    Mtlcap.logger = logger { leap.call }
    catch(:out) { Mtlcap.profile("auto") { raise "entered" } }
  rescue NotImplementedError
  end
  left = Mtlcap.generation.zero?
  Mtlcap.singleton_class.prepend(Module.new { def make_error(*) = throw(:out) })
  told = []
  Mtlcap.logger = logger { |*it| told << it }
  catch(:out) { Mtlcap.query("nonsense") }
  apply = Fiddle::Function.new(Fiddle.dlopen(nil)["mtlcap_apply_profile"],
                               [Fiddle::TYPE_VOIDP] * 2, Fiddle::TYPE_INT)
  elsewhere = Tempfile.create do |file|
    stderr = $stderr.dup
    $stderr.reopen(file)
    apply.call("auto", nil)
    $stderr.reopen(stderr)
    File.read(file)
  end
  puts "left: #{true?(left && told.empty? && elsewhere.match?(/\Amtlcap: .*old-sdk-bf16/))}"
end

def text
  profile = "@\u{1F600}.mtlcap"
  puts "file: #{true?(Mtlcap.apply(profile).profile == profile)}, apple #{apple}"
  Mtlcap.apply("auto\0")
rescue Mtlcap::ArgumentError
  puts "zero: refused True"
end

def foreign
  told = 0
  Mtlcap.logger = logger { |*| told += 1 }
  sleep 0.3
  puts "told: #{told}, in force #{true?(Mtlcap.generation > 1)}"
end

def late
  puts "nothing to change: #{warned { Mtlcap.apply("stock", late: :error) }.size}"
  begin
    Mtlcap.apply("auto", late: :error)
    puts "error: False"
    Mtlcap.restore
  rescue Mtlcap::OrderError => e
    puts "error: #{true?(e.is_a?(Mtlcap::Error))} " \
         "#{true?(e.message.match?(/llama\.cpp \(.*libggml-metal/))}, status #{e.status}, " \
         "in force #{true?(Mtlcap.active?)}"
  end
  all = warned { Mtlcap.apply("auto") }
  here = /\A#{Regexp.escape(__FILE__)}:#{__LINE__ - 1}: warning: mtlcap: .*mtlcap run -p 'auto' -- PROGRAM/
  puts "warned: #{all.size}" + (all.empty? ? "" : " #{true?(all.first.match?(here))}, apple #{apple}")
  puts "scope warned: #{warned { Mtlcap.profile("apple.max=4") { } }.size}"
  begin
    refused = Mtlcap.profile("auto", late: :error) { false }
  rescue Mtlcap::OrderError
    refused = true
  end
  puts "scope refused: #{true?(refused)}"
  puts "ignored: #{warned { Mtlcap.profile("auto", late: :ignore) { Mtlcap.apply("auto", late: :ignore) } }.size}"
  begin
    Mtlcap.apply("auto", late: :maybe)
  rescue ArgumentError
    return
  end
  raise "late: :maybe"
end

send({ "in-time" => "late" }.fetch(ARGV.first, ARGV.first))
