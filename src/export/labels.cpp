#include "export/labels.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "interface/utf8.h"
#include "program/text/read.h"

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

std::vector<std::vector<std::string>> label_alternatives(const std::string& label) {
  return alternatives_of(label);
}

std::string fitted_label(const std::string& label, std::size_t width) {
  if (utf8_width(label) <= width) return label;
  std::string kept;
  const Alternatives all = alternatives_of(label);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string more = (kept.empty() ? "" : kept + " || ") + joined(all[i], " && ");
    const std::string rest = fmt::format(" || … {} more", all.size() - i - 1);
    if (utf8_width(more) + utf8_width(rest) > width)
      return i == 0 ? label : kept + fmt::format(" || … {} more", all.size() - i);
    kept = more;
  }
  return kept;
}

namespace {

/// Replaces whole names; `name` may be quoted in the text.
std::string with_names(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string shown, name;
  const auto part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
  };
  const auto flush = [&](bool quoted) {
    const auto known = names.find(name);
    const std::string mark = quoted ? "`" : "";
    shown += known == names.end() ? mark + name + mark : known->second;
    name.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') {
      const std::size_t end = std::min(text.find('`', i + 1), text.size());
      name = text.substr(i + 1, end - i - 1);
      flush(true);
      i = end;
    } else if (part(text[i])) {
      name += text[i];
    } else {
      if (!name.empty()) flush(false);
      shown += text[i];
    }
  }
  if (!name.empty()) flush(false);
  return shown;
}

/// How the source says it: names, null pointers and empty containers.
class SourceWords {
public:
  explicit SourceWords(const Interface& interface) : language_(interface.language) {
    if (interface.tir.empty() || interface.tir.find(" shown ") == std::string::npos) return;
    const auto module = read_module(interface.tir, interface.component_name + ".tir");
    if (!module) return;
    for (const StateVariable& v : module->state)
      if (v.shown_name() != v.name()) names_[v.name()] = v.shown_name();
  }

  /// Empty when it always holds.
  std::string conjunct(const std::string& text) const {
    if (text == "this != null") return "";
    std::string shown = names_.empty() ? text : with_names(text, names_);
    const std::string null = language_ == "cpp" ? "nullptr" : language_ == "c" ? "NULL" : "";
    for (const std::string_view symbol : {" == ", " != "})
      if (!null.empty() && shown.ends_with(std::string(symbol) + "null"))
        shown.replace(shown.size() - 4, 4, null);
    const std::string empty = language_ == "java" ? ".isEmpty()" : ".empty()";
    for (const std::string_view end : {".size() == 0", ".size() > 0", ".size() != 0"}) {
      if (!shown.ends_with(end) || shown.find(' ') != shown.size() - end.size() + 7) continue;
      const std::string object = shown.substr(0, shown.size() - end.size());
      shown = (end.find("== 0") == std::string_view::npos ? "!" : "") + object + empty;
    }
    return shown;
  }

private:
  std::string language_;
  std::map<std::string, std::string> names_;
};

} // namespace

ShownLabels shown_labels(const Interface& interface) {
  ShownLabels shown;
  std::vector<Alternatives> labels;
  const SourceWords words(interface);
  for (const InterfaceState& state : interface.states) {
    Alternatives label = alternatives_of(state.label);
    for (auto& conjuncts : label) {
      for (std::string& conjunct : conjuncts) conjunct = words.conjunct(conjunct);
      const bool any = !std::ranges::all_of(conjuncts, &std::string::empty);
      if (any) std::erase(conjuncts, "");
      if (!any && !state.label.empty()) conjuncts = {"true"};
    }
    std::vector<std::string> alternatives;
    for (const auto& conjuncts : label) alternatives.push_back(joined(conjuncts, " && "));
    shown.states.push_back(joined(alternatives, " || "));
    labels.push_back(std::move(label));
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
