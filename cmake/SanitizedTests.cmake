# The tests again, on a library with AddressSanitizer and UndefinedBehaviorSanitizer: relayout_sanitized_tests. What is
# sanitized is the library; the tests' own objects are those of relayout_tests, which take longer to compile than all else.
# Included by the list file that makes the library, since properties of source files are its directory's.
get_target_property(sources relayout SOURCES)
add_library(relayout_sanitized OBJECT EXCLUDE_FROM_ALL ${sources})
relayout_group_sources(relayout_sanitized)
# More at a time than the library, which is compiled again more often.
set_target_properties(relayout_sanitized PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
target_compile_features(relayout_sanitized PUBLIC cxx_std_20)
target_compile_options(relayout_sanitized
  PRIVATE -Og -UNDEBUG -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -Wno-error)
target_include_directories(relayout_sanitized PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(relayout_sanitized
  PUBLIC asmjit::asmjit spdlog::spdlog Threads::Threads
  PRIVATE relayout_settings relayout_xsimd)

# All of the sanitized objects are linked, so that none of the plain library's are looked for.
add_executable(relayout_sanitized_tests EXCLUDE_FROM_ALL $<TARGET_OBJECTS:relayout_tests>)
target_link_options(relayout_sanitized_tests PRIVATE -fsanitize=address,undefined)
get_target_property(libraries relayout_tests LINK_LIBRARIES)
target_link_libraries(relayout_sanitized_tests PRIVATE relayout_sanitized ${libraries})
