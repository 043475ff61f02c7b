// tacit tests: tests of a component that show that it follows its protocol.
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/files.h"
#include "client/component_tests.h"

namespace tacit {

Result<int> run_tests(const CommandLine& line) {
  if (line.positional.empty()) return fail("'tacit tests' needs a result file");
  auto interface = load_result(line.positional[0]);
  if (!interface) return std::unexpected(interface.error());
  TestsRequest request{.sources = {line.positional.begin() + 1, line.positional.end()},
                       .flags = line.after_dashes,
                       .database = line.one("--database").value_or(""),
                       .class_name = line.one("--class").value_or(""),
                       .handle = line.one("--handle").value_or(""),
                       .folder = {}};
  const auto output = line.one("--output");
  if (output && *output != "-") {
    const std::filesystem::path folder = std::filesystem::path(*output).parent_path();
    request.folder = folder.empty() ? "." : folder.string();
  }
  const auto written = write_component_tests(*interface, request);
  if (!written) return std::unexpected(written.error());
  // javac wants a public class in a file of its name.
  if (output && *output != "-" && !line.has("--coverage") && written->file.ends_with(".java") &&
      std::filesystem::path(*output).filename() != written->file)
    return fail("-o '{}': the class has to be in a file called {}", *output, written->file);
  const std::string coverage = print_coverage(written->plan);
  auto done = write_output(
      line, [&](std::ostream& out) { out << (line.has("--coverage") ? coverage : written->text); });
  if (!done) return std::unexpected(done.error());
  if (!line.has("--coverage") && !line.has("--quiet"))
    std::cerr << coverage.substr(0, coverage.find('\n') + 1);
  return exit_status::done;
}

} // namespace tacit
