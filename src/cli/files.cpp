#include "cli/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "cli/load_c.h"
#include "export/dot.h"
#include "frontend/java/contracts.h"
#include "frontend/java/lower.h"
#include "frontend/llvm/lower.h"
#include "interface/json.h"
#include "program/contracts/apply.h"
#include "program/text/read.h"

namespace tacit {

bool is_java_source(const std::string& source) {
  const std::string extension = std::filesystem::path(source).extension().string();
  std::error_code error;
  return source.starts_with("jdk:") || extension == ".class" || extension == ".jar" ||
         extension == ".jmod" || std::filesystem::is_directory(source, error);
}

namespace {

bool is_java_text(const std::string& source) { return source.ends_with(".java"); }

} // namespace

Result<void> open_java(const CommandLine& line, java::ClassPool& pool) {
  for (const std::string& source : line.positional) {
    if (is_java_text(source)) continue; // read for its clauses
    if (!is_java_source(source))
      return fail(Location{source}, "class files and other sources do not go together");
    if (auto added = pool.add(source); !added) return added;
  }
  pool.add_default_jdk();
  return {};
}

namespace {

Result<Module> load_java(const CommandLine& line) {
  java::ClassPool pool;
  if (auto opened = open_java(line, pool); !opened) return std::unexpected(opened.error());
  java::LowerOptions options;
  options.own = line.list("--own");
  options.reentrant = line.has("--reentrant");
  bool standard = true;
  for (const std::string& contracts : line.all("--contracts")) {
    if (contracts == "none") {
      standard = false;
      continue;
    }
    auto clauses = read_file(contracts);
    if (!clauses) return std::unexpected(clauses.error());
    options.contracts.emplace_back(std::move(*clauses), contracts);
  }
  if (standard) options.contracts.emplace_back(std::string(java::standard_contracts()));
  std::string name = line.one("--class").value_or("");
  if (name.empty()) {
    const std::vector<std::string> names = pool.names();
    if (std::ranges::count_if(line.positional, is_java_source) > 1 || names.size() != 1)
      return fail(Location{line.positional[0]}, "holds {} classes: name one with --class",
                  names.size());
    name = names[0];
  }
  if (name.find('*') != std::string::npos)
    return fail("--class '{}': only 'tacit inspect' takes a wildcard", name);
  return java::lower_class(pool, name, options);
}

} // namespace

Result<Module> load_sources(const CommandLine& line) {
  if (line.positional.empty())
    return fail(
        "'tacit {}' needs a source: a .tir, C or C++ file, a .class, .jar or .jmod, or jdk:",
        line.command);
  if (is_java_source(line.positional[0])) return load_java(line);
  if (std::ranges::all_of(line.positional, is_c_family_source)) return load_c_family(line);
  if (const auto name = line.one("--class");
      name && !std::ranges::all_of(line.positional, is_java_text))
    return fail("--class '{}': the source has no classes", *name);
  if (line.positional.size() > 1)
    return fail("one .tir file at a time: {} are given", line.positional.size());
  const std::string& path = line.positional[0];
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".java")
    return fail(Location{path},
                "Java is read from class files: compile it (javac -g) and name what comes out");
  if (extension != ".tir")
    return fail(Location{path},
                "not a kind of source that is understood: a .tir, C or C++ file, a .class, .jar or "
                ".jmod, or jdk: is needed");
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  auto module = read_module(*text, path);
  if (!module) return module;
  for (const std::string& contracts : line.all("--contracts")) {
    auto clauses = read_file(contracts);
    if (!clauses) return std::unexpected(clauses.error());
    if (auto added = add_contracts(*module, *clauses, contracts); !added)
      return std::unexpected(added.error());
  }
  return module;
}

std::vector<SourceText> clause_texts(const CommandLine& line, const Module& module) {
  namespace fs = std::filesystem;
  constexpr std::size_t most_files = 64;
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& path) {
    std::error_code error;
    if (files.size() < most_files && fs::is_regular_file(path, error) &&
        std::ranges::find(files, path) == files.end())
      files.push_back(path);
  };
  for (const std::string& source : line.positional) {
    if (is_java_text(source) || is_c_family_source(source)) add(source);
    // The file that a class was compiled from, if it still lies beside it.
    if (fs::path(source).extension() == ".class")
      for (const Procedure& p : module.procedures)
        if (is_java_text(p.where.file))
          add(fs::path(source).parent_path() / fs::path(p.where.file).filename());
  }
  std::vector<SourceText> texts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto text = read_file(files[i].string());
    if (!text) continue;
    if (!is_java_text(files[i].string())) {
      std::istringstream lines(*text);
      for (std::string l; std::getline(lines, l);) {
        const std::size_t include = l.find("#include \""), open = include + 10;
        if (include == std::string::npos) continue;
        add(files[i].parent_path() / l.substr(open, l.find('"', open) - open));
      }
    }
    texts.push_back({files[i].string(), std::move(*text)});
  }
  return texts;
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
