#include "frontend/java/class_pool.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "frontend/shared/class_choice.h"

namespace tacit::java {

namespace fs = std::filesystem;

namespace {

bool has_image(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "lib" / "modules", ignored);
}

std::string read_version(const fs::path& folder) {
  std::ifstream in(folder / "release");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("JAVA_VERSION=\"") && line.size() > 15)
      return line.substr(14, line.find('"', 14) - 14);
  return "unknown";
}

} // namespace

std::string find_jdk() {
  std::error_code ignored;
  if (const char* home = std::getenv("JAVA_HOME"); home && has_image(home)) return home;
  if (const char* path = std::getenv("PATH")) {
    std::string all = path;
    for (std::size_t at = 0; at <= all.size();) {
      const std::size_t end = std::min(all.find(':', at), all.size());
      const fs::path program = fs::path(all.substr(at, end - at)) / "java";
      at = end + 1;
      if (!fs::exists(program, ignored)) continue;
      const fs::path real = fs::canonical(program, ignored);
      if (!ignored && has_image(real.parent_path().parent_path()))
        return real.parent_path().parent_path();
    }
  }
  std::vector<fs::path> usual{"/usr/lib/jvm/default-java"};
  std::vector<fs::path> others;
  for (fs::directory_iterator it("/usr/lib/jvm", ignored), end; !ignored && it != end;
       it.increment(ignored))
    others.push_back(it->path());
  std::ranges::sort(others);
  usual.insert(usual.end(), others.begin(), others.end());
  for (const fs::path& folder : usual)
    if (has_image(folder)) return folder;
  return "";
}

Result<void> ClassPool::add(const std::string& source) {
  if (source.starts_with("jdk:")) return add_jdk(source.substr(4), false);
  const std::string extension = fs::path(source).extension();
  if (extension == ".class") return add_class_file(source);
  std::error_code error;
  if (fs::is_directory(source, error)) return add_folder(source);
  auto opened = open_archive(source);
  if (!opened) return std::unexpected(opened.error());
  containers_.push_back(std::move(*opened));
  return {};
}

Result<void> ClassPool::add_jdk(const std::string& folder, bool fallback) {
  const std::string home = folder.empty() ? find_jdk() : folder;
  if (home.empty())
    return fail(
        Location{"jdk:"},
        "no JDK found: set JAVA_HOME or name its folder, as in jdk:/usr/lib/jvm/default-java");
  if (!has_image(home))
    return fail(Location{"jdk:" + folder}, "{} holds no module image (lib/modules)", home);
  auto opened = open_image((fs::path(home) / "lib" / "modules").string());
  if (!opened) return std::unexpected(opened.error());
  jdk_version_ = read_version(home);
  if (fallback)
    fallback_ = std::move(*opened);
  else
    containers_.push_back(std::move(*opened));
  return {};
}

void ClassPool::add_default_jdk() {
  if (jdk_version_.empty() && !find_jdk().empty()) static_cast<void>(add_jdk("", true));
}

/// All class files below it, in an order that does not depend on the file system.
Result<void> ClassPool::add_folder(const std::string& folder) {
  constexpr std::size_t most_files = 50'000;
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename();
    if (at->path().extension() != ".class" || name == "module-info.class" ||
        name == "package-info.class")
      continue;
    paths.push_back(at->path());
    if (paths.size() > most_files)
      return fail(Location{folder}, "more than {} class files: too many", most_files);
  }
  if (error) return fail(Location{folder}, "cannot be read: {}", error.message());
  if (paths.empty()) return fail(Location{folder}, "a folder without class files");
  std::ranges::sort(paths);
  for (const std::string& path : paths)
    if (auto added = add_class_file(path); !added) return added;
  return {};
}

Result<void> ClassPool::add_class_file(const std::string& path) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return std::unexpected(mapped.error());
  const Bytes bytes = (*mapped)->bytes();
  if (bytes.size() > max_class_bytes) return fail(Location{path}, "too large for a class file");
  auto added = add_bytes({bytes.begin(), bytes.end()}, path);
  if (!added) return std::unexpected(added.error());
  const std::string name = *added;
  // `a/b/C.class` for a class x.b.C says that classes of x are looked for in `a`.
  const auto depth = std::ranges::count(name, '/');
  fs::path folder = fs::path(path).parent_path();
  for (auto i = depth; i > 0; --i) folder = folder.empty() ? fs::path("..") : folder.parent_path();
  const std::string root = folder.empty() ? "." : folder.string();
  if (std::ranges::find(folders_, root) == folders_.end()) folders_.push_back(root);
  return {};
}

Result<std::string> ClassPool::add_bytes(std::vector<std::uint8_t> bytes,
                                         const std::string& where) {
  Entry made;
  made.storage = std::move(bytes);
  auto file = parse_class_file(made.storage, where);
  if (!file) return std::unexpected(file.error());
  made.file = std::make_unique<ClassFile>(std::move(*file));
  const std::string name = made.file->name;
  files_[name] = where;
  entries_[name] = std::move(made);
  return name;
}

Result<Bytes> ClassPool::bytes_of(const std::string& name, std::vector<std::uint8_t>& storage,
                                  std::string& where) {
  for (const auto& container : containers_)
    if (container->has(name)) {
      where = container->where() + "!" + name + ".class";
      return container->read(name, storage);
    }
  if (name.find("..") == std::string::npos && !name.starts_with('/'))
    for (const std::string& folder : folders_) {
      const fs::path path = fs::path(folder) / (name + ".class");
      std::error_code ignored;
      if (!fs::is_regular_file(path, ignored)) continue;
      auto mapped = MappedFile::open(path);
      if (!mapped) return std::unexpected(mapped.error());
      where = path.string();
      if ((*mapped)->bytes().size() > max_class_bytes)
        return fail(Location{where}, "too large for a class file");
      storage.assign((*mapped)->bytes().begin(), (*mapped)->bytes().end());
      return Bytes(storage);
    }
  if (fallback_ && fallback_->has(name)) {
    where = fallback_->where() + "!" + name + ".class";
    return fallback_->read(name, storage);
  }
  return fail("there is no class '{}'", dotted(name));
}

