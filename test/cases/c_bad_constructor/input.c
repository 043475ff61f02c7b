struct stream { int open; };
void start(struct stream *s) { s->open = 1; }
