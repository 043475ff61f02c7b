#include "cli/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/load_c.h"
#include "frontend/llvm/lower.h"
#include "interface/json.h"
#include "program/externs.h"
#include "program/read.h"

namespace tacit {

namespace {

Result<Module> load_tir(const CommandLine& line) {
  if (line.positional.size() > 1)
    return fail("one .tir file at a time: {} are given", line.positional.size());
  const std::string& path = line.positional[0];
  if (std::filesystem::path(path).extension() != ".tir")
    return fail(Location{path}, "not a kind of source that is understood: a .tir, C or C++ file "
                                "is needed");
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  return read_module(*text, path);
}

/// By the suffix of the sources.
Result<Module> load_by_kind(const CommandLine& line) {
  if (std::ranges::all_of(line.positional, is_c_family_source)) return load_c_family(line);
  return load_tir(line);
}

} // namespace

Result<Module> load_sources(const CommandLine& line) {
  if (line.positional.empty())
    return fail("'tacit {}' needs a source: a .tir, C or C++ file", line.command);
  auto module = load_by_kind(line);
  if (!module) return module;
  for (const std::string& contracts : line.all("--contracts")) {
    auto clauses = read_file(contracts);
    if (!clauses) return std::unexpected(clauses.error());
    if (auto added = add_contracts(*module, *clauses, contracts); !added)
      return std::unexpected(added.error());
  }
  return module;
}

Result<Interface> load_result(const std::string& path, std::vector<std::string>* inconsistencies) {
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  return read_interface(*text, path, inconsistencies);
}

Result<void> write_output(const CommandLine& line,
                          const std::function<void(std::ostream&)>& write) {
  const auto path = line.one("--output");
  if (!path || *path == "-") {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) return fail("standard output cannot be written");
    return {};
  }
  std::error_code ignored;
  // Devices and pipes are written in place; a file is written beside and moved.
  const bool in_place =
      std::filesystem::exists(*path, ignored) && !std::filesystem::is_regular_file(*path, ignored);
  const std::string target = in_place ? *path : *path + ".tacit-" + std::to_string(getpid());
  {
    std::ofstream out(target, std::ios::binary);
    if (!out) return fail(Location{*path}, "cannot be written: {}", std::strerror(errno));
    try {
      write(out);
    } catch (...) {
      out.close();
      if (!in_place) std::remove(target.c_str());
      throw;
    }
    out.close();
    if (!out) {
      const int why = errno;
      if (!in_place) std::remove(target.c_str());
      return fail(Location{*path}, "cannot be written: {}", std::strerror(why));
    }
  }
  if (!in_place && std::rename(target.c_str(), path->c_str()) != 0) {
    const int why = errno;
    std::remove(target.c_str());
    return fail(Location{*path}, "cannot be written: {}", std::strerror(why));
  }
  return {};
}

} // namespace tacit
