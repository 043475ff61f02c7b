// A scan: every task of a plan in a worker, its answers in a folder.
//
//   FOLDER/tasks/ID.json     the record of a task (record.h); its being there says it was done
//         /results/ID.json   the interface, for those that have one
//         /pages/ID.html     its explorer
//         /index.html, summary.md, findings.sarif: made by write_site (site.h)
//
// Files appear whole or not at all. A task whose stamp is that of its record is not done again; one
// whose lowered program is the same keeps its result (the key). So a scan that was stopped goes on
// where it was, and parts of one scan may be done by several processes or machines on one folder.
#pragma once

#include "export/excerpt.h"
#include "pipeline/request.h"
#include "scan/plan.h"
#include "scan/record.h"

namespace tacit {

struct ScanOptions {
  std::string folder;
  SynthesisRequest request; // for every task
  double seconds = 10;      // for each
  std::uint64_t memory_bytes = 0;
  std::size_t jobs = 1;
  std::size_t shard = 1, shards = 1; // take every `shards`-th task
  std::string version;               // of the program
  SourceLookup sources;              // for the pages

  std::function<bool()> stop;
  /// Now and then: tasks done, tasks in all, names of those that run.
  std::function<void(std::size_t, std::size_t, const std::vector<std::string>&)> progress;
};

struct ScanFigures {
  std::size_t tasks = 0, done_before = 0, kept = 0;
  bool complete = false; // not stopped
};

Result<ScanFigures> run_scan(const ScanPlan& plan, const ScanOptions& options);

/// The records of a folder, by name.
Result<std::vector<TaskRecord>> read_records(const std::string& folder);

std::string record_path(const std::string& folder, const std::string& id);
std::string result_path(const std::string& folder, const std::string& id);

} // namespace tacit
