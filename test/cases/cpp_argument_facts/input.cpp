#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

class Channel {
public:
  void on_message(std::function<void(int)> handler) {
    if (!handler) throw std::invalid_argument("no handler");
    if (handler_) throw std::logic_error("there is one");
    handler_ = std::move(handler);
  }
  void open(const std::string& name, std::string topic) {
    if (!name_.empty()) throw std::logic_error("open");
    if (name.empty() || topic.size() < 2) throw std::invalid_argument("name or topic");
    std::string full = name + "/" + topic;
    if (full.empty()) throw std::logic_error("never");
    name_ = std::move(full);
  }
  void close() {
    if (name_.empty()) throw std::logic_error("not open");
    name_.clear();
  }

private:
  std::function<void(int)> handler_;
  std::string name_;
};
