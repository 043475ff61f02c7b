#include <stddef.h>

struct inner;
struct stream {
  const char* next_in;
  size_t avail_in;
  char* next_out;
  size_t avail_out;
  unsigned reserved1, reserved2, reserved3;
  struct inner* inner;
};

enum action { RUN, FLUSH };
enum { OK, DONE, NO_MEMORY = -1, OUT_OF_ORDER = -2, BAD_OPTIONS = -3 };
