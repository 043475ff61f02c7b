#include "scan/plan.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/sha256.h"
#include "frontend/java/class_pool.h"
#include "frontend/llvm/clang/listing.h"
#include "program/ir/names.h"
#include "program/text/read.h"

namespace tacit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t digest_characters = 8; // of an id: enough to tell thousands apart
constexpr std::size_t longest_id = 100;      // names of templates may be long, file names may not
constexpr std::size_t fewest_functions = 2;  // on a handle: one alone has no order

std::string id_of(const std::string& name, const std::string& group) {
  std::string id;
  for (const char c : name)
    id += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ? c : '-';
  return id.substr(0, longest_id) + "-" + sha256(name + "\n" + group).substr(0, digest_characters);
}

/// Name, size and time of a file: what changes when it does.
std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}\n", file.string(), size, time);
}

class Planner {
public:
  explicit Planner(const ScanRequest& request) : request_(request) {}

  Result<ScanPlan> run() {
    for (const std::string& source : request_.sources)
      if (auto added = add(source); !added) return std::unexpected(added.error());
    if (auto planned = plan_java(); !planned) return std::unexpected(planned.error());
    for (const std::string& unit : units_) plan_unit(unit);
    for (const auto& [name, best] : classes_) add_task(name, best.group, {.class_name = name});
    std::ranges::sort(plan_.tasks, {}, &ScanTask::name);
    return std::move(plan_);
  }

private:
  Result<void> add(const std::string& source) {
    if (source.starts_with("@")) return add_list(source.substr(1));
    if (source.starts_with("jdk:")) {
      java_.push_back(source);
      return {};
    }
    std::error_code error;
    if (fs::is_directory(source, error)) return add_folder(source);
    if (!fs::exists(source, error)) return fail(Location{source}, "there is no such file");
    if (source.ends_with(".tir")) {
      add_task(fs::path(source).stem().string(), add_group(source, stamp_of(source), {}), {});
    } else if (is_c_family_source(source)) {
      add_unit(source);
    } else if (is_java_source(source)) {
      java_.push_back(source);
    } else {
      return fail(Location{source}, "this is no source that can be scanned");
    }
    return {};
  }

