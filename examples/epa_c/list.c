/* The singly linked list of "Enabledness-based Program Abstractions", Fig. 1, with clauses as functions: add_req says
   when add may be called, inv what holds between calls. With -DFIXED remove counts the size down. */
#include <stdlib.h>

typedef struct node {
  int data;
  struct node *next;
} node;

typedef struct list {
  int size;
  node *first;
} list;

static list *l;

int inv(void) { return l == NULL || l->size >= 0; }

int List(void) {
  l = (list *)malloc(sizeof(list));
  if (l == NULL) return 0;
  l->size = 0;
  l->first = NULL;
  return 1;
}

int add_req(void) { return l != NULL; }
int add(int data) {
  node *fresh = (node *)malloc(sizeof(node));
  node *tail;
  if (fresh == NULL) {
    l = NULL;
    return 0;
  }
  fresh->data = data;
  if (l->first == NULL) {
    fresh->next = fresh;
    l->first = fresh;
  } else {
    tail = l->first;
    while (tail->next != l->first) tail = tail->next;
    fresh->next = l->first;
    tail->next = fresh;
  }
  l->size++;
  return 1;
}

int remove_req(void) { return l != NULL && l->size > 0; }
void remove(void) {
  node *gone = l->first;
  l->first = gone->next;
#ifdef FIXED
  l->size--;
#endif
  free(gone);
}

int destroy_req(void) { return l != NULL; }
void destroy(void) {
  node *start = l->first;
  node *current = l->first;
  node *following;
  l->first = NULL;
  while (current != NULL) {
    following = current->next;
    free(current);
    current = following == start ? NULL : following;
  }
  free(l);
  l = NULL;
}
