#include <stdexcept>
#include <string>
#include <string_view>

class Writer {
public:
  explicit Writer(std::string_view name) : name_(name) {
    if (name.empty()) throw std::invalid_argument("no name");
  }
  void open(std::string_view path) {
    if (open_) throw std::logic_error("open");
    if (path.empty() || path.front() != '/') throw std::invalid_argument("path");
    open_ = true;
  }
  void key(std::string_view key) {
    if (!open_) throw std::logic_error("not open");
    if (key == "id") throw std::invalid_argument("key");
    check(key);
    add(std::string(key));
  }
  std::string_view name() const { return name_; }

private:
  static void check(std::string_view key) {
    if (key.find('-') != key.npos) throw std::invalid_argument("dash");
  }
  void add(const std::string& key) {
    if (key.size() > 5) throw std::length_error("long");
  }

  std::string name_;
  bool open_ = false;
};

/// What a view shows may change while it is kept, and when its text does.
class Keeper {
public:
  void put(std::string_view text) { kept_ = text; }
  void ask() {
    if (kept_ == "a") throw std::logic_error("a");
  }
  void rename() {
    name_ = "a";
    const std::string_view view = name_;
    name_ = "b";
    if (view == "b") throw std::logic_error("b");
  }

private:
  std::string_view kept_;
  std::string name_;
};

/// A struct with a view in it, and a callee that eats its own copy.
struct Options {
  std::string_view name;
  int level = 0;
};

class Holder {
public:
  void set(const Options& options) { options_ = options; }
  void use() {
    if (options_.name.empty()) throw std::logic_error("unnamed");
  }
  void eat(std::string_view text) {
    if (text.empty()) throw std::invalid_argument("empty");
    eaten_ += rest(text);
    if (text.empty()) throw std::runtime_error("never");
  }

private:
  static int rest(std::string_view text) {
    int n = 0;
    for (; !text.empty(); ++n) text.remove_prefix(1);
    return n;
  }

  Options options_;
  int eaten_ = 0;
};
