#pragma once

namespace parking {

/// The arm at the exit. It can be locked for the night.
class Barrier {
public:
  void raise();
  void lower();
  void lock();
  void unlock();
  bool is_up() const { return position_ == Position::Up; }

private:
  enum class Position { Down, Up, Locked };

  void require(Position wanted) const;

  Position position_ = Position::Down;
};

} // namespace parking
