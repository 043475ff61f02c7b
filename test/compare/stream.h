/* A stream, opened, read and closed, and a lock. With NATIVE the C library's, which analysers know.
 */
#pragma once
#ifdef NATIVE
#include <pthread.h>
#include <stdio.h>
struct stream {
  FILE* file;
};
#define stream_init(s) ((s)->file = 0)
#define stream_open(s, name) (((s)->file = fopen(name, "r")) ? 0 : -1)
#define stream_read(s) fgetc((s)->file)
#define stream_close(s) fclose((s)->file)
struct lock {
  pthread_mutex_t mutex;
};
#define lock_init(l) pthread_mutex_init(&(l)->mutex, 0)
#define lock_take(l) pthread_mutex_lock(&(l)->mutex)
#define lock_try(l) pthread_mutex_trylock(&(l)->mutex)
#define lock_give(l) pthread_mutex_unlock(&(l)->mutex)
#else
struct stream {
  int is_open;
};
void stream_init(struct stream* s);
int stream_open(struct stream* s, const char* name);
int stream_read(struct stream* s);
void stream_close(struct stream* s);
struct lock {
  int held;
};
void lock_init(struct lock* l);
void lock_take(struct lock* l);
int lock_try(struct lock* l);
void lock_give(struct lock* l);
#endif
