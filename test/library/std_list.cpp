// A member that does not compile for this instance (order) is left out.
// legal: bit
// refused: bit:returns=false take
#include <cassert>
#include <list>
struct Opaque {
  int value;
};
template <class E> class Shelf {
  std::list<E> rows;

public:
  void put(const E& e) { rows.push_back(e); }
  bool bit() const { return !rows.empty(); }
  void take() {
    assert(!rows.empty());
    rows.pop_back();
  }
  void order() { rows.sort(); }
};
using T = Shelf<Opaque>;
