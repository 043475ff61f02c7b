// Scopes have to be closed in the order in which they were opened.
#include <cassert>
#include <string>
#include <vector>
class T {
  enum class Scope { Object, Array };
  struct Frame {
    std::string name;
    Scope scope;
  };
  std::vector<Frame> stack;

public:
  void object() { stack.push_back(Frame{"o", Scope::Object}); }
  void array() { stack.push_back(Frame{"a", Scope::Array}); }
  void end_object() {
    assert(!stack.empty() && stack.back().scope == Scope::Object);
    stack.pop_back();
  }
  void end_array() {
    assert(!stack.empty() && stack.back().scope == Scope::Array);
    stack.pop_back();
  }
};
