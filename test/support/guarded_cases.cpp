#include "support/guarded_cases.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "interface/json.h"

namespace tacit {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Tests run in the root of the sources.
fs::path folder() { return fs::path("test") / "guarded"; }

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Contradictions within a wrong variant are for the judges.
Interface interface_of(const Json& json, const std::string& name, bool wrong) {
  std::vector<std::string> contradictions;
  auto result = read_interface(json.dump(), name, wrong ? &contradictions : nullptr);
  EXPECT_TRUE(result.has_value()) << name << ": " << to_string(result.error());
  return result ? std::move(*result) : Interface{};
}

} // namespace

std::vector<std::string> guarded_case_names() {
  std::vector<std::string> names;
  std::error_code missing; // then there are no tests, and GoogleTest says so
  for (const auto& entry : fs::directory_iterator(folder(), missing))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

GuardedCase read_guarded_case(const std::string& name) {
  const fs::path here = folder() / name;
  GuardedCase found;
  found.name = name;
  Json right = Json::parse(contents(here / "right.json"));
  right["component"]["tir"] = contents(here / "component.tir");
  found.right = interface_of(right, name, false);
  if (fs::exists(here / "reference.json")) {
    const Json limits = Json::parse(contents(here / "reference.json"));
    ReferenceLimits& values = found.reference.limits;
    values.low = limits.value("low", static_cast<long long>(values.low));
    values.high = limits.value("high", static_cast<long long>(values.high));
    found.reference.depth = limits.value("depth", found.reference.depth);
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(here))
    if (entry.path().filename().string().starts_with("wrong_")) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const Json wrong = Json::parse(contents(file));
    const std::string kind = file.stem().string().substr(std::string("wrong_").size());
    found.wrong.push_back({kind, wrong.at("breaks").get<std::string>(),
                           interface_of(right.patch(wrong.at("patch")), name + "/" + kind, true)});
  }
  return found;
}

} // namespace tacit
