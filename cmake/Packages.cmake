# Packaged libraries only; each missing one is named with the Debian package that has it.
macro(assay_require NAME DEBIAN_PACKAGE)
  find_package(${NAME} ${ARGN} QUIET)
  if(NOT ${NAME}_FOUND)
    message(FATAL_ERROR "${NAME} is missing: apt-get install ${DEBIAN_PACKAGE} (or run scripts/install)")
  endif()
endmacro()

assay_require(GTest libgtest-dev 1.12 CONFIG)
assay_require(nlohmann_json nlohmann-json3-dev 3.11 CONFIG)
assay_require(rapidcheck librapidcheck-dev CONFIG)
assay_require(Boost libboost1.81-dev 1.81)
assay_require(CLI11 libcli11-dev CONFIG)
assay_require(yaml-cpp libyaml-cpp-dev CONFIG)
assay_require(fmt libfmt-dev 9 CONFIG)
if(ASSAY_PORTABLE)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()
assay_require(OpenSSL libssl-dev 3)
assay_require(Threads libc6-dev)
assay_require(PkgConfig pkg-config)

# For tests alone, as a client by other hands. It is a compiled library known to pkg-config only; its macros
# decide class layouts, so they must come from there and nowhere else.
pkg_check_modules(httplib QUIET IMPORTED_TARGET cpp-httplib)
if(NOT httplib_FOUND)
  message(FATAL_ERROR "cpp-httplib is missing: apt-get install libcpp-httplib-dev (or run scripts/install)")
endif()
add_library(httplib::httplib ALIAS PkgConfig::httplib)

# The same libraries, linked into a portable program: Debian has an archive of yaml-cpp beside the shared
# library, and of fmt only the headers.
add_library(assay_fmt INTERFACE)
add_library(assay::fmt ALIAS assay_fmt)
add_library(assay_yaml INTERFACE)
add_library(assay::yaml ALIAS assay_yaml)
if(ASSAY_PORTABLE)
  target_link_libraries(assay_fmt INTERFACE fmt::fmt-header-only)
  find_library(ASSAY_YAML_ARCHIVE libyaml-cpp.a REQUIRED)
  target_link_libraries(assay_yaml INTERFACE ${ASSAY_YAML_ARCHIVE})
else()
  target_link_libraries(assay_fmt INTERFACE fmt::fmt)
  target_link_libraries(assay_yaml INTERFACE yaml-cpp)
endif()
