// Values as clients write them, before anybody knows their types: in letters of the command line
// (`seek(-1)`, `open("a.mp4", Mode::Fast)=true`) and in recorded traces (docs/formats.md,
// "Traces").
//
// A bare word may be an enumerator, a constant or the name of an object; which one is decided when
// it meets a parameter (calling.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/integer.h"
#include "interface/json_cursor.h"

namespace tacit {

struct WrittenValue {
  enum class Kind {
    Missing, // not told
    Null,
    Bool,     // number
    Number,   // number
    Text,     // text: between quotes
    Char,     // text: between single quotes
    Bare,     // text: an enumerator, a constant or an object
    Recorded, // text of a trace: a word, what a text says or, in Java, a number
    Object,   // text: its name; equal names are equal objects
    Fields,   // parts: of a structure, in order
    List,     // parts: of an array or a list
    Self,     // the object itself
    Out,      // what is written through it is not told, or is parts[0]
    Other,    // something that has no meaning here, as 1.5
  };
  Kind kind = Kind::Missing;
  std::string text;
  Integer number = 0;
  std::vector<WrittenValue> parts;

  /// Something whose meaning the type decides.
  bool is_word() const { return kind == Kind::Bare || kind == Kind::Recorded; }
  bool operator==(const WrittenValue&) const = default;
};

/// As it is written in a letter.
std::string to_string(const WrittenValue& value);

/// `call`, `call(1, "a")`, `call(1)=true`, `call:throws=E`, `call(int)(1)` for one of several
/// overloads.
struct WrittenCall {
  std::string name; // as written, a list of types included where that is a name
  std::optional<std::vector<WrittenValue>> arguments;
  std::optional<WrittenValue> result;
  std::string outcome; // empty: not told

  bool operator==(const WrittenCall&) const = default;
};

std::string to_string(const WrittenCall& call);

using IsName = std::function<bool(std::string_view)>;

/// Reads a letter. `is_name` says which texts are names of calls, so that `write(byte[],int)` is
/// not taken for a call with arguments; where none fits, the name ends before the first
/// parenthesis.
Result<WrittenCall> parse_written_call(std::string_view text, const IsName& is_name);

/// The value at the cursor, as recorded traces have it.
WrittenValue read_written_value(JsonCursor& cursor);

} // namespace tacit
