#!/bin/sh
# gem.sh RUBY FOLDER SIMMETAL EXAMPLE WORK: the gem of FOLDER is built and installed, and a program finds
# it without -I.
set -eu
ruby=$1 folder=$2 simmetal=$3 example=$4 work=$5
rm -rf "$work"
mkdir -p "$work/home"
cp -R "$folder" "$work/ruby"
export GEM_HOME="$work/gems" GEM_PATH="$work/gems" HOME="$work/home"
cd "$work/ruby"
"$ruby" -S gem build mtlcap.gemspec
"$ruby" -S gem install --local --no-document ./mtlcap-*.gem
"$ruby" -e '
  spec = Gem::Specification.find_by_name("mtlcap")
  require "mtlcap"
  abort "the gem is #{spec.version}, the library #{Mtlcap.version}" if spec.version.to_s != Mtlcap.version
  abort "no license" unless File.exist?(File.join(spec.full_gem_path, "LICENSE"))
  from = $LOADED_FEATURES.grep(/mtlcap\.rb$/).first
  abort "from #{from}" unless from.start_with?(spec.full_gem_path)'
cd "$work"
LD_PRELOAD=$simmetal "$ruby" "$example"
