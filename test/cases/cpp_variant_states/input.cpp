#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace media {

class Decoder {
public:
  virtual ~Decoder() = default;
  virtual bool open(const std::string& path) = 0;
  virtual long duration_ms() const = 0;
};

class PlayerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Player {
public:
  explicit Player(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {
    if (!decoder_) throw std::invalid_argument("no decoder");
  }

  void enqueue(const std::string& track) {
    if (track.empty()) throw std::invalid_argument("track");
    queue_.push_back(track);
  }

  // Returns false if the file can not be opened; the track is dropped then.
  bool load_next() {
    if (playing()) throw PlayerError("stop first");
    if (queue_.empty()) throw PlayerError("queue is empty");
    std::string next = queue_.front();
    queue_.erase(queue_.begin());
    if (!decoder_->open(next)) {
      state_ = Idle{};
      return false;
    }
    state_ = Loaded{next, 0};
    return true;
  }

  void play() {
    if (auto* l = std::get_if<Loaded>(&state_)) {
      Playing p{l->track, l->position};
      state_ = p;
    } else if (std::holds_alternative<Idle>(state_)) {
      throw PlayerError("nothing loaded");
    }
  }

  void pause() {
    if (!playing()) throw PlayerError("not playing");
    Playing p = std::get<Playing>(state_);
    state_ = Loaded{p.track, p.position};
  }

  void seek(long ms) {
    if (ms < 0) throw std::out_of_range("seek");
    if (auto* p = std::get_if<Playing>(&state_))
      p->position = ms;
    else if (auto* l = std::get_if<Loaded>(&state_))
      l->position = ms;
    else
      throw PlayerError("nothing to seek in");
  }

  void stop() { state_ = Idle{}; }

  void set_volume(int percent) {
    if (percent < 0 || percent > 100) throw std::out_of_range("volume");
    volume_ = percent;
  }

  std::size_t pending() const { return queue_.size(); }

private:
  struct Idle {};
  struct Loaded {
    std::string track;
    long position;
  };
  struct Playing {
    std::string track;
    long position;
  };

  bool playing() const { return std::holds_alternative<Playing>(state_); }

  std::unique_ptr<Decoder> decoder_;
  std::vector<std::string> queue_;
  std::variant<Idle, Loaded, Playing> state_;
  int volume_ = 50;
};

} // namespace media
