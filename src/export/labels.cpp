#include "export/labels.h"

#include <algorithm>
#include <map>
#include <set>

namespace tacit {

namespace {

constexpr std::size_t long_label = 70; // characters

/// At the operator, outside of brackets and quoted names.
std::vector<std::string> split(const std::string& text, std::string_view at) {
  std::vector<std::string> parts{""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ')' || c == ']' || c == '}')) --depth;
    if (!quoted && depth == 0 && text.compare(i, at.size(), at) == 0) {
      parts.emplace_back();
      i += at.size() - 1;
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

using Alternatives = std::vector<std::vector<std::string>>;

/// A conditional at the top binds weaker than the operators: it stays in one piece.
Alternatives alternatives_of(const std::string& label) {
  if (split(label, " ? ").size() > 1) return {{label}};
  Alternatives all;
  for (const std::string& alternative : split(label, " || "))
    all.push_back(split(alternative, " && "));
  return all;
}

std::string joined(const std::vector<std::string>& parts, std::string_view by) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(by)) + part;
  return text;
}

} // namespace

ShownLabels shown_labels(const Interface& interface) {
  ShownLabels shown;
  std::vector<Alternatives> labels;
  for (const InterfaceState& state : interface.states) {
    shown.states.push_back(state.label);
    labels.push_back(alternatives_of(state.label));
  }
  if (labels.size() < 2) return shown;
  // In a long label, what few states say comes first.
  std::map<std::string, std::size_t> states_with;
  for (const Alternatives& label : labels) {
    std::set<std::string> here;
    for (const auto& conjuncts : label) here.insert(conjuncts.begin(), conjuncts.end());
    for (const std::string& c : here) ++states_with[c];
  }
  const auto rarest_first = [&](Alternatives& label) {
    for (auto& conjuncts : label)
      std::ranges::stable_sort(conjuncts, {}, [&](const std::string& c) { return states_with[c]; });
  };
  std::vector<std::string> common = labels[0][0];
  for (const Alternatives& label : labels)
    for (const auto& conjuncts : label)
      std::erase_if(common, [&](const std::string& c) {
        return std::ranges::find(conjuncts, c) == conjuncts.end();
      });
  std::erase_if(common, [](const std::string& c) { return c.empty() || c == "true"; });
  shown.everywhere = joined(common, " && ");
  for (std::size_t q = 0; q < labels.size(); ++q) {
    const bool is_long = shown.states[q].size() > long_label;
    if (common.empty() && !is_long) continue;
    if (is_long) rarest_first(labels[q]);
    std::vector<std::string> left;
    for (auto& conjuncts : labels[q]) {
      std::erase_if(conjuncts, [&](const std::string& c) {
        return std::ranges::find(common, c) != common.end();
      });
      left.push_back(conjuncts.empty() ? "true" : joined(conjuncts, " && "));
    }
    const bool nothing = std::ranges::find(left, "true") != left.end();
    shown.states[q] = nothing ? "true" : joined(left, " || ");
  }
  return shown;
}

} // namespace tacit
