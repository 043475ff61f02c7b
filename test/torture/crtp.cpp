// A base class that calls the derived one.
#include <stdexcept>
template <class D> class Base {
protected:
  bool open_ = false;

public:
  void open() {
    if (open_) throw std::logic_error("open");
    static_cast<D*>(this)->do_open();
    open_ = true;
  }
  void close() {
    if (!open_) throw std::logic_error("closed");
    static_cast<D*>(this)->do_close();
    open_ = false;
  }
};
class T : public Base<T> {
  friend class Base<T>;
  int n_ = 0;
  void do_open() { n_ = 1; }
  void do_close() { n_ = 0; }

public:
  void work() {
    if (n_ == 0) throw std::logic_error("not open");
  }
};
