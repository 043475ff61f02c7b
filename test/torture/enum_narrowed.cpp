// Enumerators that do not fit where they are cast to, and such that are negative as the compiler
// writes them.
#include <cassert>
enum class E : unsigned char { A = 0, B = 200, C = 255 };
enum N { Neg = -1, Zero, Big = 300 };
class T {
  E e = E::A;
  N n = Zero;

public:
  void b() { e = E::B; }
  void c() { e = E::C; }
  void isb() { assert(e == E::B); }
  void notc() { assert(e != E::C); }
  void hi() { assert((signed char)e < 0); }
  void lt() { assert(e < E::C); }
  void neg() { n = Neg; }
  void big() { n = Big; }
  void uns() { assert((unsigned)n < 5u); }
  void wide() { assert((unsigned long)(unsigned)n != 4294967295ul); }
  void cut() { assert((unsigned char)n == 0); }
  void cut2() { assert((unsigned char)n != 44); }
};
