# Compile options live on two interface targets, never in CMAKE_CXX_FLAGS, so that packaged libraries
# are not built or judged by them.
option(ASSAY_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
option(ASSAY_FUZZ "Build the libFuzzer programs; needs clang" OFF)
option(ASSAY_COVERAGE "Instrument for gcov" OFF)
option(ASSAY_PORTABLE "Link everything but libc into the program, as it is packaged" OFF)
set(ASSAY_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined or thread)")

add_library(assay_options INTERFACE)
target_compile_features(assay_options INTERFACE cxx_std_20)
target_compile_options(assay_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  $<$<BOOL:${ASSAY_WARNINGS_AS_ERRORS}>:-Werror>
  # g++ 12 at -O2 sees uninitialised members in empty optionals that nobody reads, and coroutine frames
  # freed by another function than the one that it inlined for their allocation.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-mismatched-new-delete>"
  # libstdc++ 12 uses a function of its own that it declares deprecated.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>
  # The path of the build machine stays out of the program, and ccache hits across folders.
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(CMAKE_UNITY_BUILD)
  # In one unit with its neighbours a local name may equal a name of theirs; the dev build, which
  # compiles each file alone, warns of shadowing.
  target_compile_options(assay_options INTERFACE -Wno-shadow)
  # g++ takes a unit's sources for headers, in which no class should have members of a local type.
  target_compile_options(assay_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
target_include_directories(assay_options INTERFACE ${PROJECT_SOURCE_DIR})

if(ASSAY_SANITIZE)
  target_compile_options(assay_options INTERFACE
    -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # A sanitizer watches how something is done: tests that count how often do less of it there.
  target_compile_definitions(assay_options INTERFACE ASSAY_SANITIZED)
  if(ASSAY_SANITIZE STREQUAL "thread")
    # ThreadSanitizer knows no fences; those of Asio stand beside locks that order all by themselves.
    target_compile_definitions(assay_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  target_link_options(assay_options INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()
if(ASSAY_FUZZ)
  target_compile_options(assay_options INTERFACE -fsanitize=fuzzer-no-link -Wno-unknown-warning-option)
endif()
if(ASSAY_COVERAGE)
  target_compile_options(assay_options INTERFACE --coverage)
  target_link_options(assay_options INTERFACE --coverage)
endif()

if(ASSAY_PORTABLE)
  target_link_options(assay_options INTERFACE -static-libstdc++ -static-libgcc)
endif()

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ASSAY_CCACHE})
endif()
find_program(ASSAY_MOLD mold)
if(ASSAY_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
