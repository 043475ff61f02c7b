// Writes JSON to a stream as it comes, through one large buffer and without building a document.
//
// The caller keeps to the grammar: in an object each value follows its key(). An object or array
// lays out its members on one line, or each on a line of its own so that files compare well:
//
//   JsonEmitter json(out);
//   json.begin_object(JsonEmitter::Layout::Rows);
//   json.key("word");
//   json.begin_array();
//   json.text("lock");
//   json.end_array();
//   json.end_object();                             // {⏎  "word": ["lock"]⏎}
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

class JsonEmitter {
public:
  enum class Layout { Line, Rows };

  /// `out` outlives the emitter. What is buffered reaches it at the latest with the destructor.
  explicit JsonEmitter(std::ostream& out);
  ~JsonEmitter() { flush(); }
  JsonEmitter(const JsonEmitter&) = delete;
  JsonEmitter& operator=(const JsonEmitter&) = delete;

  void begin_object(Layout layout = Layout::Line) { begin('{', '}', layout); }
  void end_object() { end(); }
  void begin_array(Layout layout = Layout::Line) { begin('[', ']', layout); }
  void end_array() { end(); }
  void key(std::string_view name);

  /// Bytes that are no UTF-8 become U+FFFD.
  void text(std::string_view value);
  void number(std::uint64_t value);
  void number(std::int64_t value);
  /// The shortest form that reads back exactly, always with a point or an exponent; null when not
  /// finite.
  void real(double value);
  void boolean(bool value);
  void null();

  /// A line break; after the last value.
  void newline();
  void flush();

private:
  struct Level {
    char close;
    Layout layout;
    bool empty = true;
  };

  void begin(char open, char close, Layout layout);
  void end();
  void before_value();
  void before_member(Level& level);
  void indent();
  void quoted(std::string_view value);
  void raw(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= limit) flush();
  }

  static constexpr std::size_t limit = std::size_t{1} << 20;

  std::ostream& out_;
  std::string buffer_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

} // namespace tacit
