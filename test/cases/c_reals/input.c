#include <stdlib.h>
#include <string.h>
struct point { int n; double at; };
struct heater {
    double target, limit;
    float step;
    int on;
    struct point last;
};
struct heater *heater_new(double limit)
{
    struct heater *h;
    if (limit <= 0) return NULL;
    h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->limit = limit;
    return h;
}
int heater_set(struct heater *h, double t)
{
    if (t < 0.5 || t > h->limit) return -1;
    h->target = t;
    h->last = (struct point){0, 0.0};
    return 0;
}
int heater_step(struct heater *h, float s)
{
    if (s <= 0 || s > 2.5f) return -1;
    h->step = s;
    return 0;
}
int heater_on(struct heater *h)
{
    if (h->on || h->target == 0.0 || h->last.at != 0.0) return -2;
    h->on = 1;
    return 0;
}
int heater_off(struct heater *h)
{
    if (!h->on) return -2;
    h->on = 0;
    return 0;
}
