int f(void); void g(void) { f(); }
