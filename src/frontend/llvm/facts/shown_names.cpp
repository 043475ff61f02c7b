#include "frontend/llvm/facts/shown_names.h"

#include <algorithm>

namespace tacit {

std::string shown_path(std::string_view path) {
  std::string shown;
  bool behind = false; // what comes is what an object of the library holds
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    const std::string_view part = path.substr(from, dot - from);
    from = dot + 1;
    if (part == "_M_engaged") return shown + ".has_value()";
    if (part == "_M_index") return shown + ".index()";
    if (part == "_M_len") return shown + ".size()";
    if (part == "_M_value") behind = true;
    if (part.starts_with("_M_") || part.starts_with("__")) continue;
    shown += (shown.empty() ? "" : behind ? "->" : ".") + std::string(part);
    behind = false;
  }
  if (shown.empty()) return std::string(path);
  return behind ? "*" + shown : shown;
}

std::string shown_fact(std::string_view object, std::string_view fact) {
  const std::string owner = shown_path(object);
  const std::string member = owner.starts_with('*') ? owner.substr(1) + "->" : owner + ".";
  if (fact == "set") return owner + " != nullptr";
  if (fact == "to") return "*" + owner;
  if (fact == "size") return member + "size()";
  if (fact == "has") return member + "contains";
  return fact == "text" ? owner : member + std::string(fact);
}

} // namespace tacit
