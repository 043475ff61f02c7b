// A stream socket: bound, connected, each half shut down, closed.
#include <stdexcept>

namespace net {

class SocketException : public std::runtime_error {
public:
  explicit SocketException(const char* what) : std::runtime_error(what) {}
};

class Socket {
public:
  Socket()
      : created_(false), bound_(false), connected_(false), closed_(false), in_(false), out_(false) {
  }

  void connect(unsigned short port) {
    if (closed_) throw SocketException("socket is closed");
    if (connected_) throw SocketException("already connected");
    if (!created_) create();
    port_ = port;
    connected_ = true;
    bound_ = true;
  }

  void bind(unsigned short port) {
    if (closed_) throw SocketException("socket is closed");
    if (bound_) throw SocketException("already bound");
    port_ = port;
    bound_ = true;
  }

  void close() noexcept {
    if (closed_) return;
    closed_ = true;
  }

  void getInputStream() { check(in_, "input is shut down"); }
  void getOutputStream() { check(out_, "output is shut down"); }

  void shutdownInput() {
    check(in_, "input is shut down");
    in_ = true;
  }

  void shutdownOutput() {
    check(out_, "output is shut down");
    out_ = true;
  }

private:
  void create() { created_ = true; }

  void check(bool shut, const char* what) const {
    if (closed_) throw SocketException("socket is closed");
    if (!connected_) throw SocketException("not connected");
    if (shut) throw SocketException(what);
  }

  bool created_ : 1, bound_ : 1, connected_ : 1, closed_ : 1;
  bool in_, out_; // that half is shut down
  unsigned short port_ = 0;
};

} // namespace net
