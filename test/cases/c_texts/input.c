#include <string.h>
#include <stdlib.h>
#define U_OK 0
#define U_EINVAL -1
#define U_ESTATE -2
struct user { char name[16]; int in; int tries; };
struct user *user_new(const char *name) { if (!name || strlen(name) == 0 || strlen(name) >= sizeof ((struct user *)0)->name) return NULL; struct user *u = calloc(1, sizeof *u); if (!u) return NULL; strncpy(u->name, name, sizeof u->name - 1); return u; }
int user_login(struct user *u, const char *pw) { if (u->in) return U_ESTATE; if (!pw || strlen(pw) < 4) return U_EINVAL; u->in = 1; return U_OK; }
int user_cmd(struct user *u, const char *verb) { if (!u->in) return U_ESTATE; if (strcmp(verb, "quit") == 0) { u->in = 0; return U_OK; } return U_OK; }
void user_free(struct user *u) { free(u); }
