#include "cli/load_c.h"

#include <cstdlib>
#include <iostream>

#include "frontend/llvm/lower.h"
#include "program/text/read.h"

namespace tacit {

Result<Module> load_c_family(const CommandLine& line) {
  LlvmOptions options;
  options.sources = line.positional;
  options.flags = line.after_dashes;
  options.class_name = line.one("--class").value_or("");
  options.handle = line.one("--handle").value_or("");
  options.own = line.list("--own");
  options.methods = line.list("--methods");
  options.reentrant = line.has("--reentrant");
  if (!options.class_name.empty() && !options.handle.empty())
    return fail("--class and --handle exclude each other");
  // For a class --constructor chooses among its constructors; in C it names functions.
  if (options.class_name.empty()) options.constructors = line.list("--constructor");
  for (const std::string& pattern : line.list("--methods"))
    if (pattern.starts_with("~")) options.want_destructor = true;
  for (const std::string& file : line.all("--contracts")) {
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    options.contracts.emplace_back(file, *text);
  }
  LlvmTimes times;
  auto module = lower_c_family(options, &times);
  if (std::getenv("TACIT_TIMES"))
    std::cerr << fmt::format("clang {:.2f} s, lowering {:.2f} s\n", times.clang, times.lowering);
  return module;
}

} // namespace tacit
