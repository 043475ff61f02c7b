#pragma once

namespace parking {

/// A ticket that is used again and again: issued at the entry, paid, given back at the exit.
class Ticket {
public:
  void issue();
  void pay(int cents);
  void leave();
  void cancel();
  bool is_paid() const { return paid_; }

private:
  bool issued_ = false;
  bool paid_ = false;
};

} // namespace parking
