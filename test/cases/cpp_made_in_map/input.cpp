#include <map>
#include <stdexcept>
class Doors {
public:
  void add(int id) {
    if (!doors_.try_emplace(id).second) throw std::logic_error("there already");
  }
  void open(int id) {
    auto& door = doors_.at(id);
    if (door.open) throw std::logic_error("open");
    door.open = true;
  }
  void close(int id) {
    auto it = doors_.find(id);
    if (it == doors_.end() || !it->second.open) throw std::logic_error("closed");
    it->second.open = false;
  }
  void bolt(int id) {
    auto& door = doors_[id]; // makes one that is bolted
    if (door.left != 3) throw std::logic_error("bolted before");
    door.left = 2;
  }

private:
  struct Door {
    int left = 3;
    bool open = false;
  };
  std::map<int, Door> doors_;
};
