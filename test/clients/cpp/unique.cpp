// expect unique: follows
// expect unique_wrong: violates close
#include "channel.h"
#include <memory>
int unique(int p) {
  auto c = std::make_unique<Channel>();
  if (c->try_connect(p)) c->close();
  return 0;
}
int unique_wrong(int p) {
  auto c = std::make_unique<Channel>();
  if (!c->try_connect(p)) c->close();
  return 0;
}
