#include "frontend/llvm/facts/reach.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <cctype>

namespace tacit {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }

/// Where a type is named in a text, as a whole word; npos where it is not.
std::size_t mention(const std::string& text, const std::string& name, std::size_t from = 0) {
  for (std::size_t at = text.find(name, from); at != std::string::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end])))
      return at;
  }
  return std::string::npos;
}

void reach_mentioned(const SourceFacts& facts, const std::string& type, Reached& into) {
  for (const auto& [name, record] : facts.records)
    if (!record.in_system_header && name != type && mention(type, name) != std::string::npos)
      reach_from(facts, name, into);
}

} // namespace

void reach_behind(const SourceFacts& facts, const std::string& type, Reached& into) {
  const auto found = facts.records.find(type);
  if (found == facts.records.end() || found->second.fields.empty())
    return reach_mentioned(facts, type, into);
  for (const FieldFact& field : found->second.fields) {
    if (field.type.kind == SourceType::Kind::Object) {
      if (field.type.name.starts_with("union ")) into.untyped = true;
      reach_mentioned(facts, field.type.name, into);
    }
    if (field.type.kind != SourceType::Kind::Pointer || field.type.is_function) continue;
    if (!field.type.name.empty())
      reach_from(facts, field.type.name, into);
    else if (field.type.pointee_bits == 0)
      into.untyped = true;
  }
}

void reach_from(const SourceFacts& facts, const std::string& type, Reached& into) {
  if (type.empty()) return;
  const auto found = facts.records.find(type);
  // A class without fields may be an argument of its own members' types: it is met once.
  if ((found == facts.records.end() || found->second.fields.empty()) &&
      !into.owners.insert(type).second)
    return;
  if (found != facts.records.end() && !found->second.fields.empty()) {
    if (!into.records.insert(type).second) return;
    for (const FieldFact& field : found->second.fields) into.owners.insert(field.owner);
    if (const auto children = facts.derived.find(type); children != facts.derived.end())
      for (const std::string& child : children->second) reach_from(facts, child, into);
  } else if (const auto children = facts.derived.find(type); children != facts.derived.end()) {
    for (const std::string& child : children->second) reach_from(facts, child, into);
  }
  reach_behind(facts, type, into);
}

std::set<std::string> held_by_value(const SourceFacts& facts, const std::string& type) {
  std::set<std::string> found;
  // What a smart pointer owns lies elsewhere, and does not move.
  const auto owned = [&](std::size_t at) {
    return std::ranges::any_of(
        std::array{"shared_ptr<", "weak_ptr<", "unique_ptr<"}, [&](std::string_view owner) {
          return at >= owner.size() && type.compare(at - owner.size(), owner.size(), owner) == 0;
        });
  };
  for (const auto& [name, record] : facts.records) {
    if (record.in_system_header || record.fields.empty()) continue;
    for (std::size_t at = mention(type, name); at != std::string::npos;
         at = mention(type, name, at + 1))
      if (const std::size_t end = at + name.size(); type.substr(end, 2) != " *" && !owned(at))
        found.insert(name);
  }
  return found;
}

} // namespace tacit
