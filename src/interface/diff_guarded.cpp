#include "interface/diff_guarded.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

#include "interface/choices.h"
#include "interface/walk.h"

namespace tacit {

namespace {

using Kind = WrittenValue::Kind;
using Arguments = std::optional<std::vector<WrittenValue>>;

int compare(const Place& a, const Place& b) {
  if (a.state != b.state) return a.state < b.state ? -1 : 1;
  for (std::size_t i = 0; i < std::min(a.tracked.size(), b.tracked.size()); ++i)
    for (const auto part :
         {&TrackedClientValue::value, &TrackedClientValue::keys, &TrackedClientValue::size}) {
      if (before(a.tracked[i].*part, b.tracked[i].*part)) return -1;
      if (before(b.tracked[i].*part, a.tracked[i].*part)) return 1;
    }
  return 0;
}

struct PairOfPlaces {
  Place old_place, new_place;

  bool operator<(const PairOfPlaces& other) const {
    const int first = compare(old_place, other.old_place);
    return first != 0 ? first < 0 : compare(new_place, other.new_place) < 0;
  }
};

/// The result that an outcome tells; Missing when it tells none.
WrittenValue told_by(std::string_view outcome) {
  if (!outcome.starts_with("returns=") || outcome == "returns=other") return {};
  const std::string value(outcome.substr(8));
  if (value == "true" || value == "false") return {Kind::Bool, {}, value == "true" ? 1 : 0, {}};
  if (value == "null") return {Kind::Null, {}, 0, {}};
  if (const auto number = parse_integer(value)) return {Kind::Number, {}, *number, {}};
  return {Kind::Bare, value, 0, {}};
}

class GuardedComparison {
public:
  GuardedComparison(const Interface& old_result, const Interface& new_result,
                    const GuardedDiffLimits& limits)
      : old_(old_result), new_(new_result), old_mentioned_(variables(old_.terms())),
        new_mentioned_(variables(new_.terms())), limits_(limits) {
    choices_.add_terms(old_);
    choices_.add_terms(new_);
  }

  DiffReport run() {
    const Interface &before = old_.interface(), &now = new_.interface();
    report_.calls_added = names_without(now.call_names(), before.call_names());
    report_.calls_removed = names_without(before.call_names(), now.call_names());
    for (std::size_t call = 0; call < before.calls.size(); ++call)
      if (const auto other = now.find_call(before.calls[call].name))
        common_.emplace_back(call, *other);
    constructors();
    for (std::size_t at = 0; at < nodes_.size() && tried_ < limits_.calls; ++at) expand(at);
    std::ranges::stable_sort(report_.calls, {}, &CallChange::allowed_now);
    std::ranges::stable_sort(report_.outcomes, {}, &OutcomeChange::possible_now);
    std::set<std::pair<State, State>> met;
    for (const Node& node : nodes_)
      met.insert({node.places.old_place.state, node.places.new_place.state});
    report_.met.assign(met.begin(), met.end());
    report_.bounded =
        fmt::format("compared on values near those that the conditions mention, {} places{}{}",
                    nodes_.size(), cut_ || tried_ >= limits_.calls ? ", not to the end" : "",
                    unknown_ ? "; some conditions could not be evaluated" : "");
    return std::move(report_);
  }

private:
  struct Node {
    PairOfPlaces places;
    std::size_t parent; // itself for a start
    std::string letter; // of a start: the constructor
  };

  /// Whether a condition mentions a parameter of the procedure.
  static bool matter(const std::vector<Term>& mentioned, const Procedure& procedure) {
    return std::ranges::any_of(procedure.parameters, [&](const Variable& parameter) {
      return std::ranges::binary_search(mentioned, parameter.term, TermById{});
    });
  }

  /// None where they do not matter to either side.
  std::vector<Arguments> arguments(const Procedure& before, const Procedure& now,
                                   const Place* place) {
    if (before.parameters.size() != now.parameters.size()) {
      unknown_ = true;
      return {std::nullopt};
    }
    if (!matter(old_mentioned_, before) && !matter(new_mentioned_, now)) return {std::nullopt};
    bool complete = true;
    std::vector<Arguments> all;
    for (auto& tuple : choices_.arguments(before, place, complete))
      all.emplace_back(std::move(tuple));
    return all;
  }

  /// Arguments that do not matter are unknown, so that nothing is said to be admitted for their
  /// sake.
  static std::vector<ClientValue> bound(const Walk& walk, const Procedure& procedure,
                                        const std::string& name, const Arguments& written) {
    if (!written) return std::vector<ClientValue>(procedure.parameters.size());
    return walk.calling().arguments(procedure, name, *written);
  }

