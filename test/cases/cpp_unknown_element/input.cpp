#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
class Jobs {
public:
  int submit(std::string command) {
    if (command.empty()) throw std::invalid_argument("command");
    waiting_.push(Job{next_, std::move(command)});
    return next_++;
  }
  int start() {
    if (current_ >= 0) throw std::logic_error("busy");
    if (waiting_.empty()) throw std::logic_error("nothing to do");
    current_ = waiting_.front().id;
    waiting_.pop();
    return current_;
  }
  void done(int id) {
    if (current_ < 0 || id != current_) throw std::logic_error("not running");
    current_ = -1;
  }

private:
  struct Job {
    int id;
    std::string command;
  };
  std::queue<Job> waiting_;
  int current_ = -1;
  int next_ = 1;
};
