#include "bench/isolated.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "base/timer.h"

namespace tacit {

Measurement run_isolated(const std::function<std::string()>& work, double seconds_allowed) {
  Measurement result;
  int channel[2];
  if (pipe(channel) != 0) {
    result.failed = true;
    return result;
  }
  std::fflush(nullptr);
  const Timer timer;
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    alarm(static_cast<unsigned>(seconds_allowed) + 1);
    std::string answer;
    try {
      answer = work();
    } catch (...) {
      _exit(1);
    }
    std::size_t sent = 0;
    while (sent < answer.size()) {
      const ssize_t n = write(channel[1], answer.data() + sent, answer.size() - sent);
      if (n <= 0) _exit(1);
      sent += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(channel[1]);
  if (child < 0) {
    close(channel[0]);
    result.failed = true;
    return result;
  }
  char buffer[4096];
  for (ssize_t n; (n = read(channel[0], buffer, sizeof buffer)) > 0;)
    result.answer.append(buffer, static_cast<std::size_t>(n));
  close(channel[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  result.seconds = timer.seconds();
  result.megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  result.failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return result;
}

} // namespace tacit
