# The library for Ruby. Its extension needs Ruby's headers.
find_program(RUBY ruby)
if(NOT RUBY)
  mtlcap_swig_missing(ruby "install it, or pass -DRUBY=FILE" ruby)
endif()
foreach(name rubyhdrdir rubyarchhdrdir DLEXT)
  execute_process(COMMAND ${RUBY} -rrbconfig -e "print RbConfig::CONFIG['${name}']"
    OUTPUT_VARIABLE ruby_${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT EXISTS "${ruby_rubyhdrdir}/ruby.h")
  mtlcap_swig_missing("${ruby_rubyhdrdir}/ruby.h" "apt install ruby-dev" ruby)
endif()

mtlcap_swig_module(ruby ruby ruby/mtlcap)
set_target_properties(mtlcap_ruby PROPERTIES SUFFIX .${ruby_DLEXT})
target_include_directories(mtlcap_ruby SYSTEM PRIVATE
  "${ruby_rubyhdrdir}" "${ruby_rubyarchhdrdir}")
configure_file(ruby/mtlcap.rb ${CMAKE_CURRENT_BINARY_DIR}/ruby/mtlcap.rb COPYONLY)
configure_file(ruby/mtlcap.gemspec ${CMAKE_CURRENT_BINARY_DIR}/ruby/mtlcap.gemspec @ONLY)
configure_file(../../LICENSE ${CMAKE_CURRENT_BINARY_DIR}/ruby/LICENSE COPYONLY)
