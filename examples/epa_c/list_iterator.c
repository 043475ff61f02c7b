/* The list iterator of java.util.AbstractList, translated as in the paper. It may start at any place of a list of any
   length; what the list holds does not matter. */
static int size, cursor, last;

int inv(void) {
  return 0 <= cursor && cursor <= size && (last == -1 || last == cursor - 1 || last == cursor) && last >= -1 &&
         last < size;
}

int ListItr_req(int length, int index) { return 0 <= index && index <= length; }
void ListItr(int length, int index) {
  size = length;
  cursor = index;
  last = -1;
}

int next_req(void) { return cursor < size; }
void next(void) {
  last = cursor;
  cursor++;
}

int previous_req(void) { return cursor > 0; }
void previous(void) {
  cursor--;
  last = cursor;
}

int remove_req(void) { return last != -1; }
void remove(void) {
  if (last < cursor) cursor--;
  size--;
  last = -1;
}

int set_req(void) { return last != -1; }
void set(int element) { (void)element; }

void add(int element) {
  (void)element;
  size++;
  cursor++;
  last = -1;
}
