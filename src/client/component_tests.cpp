#include "client/component_tests.h"

#include "client/java_tests.h"
#include "pipeline/sources.h"

namespace tacit {

namespace {

Result<WrittenTests> java_tests(const InterfaceProgram& program, const TestsRequest& request,
                                const std::vector<std::string>& files) {
  java::ClassPool pool;
  for (const std::string& file : files)
    if (is_java_source(file))
      if (auto added = pool.add(file); !added) return std::unexpected(added.error());
  pool.add_default_jdk();
  if (!request.class_name.empty()) return write_java_tests(program, pool, request.class_name);
  const std::string& name = program.interface().component_name;
  std::vector<std::string> found;
  for (const std::string& known : pool.names())
    if (known.substr(known.rfind('/') + 1) == name) found.push_back(known);
  if (found.size() > 1) return fail("several classes are called {}: name one with --class", name);
  if (found.empty()) return fail("the class {} is not in the sources: name it with --class", name);
  return write_java_tests(program, pool, found.front());
}

} // namespace

Result<WrittenTests> write_component_tests(const Interface& interface,
                                           const TestsRequest& request) {
  const std::vector<std::string>& files =
      request.sources.empty() ? interface.sources : request.sources;
  if (files.empty()) return fail("the result names no sources: give them after it");
  const auto kind = kind_of_sources(files);
  if (!kind) return std::unexpected(kind.error());
  if (*kind == SourceKind::Tir)
    return fail("'{}': tests are written for C, C++ and Java", files.front());
  const auto program = InterfaceProgram::of_any(interface);
  if (!program) return std::unexpected(program.error());
  if (*kind == SourceKind::Java) return java_tests(*program, request, files);
  CppTestsRequest made;
  made.sources.sources = files;
  made.sources.flags = request.flags;
  made.sources.database = request.database;
  made.sources.class_name = request.class_name;
  made.sources.handle = request.handle;
  if (interface.language == "cpp" && request.class_name.empty() && request.handle.empty())
    made.sources.class_name = interface.component_name;
  made.folder = request.folder;
  return write_cpp_tests(*program, made);
}

} // namespace tacit
