# The library in a few lines.
require "mtlcap"

def ask(capability)
  answer = Mtlcap.query(capability)
  puts "#{capability}: #{answer.effective} (stock: #{answer.stock})"
end

Mtlcap.apply("auto") # before the first Metal client asks
ask("apple")

begin
  Mtlcap.apply("apple.min=9")
rescue Mtlcap::HazardError => error # what was in force stays
  puts "refused: #{error.hazard} (#{error.status})"
end

Mtlcap.restore # stock answers, for every caller
ask("apple")
