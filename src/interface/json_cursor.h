// Reads JSON text from left to right without building a document: the caller asks for what it
// expects to come next. Values may be looked up by their offset again, so that a reader can visit
// the fields of a large object in the order that suits it. This is why results do not go through
// nlohmann's reader: its document of a million states takes three gigabytes, and its event parser
// cannot go back.
//
//   cursor.enter();                                   // at { or [
//   for (std::string_view key; cursor.next_field(key);)
//     if (key == "word") read_word(cursor); else cursor.skip();
//
//                  scalar read, skip
//   BEFORE A VALUE ──────────────────────────────────────► AFTER A VALUE ── finish ─► end
//     ▲        │                                             ▲       │
//     │        └─ enter ─► INSIDE ── next_… is false ────────┘       │ inside an object
//     │                      │                                       │ or array
//     └── next_… is true ────┴───────────────────────────────────────┘
//
// kind() and offset() change nothing.
//
// The grammar is RFC 8259; strings have to be UTF-8, surrogates paired, nesting at most `max_depth`
// deep. A violation, also of the expected kind, throws JsonError; only the reader of a whole file
// catches it and makes it a Diagnostic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

enum class JsonKind { Object, Array, String, Number, Boolean, Null };
/// "an object", "a string", …
std::string_view to_string(JsonKind kind);

struct JsonError {
  std::size_t offset = 0;
  std::string message;
};

class JsonCursor {
public:
  static constexpr std::size_t max_depth = 200;

  /// `text` outlives the cursor; `offset` is that of a value.
  explicit JsonCursor(std::string_view text, std::size_t offset = 0) : text_(text), at_(offset) {}

  /// Of the value that comes next.
  JsonKind kind();
  std::size_t offset();

  void enter();
  /// Moves to the next member; false when there is none, and the object is left. The key is valid
  /// until the next call.
  bool next_field(std::string_view& key);
  bool next_element();

  /// Valid until the next call.
  std::string_view string();
  /// As it is written: whoever wants the value decides about its range.
  std::string_view number();
  bool boolean();
  void null();
  /// Passes over a value of any kind and checks it.
  void skip();
  /// The text should end here.
  void finish();

private:
  enum class Place : std::uint8_t { ObjectStart, Object, ArrayStart, Array };

  [[noreturn]] void fail_at(std::size_t offset, std::string message) const;
  [[noreturn]] void unexpected(std::string_view wanted);
  void skip_space();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void want(JsonKind kind);
  void literal(std::string_view word);
  std::string_view string_into(std::string& scratch);
  char32_t hex4();
  void escape(std::string& scratch);

  std::string_view text_;
  std::size_t at_;
  std::vector<Place> places_;
  std::string key_, value_; // texts with escapes
};

} // namespace tacit
