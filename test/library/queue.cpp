// Adaptors.
// tacit: --queries 20000
// legal: submit run revert
// refused: submit revert
// refused: run
#include <cassert>
#include <queue>
#include <stack>
class T {
  std::queue<int> jobs;
  std::stack<int> undo;

public:
  void submit(int x) { jobs.push(x); }
  void run() {
    assert(!jobs.empty());
    undo.push(jobs.front());
    jobs.pop();
  }
  void revert() {
    assert(!undo.empty());
    undo.pop();
  }
};
