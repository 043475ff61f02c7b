/* State behind a pointer from malloc, which may fail. */
#include <assert.h>
#include <stdlib.h>
struct node {
  int value;
  struct node* next;
};
static struct node* head;
int push(int v) {
  struct node* n = malloc(sizeof *n);
  if (!n) return 0;
  n->value = v > 0;
  n->next = head;
  head = n;
  return 1;
}
void pop(void) {
  assert(head);
  struct node* n = head;
  head = n->next;
  free(n);
}
int empty(void) { return head == 0; }
