// java.net.Socket of JDK 1.4 as a C++ class; clauses and invariant are comments. See epa_socket_second.
class Socket {
public:
  // @requires !closed && !connected
  void connect() {
    created = true;
    connected = true;
    bound = true;
  }

  // @requires !closed && !bound
  void bind() {
    created = true;
    bound = true;
  }

  void close() { closed = true; }

  // @requires !this->closed && this->connected && !this->shut_in
  void getInputStream() {}
  // @requires !closed && connected && !shut_out
  void getOutputStream() {}

  /// Shuts one half.
  /// @requires !closed && connected && !shut_in
  void shutdownInput() { shut_in = true; }
  /// @requires !closed && connected && !shut_out
  void shutdownOutput() { shut_out = true; }

private:
  // @invariant connected => bound
  // @invariant bound => created
  // @invariant shut_in || shut_out => connected
  bool created = false, bound = false, connected = false, closed = false;
  bool shut_in = false, shut_out = false;
};
