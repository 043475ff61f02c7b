// expect container: unknown (elements of containers are not followed)
#include "channel.h"
#include <vector>
int container(int p) {
  std::vector<Channel> all(3);
  if (all[0].try_connect(p)) all[0].close();
  return 0;
}
