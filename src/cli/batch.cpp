#include "cli/batch.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "pipeline/output_file.h"

namespace tacit {

namespace fs = std::filesystem;

namespace {

// An element should run for about a minute: starting one costs Slurm a second or two.
constexpr double element_seconds = 60, expected_share = 0.3; // of the time limit that a task takes
constexpr std::size_t most_elements = 1000;                  // Slurm's default limit of an array
constexpr auto poll_pause = std::chrono::seconds(2);

/// What the plan holds, or the script says itself.
constexpr std::string_view not_passed[] = {
    "--changed-since", "--class",   "--collect", "--contracts", "--database", "--output",
    "--own",           "--planned", "--quiet",   "--shard",     "--slurm"};

/// For a shell, in single quotes.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string job_script(const CommandLine& line, const std::string& folder, std::size_t elements) {
  std::error_code error;
  const std::string program = fs::read_symlink("/proc/self/exe", error).string();
  std::string text = fmt::format("#!/bin/sh\n#SBATCH --array=1-{}\n#SBATCH --requeue\n"
                                 "#SBATCH --open-mode=append\n#SBATCH --output={}/slurm/%a.log\n"
                                 "exec {} scan --planned -o {} --quiet --shard "
                                 "\"$SLURM_ARRAY_TASK_ID/{}\"",
                                 elements, folder, quoted(program), quoted(folder), elements);
  for (const OptionSpec& option : option_table) {
    const bool passed = (option.commands & ForScan) != 0 &&
                        std::ranges::find(not_passed, option.name) == std::end(not_passed);
    if (!passed || !line.has(option.name)) continue;
    if (option.argument.empty()) text += fmt::format(" {}", option.name);
    for (const std::string& value : line.all(option.name))
      if (!option.argument.empty()) text += fmt::format(" {} {}", option.name, quoted(value));
  }
  return text + "\n";
}

} // namespace

Result<std::string> output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail("{}: {}", command[0], std::strerror(errno));
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return fail("{}: {}", command[0], std::strerror(errno));
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return fail("'{}' cannot be started", command[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail("'{}' failed", fmt::join(command, " "));
  return text;
}

std::string program_version() {
  std::error_code error;
  const auto time = fs::last_write_time("/proc/self/exe", error).time_since_epoch().count();
  const auto size = fs::file_size("/proc/self/exe", error);
  return fmt::format("{} {} {}", TACIT_VERSION, size, time);
}

Result<void> run_on_slurm(const CommandLine& line, const std::string& folder, std::size_t tasks,
                          double seconds_each) {
  std::error_code error;
  const std::string whole = fs::absolute(folder, error).string();
  fs::create_directories(fs::path(whole) / "slurm", error);
  const double per_element = std::max(1.0, element_seconds / (expected_share * seconds_each));
  const auto elements = std::clamp<std::size_t>(
      static_cast<std::size_t>(static_cast<double>(tasks) / per_element) + 1, 1, most_elements);
  const std::string script = (fs::path(whole) / "slurm" / "job.sh").string();
  if (auto written =
          write_file(script, [&](std::ostream& out) { out << job_script(line, whole, elements); });
      !written)
    return written;
  std::vector<std::string> submit{"sbatch", "--parsable"};
  std::istringstream given(line.one("--slurm").value_or(""));
  for (std::string word; given >> word;) submit.push_back(word);
  submit.push_back(script);
  auto said = output_of(submit);
  if (!said) return std::unexpected(said.error());
  const std::string job = said->substr(0, said->find_first_of(";\n"));
  // squeue fails for jobs that Slurm has forgotten; files tell whether the work is done.
  while (true) {
    const auto waiting = output_of({"squeue", "--noheader", "--jobs", job});
    if (!waiting || waiting->find_first_not_of(" \n") == std::string::npos) return {};
    std::this_thread::sleep_for(poll_pause);
  }
}

} // namespace tacit
