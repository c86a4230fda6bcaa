include(GoogleTest)

# assay_library(NAME SOURCES... LINKS...): one folder's code, with the project's options.
function(assay_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(${NAME} PUBLIC assay_options ${ARG_LINKS})
  if(ASSAY_SANITIZE)
    # What runs long is here and not in the tests, of which each line runs once.
    target_compile_options(${NAME} PRIVATE -O1)
  endif()
endfunction()

# assay_test(NAME [SINGLE_THREADED] [AS_A_WHOLE] SOURCES... LINKS... LABELS... SHARDS n STARTS TARGET THREADED_CASES
# FILTER): a GoogleTest program, which may start a program of the project's; its cases become ctest tests. Under a
# sanitizer, or where it runs AS_A_WHOLE because its cases share what is dear to make, each of its shards (one, where
# nothing is said) is a test, and one that passed before is not run again.
# ThreadSanitizer takes minutes for what has one thread and shows nothing there: it runs the cases of THREADED_CASES, a
# filter of GoogleTest's, or all where none is said, and no program that is SINGLE_THREADED.
function(assay_test NAME)
  cmake_parse_arguments(ARG "SINGLE_THREADED;AS_A_WHOLE" "SHARDS;STARTS;THREADED_CASES" "SOURCES;LINKS;LABELS" ${ARGN})
  set(filter *)
  if(ASSAY_SANITIZE STREQUAL "thread")
    if(ARG_SINGLE_THREADED)
      return()
    endif()
    if(ARG_THREADED_CASES)
      set(filter ${ARG_THREADED_CASES})
    endif()
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  # Each line of a test runs once: what an optimiser would win is less than what it costs.
  target_compile_options(${NAME} PRIVATE -O0)
  target_link_libraries(${NAME} PRIVATE assay_options ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests run in the source folder: a path in the command line would keep ccache from sharing objects
  # between clones.
  target_compile_definitions(${NAME} PRIVATE ASSAY_SOURCE_DIR=".")
  set(unless_passed ${PROJECT_SOURCE_DIR}/scripts/unless_passed)
  if(ARG_STARTS)
    file(RELATIVE_PATH program ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${ARG_STARTS})
    target_compile_definitions(${NAME} PRIVATE ASSAY_PROGRAM="./${program}")
    add_dependencies(${NAME} ${ARG_STARTS})
    list(APPEND unless_passed --with $<TARGET_FILE:${ARG_STARTS}>)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(ASSAY_SANITIZE OR ARG_AS_A_WHOLE)
    # A sanitizer sees more in one long process, and starting one for each case would cost minutes.
    if(NOT ARG_SHARDS)
      set(ARG_SHARDS 1)
    endif()
    foreach(shard RANGE 1 ${ARG_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${NAME}.${shard} COMMAND ${Python3_EXECUTABLE} ${unless_passed} $<TARGET_FILE:${NAME}>
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(${NAME}.${shard} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 1800
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index};GTEST_FILTER=${filter}")
    endforeach()
  else()
    gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${NAME}.
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 300)
  endif()
endfunction()

# assay_script_test(NAME LABEL label TIMEOUT seconds SCRIPT script [ARGUMENTS ...]): a test in Python that runs the
# program. One that passed before with the same program and data is not run again.
function(assay_script_test NAME)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;SCRIPT" "ARGUMENTS" ${ARGN})
  add_test(NAME ${NAME} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/unless_passed
    --with $<TARGET_FILE:assay> ${Python3_EXECUTABLE} ${ARG_SCRIPT} $<TARGET_FILE:assay> ${ARG_ARGUMENTS})
  set_tests_properties(${NAME} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()

# assay_fuzzers(LIBRARY UNIT NAMESPACE NAMES...): with ASSAY_FUZZ, for each NAME a libFuzzer program
# assay_fuzz_NAME over NAMESPACE::fuzz_NAME of UNIT.h and UNIT.cpp. The tests call the same functions over mutated
# seeds.
function(assay_fuzzers LIBRARY UNIT NAMESPACE)
  if(NOT ASSAY_FUZZ)
    return()
  endif()
  foreach(name IN LISTS ARGN)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name}.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include <cstddef>
#include <cstdint>

#include \"@UNIT@.h\"

extern \"C\" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  @NAMESPACE@::fuzz_@name@({reinterpret_cast<const char*>(data), size});
  return 0;
}
")
    add_executable(assay_fuzz_${name} ${source} ${PROJECT_SOURCE_DIR}/${UNIT}.cpp)
    target_link_libraries(assay_fuzz_${name} PRIVATE assay_options ${LIBRARY})
    target_link_options(assay_fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endfunction()
