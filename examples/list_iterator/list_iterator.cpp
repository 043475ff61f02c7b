// An iterator over a list of numbers that can change the list: remove and set mean the element
// returned last.
#include <stdexcept>

struct NoSuchElement : std::out_of_range {
  NoSuchElement() : std::out_of_range("no such element") {}
};

struct IllegalState : std::logic_error {
  IllegalState() : std::logic_error("no element was returned") {}
};

class ListIterator {
public:
  ListIterator(int size, int index) : size_(size), cursor_(index) {
    if (index < 0 || index > size) throw std::invalid_argument("index");
  }

  void next() {
    if (cursor_ >= size_) throw NoSuchElement();
    last_ = cursor_++;
  }

  void previous() {
    if (cursor_ <= 0) throw NoSuchElement();
    last_ = --cursor_;
  }

  void remove() {
    if (last_ < 0) throw IllegalState();
    if (last_ < cursor_) --cursor_;
    --size_;
    last_ = -1;
  }

  void set(int) {
    if (last_ < 0) throw IllegalState();
  }

  void add(int) {
    ++size_;
    ++cursor_;
    last_ = -1;
  }

private:
  int size_;
  int cursor_;
  int last_ = -1;
};
