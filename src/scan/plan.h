// What a scan has to do: the components of sources that somebody points at.
//
// Sources are files as for `synth`, folders with a compile database, folders of class files,
// `jdk:`, and `@FILE`, a list of sources, one a line. All Java sources are one group, whose classes
// are read once and serve all tasks; each translation unit and each `.tir` is a group of its own.
//
// A C++ class that several units know belongs to the one that has most of its code.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/sources.h"

namespace tacit {

struct ScanRequest {
  std::vector<std::string> sources;
  std::vector<std::string> classes; // patterns of names, `*` stands for any text; empty: all
  std::vector<std::string> flags;   // for the compiler
  std::vector<std::string> contracts, own;
  /// Only units and class files among these; empty: all.
  std::vector<std::string> changed;
};

struct ScanTask {
  std::string name; // as people call it
  std::string id;   // a file name: the name, and a digest of name and group
  std::size_t group = 0;
  Subject subject;
};

/// Sources that are opened together.
struct ScanGroup {
  std::string name;  // the unit, or the Java sources
  std::string stamp; // changes when the sources do
  SourceOptions options;
  std::unique_ptr<Sources> opened; // Java: shared by all tasks
};

struct ScanPlan {
  std::vector<ScanGroup> groups;
  std::vector<ScanTask> tasks;                           // sorted by name
  std::vector<std::pair<std::string, std::string>> left; // a source that gave no task, and why
};

/// Fails when there is no such source. One that does not compile is left, with the reason.
Result<ScanPlan> plan_scan(const ScanRequest& request);

/// The plan in a folder, for workers that should not make it again: FOLDER/plan.json.
Result<void> write_plan(const ScanPlan& plan, const std::string& folder);
Result<ScanPlan> read_plan(const std::string& folder);

} // namespace tacit
