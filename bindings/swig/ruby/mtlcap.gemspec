# The gem of the folder that this file is built into: gem build mtlcap.gemspec
# Its extension is compiled for this machine and this Ruby, and needs the libmtlcap that it was built
# against.
Gem::Specification.new do |spec|
  spec.name = "mtlcap"
  spec.version = "@mtlcap_VERSION@"
  spec.summary = "Decide, per process, what Metal says about a GPU"
  spec.description = "Raises or lowers what Metal answers about a GPU in this process, tells what was " \
                     "changed and why, and puts it back exactly: the binding of libmtlcap."
  spec.authors = ["The libmtlcap authors"]
  spec.license = "MIT"
  spec.platform = Gem::Platform::CURRENT
  spec.required_ruby_version = "~> #{RbConfig::CONFIG["ruby_version"]}"
  spec.files = ["LICENSE", "mtlcap.rb", "mtlcap/mtlcap.#{RbConfig::CONFIG["DLEXT"]}"]
  spec.require_paths = ["."]
end
