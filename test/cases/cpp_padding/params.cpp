// Writing an element of an array of structs, with the padding behind it, leaves the others alone.
#include <optional>
#include <stdexcept>

class Statement {
public:
  void bind(int index, int value) {
    if (index < 1 || index > 2) throw std::out_of_range("index");
    params_[index - 1] = value;
  }
  void run() const {
    for (const auto& one : params_)
      if (!one) throw std::logic_error("unbound");
  }

private:
  std::optional<int> params_[2];
};
