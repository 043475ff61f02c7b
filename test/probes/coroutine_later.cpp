// flags: -std=c++20 -fcoroutines
// tacit: --time 4
// A coroutine goes on later. refuse: need
#include <cassert>
#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
};
class T {
  int x_ = 0;
  Task t_{nullptr};
  Task run() {
    x_ = 1;
    co_await std::suspend_always{};
    x_ = 2;
  }

public:
  void start() { t_ = run(); }
  void step() {
    if (t_.h && !t_.h.done()) t_.h.resume();
  }
  void zero() { x_ = 0; }
  void need() { assert(x_ == 0); }
};
