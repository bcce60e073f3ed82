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
