# Warnings and sanitizers for our own targets; link with relayout_settings.
add_library(relayout_settings INTERFACE)
target_compile_options(relayout_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wundef
  $<$<BOOL:${RELAYOUT_WARNINGS_AS_ERRORS}>:-Werror>)
# g++ 12 reports a false overlap in std::string's operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(relayout_settings INTERFACE -Wno-restrict)
endif()
if(RELAYOUT_SANITIZE)
  add_compile_options(-fsanitize=${RELAYOUT_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${RELAYOUT_SANITIZE})
endif()

# Most of the time to compile a source here goes into headers, which those compiled together share: less than half the time
# for all of them. A source with options of its own is compiled alone.
set(RELAYOUT_GROUP_SOURCES 8 CACHE STRING "How many sources are compiled at a time; OFF: each alone")
function(relayout_group_sources target)
  if(RELAYOUT_GROUP_SOURCES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${RELAYOUT_GROUP_SOURCES})
  endif()
endfunction()
