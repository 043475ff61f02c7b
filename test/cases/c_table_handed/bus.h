struct bus_ops {
  int version;
  int (*send)(int byte);
  int (*wake)(void);
};
struct bus;
struct bus* bus_new(const struct bus_ops* ops);
int bus_open(struct bus* b, const struct bus_ops* other);
int bus_send(struct bus* b, int byte);
