// expect escape: unknown (keep() may close it)
// expect looked_at: follows
#include "channel.h"
void keep(Channel& c);
void look(const Channel& c);
int escape(int p) {
  Channel c;
  if (!c.try_connect(p)) return 1;
  keep(c);
  c.close();
  return 0;
}
int looked_at(int p) {
  Channel c;
  if (!c.try_connect(p)) return 1;
  look(c);
  c.close();
  return 0;
}
