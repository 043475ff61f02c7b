/* A stream: opened once, read while open, closed once. */
struct stream {
  int fd;
  int mode;
  int pos;
};
void stream_init(struct stream* s);
int stream_open(struct stream* s, int fd);
int stream_read(struct stream* s, int n);
void stream_close(struct stream* s);
