# The tables of the binding for Ruby, as tables.cpp prints those of the C library.
require "mtlcap"

def bit(value) = value ? 1 : 0

Mtlcap::STATUSES.each { |name, number| puts "status #{name} #{number}" }
Mtlcap::ERRORS.each { |status, error| puts "error #{status} #{error.name.delete_prefix("Mtlcap::")}" }
Mtlcap.capabilities.each do |c|
  puts "capability #{c.key} #{c.selector} #{c.kind} #{c.unit} #{bit(c.can_lower?)} " \
       "#{bit(c.can_raise?)} #{c.hazard}"
end
Mtlcap.profiles.each { |p| puts "profile #{p.name} #{p.rules}" }
Mtlcap.hazards.each { |h| puts "hazard #{h.name} #{bit(h.refuses?)} #{h.when}" }
puts "version #{Mtlcap.version}"
