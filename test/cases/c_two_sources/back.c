#include "back.h"
int check(int x) { return x == 1; }
