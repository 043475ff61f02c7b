#include "parking/meter.h"

namespace parking {

Result Meter::start() {
  if (running_) return Result::BadState;
  running_ = true;
  return Result::Ok;
}

Result Meter::insert(int cents) {
  if (!running_) return Result::BadState;
  if (cents <= 0 || cents > 500) return Result::BadAmount;
  total_ += cents;
  return Result::Ok;
}

Result Meter::stop() {
  if (!running_) return Result::BadState;
  running_ = false;
  return Result::Ok;
}

} // namespace parking
