#include "parking/barrier.h"

#include <stdexcept>

namespace parking {

void Barrier::require(Position wanted) const {
  if (position_ != wanted) throw std::logic_error("the barrier is elsewhere");
}

void Barrier::raise() {
  require(Position::Down);
  position_ = Position::Up;
}

void Barrier::lower() {
  require(Position::Up);
  position_ = Position::Down;
}

void Barrier::lock() {
  require(Position::Down);
  position_ = Position::Locked;
}

void Barrier::unlock() {
  require(Position::Locked);
  position_ = Position::Down;
}

} // namespace parking
