#include "interface/intended.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "interface/by_words.h"
#include "interface/choices.h"
#include "interface/walk.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using Set = std::vector<std::size_t>; // of states, ascending

struct Limits {
  static constexpr std::size_t nodes = 4'000, tried = 60'000;
  static constexpr std::size_t sets = 10'000; // of states of an abstraction
};

class Comparison {
public:
  Comparison(const IntendedProtocol& intended, const Interface& result)
      : intended_(intended), result_(result), walk_(result) {
    choices_.add_terms(walk_);
  }

  IntendedReport run() {
    read_letters();
    begin();
    for (std::size_t at = 0; at < nodes_.size() && tried_ < Limits::tried; ++at) expand(at);
    std::ranges::stable_sort(report_.differences, {}, &IntendedDifference::kind);
    if (result_.guarded())
      report_.bounded = "compared on values near those that the conditions mention";
    if (cut_ || tried_ >= Limits::tried)
      report_.bounded +=
          (report_.bounded.empty() ? "compared" : ",") + std::string(" not to the end");
    if (unknown_)
      report_.bounded += (report_.bounded.empty() ? "" : "; ") +
                         std::string("some conditions could not be evaluated");
    return std::move(report_);
  }

private:
  struct Node {
    Set intended;
    Place place;
    std::size_t parent; // itself for a start
    std::string letter; // of a start: the constructor
  };

  // ---- Letters.

  void read_letters() {
    std::set<std::size_t> spoken;
    std::set<std::string> unknown;
    const std::vector<std::string> names = result_.call_names();
    for (const std::string& letter : intended_.letters) {
      if (const auto found = meaning_of(letter, names))
        spoken.insert(found->calls.begin(), found->calls.end());
      else
        unknown.insert(std::string(bare_name(letter)));
    }
    for (const IntendedEdge& edge : intended_.edges) {
      if (edge.letter.empty() || meanings_.contains(edge.letter)) continue;
      if (auto found = meaning_of(edge.letter, names)) {
        spoken.insert(found->calls.begin(), found->calls.end());
        meanings_[edge.letter] = std::move(*found);
      } else {
        unknown.insert(std::string(bare_name(edge.letter)));
      }
    }
    report_.unknown.assign(unknown.begin(), unknown.end());
    for (std::size_t call = 0; call < result_.calls.size(); ++call)
      if (spoken.contains(call))
        calls_.push_back(call);
      else
        report_.not_spoken.push_back(result_.calls[call].name);
    for (std::size_t i = 0; i < intended_.edges.size(); ++i)
      outgoing_[intended_.edges[i].from].push_back(i);
  }

  // ---- Sets of states of the intention.

  Set closed(Set states) const {
    std::set<std::size_t> all(states.begin(), states.end());
    while (!states.empty()) {
      const std::size_t at = states.back();
      states.pop_back();
      for (const IntendedEdge* edge : edges(at))
        if (edge->letter.empty() && all.insert(edge->to).second) states.push_back(edge->to);
    }
    return {all.begin(), all.end()};
  }

  std::vector<const IntendedEdge*> edges(std::size_t state) const {
    std::vector<const IntendedEdge*> all;
    if (const auto found = outgoing_.find(state); found != outgoing_.end())
      for (const std::size_t index : found->second) all.push_back(&intended_.edges[index]);
    return all;
  }

  /// Without an outcome: whatever it is.
  Set next(const Set& states, std::size_t call, const std::string& outcome) const {
    Set reached;
    for (const std::size_t state : states)
      for (const IntendedEdge* edge : edges(state)) {
        const auto known = meanings_.find(edge->letter);
        if (known == meanings_.end()) continue;
        if (known->second.covers(call, outcome)) reached.push_back(edge->to);
      }
    return closed(std::move(reached));
  }

  // ---- The search.

  using Arguments = std::optional<std::vector<WrittenValue>>;

  std::vector<Arguments> tuples(const Procedure& procedure, const Place* place) {
    if (!result_.guarded() || procedure.parameters.empty()) return {std::nullopt};
    bool complete = true;
    std::vector<Arguments> all;
    for (auto& tuple : choices_.arguments(procedure, place, complete)) all.emplace_back(tuple);
    return all;
  }

  bool means(const std::string& label, const std::string& constructor) const {
    return label_means(label, constructor, walk_.procedure(constructor).parameters.size());
  }

  Set started_by(const std::string& constructor) const {
    Set states;
    for (const IntendedStart& start : intended_.starts)
      if (means(start.label, constructor) ||
          std::ranges::none_of(result_.constructors,
                               [&](const std::string& one) { return means(start.label, one); }))
        states.push_back(start.state);
    return closed(std::move(states));
  }

