#include <cassert>
#include <stdexcept>
#include <string>
class Label {
  std::string text_ = "abc";
  int state_ = 0;

public:
  void part() {
    try {
      std::string part(text_, 4);
    } catch (std::out_of_range&) {
      state_ = 1;
    }
  }
  void add() {
    try {
      std::string whole;
      whole.append(text_, 5, 1);
    } catch (std::out_of_range&) {
      state_ = 1;
    }
  }
  void fill() {
    try {
      std::string many(static_cast<std::size_t>(-1), 'x');
    } catch (std::length_error&) {
      state_ = 1;
    }
  }
  void last() { std::string last(text_, 3); }
  void check() { assert(state_ == 0); }
};
