#include "program/contracts/pattern.h"

#include <algorithm>
#include <cctype>

namespace tacit {

namespace {

constexpr std::string_view operator_word = "operator";

/// Whether what was read so far ends in an operator that may go on with `<`.
bool within_operator(std::string_view before) {
  const auto at = before.rfind(operator_word);
  if (at == std::string_view::npos) return false;
  const std::string_view symbol = before.substr(at + operator_word.size());
  return std::ranges::all_of(symbol, [](char c) { return std::string_view("<>=-!").contains(c); });
}

/// `operator*` and `operator->*` are names.
bool is_wild(char c, std::string_view before) {
  return c == '*' && !before.ends_with(operator_word) && !before.ends_with("operator->");
}

constexpr std::size_t most_names = 10'000; // of one pattern

bool starts_identifier(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

std::string trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

/// Splits at a character that is not within angle brackets.
std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] != at || depth > 0) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  parts.push_back(trimmed(text.substr(start)));
  return parts;
}

/// What a wildcard is in the text of a pattern; `*` itself may be part of an operator's name.
constexpr char any_text = '\1';

bool fits(std::string_view pattern, std::string_view name) {
  const auto wild = pattern.find(any_text);
  if (wild == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, wild))) return false;
  const std::string_view rest = pattern.substr(wild + 1);
  name.remove_prefix(wild);
  if (rest.find(any_text) == std::string_view::npos) return name.ends_with(rest);
  for (std::size_t at = 0; at <= name.size(); ++at)
    if (fits(rest, name.substr(at))) return true;
  return false;
}

/// A group of choices: where its parentheses are.
struct Group {
  std::size_t open = std::string::npos, close = 0;
};

std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string::npos;
}

Group find_group(const std::string& text) {
  for (std::size_t open = text.find('('); open != std::string::npos;
       open = text.find('(', open + 1)) {
    const auto close = closing(text, open);
    if (close == std::string::npos) return {};
    if (text.substr(open, close - open).contains('|')) return {open, close};
  }
  return {};
}

/// Groups that stand between parentheses by their members.
std::string with_members(std::string text, const NameGroups& groups) {
  for (std::size_t open = text.find('('); open != std::string::npos;
       open = text.find('(', open + 1)) {
    const auto close = closing(text, open);
    if (close == std::string::npos) return text;
    std::string members;
    bool known = false;
    for (const std::string& choice : split(text.substr(open + 1, close - open - 1), '|')) {
      const auto group = groups.find(choice);
      known = known || group != groups.end();
      members += (members.empty() ? "" : "|") + (group == groups.end() ? choice : group->second);
    }
    if (known) text.replace(open + 1, close - open - 1, members);
  }
  return text;
}

Result<NamePattern> finish(const std::string& text, const Location& where) {
  NamePattern made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens = text[i] == '<' && i + 1 < text.size() && starts_identifier(text[i + 1]) &&
                       !within_operator(made.text);
    if (!opens) {
      const bool wild = is_wild(text[i], made.text);
      made.wild = made.wild || wild;
      made.text += wild ? any_text : text[i];
      continue;
    }
    const auto close = text.find('>', i);
    if (close == std::string::npos) return fail(where, "'{}': this '<' is never closed", text);
    if (!made.type_parameters.empty())
      return fail(where, "'{}' has type parameters in two places", text);
    made.type_parameters = split(text.substr(i + 1, close - i - 1), ',');
    for (const std::string& name : made.type_parameters)
      if (name.empty() || !std::ranges::all_of(name, [](char c) {
            return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c));
          }))
        return fail(where, "'{}': a type parameter is a name such as T, not '{}'", text, name);
    i = close;
  }
  if (made.text.empty()) return fail(where, "a contract needs a name");
  return made;
}

Result<void> expand(const std::string& text, const std::string& taken, const Location& where,
                    std::vector<NamePattern>& into) {
  const Group group = find_group(text);
  if (into.size() >= most_names) return fail(where, "a pattern for more than {} names", most_names);
  if (group.open == std::string::npos) {
    std::string name = text;
    for (auto mark = name.find('%'); mark != std::string::npos; mark = name.find('%')) {
      if (taken.empty() || name.substr(0, mark).ends_with(operator_word)) break;
      name.replace(mark, 1, taken);
    }
    auto made = finish(name, where);
    if (!made) return std::unexpected(made.error());
    into.push_back(std::move(*made));
    return {};
  }
  const std::string choices = text.substr(group.open + 1, group.close - group.open - 1);
  for (std::size_t start = 0; start <= choices.size();) {
    const auto end = std::min(choices.find('|', start), choices.size());
    const std::string choice = choices.substr(start, end - start);
    if (auto done = expand(text.substr(0, group.open) + choice + text.substr(group.close + 1),
                           taken.empty() ? choice : taken, where, into);
        !done)
      return done;
    start = end + 1;
  }
  return {};
}

} // namespace

bool NamePattern::matches(std::string_view name) const {
  return wild ? fits(text, name) : name == text;
}

Result<std::vector<NamePattern>> expand_pattern(const std::string& text, const Location& where,
                                                const NameGroups& groups) {
  std::vector<NamePattern> made;
  if (auto done = expand(with_members(text, groups), "", where, made); !done)
    return std::unexpected(done.error());
  return made;
}

std::string class_of(std::string_view name) {
  const std::string_view bare = name.substr(0, name.find('('));
  const bool call_operator = bare.ends_with(operator_word); // `operator()`
  const std::string_view full = call_operator ? name : bare;
  const auto colons = full.rfind("::");
  if (colons != std::string_view::npos) return std::string(full.substr(0, colons));
  const auto dot = full.rfind('.');
  return dot == std::string_view::npos ? "" : std::string(full.substr(0, dot));
}

std::string without_arguments(std::string_view name) {
  std::string made;
  int depth = 0;
  for (const char c : name) {
    const bool is_operator =
        made.ends_with("operator") || made.ends_with("operator<") || made.ends_with("operator-");
    if (c == '<' && !is_operator) ++depth;
    if (depth == 0) made += c;
    if (c == '>' && depth > 0) --depth;
  }
  return made;
}

std::vector<std::string> template_arguments(std::string_view name) {
  if (!name.ends_with('>')) return {};
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return split(name.substr(i + 1, name.size() - i - 2), ',');
  }
  return {};
}

} // namespace tacit
