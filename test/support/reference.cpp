#include "support/reference.h"

#include <algorithm>

#include <fmt/format.h>

#include "interface/json.h"
#include "support/reference_product.h"

namespace tacit {

namespace {

using Answer = Judgement::Answer;

class Explorer {
public:
  Explorer(const Interface& interface, const Component& component, const GuardedReading& reading,
           const ReferenceOptions& options, const Component* whole, Product& product)
      : interface_(interface), component_(component), reading_(reading), options_(options),
        whole_(whole), semantics_(component, options.limits), product_(product) {}

  ReferenceReport run() {
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      for (const auto& arguments : semantics_.arguments(component_.constructors()[k]))
        start(k, arguments);
    for (std::size_t n = 0; n < product_.nodes.size() && !stopped(); ++n) {
      if (product_.nodes[n].depth >= options_.depth) {
        product_.complete = false;
        continue;
      }
      product_.calls[n].emplace();
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        for (const auto& arguments : semantics_.arguments(component_.calls()[c]))
          step(n, c, arguments);
        judge_full(n, c);
        judge_aside(n, c);
      }
    }
    return finished();
  }

private:
  bool stopped() const {
    return semantics_.failure() || reading_.failure() || product_.nodes.size() > options_.nodes;
  }

  ReferenceReport finished() {
    report_.malformed = reading_.failure();
    report_.failure = semantics_.failure();
    if (product_.nodes.size() > options_.nodes) report_.failure = "too many nodes";
    report_.nodes = product_.nodes.size();
    report_.finite = product_.complete && !semantics_.sampled();
    if (report_.malformed || report_.failure) return std::move(report_);
    report_.minimal = judge_minimal(interface_, reading_, product_);
    if (!report_.finite)
      for (Judgement* j :
           {&report_.safe, &report_.permissive, &report_.full, &report_.minimal, &report_.aside})
        if (j->answer == Answer::Holds) j->answer = Answer::HoldsToDepth;
    return std::move(report_);
  }

  /// The first thing that is found is on a shortest word. What surely fails outranks what is open.
  void complain(Judgement& claim, Answer answer, const ConcreteWord& word, std::string why) {
    if (claim.answer == Answer::Fails || claim.answer == answer) return;
    claim = {answer, std::move(why), to_string(component_, word)};
  }

  /// Cells that overlap or leave a gap, and tracked values that are not their terms, are no
  /// interface that a claim could be about; nothing is looked at beyond.
  void ill_formed(const ConcreteWord& word, const std::string& why) {
    for (Judgement* claim : {&report_.safe, &report_.permissive, &report_.full})
      complain(*claim, Answer::Fails, word, why);
  }

  std::size_t node(State q, std::vector<Value> tracked, Worlds worlds, ConcreteWord word) {
    const auto [at, fresh] = known_.emplace(std::tuple(q, tracked, worlds), product_.nodes.size());
    if (fresh) {
      const std::size_t depth = word.letters.size();
      product_.nodes.push_back({q, std::move(tracked), std::move(worlds), depth, std::move(word)});
      product_.calls.emplace_back();
    }
    return at->second;
  }

  // 2.11: a tracked value is a term over the component's state that the client can follow. So what
  // the updates say must be what the term is, in every state that the observed word may reach.
  bool tracks(const std::vector<Value>& tracked, const Worlds& worlds, const ConcreteWord& word) {
    for (const StateBelief& belief : worlds)
      for (const ConcreteState& s : belief) {
        const std::vector<Value> terms = reading_.tracked_in(s.values);
        for (std::size_t i = 0; i < terms.size(); ++i) {
          const Sort sort = reading_.tracked_sort(i);
          if (equal(terms[i], tracked[i], sort)) continue;
          ill_formed(word, fmt::format("{} should be {} by its term, but is {} by the updates",
                                       interface_.tracked[i].name, to_string(terms[i], sort),
                                       to_string(tracked[i], sort)));
          return false;
        }
      }
    return true;
  }

  // 2.8: a constructor is allowed or forbidden like a call, argument by argument; one that makes no
  // object because of its arguments is refused for them.
  void start(std::size_t constructor, const std::vector<Value>& arguments) {
    ConcreteWord word{.constructor = constructor, .arguments = arguments};
    const Resolutions ways = semantics_.constructor_ways(constructor, arguments);
    const std::vector<std::size_t> entries = reading_.starts(constructor, arguments);
    const Legality legality = ConcreteSemantics::constructor_legality(ways);
    if (legality == Legality::NoRun || stopped()) return;
    if (entries.empty()) {
      judge_refusal(legality, word, "the constructor");
      return;
    }
    if (entries.size() > 1) return ill_formed(word, "two start conditions hold");
    judge_allowed(ways, legality == Legality::Illegal, word, "the constructor");
    const std::vector<Value> tracked = reading_.start_values(entries[0], arguments);
    for (const Observation& made : ConcreteSemantics::seen(ways, true)) {
      word.made = made;
      const Worlds worlds = ConcreteSemantics::after(ways, made, true);
      if (tracks(tracked, worlds, word))
        node(interface_.initial[entries[0]].state, tracked, worlds, word);
    }
  }

