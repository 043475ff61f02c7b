// A variant that takes a copy of a string: long code of the library, followed all the same.
// tacit: --error throws:std::bad_variant_access
// legal: set_text text
// legal: set_text set_number number
// refused: set_number text
// refused: set_text number
#include <string>
#include <variant>
class T {
  std::variant<std::monostate, int, std::string> v_;

public:
  void set_number(int x) { v_ = x; }
  void set_text(const std::string& s) { v_ = s; }
  int number() const { return std::get<int>(v_) > 0; }
  bool text() const { return std::get<std::string>(v_).empty(); }
};
