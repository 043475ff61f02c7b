// Separators of all languages are brought to one before names are compared, so that
// `std::logic_error` on the command line meets `std.logic_error` of a front end.
#include "program/ir/names.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tacit {

std::string with_dots(std::string_view name) {
  std::string dotted;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool colons = name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':';
    if (colons) ++i;
    dotted += colons || name[i] == '/' || name[i] == '$' ? '.' : name[i];
  }
  return dotted;
}

namespace {

/// Whether `end` is the last components of `name`.
bool ends_with_components(std::string_view name, std::string_view end) {
  if (end.empty() || !name.ends_with(end)) return false;
  return name.size() == end.size() || name[name.size() - end.size() - 1] == '.';
}

bool dotted_match(const std::string& wanted, const std::string& name) {
  return ends_with_components(name, wanted) || ends_with_components(wanted, name);
}

bool allowed_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
         c == '~';
}

} // namespace

std::string simple_name(std::string_view name) {
  const std::string dotted = with_dots(name);
  return dotted.substr(dotted.rfind('.') + 1); // npos + 1 is 0
}

std::string_view bare_name(std::string_view name) {
  const std::size_t parenthesis = name.find('(');
  return parenthesis == 0 ? name : name.substr(0, parenthesis);
}

bool name_matches(std::string_view wanted, std::string_view name) {
  if (wanted.empty() || name.empty()) return false;
  if (wanted == name) return true;
  if (wanted.find('(') == std::string_view::npos)
    return dotted_match(with_dots(wanted), with_dots(bare_name(name)));
  // Dots inside a parameter list separate nothing, so the list is compared as it is.
  return wanted.substr(bare_name(wanted).size()) == name.substr(bare_name(name).size()) &&
         dotted_match(with_dots(bare_name(wanted)), with_dots(bare_name(name)));
}

bool matches_wildcard(std::string_view pattern, std::string_view text) {
  // The last `*` takes one character more whenever what follows it does not fit.
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool takes_call(std::string_view pattern, std::string_view call) {
  // `close()` where there is one `close`, which is spelled without.
  if (pattern.ends_with("()") && !call.contains('(')) pattern.remove_suffix(2);
  return matches_wildcard(pattern, call) || matches_wildcard(pattern, bare_name(call));
}

FreshNames::FreshNames(const Module& module, const Procedure& procedure) {
  for (const StateVariable& state : module.state) used_.insert(state.name());
  for (const Variable& parameter : procedure.parameters) used_.insert(parameter.name());
  for (const Variable& local : procedure.locals) used_.insert(local.name());
}

std::string FreshNames::take(std::string_view base) {
  std::string clean(base);
  std::ranges::replace_if(clean, [](char c) { return !allowed_in_name(c); }, '_');
  std::size_t& count = count_[clean];
  for (;;) {
    ++count;
    std::string name = count == 1 ? clean : fmt::format("{}.{}", clean, count);
    if (used_.insert(name).second) return name;
  }
}

Term add_local(TermArena& arena, Procedure& procedure, FreshNames& names, std::string_view base,
               const Type& type) {
  const Term term = arena.var(names.take(base), type.sort);
  procedure.locals.push_back({term, type});
  return term;
}

} // namespace tacit
