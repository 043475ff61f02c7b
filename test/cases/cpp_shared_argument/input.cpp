#include <memory>
#include <stdexcept>
#include <utility>
struct Wire {
  virtual ~Wire() = default;
  virtual void send(int word) = 0;
};
class Channel {
  std::shared_ptr<Wire> wire_;
  bool open_ = true;

public:
  explicit Channel(std::shared_ptr<Wire> wire) : wire_(std::move(wire)) {
    if (wire_ == nullptr) throw std::invalid_argument("no wire");
  }
  void send(int word) {
    if (!open_) throw std::logic_error("closed");
    wire_->send(word);
  }
  void close() {
    if (!open_) throw std::logic_error("closed");
    open_ = false;
  }
};
