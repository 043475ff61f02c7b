#include "pipeline/sources.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "frontend/java/contracts.h"
#include "frontend/shared/class_choice.h"
#include "program/contracts/apply.h"
#include "program/text/externs.h"
#include "program/text/read.h"

namespace tacit {

namespace {

bool is_java_text(const std::string& file) { return file.ends_with(".java"); }

/// What would be passed over in silence otherwise.
Result<void> check_options(const SourceOptions& options, SourceKind kind) {
  if (kind != SourceKind::CFamily && !options.flags.empty())
    return fail("'-- {}': flags for the compiler go with C and C++ sources", options.flags[0]);
  if (kind != SourceKind::CFamily && !options.database.empty())
    return fail("-p '{}': a compile database goes with C and C++ sources", options.database);
  if (kind == SourceKind::Tir && !options.own.empty())
    return fail("--own goes with C, C++ and Java sources");
  if (kind == SourceKind::Tir && options.reentrant)
    return fail("--reentrant goes with C, C++ and Java sources");
  return {};
}

Result<void> check_subject(const Subject& subject, SourceKind kind) {
  if (!subject.class_name.empty() && !subject.handle.empty())
    return fail("--class and --handle exclude each other");
  if (kind == SourceKind::Tir && !subject.class_name.empty())
    return fail("--class '{}': the source has no classes", subject.class_name);
  if (kind != SourceKind::CFamily && !subject.handle.empty())
    return fail("--handle '{}' goes with C sources", subject.handle);
  return {};
}

} // namespace

bool is_java_source(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  std::error_code error;
  return file.starts_with("jdk:") || extension == ".class" || extension == ".jar" ||
         extension == ".jmod" || std::filesystem::is_directory(file, error);
}

namespace {

/// Where build tools put the classes of a project.
constexpr std::string_view class_folders[] = {"target/classes", "build/classes/java/main",
                                              "out/production"};

/// The class folder of the project that a path is in; empty when none is there.
std::string class_folder_near(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::path(path).lexically_normal();
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  constexpr int most_levels = 12;
  for (int level = 0; level < most_levels; ++level) {
    for (const std::string_view name : class_folders)
      if (fs::is_directory(folder / name, error))
        return (folder / name).lexically_normal().string();
    const fs::path whole = fs::absolute(folder.empty() ? fs::path(".") : folder, error);
    if (whole.lexically_normal() == whole.root_path()) break;
    folder = folder.empty() ? fs::path("..") : folder / "..";
  }
  return "";
}

/// What to give instead of a file that cannot be a source.
std::string instead_of(const std::string& file) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  for (const std::string_view made : {".o", ".obj", ".a", ".so", ".lib", ".dll", ".dylib", ".exe"})
    if (suffix == made || file.find(".so.") != std::string::npos)
      return "it is compiled: name the C or C++ sources that it was made from";
  if (suffix == ".war" || suffix == ".ear" || suffix == ".zip")
    return "unpack it and name a jar or a folder of classes";
  if (suffix == ".json") return "a result is for show, replay, verify, diff and check";
  if (suffix == ".kt" || suffix == ".scala" || suffix == ".groovy")
    return "compile it and name the folder of classes";
  return "";
}

} // namespace

Result<SourceKind> kind_of_sources(const std::vector<std::string>& files) {
  constexpr std::string_view kinds = "a .tir, C or C++ file, a .class, .jar or .jmod, or jdk:";
  if (files.empty()) return fail("a source is needed: {}", kinds);
  if (is_java_source(files[0])) {
    for (const std::string& file : files)
      if (!is_java_source(file) && !is_java_text(file))
        return fail(Location{file}, "class files and other sources do not go together");
    return SourceKind::Java;
  }
  if (std::ranges::all_of(files, is_c_family_source)) return SourceKind::CFamily;
  for (const std::string& file : files)
    if (const std::string hint = instead_of(file); !hint.empty())
      return fail(Location{file}, "no source: {}", hint);
  if (files.size() > 1) return fail("one .tir file at a time: {} are given", files.size());
  if (is_java_text(files[0])) {
    const std::string made = class_folder_near(files[0]);
    return fail(Location{files[0]},
                "Java is read from class files: compile it (javac -g) and name what comes out{}",
                made.empty() ? "" : ", as " + made);
  }
  if (!files[0].ends_with(".tir"))
    return fail(Location{files[0]}, "not a kind of source that is understood: {} is needed", kinds);
  return SourceKind::Tir;
}

namespace {

std::string instead_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  if (const std::string made = class_folder_near(folder); !made.empty())
    return "the classes of the project are in " + made;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error))
    if (is_c_family_source(entry.path().string()))
      return "of C and C++ name the files, as " + entry.path().string();
  return "name a folder of class files, a jar, or C and C++ files";
}

} // namespace

