#include "scan/scan.h"

#include <csignal>
#include <filesystem>

#include "base/sha256.h"
#include "base/timer.h"
#include "export/html.h"
#include "interface/json.h"
#include "pipeline/looked_at.h"
#include "pipeline/output_file.h"
#include "pipeline/synthesise.h"
#include "program/text/print.h"
#include "scan/workers.h"

namespace tacit {

namespace fs = std::filesystem;

namespace {

// A worker gets time to find its best bounds and to write them; what takes longer hangs.
constexpr double patience = 1.6, least_patience = 2;
// The address space of a worker holds the sources of all tasks and reserves that are never touched.
constexpr double space_per_memory = 3;
constexpr int kept_result = 10; // exit status of a worker that had nothing to do
constexpr int not_written = 11; // of one that could not write its record or result

class Scan {
public:
  Scan(const ScanPlan& plan, const ScanOptions& options) : plan_(plan), options_(options) {
    // Results write down all options that they rest on.
    Interface blank;
    blank.options = options.request.component;
    options_text_ = fmt::format("{}\n{}\n{}\n{}\n{}", options.version, options.request.engine,
                                options.seconds, options.memory_bytes, to_json(blank));
  }

  Result<ScanFigures> run() {
    std::error_code error;
    for (const char* part : {"tasks", "results", "pages"})
      if (fs::create_directories(fs::path(options_.folder) / part, error); error)
        return fail(Location{options_.folder}, "cannot be written: {}", error.message());
    for (std::size_t i = options_.shard - 1; i < plan_.tasks.size(); i += options_.shards) {
      ++figures_.tasks;
      const ScanTask& task = plan_.tasks[i];
      const auto before = read_record(record_path(options_.folder, task.id));
      if (before && before->stamp == stamp(task) && complete(*before))
        ++figures_.done_before;
      else
        open_.push_back(i);
    }
    WorkerLimits limits;
    limits.jobs = options_.jobs;
    limits.seconds = std::max(least_patience + options_.seconds, patience * options_.seconds);
    limits.memory_bytes =
        static_cast<std::uint64_t>(space_per_memory * static_cast<double>(options_.memory_bytes));
    std::size_t done = 0;
    WorkerHooks hooks;
    hooks.work = [&](std::size_t i) { return work(plan_.tasks[open_[i]]); };
    hooks.ended = [&](const WorkerEnd& end) {
      ++done;
      if (end.status == kept_result) ++figures_.kept;
      note(plan_.tasks[open_[end.task]], end);
    };
    hooks.tick = [&](const std::vector<std::size_t>& running) {
      if (!options_.progress) return;
      std::vector<std::string> names;
      for (const std::size_t i : running) names.push_back(plan_.tasks[open_[i]].name);
      options_.progress(figures_.done_before + done, figures_.tasks, names);
    };
    hooks.stop = options_.stop;
    auto finished = run_workers(open_.size(), limits, hooks);
    if (!finished) return std::unexpected(finished.error());
    figures_.complete = *finished;
    return figures_;
  }

private:
  std::string stamp(const ScanTask& task) const {
    return sha256(plan_.groups[task.group].stamp + "\n" + options_text_);
  }

  /// A record whose result is gone is none.
  bool complete(const TaskRecord& record) const {
    std::error_code error;
    return !record.has_result() || fs::exists(result_path(options_.folder, record.id), error);
  }

  TaskRecord fresh(const ScanTask& task) const {
    TaskRecord record;
    record.name = task.name;
    record.id = task.id;
    record.group = plan_.groups[task.group].name;
    record.stamp = stamp(task);
    return record;
  }

  bool write(const TaskRecord& record) const {
    return write_file(record_path(options_.folder, record.id),
                      [&](std::ostream& out) { out << to_json(record); })
        .has_value();
  }

  /// In the parent: a worker that did not get to its record.
  void note(const ScanTask& task, const WorkerEnd& end) const {
    const bool fine = !end.signal && (end.status == 0 || end.status == kept_result);
    // What could not be written, on a disk that is full, is there to be done again.
    const bool lost = !end.signal && !end.killed_for_time && end.status == not_written;
    if (fine || lost) return;
    TaskRecord record = fresh(task);
    record.milliseconds = static_cast<std::size_t>(end.seconds * 1000);
    record.status = end.killed_for_time ? TaskStatus::OutOfTime : TaskStatus::Crashed;
    record.reason = end.killed_for_time ? fmt::format("stopped after {:.0f} s", end.seconds)
                    : end.signal        ? fmt::format("signal {}", *end.signal)
                                        : fmt::format("exit status {}", end.status);
    write(record);
  }

