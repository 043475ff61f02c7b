#include "frontend/llvm/clang/compile_database.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/YAMLParser.h>

namespace tacit {

namespace {

namespace fs = std::filesystem;
using clang::tooling::CompilationDatabase;

constexpr const char* database_name = "compile_commands.json";

bool is_header(const fs::path& path) {
  const std::string suffix = path.extension().string();
  return suffix == ".h" || suffix == ".hh" || suffix == ".hpp" || suffix == ".hxx" ||
         suffix.empty();
}

fs::path normal(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || (fs::equivalent(a, b, error) && !error);
}

/// Whether it says something about the file, rather than about others that look like it.
bool is_about(const CompilationDatabase& database, const fs::path& path) {
  return std::ranges::any_of(database.getAllFiles(), [&](const std::string& listed) {
    const fs::path other = fs::path(listed).lexically_normal();
    if (!is_header(path)) return same_file(other, path);
    return other.parent_path() == path.parent_path() || other.stem() == path.stem();
  });
}

/// The build folders of a project, `build` before others.
std::vector<fs::path> build_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if ((name.starts_with("build") || name.starts_with("cmake-build")) &&
        fs::is_regular_file(entry.path() / database_name, ignored))
      found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

struct Database {
  fs::path folder;
  std::unique_ptr<CompilationDatabase> commands;
};

std::string as_reason(std::string text) {
  while (!text.empty() &&
         (text.back() == '.' || std::isspace(static_cast<unsigned char>(text.back()))))
    text.pop_back();
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::unexpected<Diagnostic> not_read(Location where, const std::string& reason) {
  auto said = fail(std::move(where), "this compile database cannot be read: {}", as_reason(reason));
  said.error().notes.push_back("mend or remove it, or name the folder of another with -p");
  return said;
}

/// Escapes are looked at only when the value is asked for.
void read_whole(llvm::yaml::Node* node) {
  llvm::SmallString<64> storage;
  if (auto* scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(node)) {
    scalar->getValue(storage);
  } else if (auto* sequence = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(node)) {
    for (llvm::yaml::Node& entry : *sequence) read_whole(&entry);
  } else if (auto* mapping = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(node)) {
    for (llvm::yaml::KeyValueNode& entry : *mapping) {
      read_whole(entry.getKey());
      read_whole(entry.getValue());
    }
  }
}

/// The first place at which the text is not what it should be. Asked before the library reads it,
/// which would print its own message.
std::optional<Diagnostic> malformed(const std::string& file) {
  const auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) return not_read({.file = file}, text.getError().message()).error();
  std::optional<Diagnostic> first;
  llvm::SourceMgr sources;
  const auto take = [&](const llvm::SMDiagnostic& said) {
    if (!first)
      first = not_read({.file = file, .line = said.getLineNo(), .column = said.getColumnNo() + 1},
                       said.getMessage().str())
                  .error();
  };
  sources.setDiagHandler([](const llvm::SMDiagnostic& said,
                            void* context) { (*static_cast<decltype(take)*>(context))(said); },
                         const_cast<void*>(static_cast<const void*>(&take)));
  llvm::yaml::Stream stream((*text)->getBuffer(), sources);
  for (llvm::yaml::Document& document : stream) {
    read_whole(document.getRoot());
    if (first) break;
  }
  return first;
}

Result<std::unique_ptr<CompilationDatabase>> read_commands(const std::string& file) {
  if (auto wrong = malformed(file)) return std::unexpected(std::move(*wrong));
  std::string reason;
  std::unique_ptr<CompilationDatabase> read = clang::tooling::JSONCompilationDatabase::loadFromFile(
      file, reason, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!read) return not_read({.file = file}, reason);
  return inferTargetAndDriverMode(inferMissingCompileCommands(
      expandResponseFiles(std::move(read), llvm::vfs::getRealFileSystem())));
}

/// What the folder has: no commands where it has no database.
Result<Database> load(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / database_name;
  if (!fs::is_regular_file(file, error)) {
    std::string ignored; // it may have a compile_flags.txt
    return Database{folder, CompilationDatabase::loadFromDirectory(folder.string(), ignored)};
  }
  auto commands = read_commands(file.string());
  if (!commands) return std::unexpected(commands.error());
  return Database{folder, std::move(*commands)};
}

Result<Database> find_database(const fs::path& path) {
  fs::path folder = path;
  do {
    folder = folder.parent_path();
    if (auto beside = load(folder); !beside || beside->commands) return beside;
    for (const fs::path& build : build_folders(folder))
      if (auto inside = load(build);
          !inside || (inside->commands && is_about(*inside->commands, path)))
        return inside;
  } while (folder.has_relative_path());
  return Database{};
}

/// What a compiler of another make put beside its results: nothing that we could read.
bool starts_foreign_header(const std::vector<std::string>& words, std::size_t at) {
  return words[at] == "-Xclang" && at + 3 < words.size() && words[at + 1] == "-include-pch";
}

} // namespace

Result<CompileCommand> database_command(const std::string& source, const std::string& given) {
  const fs::path path = normal(source);
  const bool file = fs::path(given).filename() == database_name;
  const auto read = given.empty() ? find_database(path)
                                  : load(file ? normal(given).parent_path() : normal(given));
  if (!read) return std::unexpected(read.error());
  const Database& database = *read;
  if (!database.commands) {
    if (!given.empty()) return fail("-p '{}': there is no {}", given, database_name);
    return CompileCommand{};
  }
  CompileCommand found;
  found.database = (database.folder / database_name).lexically_normal().string();
  const auto commands = database.commands->getCompileCommands(path.string());
  if (commands.empty()) return found;
  found.directory = (database.folder / commands.front().Directory).lexically_normal().string();
  const auto& words = commands.front().CommandLine;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-c" || words[i] == "--") continue;
    if (words[i] == "-o") {
      ++i;
    } else if (starts_foreign_header(words, i)) {
      i += 3;
    } else if (words[i] != commands.front().Filename &&
               !same_file((found.directory / fs::path(words[i])).lexically_normal(), path)) {
      found.flags.push_back(words[i]);
    }
  }
  return found;
}

