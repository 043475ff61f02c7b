#include <vector>
class Once {
public:
  void fill(const int& x) { v_.push_back(x); }
  int& n() { return n_; }
  int get(int i) {
    if (n_ == 3) throw 1;
    return v_.at(i);
  }

private:
  int n_ = 0;
  std::vector<int> v_;
};
