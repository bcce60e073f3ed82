# cmake -D SOURCE=folder -D OUTPUT=file.cpp -P WriteCommit.cmake: makes src/cli/commit.cpp.in a source file. Run at
# every build; a file that would stay the same is left alone, so that nothing is compiled anew.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
configure_file(${SOURCE}/src/cli/commit.cpp.in ${OUTPUT} @ONLY)
