# MTLCAP_SANITIZE="address,undefined" or "thread" builds everything, the simulated Metal too, with
# these sanitizers.
if(MTLCAP_SANITIZE)
  add_compile_options(-fsanitize=${MTLCAP_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MTLCAP_SANITIZE})
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND MTLCAP_SANITIZE MATCHES "undefined")
    # Calls through IMP go to functions whose type the compiler cannot know: Objective-C methods
    # carry no type signature for this check to compare with.
    add_compile_options(-fno-sanitize=function)
  endif()
endif()
