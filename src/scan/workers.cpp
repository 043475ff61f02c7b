#include "scan/workers.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/timer.h"

namespace tacit {

namespace {

constexpr auto pause = std::chrono::milliseconds(10); // between two looks at the children

struct Child {
  std::size_t task = 0;
  Timer timer;
  bool killed = false;
};

/// Never returns. What the child prints is nobody's.
[[noreturn]] void be_child(std::size_t task, const WorkerLimits& limits, const WorkerHooks& hooks) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN); // the parent decides
  std::signal(SIGTERM, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.memory_bytes > 0) {
    const rlimit space{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &space);
  }
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0) {
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
  }
  constexpr int broken = 4;
  int status = broken;
  try {
    status = hooks.work(task);
  } catch (const std::exception&) {
  }
  std::_Exit(status);
}

} // namespace

Result<bool> run_workers(std::size_t count, const WorkerLimits& limits, const WorkerHooks& hooks) {
  std::map<pid_t, Child> children;
  std::size_t next = 0;
  bool stopped = false;
  std::cout.flush();
  std::cerr.flush();
  while (next < count || !children.empty()) {
    if (!stopped && hooks.stop && hooks.stop()) {
      stopped = true;
      for (const auto& [pid, child] : children) kill(pid, SIGKILL);
    }
    while (!stopped && next < count && children.size() < limits.jobs) {
      const pid_t pid = fork();
      if (pid < 0) {
        if (!children.empty()) break; // later, perhaps
        return fail("no process can be started: {}", std::strerror(errno));
      }
      if (pid == 0) be_child(next, limits, hooks);
      children[pid].task = next++;
    }
    int status = 0;
    while (const pid_t pid = waitpid(-1, &status, WNOHANG)) {
      if (pid < 0) break;
      const auto found = children.find(pid);
      if (found == children.end()) continue;
      WorkerEnd end{.task = found->second.task};
      end.killed_for_time = found->second.killed;
      end.seconds = found->second.timer.seconds();
      if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
      if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
      children.erase(found);
      if (!stopped && hooks.ended) hooks.ended(end);
    }
    for (auto& [pid, child] : children)
      if (limits.seconds > 0 && !child.killed && child.timer.seconds() > limits.seconds) {
        child.killed = true;
        kill(pid, SIGKILL);
      }
    if (stopped && children.empty()) break;
    if (hooks.tick) {
      std::vector<std::size_t> running;
      for (const auto& [pid, child] : children) running.push_back(child.task);
      hooks.tick(running);
    }
    std::this_thread::sleep_for(pause);
  }
  return !stopped;
}

} // namespace tacit