  void step(std::size_t n, std::size_t call, const std::vector<Value>& arguments) {
    const ProductNode& from = product_.nodes[n];
    ConcreteWord word = from.word;
    word.last = call;
    word.last_arguments = arguments;
    const std::string what = fmt::format("{} in q{}", component_.calls()[call].name, from.q);
    const Resolutions ways = semantics_.ways(from.worlds, call, arguments);
    const Legality legality = ConcreteSemantics::legality(ways);
    const bool allowed = reading_.allows(from.q, call, arguments, from.tracked);
    if (legality == Legality::NoRun || stopped()) return;
    product_.calls[n]->push_back({call, arguments, allowed, {}});
    if (!allowed) {
      judge_refusal(legality, word, what);
      return;
    }
    judge_allowed(ways, false, word, what);
    for (const Observation& seen : ConcreteSemantics::seen(ways)) {
      word.last.reset();
      word.letters = from.word.letters;
      word.letters.push_back({call, arguments, seen});
      go_on(n, call, arguments, seen, ways, word);
    }
  }

  // "Safe: a concrete word that the interface allows cannot err", whatever the environment does and
  // whatever unknown values are.
  void judge_allowed(const Resolutions& ways, bool makes_none, const ConcreteWord& word,
                     const std::string& what) {
    bool errs = false;
    for (const Endings& endings : ways)
      for (const Ending& e : endings)
        if (e.errs && !errs) {
          errs = true;
          complain(report_.safe, Answer::Fails, word,
                   fmt::format("{} is allowed and errs: {} at {}", what, e.error, e.at));
        }
    if (makes_none && !errs)
      complain(report_.safe, Answer::Fails, word, what + " is allowed and makes no object");
  }

  // "Permissive: every realizable concrete word that cannot err is allowed." The words that lead
  // here are realizable, so what is refused here has to err in every resolution of what is unknown.
  void judge_refusal(Legality legality, const ConcreteWord& word, const std::string& what) {
    if (legality == Legality::Legal)
      complain(report_.permissive, Answer::Fails, word, what + " is refused and cannot err");
    if (legality == Legality::Undecided)
      complain(report_.permissive, Answer::Open, word,
               what + " is refused, and whether it errs depends on unknown values");
  }

  // "The cells of one (state, call, outcome) are disjoint and cover what can happen."
  void go_on(std::size_t n, std::size_t call, const std::vector<Value>& arguments,
             const Observation& seen, const Resolutions& ways, const ConcreteWord& word) {
    const ProductNode& from = product_.nodes[n];
    const auto cells =
        reading_.cells(from.q, call, seen.outcome, arguments, seen.result, from.tracked);
    const std::string what = fmt::format("{}:{} in q{}", component_.calls()[call].name,
                                         component_.calls()[call].outcomes[seen.outcome], from.q);
    if (cells.empty()) return ill_formed(word, what + " can happen and has no cell");
    if (cells.size() > 1) return ill_formed(word, "two cells hold for " + what);
    const std::vector<Value> tracked =
        reading_.updated(cells[0], arguments, seen.result, from.tracked);
    const Worlds worlds = ConcreteSemantics::after(ways, seen);
    if (!tracks(tracked, worlds, word)) return;
    const std::size_t to = node(interface_.transitions[cells[0]].to, tracked, worlds, word);
    product_.calls[n]->back().steps.push_back({seen, cells[0], to});
  }

  // "Full: also leaves out exactly the outcomes that cannot happen": after every realizable word,
  // an outcome for which some cell leaves room with arguments that are allowed then can happen with
  // such arguments, in every resolution. It speaks of outcomes, not of one argument or cell.
  void judge_full(std::size_t n, std::size_t call) {
    const ProductNode& from = product_.nodes[n];
    const Call& called = component_.calls()[call];
    for (std::size_t outcome = 0; outcome < called.outcomes.size() && !stopped(); ++outcome) {
      ConcreteWord word = from.word;
      word.last = call;
      bool room = false;
      bool happens = false;
      for (const auto& arguments : semantics_.arguments(called)) {
        if (!reading_.allows(from.q, call, arguments, from.tracked)) continue;
        if (!leaves_room(from, call, outcome, arguments)) continue;
        room = true;
        word.last_arguments = arguments;
        const Resolutions ways = semantics_.ways(from.worlds, call, arguments);
        happens = !ways.empty() && std::ranges::all_of(ways, [&](const Endings& endings) {
          return std::ranges::any_of(
              endings, [&](const Ending& e) { return !e.errs && e.seen.outcome == outcome; });
        });
        if (happens) break;
      }
      if (room && !happens)
        complain(report_.full, Answer::Fails, word,
                 fmt::format("{}:{} in q{} cannot happen", called.name, called.outcomes[outcome],
                             from.q));
    }
  }