std::string seen_from(const std::string& directory, const std::string& file) {
  const fs::path here = normal(file);
  if (directory.empty() || (directory / fs::path(file)).lexically_normal() == here) return file;
  return here.string();
}

std::vector<std::string> flags_seen_from(const std::string& directory,
                                         const std::vector<std::string>& flags) {
  // Options whose value is a path, which follows at once or as the next word.
  static constexpr std::string_view with_path[] = {
      "-I",          "-isystem",     "-iquote",      "-idirafter",        "-include",
      "-imacros",    "-isysroot",    "--sysroot",    "--sysroot=",        "-F",
      "-iframework", "-include-pch", "-cxx-isystem", "-fmodule-map-file="};
  std::vector<std::string> seen;
  bool path = false; // whether the next word is one
  for (const std::string& flag : flags) {
    const auto option = std::ranges::max(
        with_path, {}, [&](std::string_view o) { return flag.starts_with(o) ? o.size() : 0; });
    if (path)
      seen.push_back(seen_from(directory, flag));
    else if (flag.starts_with(option) && flag.size() > option.size())
      seen.push_back(std::string(option) + seen_from(directory, flag.substr(option.size())));
    else
      seen.push_back(flag);
    path = !path && flag == option && !option.ends_with('=');
  }
  return seen;
}

std::string describe(const CompileCommand& command, const std::string& source) {
  if (command.database.empty())
    return fmt::format("no {} was found for {}: name its folder with -p, or give -I after '--'",
                       database_name, source);
  if (command.directory.empty())
    return fmt::format("{} says nothing about {}: name another folder with -p, or give -I after "
                       "'--'",
                       command.database, source);
  return fmt::format("the flags are those of {}, run in {}", command.database, command.directory);
}

} // namespace tacit
