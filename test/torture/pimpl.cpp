// State behind a pointer to a class that is private.
#include <cassert>
#include <memory>
class T {
  struct Impl;
  std::unique_ptr<Impl> impl_;

public:
  T();
  ~T();
  void start();
  void stop();
  void feed(int x);
  int result() const;
};
struct T::Impl {
  bool running = false;
  int sum = 0;
  bool done = false;
};
T::T() : impl_(std::make_unique<Impl>()) {}
T::~T() = default;
void T::start() {
  assert(!impl_->running);
  impl_->running = true;
  impl_->done = false;
}
void T::stop() {
  assert(impl_->running);
  impl_->running = false;
  impl_->done = true;
}
void T::feed(int x) {
  assert(impl_->running);
  impl_->sum += x;
}
int T::result() const {
  assert(impl_->done);
  return impl_->sum;
}
