// What the readers of the parts of a result know of the document that they are in: its version, and
// the names and numbers that other parts may refer to. Fields of the document are found wherever
// they stand; json_read.cpp reads them in the order in which they need each other.
#pragma once

#include "interface/interface.h"
#include "interface/json_document.h"
#include "interface/written_value.h"
#include "program/ir/names.h"

namespace tacit {

class PartReader : public DocumentReader {
public:
  using DocumentReader::DocumentReader;

protected:
  std::size_t elements(std::string_view name) const {
    const auto place = context_.places.find(name);
    return place == context_.places.end() ? 0 : place->second.elements;
  }

  template <class Read> bool maybe_field(std::string_view name, Read read) {
    const auto place = context_.places.find(name);
    if (place == context_.places.end()) return false;
    path_.push_back({name, std::nullopt});
    read_at(place->second.offset, read);
    path_.pop_back();
    return true;
  }

  /// Of version 2 only; what an older reader would pass over must not stand in an older file.
  template <class Read> void second_field(std::string_view name, Read read) {
    maybe_field(name, [&] {
      need_second_version();
      read();
    });
  }

  void need_second_version() {
    if (context_.version < 2) complain("belongs to version 2, but this is a result of version 1");
  }

  template <class Read> void field(std::string_view name, std::size_t start, Read read) {
    if (maybe_field(name, read)) return;
    const std::string_view hint = name == "tacit" ? ", this is not a result of Tacit" : "";
    complain_at(start, fmt::format("the field '{}' is missing{}", name, hint));
  }

  void version() {
    want(JsonKind::Number);
    const std::size_t at = cursor_.offset();
    const auto number = cursor_.number();
    if (number != "1" && number != "2")
      complain_at(
          at,
          fmt::format("this is a result of version {}, only versions 1 and 2 can be read", number));
    context_.version = number == "1" ? 1 : 2;
  }

  /// A condition, not an empty one: that would be none.
  void when(std::string& condition) {
    need_second_version();
    const std::size_t at = cursor_.offset();
    read_into(condition);
    if (condition.empty()) complain_at(at, "a condition should not be empty");
  }

  void set(TrackedUpdate& update) {
    need_second_version();
    table([&](const std::string& name) {
      name_in(context_.tracked, "tracked value", name, cursor_.offset());
      read_into(update[name]);
    });
  }

  /// A list of distinct names, not empty ones.
  void distinct_names(std::string_view thing, Names& names) {
    array([&](std::size_t index) {
      const std::size_t at = cursor_.offset();
      const std::string name = text();
      if (name.empty()) complain_at(at, fmt::format("a {} should have a name", thing));
      if (!names.try_emplace(name, index).second)
        complain_at(at, fmt::format("{} '{}' is listed twice", thing, name));
    });
  }

  static std::vector<std::string> in_order(const Names& names) {
    std::vector<std::string> ordered(names.size());
    for (const auto& [name, index] : names) ordered[index] = name;
    return ordered;
  }

  State state_number(const Interface& interface) {
    return static_cast<State>(number_of("state", interface.states.size()));
  }

  std::size_t call_named() {
    const std::size_t at = cursor_.offset();
    return name_in(context_.calls, "call", text_view(), at);
  }

  /// In version 2 also `call(ARGUMENTS)=RESULT:OUTCOME`, the call perhaps without its types.
  bool concrete(const std::string& letter) const {
    if (context_.version < 2) return false;
    const auto known = [&](std::string_view name) {
      const auto is_it = [&](const auto& entry) {
        return entry.first == name || bare_name(entry.first) == name;
      };
      return std::ranges::any_of(context_.calls, is_it) ||
             std::ranges::any_of(context_.constructors, is_it);
    };
    const auto written = parse_written_call(letter, known);
    return written && known(written->name);
  }

  /// What is known of the result that is being read; the interface before pruning has its own.
  struct Context {
    Places places;
    Names calls, constructors, tracked;
    std::vector<Names> outcomes; // by call
    bool fixed_constructors = false;
    int version = 1;
  };
  Context context_;
};

} // namespace tacit
