/* tacit: --error returns:<0
   A parser fed by characters. */
static int depth, instr;
int feed(int c) {
  if (instr) {
    if (c == 2) instr = 0;
    return 0;
  }
  switch (c) {
  case 0: depth++; break;
  case 1:
    if (depth == 0) return -2;
    depth--;
    break;
  case 2: instr = 1; break;
  default:
    if (!depth) return -1;
  }
  return depth;
}
int done(void) { return depth == 0 && !instr ? 0 : -3; }
