// The writing end of a pipe, with the reading end inside it. A full pipe waits for its reader.
#include <ios>

class IOException : public std::exception {};

int wait_for_reader(int buffered) noexcept;

class PipedOutputStream {
public:
  void connect() {
    if (has_sink_ || sink_.connected) throw IOException();
    has_sink_ = true;
    sink_.connected = true;
    sink_.buffered = 0;
  }

  void write(char byte) {
    if (!has_sink_) throw IOException();
    receive(byte);
  }

  void flush() noexcept {
    if (has_sink_) sink_.flushed = true;
  }

  void close() noexcept {
    if (has_sink_) sink_.closed_by_writer = true;
  }

private:
  struct Sink {
    bool connected = false;
    bool closed_by_writer = false;
    bool flushed = false;
    int buffered = 0;
  };

  void receive(char) {
    if (!sink_.connected || sink_.closed_by_writer) throw IOException();
    sink_.flushed = false;
    if (sink_.buffered >= 1024) sink_.buffered = wait_for_reader(sink_.buffered);
    ++sink_.buffered;
  }

  Sink sink_;
  bool has_sink_ = false;
};
