#include <stdexcept>
#include <string>
#include <string_view>
class Router {
public:
  void add(const std::string& path) {
    if (sealed_) throw std::logic_error("sealed");
    if (path.empty() || path[0] != '/') throw std::invalid_argument("path");
    ++n_;
  }
  void mail(std::string s) {
    if (sealed_) throw std::logic_error("sealed");
    if (s.find('@') == std::string::npos) throw std::invalid_argument("mail");
  }
  void pre(const std::string& s) {
    if (!s.starts_with("id-")) throw std::invalid_argument("pre");
  }
  void host(const std::string& s) {
    if (s.find(':') > 3) throw std::invalid_argument("host");
  }
  void digits(const std::string& s) {
    if (s.find_first_not_of("0123456789") != std::string::npos) throw std::invalid_argument("no");
  }
  void seal() {
    if (sealed_ || n_ == 0) throw std::logic_error("no");
    sealed_ = true;
  }

private:
  bool sealed_ = false;
  int n_ = 0;
};
