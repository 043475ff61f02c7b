struct nest { unsigned depth; };
int nest_enter(struct nest *n) { if (n->depth >= 3) return 1; n->depth++; return 0; }
int nest_leave(struct nest *n) { n->depth--; if (n->depth > 100) return 1; return 0; }
