#include <cassert>
struct Code {};
struct Text {};
struct Both : Code, Text {};
struct Hidden : private Code {};
struct Left : Code {};
struct Right : Code {};
struct Twice : Left, Right {};
class Tries {
  int seen_ = 0;

public:
  void second() {
    try {
      throw Both();
    } catch (Text&) {
      seen_ = 1;
    } catch (...) {
      seen_ = 2;
    }
  }
  void hidden() {
    try {
      throw Hidden();
    } catch (Code&) {
      seen_ = 1;
    } catch (...) {
      seen_ = 2;
    }
  }
  void twice() {
    try {
      throw Twice();
    } catch (Code&) {
      seen_ = 1;
    } catch (Right&) {
      seen_ = 3;
    }
  }
  void is_other() { assert(seen_ == 2); }
  void is_right() { assert(seen_ == 3); }
  void is_base() { assert(seen_ == 1); }
};
