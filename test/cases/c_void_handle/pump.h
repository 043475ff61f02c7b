typedef void* pump_t;
int pump_open(pump_t* out, int channel);
int pump_start(pump_t p, int rate);
int pump_stop(pump_t p);
int pump_last_error(pump_t p);
void pump_close(pump_t p);
