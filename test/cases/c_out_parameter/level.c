#include <stddef.h>
#include <string.h>
/* a login session; the token check tells its answer through *granted */
typedef enum { AUTH_OK = 0, AUTH_E_ARG = -1, AUTH_E_STATE = -2, AUTH_E_LOCKED = -3 } auth_rc;
enum level { LEVEL_NONE, LEVEL_USER, LEVEL_ADMIN };
struct auth { int open; int failures; enum level level; };
extern int lookup_token(const char *token);
auth_rc auth_open(struct auth *a) {
    if (a->open) return AUTH_E_STATE;
    a->open = 1; a->failures = 0; a->level = LEVEL_NONE; return AUTH_OK;
}
auth_rc auth_login(struct auth *a, const char *token, enum level *granted) {
    if (token == NULL || granted == NULL) return AUTH_E_ARG;
    if (!a->open) return AUTH_E_STATE;
    if (a->failures >= 3) return AUTH_E_LOCKED;
    int r = lookup_token(token);
    if (r <= 0) { a->failures++; a->level = LEVEL_NONE; }
    else a->level = r == 1 ? LEVEL_USER : LEVEL_ADMIN;
    *granted = a->level;
    return AUTH_OK;
}
auth_rc auth_shutdown(struct auth *a) {
    if (!a->open) return AUTH_E_STATE;
    if (a->level != LEVEL_ADMIN) return AUTH_E_STATE;
    a->open = 0; a->level = LEVEL_NONE; return AUTH_OK;
}
