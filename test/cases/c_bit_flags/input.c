#include <stdlib.h>
#include <string.h>
typedef int status_t;
#define E_BASE 130
#define E_OK ((status_t)0)
#define E_STATE ((status_t)-137)
#define E_INVAL (-(E_BASE + 8))
static const status_t E_LATE = -140;
#define NAME_LENGTH 15
#define F_OPEN 1u
#define F_SYNC 2u
#define F_BOTH (F_OPEN | F_SYNC)
typedef struct log log_t;
struct log {
    char name[NAME_LENGTH + 1];
    unsigned flags;
};
status_t log_new(const char *name, log_t **out)
{
    log_t *l;
    status_t rc = E_INVAL;
    if (!name || !out || strlen(name) > NAME_LENGTH) goto fail;
    l = malloc(sizeof *l);
    if (!l) {
        rc = -1;
        goto fail;
    }
    memset(l, 0, sizeof *l);
    strncpy(l->name, name, NAME_LENGTH);
    *out = l;
    return E_OK;
fail:
    return rc;
}
status_t log_open(log_t *l, const char *path)
{
    if (!path || path[0] == '\0') return E_INVAL;
    if (l->flags & F_OPEN) return E_STATE;
    l->flags |= F_OPEN;
    return E_OK;
}
status_t log_write(log_t *l, const char *text)
{
    if (!(l->flags & F_OPEN)) return E_STATE;
    if (!text) return E_INVAL;
    l->flags &= ~F_SYNC;
    return E_OK;
}
status_t log_flush(log_t *l)
{
    if (!(l->flags & F_OPEN)) return E_STATE;
    l->flags |= F_SYNC;
    return E_OK;
}
status_t log_close(log_t *l)
{
    if ((l->flags & F_BOTH) != F_BOTH) return E_LATE;
    l->flags = 0;
    return E_OK;
}
