// What is done to elements, or to what a pointer leads to, leaves containers and pointers alone; it
// reaches what the pointer leads to. legal: add touch check legal: add grow check refused: check
// refused: share zero set zeroed
// legal: share set zero zeroed
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <vector>
class T {
  std::map<int, std::string> names;
  std::vector<std::vector<int>> rows;
  int x = 0;
  std::shared_ptr<int> p;

public:
  void add() {
    names[1] = "x";
    rows.emplace_back();
  }
  void touch() {
    for (auto& [key, name] : names) name.clear();
    if (p) *p = 0;
  }
  void grow() {
    if (!rows.empty()) rows[0].push_back(1);
  }
  void check() { assert(!names.empty() && !rows.empty()); }
  void share() {
    p.reset(&x, [](int*) {});
  }
  void set() {
    if (p) *p = 5;
  }
  void zero() { x = 0; }
  void zeroed() { assert(x == 0); }
};
