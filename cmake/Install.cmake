# What `cmake --install` and the packages hold: the program, its man pages and completions (written by the program
# itself), the JSON Schemas, and the GoogleTest integration with its CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(pages ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${pages}/stamp
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/pages $<TARGET_FILE:assay> ${pages}
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/stamp
  DEPENDS assay ${PROJECT_SOURCE_DIR}/scripts/pages
  COMMENT "Writing man pages and completions")
add_custom_target(assay_pages ALL DEPENDS ${pages}/stamp)
install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${pages}/assay.bash RENAME assay DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${pages}/assay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY fixtures/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/assay)

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
install(TARGETS assay_gtest EXPORT assay ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES integrations/gtest/gtest.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay)
install(EXPORT assay NAMESPACE assay:: FILE assayTargets.cmake DESTINATION ${config})
configure_package_config_file(integrations/gtest/assayConfig.cmake.in ${CMAKE_BINARY_DIR}/assayConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/assayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/assayConfig.cmake ${CMAKE_BINARY_DIR}/assayConfigVersion.cmake DESTINATION ${config})

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR "The assay developers")
set(CPACK_PACKAGE_CONTACT "The assay developers <assay@localhost>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, libgtest-dev")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