  void constructors() {
    const auto &olds = old_.interface().constructors, &news = new_.interface().constructors;
    const bool single = olds.size() == 1 && news.size() == 1;
    report_.constructors_added = names_without(news, olds);
    report_.constructors_removed = names_without(olds, news);
    for (std::size_t i = 0; i < olds.size(); ++i) {
      const auto other = std::ranges::find(news, olds[i]);
      if (single)
        constructor(0, 0);
      else if (other != news.end())
        constructor(i, static_cast<std::size_t>(other - news.begin()));
    }
  }

  void constructor(std::size_t old_index, std::size_t new_index) {
    const std::string &old_name = old_.interface().constructors[old_index],
                      &new_name = new_.interface().constructors[new_index];
    const Procedure &before = old_.procedure(old_name), &now = new_.procedure(new_name);
    bool reported[2] = {false, false};
    for (const Arguments& written : arguments(before, now, nullptr)) {
      const auto old_values = bound(old_, before, old_name, written),
                 new_values = bound(new_, now, new_name, written);
      const Start from = old_.start(old_index, &old_values),
                  to = new_.start(new_index, &new_values);
      const std::string text = to_string(WrittenCall{new_name, written, std::nullopt, ""});
      if (!from.allowed || !to.allowed) {
        unknown_ = true;
      } else if (*from.allowed != *to.allowed) {
        if (std::exchange(reported[*to.allowed], true)) continue;
        ConstructorChange& change = report_.constructors.emplace_back();
        change.constructor = text;
        change.allowed_now = *to.allowed;
        const Refusal* why = *to.allowed ? old_.interface().find_refusal(std::nullopt, old_index)
                                         : new_.interface().find_refusal(std::nullopt, new_index);
        if (why) change.error = why->shown_error(), change.at = why->shown_at();
      } else if (*from.allowed) {
        visit(from.places, to.places, std::nullopt, text);
      }
    }
  }

  /// Follows what is certain on both sides: a difference between places of which only one is real
  /// would be none.
  void visit(const std::vector<Place>& olds, const std::vector<Place>& news,
             std::optional<std::size_t> parent, const std::string& letter) {
    if (olds.size() != 1 || news.size() != 1) {
      unknown_ = true;
      return;
    }
    if (nodes_.size() >= limits_.pairs) {
      cut_ = true;
      return;
    }
    const PairOfPlaces pair{olds.front(), news.front()};
    if (seen_.insert(pair).second) nodes_.push_back({pair, parent.value_or(nodes_.size()), letter});
  }

  void expand(std::size_t at) {
    for (const auto& [old_call, new_call] : common_) {
      const std::string& name = old_.interface().calls[old_call].name;
      const Procedure &before = old_.procedure(name), &now = new_.procedure(name);
      const Place old_place = nodes_[at].places.old_place;
      for (const Arguments& written : arguments(before, now, &old_place)) {
        if (++tried_ >= limits_.calls) return;
        ConcreteCall from{old_call, bound(old_, before, name, written), {}, {}},
            to{new_call, bound(new_, now, name, written), {}, {}};
        const auto was = old_.allows(old_place, from),
                   is = new_.allows(nodes_[at].places.new_place, to);
        if (!was || !is)
          unknown_ = true;
        else if (*was != *is)
          call_differs(at, old_call, new_call, written, *is);
        else if (*was)
          follow(at, std::move(from), std::move(to), written);
      }
    }
  }

  void call_differs(std::size_t at, std::size_t old_call, std::size_t new_call,
                    const Arguments& written, bool allowed_now) {
    const std::string& name = old_.interface().calls[old_call].name;
    if (!reported_.insert({name, allowed_now}).second) return;
    const State old_state = nodes_[at].places.old_place.state,
                new_state = nodes_[at].places.new_place.state;
    CallChange change{name, allowed_now, {}, {}, old_state, new_state, {}, {}};
    std::tie(change.constructor, change.word) = word_to(at);
    change.word.push_back(to_string(WrittenCall{name, written, std::nullopt, ""}));
    const Refusal* why = allowed_now ? old_.interface().find_refusal(old_state, old_call)
                                     : new_.interface().find_refusal(new_state, new_call);
    if (why) change.error = why->shown_error(), change.at = why->shown_at();
    report_.calls.push_back(std::move(change));
  }

