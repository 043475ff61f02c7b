// Where an interface program keeps what it knows of an object: in the fields in which the component
// keeps its own state. So a copy of the object, or of a part of it, copies that too, what the
// client does with other fields does not disturb it, and a client that writes such a field shows:
// all of them get a mark.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

struct LayoutItem {
  std::string type, name; // in C
  std::uint64_t bytes = 0;
};

struct ObjectLayout {
  std::string fields; // of the struct, in C
  std::uint64_t bytes = 0;
  bool wide_state = false;        // an int, and its values are such that nobody writes by chance
  std::vector<std::string> marks; // the names of numbers
};

/// `items` without the state, by falling size. An empty layout when they do not fit. `state` names
/// the component's variables; objects of nobody knows what size may have any.
ObjectLayout lay_out(const RecordFact* record, const std::set<std::string>& state,
                     const std::vector<LayoutItem>& items);

} // namespace tacit
