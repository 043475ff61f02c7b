#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
class QueueError : public std::runtime_error {
  std::string where_;

public:
  explicit QueueError(const std::string& where) : std::runtime_error("queue"), where_(where) {}
  const char* what() const noexcept override { return where_.c_str(); }
};
struct Sink {
  virtual ~Sink() = default;
  virtual bool take(int item) = 0;
};
class Queue {
  Sink& sink_;
  std::vector<std::string> items_;
  std::function<void(const std::string&)> listener_;

public:
  explicit Queue(Sink& sink) : sink_(sink) {}
  void listen(std::function<void(const std::string&)> listener) { listener_ = std::move(listener); }
  void put(const std::string& item) {
    if (item.empty()) throw QueueError("put");
    items_.push_back(item);
    if (listener_) listener_(item);
  }
  bool take() {
    if (items_.empty()) throw QueueError("take");
    items_.pop_back();
    return sink_.take(1);
  }
};
