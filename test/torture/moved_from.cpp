// Move semantics: moved-from member state.
#include <cassert>
#include <memory>
#include <utility>
class T {
  std::unique_ptr<int> a_, b_;

public:
  void make() { a_ = std::make_unique<int>(3); }
  void shift() {
    assert(a_);
    b_ = std::move(a_);
  }
  void use() { assert(b_ && *b_ == 3); }
  void swap() { std::swap(a_, b_); }
  void rel() {
    assert(b_);
    delete b_.release();
  }
};