ClassPool::Entry& ClassPool::entry(const std::string& name) {
  if (const auto known = entries_.find(name); known != entries_.end()) return known->second;
  Entry& made = entries_[name];
  std::string where;
  auto bytes = bytes_of(name, made.storage, where);
  if (!bytes) {
    made.problem = bytes.error();
    return made;
  }
  auto file = parse_class_file(*bytes, where);
  if (!file)
    made.problem = file.error();
  else if (file->name != name)
    made.problem = {
        Location{where}, fmt::format("the file holds the class '{}'", dotted(file->name)), {}};
  else
    made.file = std::make_unique<ClassFile>(std::move(*file));
  return made;
}

const ClassFile* ClassPool::find(const std::string& name) {
  if (name.empty() || name[0] == '[') return nullptr;
  return entry(name).file.get();
}

Result<const ClassFile*> ClassPool::load(const std::string& name) {
  std::string internal = name;
  std::ranges::replace(internal, '.', '/');
  // `java.util.Map.Entry`: from the right, dots may be nesting.
  for (std::string attempt = internal;;) {
    Entry& found = entry(attempt);
    if (found.file) return found.file.get();
    if (found.problem.where.known()) return std::unexpected(found.problem);
    const std::size_t slash = attempt.rfind('/');
    if (slash == std::string::npos) break;
    attempt[slash] = '$';
  }
  if (internal.find('/') == std::string::npos) {
    std::vector<std::string> same;
    for (const std::string& candidate : names())
      if (class_fit(internal, candidate) != ClassFit::None) same.push_back(candidate);
    if (same.size() == 1) return load(same[0]);
    if (same.size() > 1) {
      std::ranges::transform(same, same.begin(), dotted);
      return std::unexpected(several_classes(name, same));
    }
  }
  std::vector<std::string> known = names();
  std::ranges::transform(known, known.begin(), dotted);
  return std::unexpected(no_class({}, name, known));
}

std::vector<std::string> ClassPool::names() const {
  std::set<std::string> all;
  for (const auto& [name, path] : files_) all.insert(name);
  for (const auto& container : containers_)
    for (std::string& name : container->names())
      if (!name.ends_with("module-info") && !name.ends_with("package-info"))
        all.insert(std::move(name));
  return {all.begin(), all.end()};
}

Result<std::vector<const ClassFile*>> ClassPool::ancestry(const ClassFile& file) {
  std::vector<const ClassFile*> chain{&file};
  std::set<std::string> seen{file.name};
  while (!chain.back()->super.empty()) {
    const std::string& parent = chain.back()->super;
    if (!seen.insert(parent).second)
      return fail("the class '{}' is its own superclass", dotted(parent));
    const ClassFile* next = find(parent);
    if (!next) break;
    chain.push_back(next);
  }
  return chain;
}

bool ClassPool::is_subtype(const std::string& name, const std::string& ancestor) {
  if (name == ancestor || ancestor == "java/lang/Object") return true;
  return !name.empty() && name[0] != '[' && ancestors(name).contains(ancestor);
}

const std::set<std::string>& ClassPool::ancestors(const std::string& name) {
  std::set<std::string>& seen = entry(name).ancestors;
  if (!seen.empty()) return seen;
  std::vector<std::string> work{name};
  seen.insert(name);
  while (!work.empty()) {
    const ClassFile* file = find(work.back());
    work.pop_back();
    if (!file) continue;
    auto visit = [&](const std::string& parent) {
      if (!parent.empty() && seen.insert(parent).second) work.push_back(parent);
    };
    visit(file->super);
    for (const std::string& parent : file->interfaces) visit(parent);
  }
  return seen;
}

ClassPool::Found ClassPool::find_method(const std::string& owner, const std::string& name,
                                        const std::string& descriptor) {
  std::set<std::string> seen;
  std::vector<const ClassFile*> chain;
  for (const ClassFile* at = find(owner); at && seen.insert(at->name).second;
       at = find(at->super)) {
    if (const Method* m = at->find_method(name, descriptor)) return {at, m};
    chain.push_back(at);
  }
  // Superinterfaces: a default before an abstract declaration.
  Found found;
  std::vector<std::string> work;
  for (const ClassFile* c : chain)
    work.insert(work.end(), c->interfaces.begin(), c->interfaces.end());
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!seen.insert(work[i]).second) continue;
    const ClassFile* at = find(work[i]);
    if (!at) continue;
    work.insert(work.end(), at->interfaces.begin(), at->interfaces.end());
    if (const Method* m = at->find_method(name, descriptor)) {
      if (!m->is(access::is_abstract)) return {at, m};
      if (!found.method) found = {at, m};
    }
  }
  return found;
}

ClassPool::FoundField ClassPool::find_field(const std::string& owner, const std::string& name) {
  std::set<std::string> seen;
  std::vector<std::string> work{owner};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!seen.insert(work[i]).second) continue;
    const ClassFile* at = find(work[i]);
    if (!at) continue;
    if (const Field* f = at->find_field(name)) return {at, f};
    for (const std::string& parent : at->interfaces) work.push_back(parent);
    if (!at->super.empty()) work.push_back(at->super);
  }
  return {};
}

} // namespace tacit::java
