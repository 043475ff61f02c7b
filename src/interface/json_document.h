// What readers of particular JSON documents share: objects with known fields, arrays, names and
// numbers that refer to something, and the path to the value that is being read, for messages.
//
//   object(required("from", [&] { from = state_number(); }),
//          optional("label", [&] { read_into(label); }));
//
// All complaints are thrown as JsonError with the offset of the value at fault and its path in the
// message.
#pragma once

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "interface/json_cursor.h"
#include "logic/term/parse.h"

namespace tacit {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
using Names = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

inline std::vector<std::string> sorted_names(const Names& names) {
  std::vector<std::string> sorted;
  for (const auto& [name, index] : names) sorted.push_back(name);
  std::ranges::sort(sorted);
  return sorted;
}

/// Values of JSON with the path that leads to them. A base class for readers of particular
/// documents.
class DocumentReader {
public:
  explicit DocumentReader(std::string_view text) : text_(text), cursor_(text) {}

protected:
  /// A member of an object and how it is read. The cursor stands before its value.
  template <class Read> struct Field {
    std::string_view name;
    bool required;
    Read read;
  };
  template <class Read> static Field<Read> required(std::string_view name, Read read) {
    return {name, true, std::move(read)};
  }
  template <class Read> static Field<Read> optional(std::string_view name, Read read) {
    return {name, false, std::move(read)};
  }

  struct Segment {
    std::string_view name;
    std::optional<std::size_t> index;
  };

  /// Where a top-level value is, and how many elements it has when it is an array.
  struct Place {
    std::size_t offset = 0;
    std::size_t elements = 0;
  };

  using Places = std::map<std::string, Place, std::less<>>;

  /// `transitions[17].to`.
  std::string path() const {
    std::string path;
    for (const Segment& segment : path_) {
      if (segment.index)
        path += fmt::format("[{}]", *segment.index);
      else
        path += (path.empty() ? "" : ".") + std::string(segment.name);
    }
    return path;
  }

  [[noreturn]] void complain_at(std::size_t offset, std::string_view message) const {
    const std::string where = path();
    throw JsonError{offset, fmt::format("{}{}{}", where, where.empty() ? "" : ": ", message)};
  }
  /// About a part of the current value that has been read already.
  [[noreturn]] void complain_below(std::string_view part, std::size_t offset,
                                   std::string_view message) {
    path_.push_back({part, std::nullopt});
    complain_at(offset, message);
  }
  [[noreturn]] void complain(std::string_view message) { complain_at(cursor_.offset(), message); }

  void want(JsonKind kind) {
    if (const JsonKind found = cursor_.kind(); found != kind)
      complain(fmt::format("should be {}, is {}", to_string(kind), to_string(found)));
  }

  /// The fields may come in any order; others are ignored, a repeated one is an error.
  template <class... Reads> void object(const Field<Reads>&... fields) {
    want(JsonKind::Object);
    const std::size_t start = cursor_.offset();
    cursor_.enter();
    std::uint32_t seen = 0;
    for (std::string_view key; cursor_.next_field(key);) {
      std::size_t index = 0;
      if (!(take(key, fields, index++, seen) || ...)) cursor_.skip();
    }
    std::size_t index = 0;
    (check_presence(fields.name, (seen >> index++ & 1) || !fields.required, start), ...);
  }

  template <class Read>
  bool take(std::string_view key, const Field<Read>& field, std::size_t index,
            std::uint32_t& seen) {
    if (key != field.name) return false;
    path_.push_back({field.name, std::nullopt});
    if (seen >> index & 1) complain("is given twice");
    seen |= std::uint32_t{1} << index;
    field.read();
    path_.pop_back();
    return true;
  }

  void check_presence(std::string_view name, bool present, std::size_t start) {
    if (!present) complain_at(start, fmt::format("the field '{}' is missing", name));
  }

  template <class Read> void array(Read read) {
    want(JsonKind::Array);
    cursor_.enter();
    path_.push_back({{}, 0});
    for (std::size_t index = 0; cursor_.next_element(); ++index) {
      path_.back().index = index;
      read(index);
    }
    path_.pop_back();
  }

  /// An object used as a table; `read` gets the key.
  template <class Read> void table(Read read) {
    want(JsonKind::Object);
    cursor_.enter();
    Names seen;
    for (std::string_view view; cursor_.next_field(view);) {
      const auto [entry, added] = seen.try_emplace(std::string(view), 0);
      const std::string& key = entry->first;
      if (!added) complain_below(key, cursor_.offset(), "is given twice");
      path_.push_back({key, std::nullopt});
      read(key);
      path_.pop_back();
    }
  }

  std::string text() { return std::string(text_view()); }
  std::string_view text_view() {
    want(JsonKind::String);
    return cursor_.string();
  }
  void read_into(std::string& value) { value = text(); }
  void read_into(bool& value) {
    want(JsonKind::Boolean);
    value = cursor_.boolean();
  }
  void read_into(std::vector<std::string>& values) {
    array([&](std::size_t) { values.push_back(text()); });
  }
  void read_into(std::map<std::string, std::string>& values) {
    table([&](const std::string& key) { values[key] = text(); });
  }

  /// One of a few words.
  template <class Value>
  void read_into(Value& value, std::initializer_list<std::pair<std::string_view, Value>> words) {
    const std::size_t at = cursor_.offset();
    const std::string word = text();
    std::vector<std::string> known;
    for (const auto& [name, meaning] : words) {
      if (name == word) {
        value = meaning;
        return;
      }
      known.emplace_back(name);
    }
    complain_at(at, fmt::format("'{}' is not one of {}{}", word, fmt::join(known, ", "),
                                suggestion(word, known)));
  }

  /// The number of something of which there are `count`: "state 7 does not exist".
  std::size_t number_of(std::string_view thing, std::size_t count) {
    want(JsonKind::Number);
    const std::size_t at = cursor_.offset();
    return number_of(thing, count, cursor_.number(), at);
  }
  std::size_t number_of(std::string_view thing, std::size_t count, std::string_view digits,
                        std::size_t at) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool plain =
        digits.find_first_not_of("0123456789") == std::string_view::npos && !digits.empty();
    if (!plain) complain_at(at, fmt::format("should be the number of a {}, is {}", thing, digits));
    if (error != std::errc() || value >= count)
      complain_at(at, fmt::format("{} {} does not exist", thing, digits));
    return value;
  }

  std::size_t name_in(const Names& names, std::string_view thing, std::string_view name,
                      std::size_t at) {
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    complain_at(
        at, fmt::format("unknown {} '{}'{}", thing, name, suggestion(name, sorted_names(names))));
  }

  template <class Read> void read_at(std::size_t offset, Read read) {
    JsonCursor saved = std::exchange(cursor_, JsonCursor(text_, offset));
    read();
    cursor_ = std::move(saved);
  }

  /// Passes over the object that comes next and says where its fields are.
  Places survey() {
    want(JsonKind::Object);
    Places places;
    cursor_.enter();
    for (std::string_view view; cursor_.next_field(view);) {
      const std::string key(view);
      Place place{cursor_.offset(), 0};
      if (!places.try_emplace(key).second) complain_below(key, place.offset, "is given twice");
      if (cursor_.kind() == JsonKind::Array) {
        cursor_.enter();
        for (; cursor_.next_element(); ++place.elements) cursor_.skip();
      } else {
        cursor_.skip();
      }
      places[key] = place;
    }
    return places;
  }

  std::string_view text_;
  JsonCursor cursor_;
  std::vector<Segment> path_;
};

} // namespace tacit
