#include <set>
#include <stdexcept>
#include <string>

class Registry {
public:
  void add(const std::string& name) {
    if (!names_.insert(name).second) throw std::logic_error("twice");
  }
  void drop(const std::string& name) {
    auto it = names_.find(name);
    if (it == names_.end()) throw std::logic_error("none");
    names_.erase(name);
  }
  bool has(const std::string& name) const { return names_.find(name) != names_.end(); }
  void name_it(const std::string& name) {
    if (name == "none") throw std::invalid_argument("name");
  }

private:
  std::set<std::string> names_;
};

// Keys that differ may be the same to it.
struct ByLength {
  bool operator()(const std::string& a, const std::string& b) const { return a.size() < b.size(); }
};
class ByTheirLength {
public:
  void add(const std::string& name) { names_.insert(name); }
  void use(const std::string& name) {
    if (!names_.count(name)) throw std::logic_error("none");
  }

private:
  std::set<std::string, ByLength> names_;
};

// A character that is written changes what a string says.
class Edited {
public:
  void set() { mode_ = "abc"; }
  void poke() { mode_[0] = 'x'; }
  void run() {
    if (mode_ != "abc") throw std::logic_error("mode");
  }

private:
  std::string mode_;
};