  bool leaves_room(const ProductNode& from, std::size_t call, std::size_t outcome,
                   const std::vector<Value>& arguments) {
    return std::ranges::any_of(reading_.transitions_of(from.q, call, outcome), [&](std::size_t t) {
      return cell_can_hold(t, call, arguments, from.tracked);
    });
  }

  bool cell_can_hold(std::size_t transition, std::size_t call, const std::vector<Value>& arguments,
                     const std::vector<Value>& tracked) {
    const auto& returns = component_.body(component_.calls()[call]).returns;
    if (!reading_.mentions_result(transition))
      return reading_.cell_holds(transition, arguments, std::nullopt, tracked);
    return returns && std::ranges::any_of(semantics_.values(*returns), [&](const Value& result) {
             return reading_.cell_holds(transition, arguments, result, tracked);
           });
  }

  // 2.13: a site is set aside as decided where the call may err at it "in every state and for all
  // arguments", whatever the client does: after every allowed word and with all arguments that are
  // allowed then, as seen where nothing is set aside.
  void judge_aside(std::size_t n, std::size_t call) {
    const ProductNode& from = product_.nodes[n];
    for (const SetAside& site : interface_.aside) {
      if (!site.decided || site.call != component_.calls()[call].name || !whole_) continue;
      ConcreteSemantics all(*whole_, options_.limits);
      const auto errs_there = [&](const Ending& e) { return e.errs && e.at == site.site; };
      for (const auto& arguments : all.arguments(whole_->calls()[call])) {
        if (!reading_.allows(from.q, call, arguments, from.tracked)) continue;
        const Resolutions ways = all.ways(from.worlds, call, arguments);
        const bool always = std::ranges::all_of(
            ways, [&](const Endings& endings) { return std::ranges::any_of(endings, errs_there); });
        ConcreteWord word = from.word;
        word.last = call;
        word.last_arguments = arguments;
        if (!always)
          complain(report_.aside, Answer::Fails, word,
                   fmt::format("{} was set aside and cannot err here", site.site));
      }
    }
  }

  const Interface& interface_;
  const Component& component_;
  const GuardedReading& reading_;
  const ReferenceOptions& options_;
  const Component* whole_; // with nothing set aside; null when nothing is
  ConcreteSemantics semantics_;
  Product& product_;
  std::map<std::tuple<State, std::vector<Value>, Worlds>, std::size_t> known_;
  ReferenceReport report_;
};

bool claimed(Claim claim) { return claim == Claim::Proved; }

} // namespace

std::string to_string(const Judgement& judgement) {
  switch (judgement.answer) {
  case Answer::Holds: return "holds";
  case Answer::HoldsToDepth: return "holds to the depth";
  case Answer::Fails: return fmt::format("fails: {} ({})", judgement.why, judgement.word);
  case Answer::Open: return fmt::format("open: {} ({})", judgement.why, judgement.word);
  }
  return "";
}

std::string ReferenceReport::complaints(const Verdict& verdict) const {
  if (malformed) return "malformed: " + *malformed + "\n";
  if (failure) return "not judged: " + *failure + "\n";
  std::string text;
  const auto check = [&](bool claim, const char* name, const Judgement& judgement) {
    if (claim && !judgement.holds()) text += fmt::format("{} {}\n", name, to_string(judgement));
  };
  check(claimed(verdict.safe), "safe", safe);
  check(claimed(verdict.permissive), "permissive", permissive);
  check(claimed(verdict.full), "full", full);
  check(verdict.minimal, "minimal", minimal);
  check(true, "set aside", aside);
  return text;
}

bool ReferenceReport::right(const Verdict& verdict) const { return complaints(verdict).empty(); }

namespace {

/// What the result says it set aside has to be what the component leaves out.
std::optional<std::string> wrong_aside(const Interface& interface) {
  std::vector<std::string> listed;
  for (const SetAside& site : interface.aside) listed.push_back(site.call + "@" + site.site);
  std::vector<std::string> left_out = interface.options.aside;
  std::ranges::sort(listed);
  std::ranges::sort(left_out);
  if (listed == left_out) return std::nullopt;
  return "what was set aside is not what the options leave out";
}

} // namespace

ReferenceReport judge_interface(const Interface& interface, const Component& component,
                                const ReferenceOptions& options) {
  Product product;
  return explore_interface(interface, component, options, product);
}

ReferenceReport explore_interface(const Interface& interface, const Component& component,
                                  const ReferenceOptions& options, Product& product) {
  ReferenceReport report;
  const auto reading = GuardedReading::read(interface, component);
  report.malformed = reading ? wrong_aside(interface) : reading.error().message;
  if (report.malformed) return report;
  if (interface.aside.empty())
    return Explorer(interface, component, *reading, options, nullptr, product).run();
  Interface plain = interface;
  plain.options.aside.clear();
  const auto whole = component_of(plain);
  if (!whole) {
    report.malformed = whole.error().message;
    return report;
  }
  return Explorer(interface, component, *reading, options, &*whole, product).run();
}

} // namespace tacit
