# What `cmake --install` and `./dev package` put where: the program, the contracts to read and to start
# from, the manual page and completions. The page and the completions are made by the program itself.

include(GNUInstallDirs)

set(made "${CMAKE_BINARY_DIR}/installed")
install(CODE "set(tacit \"$<TARGET_FILE:tacit>\")
set(made \"${made}\")")
install(SCRIPT tools/install_made.cmake)
# Graphviz and LLVM keep libraries in folders of their own.
set_target_properties(tacit PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tacit RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES contracts/c.tir contracts/cpp.tir contracts/java.tir
  DESTINATION "${CMAKE_INSTALL_DATADIR}/tacit/contracts")
install(FILES "${made}/tacit.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${made}/tacit"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${made}/_tacit" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${made}/tacit.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tacit)
set(CPACK_PACKAGE_CONTACT "the developers of Tacit <tacit@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "computes and proves the call protocols of C, C++ and Java components")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Clang finds its own headers in the folder of its version; Java classes of the library are the JDK's.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-19-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libstdc++-12-dev, openjdk-17-jre-headless")
include(CPack)
