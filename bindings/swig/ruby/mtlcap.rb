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
# Everything else is as in docs/bindings.md: query, devices, adopt, report, explain, capabilities,
# profiles, hazards, machine, generation, active?, version.
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

  class << self
    # Applies a profile to every Metal device of this process, all of it or nothing.
    # allow: names of hazards consented to, one or several. Returns a Report.
    def apply(profile = "auto", allow: [])
      native_apply(profile, Array(allow).join("+"))
    end

    # What a profile would do on this machine, changing nothing.
    def explain(profile, allow: [])
      native_explain(profile, Array(allow).join("+"))
    end

    # Runs the block with a profile in force, for the whole process; then brings back what was in
    # force before, unless something else is by then. Returns what the block does.
    def profile(profile = "auto", allow: [])
      scope = Scope.new(profile, Array(allow).join("+"))
      begin
        yield report
      ensure
        scope.close
      end
    end

    private

    def make_error(message, details)
      ERRORS.fetch(details[:status], Error).new(message, **details)
    end
  end
  private_class_method :error_rows, :native_apply, :native_explain
  private_constant :Scope, :ErrorRow
end