  /// Both allow the call: pairs up what can come of it.
  void follow(std::size_t at, ConcreteCall from, ConcreteCall to, const Arguments& written) {
    const auto &olds = old_.interface().calls[from.call].outcomes,
               &news = new_.interface().calls[to.call].outcomes;
    const std::string& name = old_.interface().calls[from.call].name;
    for (std::size_t o = 0; o < olds.size(); ++o)
      for (std::size_t n = 0; n < news.size(); ++n) {
        if (olds[o] != news[n] && olds[o] != "any" && news[n] != "any") continue;
        const std::string& outcome = olds[o] == "any" ? news[n] : olds[o];
        for (const WrittenValue& result : results(name, outcome)) {
          from.outcomes = {o}, to.outcomes = {n};
          from.result = value(old_, name, result), to.result = value(new_, name, result);
          bool sure = true;
          const auto before = old_.step(nodes_[at].places.old_place, from, &sure),
                     now = new_.step(nodes_[at].places.new_place, to, &sure);
          unknown_ |= !sure;
          if (!sure) continue;
          const std::string letter = letter_text(name, written, result, outcome, olds.size());
          if (!before.empty() && !now.empty())
            visit(before, now, at, letter);
          else if (before.empty() != now.empty() && olds[o] == news[n])
            outcome_differs(at, name, outcome, letter, !now.empty());
        }
      }
    const auto missing = [&](const auto& here, const auto& there, bool possible_now) {
      for (const std::string& outcome : here)
        if (outcome != "any" && std::ranges::find(there, outcome) == there.end() &&
            std::ranges::find(there, "any") == there.end())
          unmatched(at, from, to, written, outcome, possible_now);
    };
    missing(olds, news, false);
    missing(news, olds, true);
  }

  /// An outcome that only one side knows; it differs where it can happen.
  void unmatched(std::size_t at, ConcreteCall from, ConcreteCall to, const Arguments& written,
                 const std::string& outcome, bool possible_now) {
    const Walk& walk = possible_now ? new_ : old_;
    ConcreteCall& call = possible_now ? to : from;
    const Place& place = possible_now ? nodes_[at].places.new_place : nodes_[at].places.old_place;
    const InterfaceCall& known = walk.interface().calls[call.call];
    call.outcomes = {static_cast<std::size_t>(std::ranges::find(known.outcomes, outcome) -
                                              known.outcomes.begin())};
    call.result = value(walk, known.name, told_by(outcome));
    bool sure = true;
    if (walk.step(place, call, &sure).empty() || !sure) return;
    outcome_differs(at, known.name, outcome,
                    letter_text(known.name, written, told_by(outcome), outcome, 2), possible_now);
  }

  void outcome_differs(std::size_t at, const std::string& name, const std::string& outcome,
                       const std::string& letter, bool possible_now) {
    if (!reported_outcomes_.insert({name + ":" + outcome, possible_now}).second) return;
    OutcomeChange change{name, outcome, possible_now, {}, {}};
    std::tie(change.constructor, change.word) = word_to(at);
    change.word.push_back(letter);
    report_.outcomes.push_back(std::move(change));
  }

  std::vector<WrittenValue> results(const std::string& call, const std::string& outcome) const {
    if (const WrittenValue told = told_by(outcome); told.kind != Kind::Missing) return {told};
    const Procedure& body = old_.procedure(call);
    if (!choices_.results_matter() || !body.returns || outcome.starts_with("throws")) return {{}};
    std::vector<WrittenValue> values = choices_.of(*body.returns, nullptr);
    if (values.empty()) values.push_back({});
    return values;
  }

  static ClientValue value(const Walk& walk, const std::string& call, const WrittenValue& written) {
    const Procedure& body = walk.procedure(call);
    return body.returns ? walk.calling().value(written, *body.returns) : unknown_value();
  }

  static std::string letter_text(const std::string& name, const Arguments& arguments,
                                 const WrittenValue& result, const std::string& outcome,
                                 std::size_t outcomes) {
    WrittenCall call{name, arguments, std::nullopt, ""};
    if (!arguments) {
      if (outcomes > 1) call.outcome = outcome;
    } else if (result.kind != Kind::Missing) {
      call.result = result;
    } else if (outcomes > 1) {
      call.outcome = outcome;
    }
    return to_string(call);
  }

  std::pair<std::string, std::vector<std::string>> word_to(std::size_t at) const {
    std::vector<std::string> word;
    for (; nodes_[at].parent != at; at = nodes_[at].parent) word.push_back(nodes_[at].letter);
    std::ranges::reverse(word);
    return {nodes_[at].letter, std::move(word)};
  }

  Walk old_, new_;
  std::vector<Term> old_mentioned_, new_mentioned_; // variables of conditions and updates
  GuardedDiffLimits limits_;
  ClientChoices choices_;
  DiffReport report_;
  std::vector<std::pair<std::size_t, std::size_t>> common_; // calls of both
  std::vector<Node> nodes_;
  std::set<PairOfPlaces> seen_;
  std::set<std::pair<std::string, bool>> reported_, reported_outcomes_;
  std::size_t tried_ = 0;
  bool cut_ = false, unknown_ = false;
};

} // namespace

DiffReport diff_guarded(const Interface& old_result, const Interface& new_result,
                        const GuardedDiffLimits& limits) {
  return GuardedComparison(old_result, new_result, limits).run();
}

} // namespace tacit
