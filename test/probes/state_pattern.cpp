/* A virtual function of another class writes the object. refuse: use */
#include <cassert>
#include <memory>
class T {
  struct State {
    virtual ~State() = default;
    virtual void next(T&) = 0;
  };
  struct A : State {
    void next(T& t) override { t.n = 1; }
  };
  std::unique_ptr<State> state = std::make_unique<A>();
  int n = 0;

public:
  void run() { state->next(*this); }
  void use() { assert(n == 0); }
};
