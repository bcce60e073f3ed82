# `cmake --install`: headers, the static library, and a package for find_package(relayout).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/relayout)
install(TARGETS relayout EXPORT relayoutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/relayout DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT relayoutTargets NAMESPACE relayout:: DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/relayoutConfig.cmake.in
  ${PROJECT_BINARY_DIR}/relayoutConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/relayoutConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/relayoutConfig.cmake ${PROJECT_BINARY_DIR}/relayoutConfigVersion.cmake
  DESTINATION ${package_folder})
