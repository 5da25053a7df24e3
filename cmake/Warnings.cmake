# Warnings for our own directories; a project that includes ours keeps its own.
add_compile_options(-Wall -Wextra)
foreach(warning pedantic shadow strict-prototypes missing-prototypes)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-W${warning}>)
endforeach()
if(MTLCAP_WERROR)
  add_compile_options(-Werror)
endif()
