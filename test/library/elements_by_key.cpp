// What a struct in a map holds decides what may come next.
// legal: put start finish
// refused: put start drop start
// refused: put finish
// refused: put start start
// legal: put start drop put start
#include <cassert>
#include <map>
class T {
  struct Task {
    int tries;
    bool running;
  };
  std::map<int, Task> tasks;

public:
  void put() { tasks.insert_or_assign(3, Task{0, false}); }
  void start() {
    auto it = tasks.find(3);
    assert(it != tasks.end());
    assert(!it->second.running);
    it->second.running = true;
  }
  void finish() {
    assert(tasks.count(3) && tasks.at(3).running);
    tasks[3].running = false;
  }
  void drop() { tasks.erase(3); }
};
