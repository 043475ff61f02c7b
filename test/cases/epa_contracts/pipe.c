/* The functions are given by contracts; what they do is not written yet. */
static int count, closed;

/* @invariant 0 <= count && count <= 3 */

// @requires closed == 0 && count < 3
// @ensures count == old(count) + 1
void put(void) { count = count + 1; }

// @requires count > 0
// @ensures count == old(count) - 1 && result >= 0
int take(void) { return closed + count; }
