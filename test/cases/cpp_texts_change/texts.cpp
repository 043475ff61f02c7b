#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

/// A reference to a character is written between two looks.
class Written {
public:
  void run(std::string text) {
    if (text.empty()) return;
    char& first = text[0];
    const bool before = text == "abc";
    first = 'z';
    if (before != (text == "abc")) throw std::logic_error("written");
  }
};

/// The client has a way to a character.
class Lent {
public:
  char& first() { return text_.front(); }
  void mark() { marked_ = text_ == "abc"; }
  void run() {
    if (marked_ && text_ != "abc") throw std::logic_error("lent");
  }

private:
  std::string text_ = "abc";
  bool marked_ = false;
};

/// A view shows an array that is written.
class Shown {
public:
  void run() {
    const std::string_view view(bytes_, 3);
    const bool before = view == "abc";
    bytes_[0] = 'x';
    if (before && view != "abc") throw std::logic_error("shown");
  }

private:
  char bytes_[4] = {'a', 'b', 'c', 0};
};

/// What a key shows may change behind the set's back.
class Keyed {
public:
  void add(std::string_view name) { names_.insert(name); }
  void use(std::string_view name) {
    if (names_.count(name) == 0) throw std::logic_error("none");
  }

private:
  std::set<std::string_view> names_;
};

/// Of an order more than the sign is asked.
class Ordered {
public:
  void run(const std::string& text) {
    if (text.compare("abc") >= 2) throw std::logic_error("far");
  }
};

/// A table that is read from its middle.
class Middle {
public:
  void run(int i) {
    static const int table[4] = {1, 0, 0, 2};
    if (i < -2 || i > 1) return;
    const int* middle = table + 2;
    if (middle[i] != 0) throw std::logic_error("not zero");
  }
};

/// What is handed in to be read may be what is written, or the object's own.
struct Named {
  std::string name;
};

class Apart {
public:
  std::string own;
  void write(const std::string& text, Named& to) {
    to.name = "zzz";
    if (text == "zzz") throw std::logic_error("written");
  }
};
