#include "cli/files.h"
#include "base/sha256.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "export/dot.h"
#include "interface/json.h"
#include "pipeline/output_file.h"
#include "program/text/read.h"

namespace tacit {

Result<Sources> open_sources(const CommandLine& line) {
  if (line.positional.empty())
    return fail(
        "'tacit {}' needs a source: a .tir, C or C++ file, a .class, .jar or .jmod, or jdk:",
        line.command);
  return Sources::open({.files = line.positional,
                        .flags = line.after_dashes,
                        .database = line.one("--database").value_or(""),
                        .contracts = line.all("--contracts"),
                        .own = line.list("--own"),
                        .reentrant = line.has("--reentrant")});
}

Result<Module> lower_subject(const CommandLine& line, Sources& sources) {
  auto module = sources.lower({.class_name = line.one("--class").value_or(""),
                               .handle = line.one("--handle").value_or(""),
                               .methods = line.list("--methods"),
                               .constructors = line.list("--constructor"),
                               .errors = line.all("--error")});
  if (sources.times() && std::getenv("TACIT_TIMES"))
    std::cerr << fmt::format("clang {:.2f} s, lowering {:.2f} s\n", sources.times()->clang,
                             sources.times()->lowering);
  return module;
}

Result<Module> load_module(const CommandLine& line) {
  auto sources = open_sources(line);
  if (!sources) return std::unexpected(sources.error());
  return lower_subject(line, *sources);
}

std::string hash_sources(const std::vector<std::string>& sources) {
  std::string digests;
  for (const std::string& source : sources) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(source, error)) return "";
    const auto bytes = read_file(source);
    if (!bytes) return "";
    digests += sha256(*bytes);
  }
  return sources.size() == 1 ? digests : sha256(digests);
}

Result<Interface> load_result(const std::string& path, std::vector<std::string>* inconsistencies) {
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  if (path.ends_with(".dot")) return read_dot_result(*text, path);
  return read_interface(*text, path, inconsistencies);
}

std::optional<FoundSource> find_source(const Interface& interface, const std::string& file) {
  namespace fs = std::filesystem;
  static const std::set<std::string> extensions = {".tir", ".c",   ".h",   ".cc",  ".cpp", ".cxx",
                                                   ".hh",  ".hpp", ".hxx", ".inc", ".tcc", ".java"};
  constexpr std::uintmax_t largest = 8u << 20;
  const fs::path wanted(file);
  std::vector<fs::path> places{wanted};
  for (const std::string& source : interface.sources) {
    const fs::path path(source);
    if (path.filename() == wanted.filename()) places.push_back(path);
    if (wanted.is_relative()) places.push_back(path.parent_path() / wanted);
  }
  for (const fs::path& place : places) {
    std::error_code error;
    if (!extensions.contains(place.extension().string()) || !fs::is_regular_file(place, error))
      continue;
    if (const auto size = fs::file_size(place, error); error || size > largest) continue;
    if (auto text = read_file(place.string())) return FoundSource{place.string(), *text};
  }
  return std::nullopt;
}

Result<void> check_outputs(const CommandLine& line) {
  if (line.command == "scan") return {}; // its output is a folder
  // A result in the place of its source would leave neither.
  const bool replaces = line.command == "synth" || line.command == "epa";
  const std::vector<std::string> inputs = replaces ? line.positional : std::vector<std::string>{};
  const auto output = line.one("--output"), annotated = line.one("--annotate");
  if (output && *output != "-")
    if (auto checked = check_output(*output, inputs); !checked) return checked;
  if (!annotated) return {};
  if (output == annotated) return fail("--output and --annotate name the same file");
  return check_output(*annotated, inputs);
}

Result<void> write_output(const CommandLine& line,
                          const std::function<void(std::ostream&)>& write) {
  const auto path = line.one("--output");
  if (path && *path != "-") return write_file(*path, write);
  write(std::cout);
  std::cout.flush();
  if (!std::cout) return fail("standard output cannot be written");
  return {};
}

} // namespace tacit
