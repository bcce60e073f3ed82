# The project in this folder, built against an installation and with the sources as a subdirectory.
set(consumer_folder ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set(consumer_prefix ${consumer_folder}/prefix)

# All targets must be there to be installed, so this test comes after a build of everything.
add_test(NAME consumer_install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer_prefix})
set_tests_properties(consumer_install PROPERTIES FIXTURES_SETUP relayout_installed)

# add_consumer_test(NAME OPTIONS...): configures, builds and runs the consumer.
function(add_consumer_test name)
  add_test(NAME consumer_${name}
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${CMAKE_CURRENT_LIST_DIR} ${consumer_folder}/${name}
      --build-generator ${CMAKE_GENERATOR}
      --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} ${ARGN}
      --test-command ${consumer_folder}/${name}/consumer)
  set_tests_properties(consumer_${name} PROPERTIES TIMEOUT 900)
endfunction()

add_consumer_test(finds_the_package -DCMAKE_PREFIX_PATH=${consumer_prefix} -DCMAKE_BUILD_TYPE=Release)
set_tests_properties(consumer_finds_the_package PROPERTIES FIXTURES_REQUIRED relayout_installed)
# Not optimised, many sources at a time: this one compiles the whole library.
add_consumer_test(adds_the_subdirectory -DRELAYOUT_SOURCE=${PROJECT_SOURCE_DIR} -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DRELAYOUT_GROUP_SOURCES=32)
set_tests_properties(consumer_adds_the_subdirectory PROPERTIES PROCESSORS 2)
