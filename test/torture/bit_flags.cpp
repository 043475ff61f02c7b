// Flags in the bits of a byte.
#include <cassert>
#include <cstdint>
enum Flags : std::uint8_t { None = 0, Open = 1, Dirty = 2, Locked = 4 };
inline Flags operator|(Flags a, Flags b) { return Flags(std::uint8_t(a) | std::uint8_t(b)); }
class T {
  std::uint8_t f_ = None;

public:
  void open() {
    assert(!(f_ & Open));
    f_ |= Open;
  }
  void write() {
    assert(f_ & Open);
    assert(!(f_ & Locked));
    f_ |= Dirty;
  }
  void lock() {
    assert(f_ & Open);
    f_ |= Locked;
  }
  void unlock() { f_ &= ~Locked; }
  void flush() { f_ &= ~Dirty; }
  void close() {
    assert((f_ & (Open | Dirty)) == Open);
    f_ = None;
  }
};
