#pragma once
namespace acme {
template <class T> class Ring {
public:
  Ring();
  ~Ring();
  void put(T x);
  T last() const;
  void shuffle();
  bool is_small() const;

private:
  void* hidden_;
};
} // namespace acme
