class Closed {
  int x;
  void f() { x = 1; }
};
