#pragma once

namespace parking {

/// What came of a call. Nothing of this library throws where it runs on the meter itself.
enum class Result { Ok, BadState, BadAmount };

/// Counts coins until it is emptied.
class Meter {
public:
  Result start();
  Result insert(int cents);
  Result stop();
  int total() const { return total_; }

private:
  bool running_ = false;
  int total_ = 0;
};

} // namespace parking
