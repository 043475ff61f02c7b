#include "export/dot.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "automata/canonical.h"
#include "automata/scanner.h"
#include "automata/text.h"
#include "export/drawing.h"
#include "export/guarded_text.h"

namespace tacit {

std::string show_dot(const Interface& interface, const DotOptions& options) {
  std::string alphabet;
  const GuardedText texts(interface);
  const auto add_letter = [&](const std::string& letter) {
    alphabet += (alphabet.empty() ? "" : " ") + quote_if_needed(letter);
  };
  if (interface.guarded()) {
    // A letter is whatever stands on an edge.
    std::set<std::string> letters;
    for (const InterfaceTransition& t : interface.transitions) letters.insert(texts.edge(t));
    for (const std::string& letter : letters) add_letter(letter);
  } else {
    for (const InterfaceCall& call : interface.calls)
      for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome)
        add_letter(letter_name(call, outcome));
  }
  std::string text = fmt::format("digraph {} {{\n  alphabet={};\n  rankdir=\"LR\";\n",
                                 quote(interface.component_name), quote(alphabet));
  for (const std::string& line : tracked_lines(interface)) text += "  // tracked: " + line + "\n";
  for (const DrawnNode& node : drawing_of(interface).nodes) {
    std::string label;
    for (const std::string& line : node_lines(node, options.max_label))
      label += (label.empty() ? "" : "\n") + line;
    text += fmt::format("  s{} [shape=\"doublecircle\" label={}];\n", node.state, quote(label));
  }
  for (const InterfaceTransition& t : interface.transitions)
    text += fmt::format("  s{} -> s{} [label={}];\n", t.from, t.to, quote(texts.edge(t)));
  for (std::size_t i = 0; i < interface.initial.size(); ++i) {
    const InitialState& start = interface.initial[i];
    text += fmt::format("  __start{} [label=\"\" shape=\"none\"];\n", i);
    text +=
        fmt::format("  __start{} -> s{} [label={}];\n", i, start.state, quote(texts.start(start)));
  }
  return text + "}\n";
}

namespace {

/// `call:outcome` at the last single colon, when what follows is spelt like an outcome; else the
/// whole is a call.
std::pair<std::string, std::string> split_letter(const std::string& name) {
  for (std::size_t at = name.size(); at-- > 1;) {
    const bool single =
        name[at] == ':' && name[at - 1] != ':' && (at + 1 == name.size() || name[at + 1] != ':');
    if (!single) continue;
    const std::string rest = name.substr(at + 1);
    if (rest == "any" || rest.starts_with("returns") || rest.starts_with("throws="))
      return {name.substr(0, at), rest};
    break;
  }
  return {name, "any"};
}

} // namespace

Result<Interface> read_dot_result(std::string_view text, const std::string& file) {
  std::vector<std::string> entry_names;
  auto read = read_dot(text, file, &entry_names);
  if (!read) return std::unexpected(read.error());
  const Alphabet& alphabet = read->first;
  Interface result;
  const std::size_t slash = file.find_last_of('/');
  result.component_name = file.substr(slash == std::string::npos ? 0 : slash + 1);
  result.language = "dot";
  result.sources = {file};

  std::map<std::string, std::vector<std::pair<std::string, Letter>>> calls;
  for (Letter letter = 0; letter < alphabet.size(); ++letter) {
    const auto [call, outcome] = split_letter(alphabet.name(letter));
    calls[call].emplace_back(outcome, letter);
  }
  std::vector<Letter> order;
  for (auto& [call, outcomes] : calls) {
    std::ranges::sort(outcomes);
    result.calls.push_back({call, {}});
    for (const auto& [outcome, letter] : outcomes) {
      result.calls.back().outcomes.push_back(outcome);
      order.push_back(letter);
    }
  }

  // Only what accepts is a state of the interface; a call with a letter that leads elsewhere is
  // refused as a whole.
  Dfa kept = read->second;
  const auto allowed = [&](State q, const std::vector<std::pair<std::string, Letter>>& outcomes) {
    bool some = false;
    for (const auto& [outcome, letter] : outcomes) {
      const State to = read->second.next(q, letter);
      if (to == no_state) continue;
      if (read->second.colour(to) == 0) return false;
      some = true;
    }
    return some;
  };
  for (State q = 0; q < kept.states(); ++q)
    for (const auto& [call, outcomes] : calls)
      if (!allowed(q, outcomes))
        for (const auto& [outcome, letter] : outcomes) kept.set_next(q, letter, no_state);
  for (std::size_t i = 0; i < entry_names.size(); ++i) {
    std::string& name = entry_names[i];
    if (name.empty()) name = fmt::format("start{}", i);
    if (std::ranges::find(result.constructors, name) != result.constructors.end())
      return fail(Location{file}, "two start states are called '{}'", name);
    result.constructors.push_back(name);
  }
  const Renumbered numbered = canonical(kept, order);

  const Dfa& dfa = numbered.dfa;
  for (std::size_t i = 0; i < dfa.entries().size(); ++i)
    if (const State start = dfa.entries()[i]; start != no_state && dfa.colour(start) != 0)
      result.initial.push_back({result.constructors[i], start});
    else
      result.forbidden.push_back({std::nullopt, i, "", "", {}, {}});
  for (State q = 0; q < dfa.states(); ++q) {
    InterfaceState& state = result.states.emplace_back();
    std::size_t call = 0;
    for (const auto& [name, outcomes] : calls) {
      bool some = false;
      for (std::size_t o = 0; o < outcomes.size(); ++o)
        if (const State to = dfa.next(q, outcomes[o].second); to != no_state) {
          result.transitions.push_back({q, call, o, to, {}, {}});
          some = true;
        }
      state.allows.push_back(some);
      if (!some) result.forbidden.push_back({q, call, "", "", {}, {}});
      ++call;
    }
  }
  result.omitted = {"labels", "examples", "words"};
  result.evidence.omitted = true;
  return result;
}

} // namespace tacit
