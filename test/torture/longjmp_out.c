/* tacit: --handle png --constructor png_init
   harness-skip
   Errors leave by longjmp to the client. refuse: png_row */
#include <setjmp.h>
struct png {
  jmp_buf env;
  int started;
  int rows;
};
static void png_error(struct png* p) { longjmp(p->env, 1); }
void png_init(struct png* p) {
  p->started = 0;
  p->rows = 0;
}
void png_start(struct png* p) {
  if (p->started) png_error(p);
  p->started = 1;
  p->rows = 2;
}
void png_row(struct png* p) {
  if (!p->started || p->rows == 0) png_error(p);
  p->rows--;
}
void png_end(struct png* p) {
  if (p->rows) png_error(p);
  p->started = 0;
}
