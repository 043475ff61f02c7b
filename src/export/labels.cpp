#include "export/labels.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "export/plain_label.h"
#include "interface/source_words.h"
#include "interface/utf8.h"
#include "program/observe/instrument.h"

namespace tacit {

namespace {

constexpr std::size_t long_label = 48; // characters

using Alternatives = std::vector<std::vector<std::string>>;

std::string joined(const std::vector<std::string>& parts, std::string_view by) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(by)) + part;
  return text;
}

} // namespace

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

std::string ShownLabels::whole(State q) const {
  if (everywhere.empty()) return states[q];
  if (states[q].empty() || states[q] == "true") return everywhere;
  const bool several = alternatives_of(states[q]).size() > 1;
  return everywhere + " && " + (several ? "(" + states[q] + ")" : states[q]);
}

namespace {

/// What is over for good says no more, and everything else is not: `freed` is a variable that
/// stands for that.
void tell_the_end_apart(const Interface& interface, std::vector<Alternatives>& labels) {
  const std::string freed = "freed";
  if (std::ranges::none_of(interface.forbidden,
                           [](const Refusal& refusal) { return refusal.error == used_after_free; }))
    return;
  const auto says = [&](const std::vector<std::string>& conjuncts) {
    return std::ranges::find(conjuncts, freed) != conjuncts.end();
  };
  for (Alternatives& label : labels) {
    if (std::ranges::all_of(label, says))
      label = {{freed}};
    else
      for (auto& conjuncts : label)
        if (conjuncts.size() > 1) std::erase(conjuncts, "!" + freed);
  }
}

/// The object that is called is there, also where that stands in brackets.
std::string without_receiver(std::string label) {
  for (const std::string_view said : {"this != null && ", " && this != null"})
    for (std::size_t at = label.find(said); at != label.npos; at = label.find(said, at))
      label.erase(at, said.size());
  return label;
}

} // namespace

ShownLabels shown_labels(const Interface& interface) {
  ShownLabels shown;
  std::vector<Alternatives> labels;
  const SourceWords words(interface);
  const bool machine = interface.options.integers == Integers::Machine; // sums wrap around
  std::vector<Alternatives> plain;
  for (const InterfaceState& state : interface.states) {
    const std::string label = without_receiver(state.label);
    plain.push_back(machine ? alternatives_of(label)
                            : plain_alternatives(label, words.enumerations()));
  }
  tell_the_end_apart(interface, plain);
  for (State q = 0; q < interface.states.size(); ++q) {
    Alternatives label = std::move(plain[q]);
    const bool given = !interface.states[q].label.empty();
    for (auto& conjuncts : label) {
      for (std::string& conjunct : conjuncts) conjunct = words.conjunct(conjunct);
      const bool any = !std::ranges::all_of(conjuncts, &std::string::empty);
      if (any) std::erase(conjuncts, "");
      if (!any && given) conjuncts = {"true"};
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
  // What names a state is said first of all.
  const auto names_it = [&](const std::string& c) {
    return std::ranges::any_of(words.enumerations(), [&](const auto& one) {
      return c.starts_with(words.condition(one.first) + " == ");
    });
  };
  const auto rarest_first = [&](Alternatives& label) {
    for (auto& conjuncts : label)
      std::ranges::stable_sort(conjuncts, {}, [&](const std::string& c) {
        return std::pair(!names_it(c), states_with[c]);
      });
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
