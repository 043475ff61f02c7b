// expect caught: follows
// expect swallowed: violates send
#include "channel.h"
int caught(int n) {
  Channel c;
  try {
    c.connect(80);
  } catch (const Refused&) {
    return -1;
  }
  c.send(n);
  c.close();
  return 0;
}
int swallowed(int n) {
  Channel c;
  try {
    c.connect(80);
  } catch (const std::runtime_error&) {
  }
  return c.send(n);
}
