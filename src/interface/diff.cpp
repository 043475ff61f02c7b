#include "interface/diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/ranges.h>

#include "interface/diff_guarded.h"

namespace tacit {

std::vector<std::string> names_without(const std::vector<std::string>& names,
                                       const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  for (const std::string& name : names)
    if (std::ranges::find(others, name) == others.end()) rest.push_back(name);
  return rest;
}

namespace {

const InitialState* find_initial(const Interface& interface, const std::string& constructor) {
  const auto found = std::ranges::find(interface.initial, constructor, &InitialState::constructor);
  return found == interface.initial.end() ? nullptr : &*found;
}

const Refusal* constructor_refusal(const Interface& interface, const std::string& constructor) {
  const auto found = std::ranges::find(interface.constructors, constructor);
  return interface.find_refusal(std::nullopt,
                                static_cast<std::size_t>(found - interface.constructors.begin()));
}

class Comparison {
public:
  Comparison(const Interface& old_result, const Interface& new_result)
      : old_(old_result), new_(new_result) {}

  DiffReport run() {
    report_.calls_added = names_without(new_.call_names(), old_.call_names());
    report_.calls_removed = names_without(old_.call_names(), new_.call_names());
    for (std::size_t call = 0; call < old_.calls.size(); ++call)
      if (const auto other = new_.find_call(old_.calls[call].name))
        common_.emplace_back(call, *other);
    compare_constructors();
    for (std::size_t at = 0; at < nodes_.size(); ++at) expand(at);
    std::ranges::stable_sort(report_.calls, {}, &CallChange::allowed_now);
    std::ranges::stable_sort(report_.outcomes, {}, &OutcomeChange::possible_now);
    return std::move(report_);
  }

private:
  /// A pair of states, with the way back to a constructor.
  struct Node {
    State old_state, new_state;
    std::uint32_t parent; // itself for a start
    std::uint32_t letter; // of letters_; of a start: the constructor, of starts_
  };

  void compare_constructors() {
    const auto olds = old_.constructor_names(), news = new_.constructor_names();
    if (olds.size() == 1 && news.size() == 1) return compare_constructor(olds[0], news[0]);
    report_.constructors_added = names_without(news, olds);
    report_.constructors_removed = names_without(olds, news);
    for (const std::string& name : olds)
      if (std::ranges::find(news, name) != news.end()) compare_constructor(name, name);
  }

  void compare_constructor(const std::string& old_name, const std::string& new_name) {
    if (old_name != new_name) {
      report_.constructors_added = {new_name};
      report_.constructors_removed = {old_name};
    }
    const InitialState* before = find_initial(old_, old_name);
    const InitialState* after = find_initial(new_, new_name);
    if (before && after) {
      starts_.push_back(new_name);
      visit(before->state, after->state, static_cast<std::uint32_t>(nodes_.size()),
            static_cast<std::uint32_t>(starts_.size() - 1));
    } else if (before || after) {
      ConstructorChange& change = report_.constructors.emplace_back();
      change.constructor = new_name;
      change.allowed_now = after != nullptr;
      const Refusal* why =
          after ? constructor_refusal(old_, old_name) : constructor_refusal(new_, new_name);
      if (why) change.error = why->shown_error(), change.at = why->shown_at();
    }
  }

  void visit(State old_state, State new_state, std::uint32_t parent, std::uint32_t letter) {
    if (seen_.insert(std::uint64_t{old_state} << 32 | new_state).second)
      nodes_.push_back({old_state, new_state, parent, letter});
  }

  void expand(std::size_t at) {
    const Node node = nodes_[at];
    for (const auto& [old_call, new_call] : common_) {
      const bool before = old_.states[node.old_state].allows[old_call];
      const bool after = new_.states[node.new_state].allows[new_call];
      if (before != after)
        call_differs(at, old_call, new_call, after);
      else if (before)
        follow(at, old_call, new_call);
    }
  }

  void call_differs(std::size_t at, std::size_t old_call, std::size_t new_call, bool allowed_now) {
    const std::string& name = old_.calls[old_call].name;
    if (!reported_.insert({name, allowed_now}).second) return;
    const Node& node = nodes_[at];
    CallChange change{name, allowed_now, {}, {}, node.old_state, node.new_state, {}, {}};
    std::tie(change.constructor, change.word) = word_to(at);
    change.word.push_back(name);
    const Refusal* why = allowed_now ? old_.find_refusal(node.old_state, old_call)
                                     : new_.find_refusal(node.new_state, new_call);
    if (why) change.error = why->shown_error(), change.at = why->shown_at();
    report_.calls.push_back(std::move(change));
  }

