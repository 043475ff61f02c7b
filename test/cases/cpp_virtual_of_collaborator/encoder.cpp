#include <memory>
#include <stdexcept>
#include <utility>

class Transport {
public:
  virtual ~Transport() = default;
  virtual bool send(int frame) = 0;
  virtual void close() noexcept = 0;
};

class Encoder {
public:
  Encoder(std::unique_ptr<Transport> transport, int longest)
      : transport_(std::move(transport)), longest_(longest) {
    if (!transport_) throw std::invalid_argument("no transport");
    if (longest < 1 || longest > 255) throw std::invalid_argument("no such length");
  }
  ~Encoder() { transport_->close(); }

  void begin() {
    if (begun_) throw std::logic_error("begun already");
    begun_ = true;
  }
  bool end() {
    if (!begun_) throw std::logic_error("nothing begun");
    begun_ = false;
    return transport_->send(longest_);
  }

private:
  std::unique_ptr<Transport> transport_;
  int longest_;
  bool begun_ = false;
};
