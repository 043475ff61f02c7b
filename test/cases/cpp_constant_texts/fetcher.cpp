#include <stdexcept>
#include <string>
#include <string_view>

namespace {
constexpr std::string_view kept = "kept-";
const std::string local = "file:";
} // namespace

class Fetcher {
public:
  void open(const std::string& url) {
    static const std::string scheme = "http://";
    if (opened_) throw std::logic_error("opened");
    if (url.compare(0, scheme.size(), scheme) != 0) throw std::invalid_argument("scheme");
    opened_ = true;
  }
  void tag(std::string_view name) {
    if (!name.starts_with(kept)) throw std::invalid_argument("tag");
  }
  void load(const std::string& path) {
    if (path == local) throw std::invalid_argument("path");
  }

private:
  bool opened_ = false;
};
