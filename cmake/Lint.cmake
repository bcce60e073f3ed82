# `cmake --preset lint && cmake --build --preset lint`: clang-tidy over the library and the tool.
find_program(RELAYOUT_RUN_CLANG_TIDY NAMES run-clang-tidy run-clang-tidy-14)
if(RELAYOUT_RUN_CLANG_TIDY)
  add_custom_target(lint
    COMMAND ${RELAYOUT_RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR} "^${PROJECT_SOURCE_DIR}/(src|jit)/"
    USES_TERMINAL VERBATIM)
endif()
