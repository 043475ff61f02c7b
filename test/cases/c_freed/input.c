#include <stdlib.h>
struct page { int users; int open; };
struct page *page_new(void) { struct page *p = calloc(1, sizeof *p); if (p) p->users = 1; return p; }
int page_open(struct page *p) { if (p->open) return -1; p->open = 1; return 0; }
void page_share(struct page *p) { p->users = 2; }
void page_drop(struct page *p) { if (p->users == 1) free(p); else p->users = 1; }