  Result<void> add_list(const std::string& file) {
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && !line.starts_with("#"))
        if (auto added = add(line); !added) return added;
    return {};
  }

  /// A project of C or C++ by its compile database, or a folder of class files and jars.
  Result<void> add_folder(const std::string& folder) {
    for (const fs::path& place : databases_near(folder)) {
      auto text = read_file(place.string());
      if (!text) return std::unexpected(text.error());
      const auto entries = nlohmann::json::parse(*text, nullptr, false);
      if (!entries.is_array()) return fail(Location{place.string()}, "this is no compile database");
      for (const auto& entry : entries) {
        if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) continue;
        fs::path file = entry["file"].get<std::string>();
        if (file.is_relative() && entry.contains("directory") && entry["directory"].is_string())
          file = fs::path(entry["directory"].get<std::string>()) / file;
        std::error_code error;
        if (fs::exists(file, error)) add_unit(fs::weakly_canonical(file, error).string());
      }
      return {};
    }
    bool any = false;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
      const std::string name = entry.path().string();
      if (name.ends_with(".jar") || name.ends_with(".jmod")) java_.push_back(name);
      any = any || name.ends_with(".class") || name.ends_with(".jar") || name.ends_with(".jmod");
    }
    if (!any)
      return fail(Location{folder},
                  "holds neither a compile database (compile_commands.json, also in build*/) nor "
                  "class files or jars");
    java_.push_back(folder);
    return {};
  }

  static std::vector<fs::path> databases_near(const fs::path& folder) {
    constexpr const char* name = "compile_commands.json";
    std::vector<fs::path> found;
    std::error_code error;
    if (fs::exists(folder / name, error)) return {folder / name};
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.is_directory(error) && entry.path().filename().string().starts_with("build") &&
          fs::exists(entry.path() / name, error))
        found.push_back(entry.path() / name);
    std::ranges::sort(found);
    return found;
  }

  void add_unit(const std::string& unit) {
    if (std::ranges::find(units_, unit) == units_.end()) units_.push_back(unit);
  }

  std::size_t add_group(const std::string& name, const std::string& stamp,
                        std::vector<std::string> flags) {
    ScanGroup group{.name = name};
    group.options.files = {name};
    group.options.flags = std::move(flags);
    group.options.contracts = request_.contracts;
    group.options.own = request_.own;
    std::string all = stamp + fmt::format("{}\n", fmt::join(request_.own, " "));
    for (const std::string& file : request_.contracts) all += stamp_of(file);
    group.stamp = sha256(all);
    plan_.groups.push_back(std::move(group));
    return plan_.groups.size() - 1;
  }

  void add_task(const std::string& name, std::size_t group, Subject subject) {
    if (!wanted(name)) return;
    plan_.tasks.push_back({name, id_of(name, plan_.groups[group].name), group, std::move(subject)});
  }

  bool wanted(const std::string& name) const {
    return request_.classes.empty() ||
           std::ranges::any_of(request_.classes, [&](const std::string& pattern) {
             return matches_wildcard(pattern, name);
           });
  }

  bool changed(const std::string& unit) const {
    return request_.changed.empty() ||
           std::ranges::find(request_.changed, unit) != request_.changed.end();
  }

  // C and C++.

  void plan_unit(const std::string& unit) {
    if (!changed(unit)) return;
    auto listing = list_unit(unit, request_.flags);
    if (!listing) {
      plan_.left.emplace_back(unit, listing.error().message);
      return;
    }
    std::string stamp = fmt::format("{}\n", fmt::join(listing->flags, " "));
    for (const std::string& file : listing->files) stamp += stamp_of(file);
    const std::size_t group = add_group(unit, stamp, request_.flags);
    for (const ListedClass& listed : listing->classes) {
      auto& best = classes_[listed.name];
      if (listed.with_code > best.code) best = {group, listed.with_code};
    }
    std::erase_if(classes_, [](const auto& entry) { return entry.second.code == 0; });
    bool any = false;
    for (const ListedHandle& handle : listing->handles) {
      if (handle.functions < fewest_functions) continue;
      any = true;
      add_task(handle.name, group, {.class_name = "", .handle = handle.name});
    }
    if (listing->classes.empty() && !any && listing->functions >= fewest_functions) {
      any = true;
      add_task(fs::path(unit).filename().string(), group, {});
    }
    if (listing->classes.empty() && !any)
      plan_.left.emplace_back(unit, "it has no class and no handle that functions take");
  }

  // Java.

  Result<void> plan_java() {
    if (java_.empty()) return {};
    std::string stamp;
    for (const std::string& source : java_) {
      std::error_code error;
      if (!fs::is_directory(source, error)) {
        stamp += source.starts_with("jdk:") ? source : stamp_of(source);
        continue;
      }
      std::vector<std::string> files;
      for (const auto& entry : fs::recursive_directory_iterator(source, error))
        if (entry.path().extension() == ".class") files.push_back(stamp_of(entry.path()));
      std::ranges::sort(files);
      for (const std::string& file : files) stamp += file;
    }
    const std::size_t group = add_group(fmt::format("{}", fmt::join(java_, " ")), stamp, {});
    plan_.groups[group].options.files = java_;
    auto opened = Sources::open(plan_.groups[group].options);
    if (!opened) return std::unexpected(opened.error());
    plan_.groups[group].opened = std::make_unique<Sources>(std::move(*opened));
    java::ClassPool& pool = *plan_.groups[group].opened->classes();
    plan_.groups[group].stamp += pool.jdk_version();
    for (const std::string& internal : pool.names()) {
      std::string name = internal;
      std::ranges::replace(name, '/', '.');
      if (wanted(name) && usable(pool.find(internal))) add_task(name, group, {.class_name = name});
    }
    return {};
  }

  static bool usable(const java::ClassFile* file) {
    using namespace java::access;
    return file && file->is(is_public) &&
           !file->is(is_interface | is_annotation | is_synthetic | is_module | is_enum);
  }

  struct Best {
    std::size_t group = 0, code = 0;
  };

  const ScanRequest& request_;
  ScanPlan plan_;
  std::vector<std::string> units_, java_;
  std::map<std::string, Best> classes_;
};

} // namespace

Result<ScanPlan> plan_scan(const ScanRequest& request) { return Planner(request).run(); }

} // namespace tacit
