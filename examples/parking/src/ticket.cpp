#include "parking/ticket.h"

#include <stdexcept>

namespace parking {

void Ticket::issue() {
  if (issued_) throw std::logic_error("issued already");
  issued_ = true;
}

void Ticket::pay(int cents) {
  if (!issued_ || paid_) throw std::logic_error("nothing to pay");
  if (cents <= 0) throw std::invalid_argument("no amount");
  paid_ = true;
}

void Ticket::leave() {
  if (!issued_ || !paid_) throw std::logic_error("not paid");
  issued_ = false;
  paid_ = false;
}

void Ticket::cancel() {
  if (!issued_) throw std::logic_error("no ticket");
  issued_ = false;
}

} // namespace parking
