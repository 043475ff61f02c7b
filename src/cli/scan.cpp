// tacit scan: the protocols of all classes of a project, jar or library, as a site.
#include <atomic>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <thread>
#include <unistd.h>

#include "base/timer.h"
#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/requests.h"
#include "scan/scan.h"
#include "scan/site.h"

namespace tacit {
namespace {

constexpr double default_scan_seconds = 10; // for each component
constexpr double default_memory = 2000;     // MiB, for each worker
constexpr auto redraw = std::chrono::milliseconds(200);

std::atomic<bool> interrupted = false;

void interrupt(int) { interrupted.store(true); }

struct Shard {
  std::size_t index = 1, count = 1;
};

Result<Shard> shard_of(const CommandLine& line) {
  Shard shard;
  const auto text = line.one("--shard");
  if (!text) return shard;
  const auto slash = text->find('/');
  const auto number = [&](std::string_view part, std::size_t& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && value > 0;
  };
  if (slash == std::string::npos ||
      !number(std::string_view(*text).substr(0, slash), shard.index) ||
      !number(std::string_view(*text).substr(slash + 1), shard.count) || shard.index > shard.count)
    return fail("--shard is K/N with K from 1 to N, not '{}'", *text);
  return shard;
}

/// "12 of 340 · java.util.Scanner, java.util.Stack · about 3 min left"
class Progress {
public:
  explicit Progress(bool wanted) : shown_(wanted && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

  void draw(std::size_t done, std::size_t all, const std::vector<std::string>& running) {
    if (!shown_ || std::chrono::steady_clock::now() - last_ < redraw) return;
    last_ = std::chrono::steady_clock::now();
    if (!first_) first_ = done;
    std::string text = fmt::format("{} of {} · {}", done, all, fmt::join(running, ", "));
    if (done > *first_) {
      const double left =
          timer_.seconds() / static_cast<double>(done - *first_) * static_cast<double>(all - done);
      text += left < 90 ? fmt::format(" · about {:.0f} s left", left)
                        : fmt::format(" · about {:.0f} min left", left / 60);
    }
    std::cerr << "\r\033[K" << text.substr(0, terminal_width() - 1) << std::flush;
  }

private:
  bool shown_;
  Timer timer_;
  std::optional<std::size_t> first_;
  std::chrono::steady_clock::time_point last_;
};

/// Sources that changed since a revision, by asking git.
Result<std::vector<std::string>> changed_since(const std::string& revision) {
  auto top = output_of({"git", "rev-parse", "--show-toplevel"});
  if (!top) return std::unexpected(top.error());
  auto names = output_of({"git", "diff", "--name-only", revision, "--"});
  if (!names) return std::unexpected(names.error());
  if (!top->empty() && top->back() == '\n') top->pop_back();
  std::vector<std::string> changed{""}; // never empty: nothing changed means nothing to do
  std::istringstream lines(*names);
  for (std::string name; std::getline(lines, name);) {
    const std::string suffix = std::filesystem::path(name).extension().string();
    if (suffix.starts_with(".h") || suffix == ".inc" || suffix == ".tcc")
      return std::vector<std::string>(); // a header may change everything; keys tell what it did
    changed.push_back(*top + "/" + name);
  }
  return changed;
}

Result<ScanOptions> scan_options(const CommandLine& line) {
  ScanOptions options;
  options.folder = *line.one("--output");
  auto request = synthesis_request(line);
  if (!request) return std::unexpected(request.error());
  options.request = std::move(*request);
  auto limits = budget_limits(line);
  if (!limits) return std::unexpected(limits.error());
  options.seconds = limits->seconds.value_or(default_scan_seconds);
  options.memory_bytes =
      limits->memory_bytes.value_or(static_cast<std::uint64_t>(default_memory * 1024 * 1024));
  auto workers = worker_count(line);
  if (!workers) return std::unexpected(workers.error());
  options.jobs = workers->value_or(std::max(1u, std::thread::hardware_concurrency()));
  auto shard = shard_of(line);
  if (!shard) return std::unexpected(shard.error());
  options.shard = shard->index;
  options.shards = shard->count;
  options.version = program_version();
  options.sources = find_source;
  return options;
}

Result<ScanPlan> make_plan(const CommandLine& line, const std::string& folder) {
  if (line.has("--planned")) return read_plan(folder);
  ScanRequest request;
  request.sources = line.positional;
  request.classes = line.list("--class");
  request.flags = line.after_dashes;
  request.contracts = line.all("--contracts");
  request.own = line.list("--own");
  if (const auto revision = line.one("--changed-since")) {
    auto changed = changed_since(*revision);
    if (!changed) return std::unexpected(changed.error());
    request.changed = std::move(*changed);
  }
  auto plan = plan_scan(request);
  if (!plan) return plan;
  if (auto written = write_plan(*plan, folder); !written) return std::unexpected(written.error());
  return plan;
}

Result<int> collect(const CommandLine& line, const std::string& folder) {
  auto records = read_records(folder);
  if (!records) return std::unexpected(records.error());
  std::vector<std::pair<std::string, std::string>> left;
  std::size_t missing = 0;
  if (const auto plan = read_plan(folder)) {
    left = plan->left;
    std::set<std::string> done;
    for (const TaskRecord& r : *records) done.insert(r.id);
    std::set<std::string> planned;
    for (const ScanTask& task : plan->tasks) {
      planned.insert(task.id);
      if (!done.contains(task.id)) ++missing;
    }
    // What an older scan of other sources left here is not part of this one.
    if (!line.has("--changed-since"))
      std::erase_if(*records, [&](const TaskRecord& r) { return !planned.contains(r.id); });
  }
  if (auto written = write_site(folder, *records, left); !written)
    return std::unexpected(written.error());
  std::cout << records->size() << " components: " << tally(*records) << "\n"
            << folder << "/index.html\n";
  if (missing > 0) std::cerr << missing << " tasks are not done\n";
  return missing > 0 ? exit_status::unsettled : exit_status::done;
}

} // namespace

Result<int> run_scan_command(const CommandLine& line) {
  if (!line.has("--output")) return fail("name the folder of the site with -o");
  const std::string folder = *line.one("--output");
  if (line.has("--collect")) return collect(line, folder);
  if (line.positional.empty() && !line.has("--planned")) return fail("name sources to scan");
  auto options = scan_options(line);
  if (!options) return std::unexpected(options.error());
  std::error_code error;
  if (std::filesystem::create_directories(folder, error); error)
    return fail(Location{folder}, "cannot be written: {}", error.message());
  auto plan = make_plan(line, folder);
  if (!plan) return std::unexpected(plan.error());
  if (plan->tasks.empty() && plan->left.empty())
    return fail("nothing here is a component: no class with methods, no handle");
  if (line.has("--slurm")) {
    auto done = run_on_slurm(line, folder, plan->tasks.size(), options->seconds);
    if (!done) return std::unexpected(done.error());
    return collect(line, folder);
  }
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  options->stop = [] { return interrupted.load(); };
  std::optional<Progress> progress;
  progress.emplace(!line.has("--quiet"));
  options->progress = [&](std::size_t done, std::size_t all,
                          const std::vector<std::string>& running) {
    progress->draw(done, all, running);
  };
  auto figures = run_scan(*plan, *options);
  progress.reset();
  if (!figures) return std::unexpected(figures.error());
  if (!line.has("--quiet") && figures->done_before + figures->kept > 0)
    std::cerr << figures->done_before + figures->kept << " of " << figures->tasks
              << " are as they were\n";
  if (!figures->complete) std::cerr << "stopped; the same command goes on from here\n";
  // The other shards may not be done.
  if (options->shards > 1) return figures->complete ? exit_status::done : exit_status::unsettled;
  return collect(line, folder);
}

} // namespace tacit