  void begin() {
    for (std::size_t c = 0; c < result_.constructors.size(); ++c) {
      const std::string& name = result_.constructors[c];
      const Set start = started_by(name);
      if (start.empty()) continue; // it is not spoken of
      const Procedure& procedure = walk_.procedure(name);
      for (const Arguments& tuple : tuples(procedure, nullptr)) {
        std::optional<std::vector<ClientValue>> values;
        if (tuple) values = walk_.calling().arguments(procedure, name, *tuple);
        const Start made = walk_.start(c, values ? &*values : nullptr);
        if (!made.allowed) unknown_ = true;
        if (!made.allowed.value_or(false)) continue;
        for (const Place& place : made.places)
          visit(start, place, std::nullopt, to_string(WrittenCall{name, tuple, std::nullopt, ""}));
      }
    }
  }

  void visit(const Set& intended, const Place& place, std::optional<std::size_t> parent,
             const std::string& letter) {
    if (nodes_.size() >= Limits::nodes) {
      cut_ = true;
      return;
    }
    const std::string key =
        fmt::format("{}|{}|{}", fmt::join(intended, ","), place.state, walk_.shown(place));
    if (!seen_.insert(key).second) return;
    nodes_.push_back({intended, place, parent.value_or(nodes_.size()), letter});
  }

  void expand(std::size_t at) {
    for (const std::size_t call : calls_) {
      const Node node = nodes_[at];
      const std::string& name = result_.calls[call].name;
      const Procedure& procedure = walk_.procedure(name);
      const bool wanted = !next(node.intended, call, "").empty();
      bool some = false, undecided = false;
      for (const Arguments& tuple : tuples(procedure, &node.place)) {
        ++tried_;
        ConcreteCall concrete{.call = call, .arguments = {}, .outcomes = {}, .result = {}};
        if (tuple) concrete.arguments = walk_.calling().arguments(procedure, name, *tuple);
        const auto allowed = walk_.allows(node.place, concrete);
        undecided |= !allowed;
        if (!allowed.value_or(false)) continue;
        if (!std::exchange(some, true) && !wanted)
          differs(at, IntendedDifference::Kind::Allowed, call, shown(call, tuple, ""));
        if (wanted) follow(at, concrete, tuple);
      }
      unknown_ |= undecided && !some;
      if (wanted && !some && !undecided) differs(at, IntendedDifference::Kind::Refused, call, name);
    }
  }

  void follow(std::size_t at, ConcreteCall concrete, const Arguments& tuple) {
    const Node node = nodes_[at];
    const InterfaceCall& call = result_.calls[concrete.call];
    for (std::size_t o = 0; o < call.outcomes.size(); ++o) {
      concrete.outcomes = {o};
      bool sure = true;
      const auto places = walk_.step(node.place, concrete, &sure);
      unknown_ |= !sure;
      if (!sure || places.empty()) continue;
      const Set reached = next(node.intended, concrete.call, call.outcomes[o]);
      const std::string letter = shown(concrete.call, tuple, call.outcomes[o]);
      if (reached.empty()) {
        differs(at, IntendedDifference::Kind::Unforeseen, concrete.call, letter);
        continue;
      }
      for (const Place& place : places) visit(reached, place, at, letter);
    }
  }

  std::string shown(std::size_t call, const Arguments& tuple, const std::string& outcome) const {
    const InterfaceCall& known = result_.calls[call];
    return to_string(WrittenCall{known.name, tuple, std::nullopt,
                                 known.outcomes.size() > 1 ? outcome : std::string()});
  }

  void differs(std::size_t at, IntendedDifference::Kind kind, std::size_t call,
               const std::string& letter) {
    if (!reported_.insert({kind, call}).second) return;
    IntendedDifference found{kind, result_.calls[call].name, {}, {letter}, {}, {}};
    const State state = nodes_[at].place.state;
    for (; nodes_[at].parent != at; at = nodes_[at].parent) found.word.push_back(nodes_[at].letter);
    found.constructor = nodes_[at].letter;
    std::ranges::reverse(found.word);
    if (kind == IntendedDifference::Kind::Refused)
      if (const Refusal* why = result_.find_refusal(state, call)) {
        found.error = why->shown_error();
        found.at = why->shown_at();
      }
    report_.differences.push_back(std::move(found));
  }

  const IntendedProtocol& intended_;
  const Interface& result_;
  Walk walk_;
  ClientChoices choices_;
  IntendedReport report_;
  std::map<std::string, LetterMeaning> meanings_;
  std::map<std::size_t, std::vector<std::size_t>> outgoing_;
  std::vector<std::size_t> calls_; // that the intention speaks of
  std::vector<Node> nodes_;
  std::set<std::string> seen_;
  std::set<std::pair<IntendedDifference::Kind, std::size_t>> reported_;
  std::size_t tried_ = 0;
  bool cut_ = false, unknown_ = false;
};

} // namespace

namespace {

/// A kind of outcomes covers those of its kind; truths are also written as numbers.
bool outcome_covers(std::string_view outcome, std::string_view one) {
  if (outcome == one) return true;
  if (outcome == "returns" || outcome == "throws")
    return one.starts_with(outcome) && one[outcome.size()] == '=';
  return (outcome == "returns=0" && one == "returns=false") ||
         (outcome == "returns=1" && one == "returns=true");
}

/// What stands behind the colon of a letter, as an outcome; nothing when it is none.
std::optional<std::string> outcome_of(const std::string& text) {
  if (text == "any") return "";
  if (text.starts_with("returns") || text.starts_with("throws")) return text;
  if (text == "true" || text == "false" ||
      (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })))
    return "returns=" + text;
  return std::nullopt;
}

} // namespace

