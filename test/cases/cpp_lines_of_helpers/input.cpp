#include <memory>
#include <mutex>
#include <stdexcept>

struct Line {
  int number = 0;
};

class Channel {
public:
  explicit Channel(std::shared_ptr<Line> line);
  void send();
  void flush();
  void close();

private:
  void require_open() const;
  std::mutex mutex_;
  std::shared_ptr<Line> line_;
  bool full_ = false;
};

Channel::Channel(std::shared_ptr<Line> line) : line_(std::move(line)) {
  if (!line_) throw std::invalid_argument("no line");
}
void Channel::require_open() const {
  if (!line_) throw std::logic_error("closed");
}
void Channel::send() {
  std::lock_guard hold(mutex_);
  if (!line_) throw std::logic_error("closed");
  if (full_) throw std::length_error("full");
  full_ = true;
}
void Channel::flush() {
  require_open();
  full_ = false;
}
void Channel::close() {
  require_open();
  line_.reset();
}
