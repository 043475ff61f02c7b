struct spool {
  int count;
  int paused;
};
void spool_init(struct spool* s);
void spool_pause(struct spool* s);
void spool_resume(struct spool* s);