bool LetterMeaning::covers(std::size_t call, std::string_view outcome_of_it) const {
  return std::ranges::find(calls, call) != calls.end() &&
         (outcome.empty() || outcome_of_it.empty() || outcome_of_it == "any" ||
          outcome_covers(outcome, outcome_of_it));
}

std::optional<LetterMeaning> meaning_of(const std::string& letter,
                                        const std::vector<std::string>& calls) {
  const auto exactly = [&](const std::string& name, const std::string& outcome) {
    const auto found = std::ranges::find(calls, name);
    if (found == calls.end()) return std::optional<LetterMeaning>();
    return std::optional(LetterMeaning{{static_cast<std::size_t>(found - calls.begin())}, outcome});
  };
  if (auto found = exactly(letter, "")) return found;
  std::string name = letter, outcome;
  for (std::size_t at = letter.size(); at-- > 1;) {
    const bool single = letter[at] == ':' && letter[at - 1] != ':' &&
                        (at + 1 == letter.size() || letter[at + 1] != ':');
    if (!single) continue;
    const auto rest = outcome_of(letter.substr(at + 1));
    if (!rest) continue;
    name = letter.substr(0, at);
    outcome = *rest;
    break;
  }
  if (auto found = exactly(name, outcome)) return found;
  LetterMeaning found{{}, outcome};
  for (std::size_t call = 0; call < calls.size(); ++call)
    if (bare_name(calls[call]) == bare_name(name)) found.calls.push_back(call);
  return found.calls.empty() ? std::nullopt : std::optional(std::move(found));
}

bool label_means(const std::string& label, const std::string& constructor, std::size_t parameters) {
  if (label == constructor) return true;
  if (bare_name(label) != bare_name(constructor)) return false;
  const auto open = label.find('('), close = label.find(')', open);
  if (open == std::string::npos || close == std::string::npos) return true;
  const std::string inside = label.substr(open + 1, close - open - 1);
  const auto commas = static_cast<std::size_t>(std::ranges::count(inside, ','));
  return parameters == (inside.empty() ? 0 : commas + 1);
}

IntendedProtocol intended_of(const Interface& interface) {
  IntendedProtocol made;
  for (State q = 0; q < interface.states.size(); ++q) made.states.push_back(fmt::format("{}", q));
  for (const InitialState& initial : interface.initial)
    made.starts.push_back({initial.state, initial.constructor});
  for (const InterfaceTransition& t : interface.transitions)
    made.edges.push_back({t.from, t.to, letter_name(interface.calls[t.call], t.outcome)});
  made.letters = interface.call_names();
  return made;
}

namespace {

/// By words: whatever some way through the abstraction allows, it allows.
IntendedReport compare_with_epa(const IntendedProtocol& intended, const Interface& epa) {
  const auto words = by_words(epa, Limits::sets);
  IntendedReport report;
  if (!words) {
    report.bounded = "not compared: words lead to too many sets of states";
    return report;
  }
  report = Comparison(intended, *words).run();
  if (epa.epa && (!epa.epa->open.empty() || !epa.epa->open_starts.empty()))
    report.bounded += (report.bounded.empty() ? "" : "; ") +
                      std::string("the abstraction was not explored to the end");
  return report;
}

} // namespace

IntendedReport compare_with_intended(const IntendedProtocol& intended, const Interface& result) {
  return result.kind == "epa" ? compare_with_epa(intended, result)
                              : Comparison(intended, result).run();
}

std::string print_intended(const IntendedReport& report) {
  std::string text;
  if (!report.unknown.empty())
    text +=
        fmt::format("intended, but not in the component: {}\n", fmt::join(report.unknown, ", "));
  const std::pair<IntendedDifference::Kind, const char*> kinds[] = {
      {IntendedDifference::Kind::Refused, "intended, but refused:\n"},
      {IntendedDifference::Kind::Allowed, "allowed, but not intended:\n"},
      {IntendedDifference::Kind::Unforeseen, "outcomes that are not foreseen:\n"}};
  for (const auto& [kind, title] : kinds) {
    bool first = true;
    for (const IntendedDifference& one : report.differences) {
      if (one.kind != kind) continue;
      if (std::exchange(first, false)) text += title;
      text += fmt::format("  {}: {} · {}", one.call, one.constructor, fmt::join(one.word, " · "));
      if (!one.error.empty())
        text += fmt::format(" ({}{}{})", one.error, one.at.empty() ? "" : " at ", one.at);
      text += "\n";
    }
  }
  if (!report.not_spoken.empty())
    text += fmt::format("not spoken of: {}\n", fmt::join(report.not_spoken, ", "));
  if (!report.bounded.empty()) text += report.bounded + "\n";
  return text;
}

} // namespace tacit
