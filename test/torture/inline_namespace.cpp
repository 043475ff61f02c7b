// tacit: --class lib::v2::T
// Inline namespace, nested class, enum class.
#include <cassert>
namespace lib {
inline namespace v2 {
enum class Mode : unsigned char { Idle = 3, Busy = 7 };
class T {
  Mode m_{Mode::Idle};

public:
  void start() {
    assert(m_ == Mode::Idle);
    m_ = Mode::Busy;
  }
  Mode mode() const { return m_; }
  void stop() {
    assert(m_ != Mode::Idle);
    m_ = Mode::Idle;
  }
};
} // namespace v2
} // namespace lib
