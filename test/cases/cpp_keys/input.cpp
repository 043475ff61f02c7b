#include <cstddef>
#include <set>
#include <stdexcept>
#include <unordered_map>

class Leases {
public:
  void take(int id) {
    if (!taken_.insert(id).second) throw std::logic_error("taken");
  }
  void give(int id) {
    auto it = taken_.find(id);
    if (it == taken_.end()) throw std::logic_error("not taken");
    taken_.erase(id);
  }
  void done() {
    if (!taken_.empty()) throw std::logic_error("leases are out");
  }

private:
  std::set<int> taken_;
};