  /// Both allow the call: pairs up the outcomes that can happen.
  void follow(std::size_t at, std::size_t old_call, std::size_t new_call) {
    const Node node = nodes_[at];
    const auto olds = old_.outgoing(node.old_state, old_call),
               news = new_.outgoing(node.new_state, new_call);
    const auto name = [](const Interface& side,
                         const InterfaceTransition& t) -> const std::string& {
      return side.calls[t.call].outcomes[t.outcome];
    };
    const auto match = [&](const InterfaceTransition& o, const InterfaceTransition& n) {
      const std::string& a = name(old_, o);
      const std::string& b = name(new_, n);
      return a == b || a == "any" || b == "any";
    };
    for (const InterfaceTransition& o : olds) {
      bool matched = false;
      for (const InterfaceTransition& n : news) {
        if (!match(o, n)) continue;
        matched = true;
        visit(o.to, n.to, static_cast<std::uint32_t>(at), letter(o, n));
      }
      if (!matched) outcome_differs(at, old_call, name(old_, o), false);
    }
    for (const InterfaceTransition& n : news)
      if (std::ranges::none_of(olds, [&](const InterfaceTransition& o) { return match(o, n); }))
        outcome_differs(at, old_call, name(new_, n), true);
  }

  void outcome_differs(std::size_t at, std::size_t call, const std::string& outcome,
                       bool possible_now) {
    const std::string& name = old_.calls[call].name;
    if (!reported_outcomes_.insert({name + ":" + outcome, possible_now}).second) return;
    OutcomeChange change{name, outcome, possible_now, {}, {}};
    std::tie(change.constructor, change.word) = word_to(at);
    change.word.push_back(name + ":" + outcome);
    report_.outcomes.push_back(std::move(change));
  }

  /// The more precise of the two names.
  std::uint32_t letter(const InterfaceTransition& o, const InterfaceTransition& n) {
    const InterfaceCall& old_call = old_.calls[o.call];
    const InterfaceCall& new_call = new_.calls[n.call];
    const bool from_new = old_call.outcomes[o.outcome] == "any" || old_call.outcomes.size() == 1;
    const InterfaceCall& call = from_new ? new_call : old_call;
    std::string name = letter_name(call, from_new ? n.outcome : o.outcome);
    const auto [found, added] = letter_numbers_.try_emplace(std::move(name), letters_.size());
    if (added) letters_.push_back(found->first);
    return static_cast<std::uint32_t>(found->second);
  }

  std::pair<std::string, std::vector<std::string>> word_to(std::size_t at) const {
    std::vector<std::string> word;
    for (; nodes_[at].parent != at; at = nodes_[at].parent)
      word.push_back(letters_[nodes_[at].letter]);
    std::ranges::reverse(word);
    return {starts_[nodes_[at].letter], std::move(word)};
  }

