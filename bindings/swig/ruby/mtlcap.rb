# Decides, in this process, what Metal says about a GPU.
#
#   require "mtlcap"
#
#   Mtlcap.apply("auto")                # before the first Metal client asks
#   puts Mtlcap.query("apple")          # apple: 7 (stock: 5; auto: apple.min=7)
#   Mtlcap.restore                      # stock answers, for every caller
#
#   Mtlcap.profile("apple.max=6") { }   # the same, restored on leaving
#
# Everything else is as in docs/bindings.md: query, check, devices, adopt, report, explain,
# capabilities, profiles, hazards, machine, generation, active?, version.
module Mtlcap
  # Something could not be done; what was in force before still is. There is a subclass for each
  # status of the C library, such as HazardError.
  class Error < StandardError
    # The C library's status, such as -6.
    attr_reader :status
    # Of a malformed profile: the item, its line (in a file) and column in bytes, from 1.
    attr_reader :item, :line, :column
    # Of a refused profile: the hazard's name, as allow: takes it.
    attr_reader :hazard

    def initialize(message = nil, status: 0, item: "", line: 0, column: 0, hazard: "")
      super(message)
      @status, @item, @line, @column, @hazard = status, item, line, column, hazard
    end
  end
end

require_relative "mtlcap/mtlcap"

module Mtlcap
  # The statuses of the C library by name, and the class of errors of each.
  STATUSES = { "OK" => 0 }.merge(error_rows.to_h { |row| [row.code, row.status] }).freeze
  ERRORS = error_rows.to_h { |row| [row.status, const_set(row.name, Class.new(Error))] }.freeze

  # A profile was asked for with late: :error, too late for a client that has asked Metal already.
  class OrderError < Error
  end

  LEVELS = { 1 => 3, 2 => 2, 3 => 1, 4 => 0 }.freeze # of the C library, as those of Logger

  class << self
    # Where the library's messages go: a Logger, or nil, which is standard error.
    attr_reader :logger

    # A Logger, or what has its add. It is called after the call that the messages belong to, on its
    # thread; what it raises is warned of. What other threads cause from C goes to standard error.
    def logger=(logger)
      unless logger.nil? || logger.respond_to?(:add)
        raise ::TypeError, "logger must be a Logger, or have its add, not #{logger.inspect}"
      end
      keep_messages(!logger.nil?)
      @logger = logger
    end

    # Applies a profile to every Metal device of this process, all of it or nothing. Returns a Report.
    # allow: names of hazards consented to, one or several.
    # late: what to do if a client has asked Metal already, and answers would change: :warn, :error
    # (OrderError, nothing is applied) or :ignore.
    def apply(profile = "auto", allow: [], late: :warn)
      profile, allow = text(profile, "profile"), joined(allow)
      complain(profile, allow, late)
      native_apply(profile, allow)
    end

    # What a profile would do on this machine, changing nothing.
    def explain(profile, allow: [])
      native_explain(text(profile, "profile"), joined(allow))
    end

    # Asks a device (the first, if none is given), and tells what it would say by itself.
    def query(capability, device = nil)
      native_query(text(capability, "capability"), device)
    end

    # Is an answer as expected: "apple>=7"?
    def check(expectation, device = nil)
      native_check(text(expectation, "expectation"), device)
    end

    # Runs the block with a profile in force, for the whole process; then brings back what was in
    # force before, unless something else is by then. Returns what the block does.
    def profile(profile = "auto", allow: [], late: :warn)
      unless block_given?
        raise ::ArgumentError, "profile needs a block, and holds while that runs; apply holds until restore"
      end
      profile, allow = text(profile, "profile"), joined(allow)
      complain(profile, allow, late)
      entry = Entry.new
      begin
        entry.enter(profile, allow)
        yield report
      ensure
        entry.leave
      end
    end

    private

    def text(value, what)
      value = value.to_s if value.is_a?(Symbol)
      return value if value.is_a?(String)
      raise ::TypeError, "#{what} must be a String or a Symbol, not #{value.inspect}"
    end

    def joined(allow)
      Array(allow).map { |name| text(name, "allow") }.join("+")
    end

    def complain(profile, allow, late)
      unless %i[warn error ignore].include?(late)
        raise ::ArgumentError, "late must be :warn, :error or :ignore, not #{late.inspect}"
      end
      why = late == :ignore ? "" : why_late(profile, allow)
      return if why.empty?
      raise OrderError, why if late == :error
      warn("mtlcap: #{why}", uplevel: 2)
    end

    def tell(messages)
      messages.each_slice(2) { |level, text| @logger&.add(LEVELS.fetch(level, 4), text, "mtlcap") }
    rescue StandardError => error
      warn("mtlcap: the logger failed: #{error.message}")
    end

    def make_error(message, details)
      ERRORS.fetch(details[:status], Error).new(message, **details)
    end
  end
  private_class_method :error_rows, :keep_messages, :native_apply, :native_check, :native_explain,
                       :native_query, :why_late
  private_constant :Entry, :ErrorRow, :LEVELS

  [Answer, Capability, Change, Check, Device, Explanation, Finding, Hazard, Machine, Profile,
   Report].each do |type|
    type.define_method(:inspect) { "#<#{self.class} #{self}>" }
  end
end
