#include <cstdint>
#include <stdexcept>
#include <unordered_map>

enum class Job { Queued, Running };

class Jobs {
public:
  std::uint32_t submit() {
    std::uint32_t id = next_++;
    jobs_.emplace(id, Job::Queued);
    last_ = id;
    return id;
  }
  void start(std::uint32_t id) {
    auto it = jobs_.find(id);
    if (it == jobs_.end() || it->second != Job::Queued) throw std::logic_error("not queued");
    it->second = Job::Running;
  }
  void start_last() { start(last_); }

private:
  std::unordered_map<std::uint32_t, Job> jobs_;
  std::uint32_t next_ = 1, last_ = 0;
};
