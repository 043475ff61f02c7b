#include <filesystem>
#include <nlohmann/json.hpp>

#include "pipeline/output_file.h"
#include "program/text/read.h"
#include "scan/plan.h"

namespace tacit {

namespace {

std::string plan_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "plan.json").string();
}

} // namespace

Result<void> write_plan(const ScanPlan& plan, const std::string& folder) {
  using Json = nlohmann::ordered_json;
  Json groups = Json::array(), tasks = Json::array();
  for (const ScanGroup& group : plan.groups) {
    Json one;
    one["name"] = group.name;
    one["stamp"] = group.stamp;
    one["files"] = group.options.files;
    one["flags"] = group.options.flags;
    one["contracts"] = group.options.contracts;
    one["own"] = group.options.own;
    groups.push_back(std::move(one));
  }
  for (const ScanTask& task : plan.tasks) {
    Json one;
    one["name"] = task.name;
    one["id"] = task.id;
    one["group"] = task.group;
    one["class"] = task.subject.class_name;
    one["handle"] = task.subject.handle;
    tasks.push_back(std::move(one));
  }
  Json all;
  all["groups"] = std::move(groups);
  all["tasks"] = std::move(tasks);
  all["left"] = plan.left;
  return write_file(plan_path(folder), [&](std::ostream& out) {
    out << all.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  });
}

Result<ScanPlan> read_plan(const std::string& folder) {
  const std::string path = plan_path(folder);
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  ScanPlan plan;
  try {
    for (const auto& one : json.at("groups")) {
      ScanGroup group;
      group.name = one.at("name");
      group.stamp = one.at("stamp");
      group.options.files = one.at("files");
      group.options.flags = one.at("flags");
      group.options.contracts = one.at("contracts");
      group.options.own = one.at("own");
      plan.groups.push_back(std::move(group));
    }
    for (const auto& one : json.at("tasks")) {
      ScanTask task{one.at("name"), one.at("id"), one.at("group"), {}};
      if (task.group >= plan.groups.size()) return fail(Location{path}, "there is no such group");
      task.subject.class_name = one.at("class");
      task.subject.handle = one.at("handle");
      plan.tasks.push_back(std::move(task));
    }
    plan.left = json.at("left");
  } catch (const nlohmann::json::exception& wrong) {
    return fail(Location{path}, "this is no plan of a scan: {}", wrong.what());
  }
  for (ScanGroup& group : plan.groups) {
    if (!is_java_source(group.options.files.at(0))) continue;
    auto opened = Sources::open(group.options);
    if (!opened) return std::unexpected(opened.error());
    group.opened = std::make_unique<Sources>(std::move(*opened));
  }
  return plan;
}

} // namespace tacit