  /// In the child.
  int work(const ScanTask& task) const {
    const Timer timer;
    TaskRecord record = fresh(task);
    const auto finish = [&] {
      record.milliseconds = static_cast<std::size_t>(timer.seconds() * 1000);
      return write(record) ? 0 : not_written;
    };
    std::vector<HelperSite> helpers;
    auto module = lower(task, helpers);
    if (!module) {
      record.status = TaskStatus::NotRead;
      record.reason = module.error().message;
      return finish();
    }
    record.key = sha256(print_module(*module) + options_text_);
    if (keep(record)) return kept_result;
    BudgetLimits limits;
    limits.seconds = std::max(0.1, options_.seconds - timer.seconds());
    if (options_.memory_bytes > 0) limits.memory_bytes = options_.memory_bytes;
    Budget budget(limits);
    SynthesisRequest request = options_.request;
    request.sources = plan_.groups[task.group].options.files;
    auto answer = synthesise(*module, request, budget);
    const bool none = sites(*module) == 0;
    if (!answer || none) {
      record.status = none ? TaskStatus::NoErrors : TaskStatus::NotRead;
      if (!answer) record.reason = answer.error().message;
      return finish();
    }
    name_helpers(answer->interface, helpers);
    return keep_answer(answer->interface, record) ? finish() : not_written;
  }

  /// With the helpers that the front end put into their callers.
  Result<Module> lower(const ScanTask& task, std::vector<HelperSite>& helpers) const {
    const ScanGroup& group = plan_.groups[task.group];
    if (group.opened) return group.opened->lower(task.subject);
    auto opened = Sources::open(group.options);
    if (!opened) return std::unexpected(opened.error());
    auto module = opened->lower(task.subject);
    helpers = opened->helpers();
    return module;
  }

  /// The result of before, where the program is the same.
  bool keep(const TaskRecord& now) const {
    auto before = read_record(record_path(options_.folder, now.id));
    if (!before || before->key != now.key || !complete(*before) ||
        before->status == TaskStatus::Crashed || before->status == TaskStatus::OutOfTime)
      return false;
    before->stamp = now.stamp;
    return write(*before);
  }

  /// Places at which something counts as an error.
  std::size_t sites(const Module& module) const {
    const auto component = build_component(module, options_.request.component);
    if (!component) return 1; // nobody knows
    std::size_t count = 0;
    for (const Call& call : component->calls()) count += component->error_sites(call).size();
    for (const Call& call : component->constructors()) count += component->error_sites(call).size();
    return count;
  }

  /// Results hold nothing that another run on another machine would not.
  bool keep_answer(Interface& interface, TaskRecord& record) const {
    interface.stats = {};
    TaskRecord said = record_of(interface);
    said.name = record.name;
    said.id = record.id;
    said.group = record.group;
    said.stamp = record.stamp;
    said.key = record.key;
    record = std::move(said);
    const auto page = fs::path(options_.folder) / "pages" / (record.id + ".html");
    return write_file(result_path(options_.folder, record.id),
                      [&](std::ostream& out) { out << to_json(interface); })
               .has_value() &&
           write_file(page.string(), [&](std::ostream& out) {
             write_html(out, interface, {.sources = options_.sources});
           }).has_value();
  }

  const ScanPlan& plan_;
  const ScanOptions& options_;
  std::string options_text_;
  ScanFigures figures_;
  std::vector<std::size_t> open_;
};

} // namespace

std::string record_path(const std::string& folder, const std::string& id) {
  return (fs::path(folder) / "tasks" / (id + ".json")).string();
}

std::string result_path(const std::string& folder, const std::string& id) {
  return (fs::path(folder) / "results" / (id + ".json")).string();
}

Result<ScanFigures> run_scan(const ScanPlan& plan, const ScanOptions& options) {
  return Scan(plan, options).run();
}

Result<std::vector<TaskRecord>> read_records(const std::string& folder) {
  std::error_code error;
  const fs::path tasks = fs::path(folder) / "tasks";
  if (!fs::is_directory(tasks, error)) return fail(Location{folder}, "this is no scan");
  std::vector<TaskRecord> records;
  for (const auto& entry : fs::directory_iterator(tasks, error)) {
    if (entry.path().extension() != ".json") continue;
    auto record = read_record(entry.path().string());
    if (!record) return std::unexpected(record.error());
    records.push_back(std::move(*record));
  }
  std::ranges::sort(records, {}, [](const TaskRecord& r) { return std::tie(r.name, r.id); });
  return records;
}

} // namespace tacit
