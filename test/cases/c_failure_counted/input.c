#include <stddef.h>
#include <stdlib.h>
struct ops {
    int (*put)(void *ctx, unsigned char c);
    int (*get)(void *ctx);
};
struct port {
    const struct ops *ops;
    void *ctx;
    int is_open;
};
struct port *port_new(const struct ops *ops, void *ctx)
{
    struct port *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->ops = ops;
    p->ctx = ctx;
    return p;
}
int port_open(struct port *p)
{
    if (p->is_open) return -3;
    p->is_open = 1;
    return 0;
}
int port_write(struct port *p, const unsigned char *data, size_t len)
{
    size_t i;
    if (!p->is_open) return -3;
    if (!data || len == 0) return -2;
    for (i = 0; i < len; i++)
        if (p->ops->put(p->ctx, data[i]) < 0) return i > 0 ? (int)i : -4;
    return (int)len;
}
int port_read(struct port *p, unsigned char *buf, size_t cap)
{
    size_t n = 0;
    int c;
    if (!p->is_open) return -3;
    while (n < cap && (c = p->ops->get(p->ctx)) >= 0) buf[n++] = (unsigned char)c;
    return (int)n;
}