  const Interface& old_;
  const Interface& new_;
  DiffReport report_;
  std::vector<std::pair<std::size_t, std::size_t>> common_; // calls of both
  std::vector<std::string> starts_, letters_;
  std::map<std::string, std::size_t> letter_numbers_;
  std::vector<Node> nodes_;
  std::unordered_set<std::uint64_t> seen_; // pairs; only looked into
  std::set<std::pair<std::string, bool>> reported_, reported_outcomes_;
};

// ---- enabledness abstractions

/// By the names of the calls that a state enables, so that numbers and orders do not matter.
std::string enabled_set(const Interface& interface, State q) {
  std::vector<std::string> names;
  for (std::size_t call = 0; call < interface.calls.size(); ++call)
    if (interface.states[q].allows[call]) names.push_back(interface.calls[call].name);
  std::ranges::sort(names);
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

/// What is there, and how it is marked.
std::map<std::string, std::string> epa_items(const Interface& interface) {
  std::map<std::string, std::string> items;
  for (State q = 0; q < interface.states.size(); ++q) items["state " + enabled_set(interface, q)];
  for (const InitialState& start : interface.initial)
    items[fmt::format("start {} → {}", start.constructor, enabled_set(interface, start.state))];
  for (const InterfaceTransition& t : interface.transitions)
    items[fmt::format("transition {} {} → {}", enabled_set(interface, t.from),
                      interface.calls[t.call].name, enabled_set(interface, t.to))] =
        std::string(t.uncertain ? "uncertain" : "certain") +
        (t.may_break ? ", may break the invariant" : "");
  return items;
}

DiffReport diff_epas(const Interface& old_result, const Interface& new_result) {
  DiffReport report;
  report.calls_added = names_without(new_result.call_names(), old_result.call_names());
  report.calls_removed = names_without(old_result.call_names(), new_result.call_names());
  const auto before = epa_items(old_result), now = epa_items(new_result);
  for (const auto& [item, marks] : before) {
    const auto other = now.find(item);
    if (other == now.end())
      report.epa_removed.push_back(item);
    else if (other->second != marks)
      report.epa_changed.push_back(
          fmt::format("{}: {} before, now {}", item, marks, other->second));
  }
  for (const auto& [item, marks] : now)
    if (!before.contains(item)) report.epa_added.push_back(item);
  return report;
}

} // namespace

bool DiffReport::empty() const {
  return calls_added.empty() && calls_removed.empty() && constructors_added.empty() &&
         constructors_removed.empty() && constructors.empty() && calls.empty() &&
         outcomes.empty() && epa_added.empty() && epa_removed.empty() && epa_changed.empty();
}

Result<DiffReport> diff(const Interface& old_result, const Interface& new_result) {
  if (old_result.kind != new_result.kind)
    return fail("an interface and an enabledness abstraction cannot be compared: the old result is "
                "of kind '{}', the new one of kind '{}'",
                old_result.kind, new_result.kind);
  if (old_result.kind == "epa") return diff_epas(old_result, new_result);
  if (old_result.guarded() || new_result.guarded()) return diff_guarded(old_result, new_result);
  return Comparison(old_result, new_result).run();
}

namespace {

void names_line(std::string& text, std::string_view what, const std::vector<std::string>& names) {
  if (!names.empty()) text += fmt::format("{}: {}\n", what, fmt::join(names, ", "));
}

std::string reason_of(const std::string& error, const std::string& at) {
  if (error.empty() && at.empty()) return "";
  return fmt::format(" ({}{}{})", error, !error.empty() && !at.empty() ? " at " : "", at);
}

} // namespace

std::string print_diff(const DiffReport& report) {
  std::string text;
  names_line(text, "calls added", report.calls_added);
  names_line(text, "calls removed", report.calls_removed);
  names_line(text, "constructors added", report.constructors_added);
  names_line(text, "constructors removed", report.constructors_removed);
  const auto lines = [&](std::string_view title, const std::vector<std::string>& items) {
    if (!items.empty()) text += fmt::format("{}:\n", title);
    for (const std::string& item : items) text += fmt::format("  {}\n", item);
  };
  lines("gone", report.epa_removed);
  lines("new", report.epa_added);
  lines("marked otherwise", report.epa_changed);
  for (const ConstructorChange& change : report.constructors)
    text += fmt::format("constructor {}: {}{}\n", change.constructor,
                        change.allowed_now ? "refused before, now allowed"
                                           : "allowed before, now refused",
                        reason_of(change.error, change.at));
  for (const bool allowed : {false, true}) {
    bool first = true;
    for (const CallChange& change : report.calls) {
      if (change.allowed_now != allowed) continue;
      if (std::exchange(first, false)) text += allowed ? "newly legal:\n" : "no longer legal:\n";
      text += fmt::format("  {}: {} · {}{}\n", change.call, change.constructor,
                          fmt::join(change.word, " · "), reason_of(change.error, change.at));
    }
  }
  for (const bool possible : {false, true}) {
    bool first = true;
    for (const OutcomeChange& change : report.outcomes) {
      if (change.possible_now != possible) continue;
      if (std::exchange(first, false))
        text += possible ? "newly possible outcomes:\n" : "outcomes that are gone:\n";
      text += fmt::format("  {}:{}: {} · {}\n", change.call, change.outcome, change.constructor,
                          fmt::join(change.word, " · "));
    }
  }
  if (!report.bounded.empty()) text += fmt::format("{}\n", report.bounded);
  return text;
}

} // namespace tacit