Result<Sources> Sources::open(SourceOptions options) {
  const auto kind = kind_of_sources(options.files);
  if (!kind) return std::unexpected(kind.error());
  if (auto checked = check_options(options, *kind); !checked)
    return std::unexpected(checked.error());
  Sources opened(std::move(options), *kind);
  if (*kind != SourceKind::Java) return opened;
  opened.classes_ = std::make_unique<java::ClassPool>();
  for (const std::string& file : opened.files()) {
    if (is_java_text(file)) continue; // read for its clauses
    if (auto added = opened.classes_->add(file); !added) {
      Diagnostic problem = added.error();
      std::error_code error;
      if (std::filesystem::is_directory(file, error))
        problem.notes.push_back(instead_of_folder(file));
      return std::unexpected(std::move(problem));
    }
  }
  opened.classes_->add_default_jdk();
  return opened;
}

Result<Module> Sources::lower(const Subject& subject) {
  if (auto checked = check_subject(subject, kind_); !checked)
    return std::unexpected(checked.error());
  switch (kind_) {
  case SourceKind::CFamily: return lower_c(subject);
  case SourceKind::Java: return lower_java(subject);
  case SourceKind::Tir: break;
  }
  return lower_tir();
}

Result<Module> Sources::lower_c(const Subject& subject) {
  LlvmOptions options;
  options.sources = options_.files;
  options.flags = options_.flags;
  options.database = options_.database;
  options.class_name = subject.class_name;
  options.handle = subject.handle;
  options.own = options_.own;
  options.methods = subject.methods;
  options.reentrant = options_.reentrant;
  // For a class these choose among its constructors; in C they name functions.
  if (subject.class_name.empty()) options.constructors = subject.constructors;
  options.want_destructor = std::ranges::any_of(
      subject.methods, [](const std::string& pattern) { return pattern.starts_with("~"); });
  for (const std::string& file : options_.contracts) {
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    options.contracts.emplace_back(file, std::move(*text));
  }
  times_.emplace();
  return lower_c_family(options, &*times_);
}

Result<Module> Sources::lower_java(const Subject& subject) {
  java::LowerOptions options;
  options.own = options_.own;
  options.errors = subject.errors;
  options.reentrant = options_.reentrant;
  bool standard = true;
  for (const std::string& file : options_.contracts) {
    if (file == "none") {
      standard = false;
      continue;
    }
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    options.contracts.emplace_back(std::move(*text), file);
  }
  if (standard) options.contracts.emplace_back(std::string(java::standard_contracts()));
  std::string name = subject.class_name;
  if (name.empty()) {
    const std::vector<std::string> names = classes_->names();
    if (std::ranges::count_if(files(), is_java_source) > 1 || names.size() != 1)
      return std::unexpected(which_class(Location{files()[0]}, names));
    name = names[0];
  }
  if (name.find('*') != std::string::npos)
    return fail("--class '{}': only 'tacit inspect' takes a wildcard", name);
  return java::lower_class(*classes_, name, options);
}

Result<Module> Sources::lower_tir() const {
  auto text = read_file(files()[0]);
  if (!text) return std::unexpected(text.error());
  auto module = read_module(*text, files()[0]);
  if (!module) return module;
  for (const std::string& file : options_.contracts) {
    auto clauses = read_file(file);
    if (!clauses) return std::unexpected(clauses.error());
    if (auto added = add_contracts(*module, *clauses, file); !added)
      return std::unexpected(added.error());
  }
  return module;
}

std::vector<SourceText> Sources::clause_texts(const Module& module) const {
  namespace fs = std::filesystem;
  constexpr std::size_t most_files = 64; // clauses stand near the component, not in all headers
  std::vector<fs::path> found;
  const auto add = [&](const fs::path& path) {
    std::error_code error;
    if (found.size() < most_files && fs::is_regular_file(path, error) &&
        std::ranges::find(found, path) == found.end())
      found.push_back(path);
  };
  for (const std::string& file : files()) {
    if (is_java_text(file) || is_c_family_source(file)) add(file);
    // The file that a class was compiled from, if it still lies beside it.
    if (fs::path(file).extension() == ".class")
      for (const Procedure& p : module.procedures)
        if (is_java_text(p.where.file))
          add(fs::path(file).parent_path() / fs::path(p.where.file).filename());
  }
  std::vector<SourceText> texts;
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto text = read_file(found[i].string());
    if (!text) continue;
    if (!is_java_text(found[i].string())) {
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        const std::size_t include = line.find("#include \""), open = include + 10;
        if (include == std::string::npos) continue;
        add(found[i].parent_path() / line.substr(open, line.find('"', open) - open));
      }
    }
    texts.push_back({found[i].string(), std::move(*text)});
  }
  return texts;
}

} // namespace tacit
