// A ring buffer of a fixed size, a template named by an alias.
#include <array>
#include <cassert>
#include <cstddef>
template <class V, std::size_t N> class Ring {
  std::array<V, N> data_{};
  std::size_t head_ = 0, count_ = 0;

public:
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == N; }
  void push(V v) {
    assert(!full());
    data_[(head_ + count_) % N] = v;
    ++count_;
  }
  V pop() {
    assert(!empty());
    V v = data_[head_];
    head_ = (head_ + 1) % N;
    --count_;
    return v;
  }
};
using T = Ring<int, 3>;
