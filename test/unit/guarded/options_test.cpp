// Random combinations of options: `--error`, `--assume`, `--letter`, `--blind`, `--reject`,
// `--methods`, `--constructor`, and of sites that are set aside. What each means is said here once
// more, over the runs of the program without any option; concrete words have to be as legal, and to
// show as much, with the options as that says, and what is found with them has to be right.
#include <algorithm>

#include <gtest/gtest.h>

#include "interface/json.h"
#include "pipeline/synthesise.h"
#include "program/text/read.h"
#include "support/random_guarded.h"
#include "support/reference.h"
#include "support/volume.h"

namespace tacit {
namespace {

constexpr double seconds_each = 20;
constexpr std::size_t most_beliefs = 60;

/// A condition on one parameter.
struct Test {
  std::size_t parameter = 0;
  bool equal = true;
  Integer value = 0;
  std::string text;

  bool holds(const std::vector<Value>& arguments) const {
    return (arguments.at(parameter).number == value) == equal;
  }
};

/// What the options say of the calls of one procedure, under each of its names.
struct Meaning {
  std::string procedure;
  std::optional<Test> when, assumed;
  bool otherwise = false; // the remainder of a letter
  bool blind = false;
  std::set<std::string> aside; // places
};

struct Combination {
  ComponentOptions options;
  std::map<std::string, Meaning> calls;
  std::set<std::string> counted; // error statements; empty: all
  bool thrown = false;           // throws:X counts
};

class Chooser {
  int pick(std::size_t below) { return static_cast<int>(random_() % below); }
  bool chance(int percent) { return pick(100) < percent; }
  template <class List> const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(pick(list.size()))];
  }

public:
  Chooser(std::uint64_t seed, const Component& plain) : random_(seed + 99), plain_(plain) {}

  Combination run() {
    made_.options.arguments = Arguments::Guarded;
    for (const Call& c : plain_.calls()) made_.calls[c.name].procedure = c.name;
    errors();
    for (const Call& c : plain_.calls()) {
      if (chance(30)) letter(c);
      if (chance(35)) assume(c);
      if (chance(20)) {
        made_.calls[c.name].blind = true;
        made_.options.blind.push_back(c.name);
      }
      if (chance(25)) aside(c);
      if (chance(15)) made_.options.rejects.push_back(c.name + ":" + one_of(c.outcomes));
    }
    if (chance(20)) methods();
    if (plain_.constructors().size() > 1 && chance(30))
      made_.options.constructors = {plain_.constructors()[0].name};
    return std::move(made_);
  }

private:
  void errors() {
    std::set<std::string> all;
    for (const auto* list : {&plain_.calls(), &plain_.constructors()})
      for (const Call& c : *list)
        for (const ErrorSite& site : plain_.error_sites(c)) all.insert(site.error);
    if (all.empty() || chance(50)) return;
    for (const std::string& e : all)
      if (chance(60)) made_.counted.insert(e);
    if (made_.counted.empty()) made_.counted.insert(*all.begin());
    for (const std::string& e : made_.counted) made_.options.errors.push_back("error:" + e);
    const bool can = std::ranges::any_of(plain_.calls(), [](const Call& c) {
      return std::ranges::find(c.outcomes, "throws=X") != c.outcomes.end();
    });
    if (!can || chance(50)) return;
    made_.thrown = true;
    made_.options.errors.push_back("throws:X");
  }

  std::optional<Test> test(const Call& c) {
    const Procedure& body = plain_.body(c);
    if (body.parameters.empty()) return std::nullopt;
    Test made;
    made.parameter = static_cast<std::size_t>(pick(body.parameters.size()));
    made.equal = chance(50);
    const Variable& p = body.parameters[made.parameter];
    const std::uint64_t size = *domain_size(p.type);
    made.value = scalar_value(p.type, static_cast<std::uint64_t>(pick(size)));
    std::string value = to_string(made.value);
    if (p.type.sort->kind == SortKind::Bool) value = made.value != 0 ? "true" : "false";
    if (p.type.sort->kind == SortKind::Enum)
      for (const Enumerator& e : p.type.sort->decl->values)
        if (e.value == made.value) value = e.name;
    made.text = fmt::format("{} {} {}", p.name(), made.equal ? "==" : "!=", value);
    return made;
  }

  void letter(const Call& c) {
    auto when = test(c);
    if (!when) return;
    const std::string name = "x" + c.name;
    made_.options.letters.push_back(fmt::format("{} = {} when {}", name, c.name, when->text));
    made_.calls[name] = {.procedure = c.name, .when = when};
    made_.calls[c.name].when = when;
    made_.calls[c.name].otherwise = true;
  }

  void assume(const Call& c) {
    auto assumed = test(c);
    if (!assumed) return;
    made_.options.assumes.push_back(c.name + ": " + assumed->text);
    made_.calls[c.name].assumed = assumed;
  }

  void aside(const Call& c) {
    Meaning& meaning = made_.calls[c.name];
    for (const ErrorSite& site : plain_.error_sites(c)) {
      if (meaning.when || !chance(60)) continue;
      if (!made_.counted.empty() && !made_.counted.contains(site.error)) continue;
      const std::string at = to_string(site.where);
      meaning.aside.insert(at);
      made_.options.aside.push_back(c.name + "@" + at);
    }
  }

  void methods() {
    const std::string kept = one_of(plain_.calls()).name;
    const std::string other = one_of(plain_.calls()).name;
    const auto stays = [&](const std::string& name) { return name == kept || name == other; };
    made_.options.methods = {kept, other};
    std::erase_if(made_.calls, [&](const auto& e) { return !stays(e.second.procedure); });
    // What speaks of other calls is an error of the user.
    auto& o = made_.options;
    std::erase_if(o.letters, [&](const std::string& s) {
      return !stays(s.substr(s.find("= ") + 2, s.find(" when") - s.find("= ") - 2));
    });
    for (auto* list : {&o.assumes, &o.rejects})
      std::erase_if(*list, [&](const std::string& s) { return !stays(s.substr(0, s.find(':'))); });
    std::erase_if(o.blind, [&](const std::string& s) { return !stays(s); });
    std::erase_if(o.aside, [&](const std::string& s) { return !stays(s.substr(0, s.find('@'))); });
  }

  std::mt19937_64 random_;
  const Component& plain_;
  Combination made_;
};

/// How calls end, as the options want it: by error, or seen as (outcome, result, state left).
struct Seen {
  std::string outcome;
  std::optional<Integer> result;
  std::vector<Integer> left;
  auto operator<=>(const Seen&) const = default;
};
struct Ends {
  bool errs = false, any = false;
  std::map<Seen, StateBelief> after;
};

Seen seen_of(const Call& call, const Ending& e, bool blind) {
  if (blind) return {"any", std::nullopt, {}};
  Seen seen{call.outcomes.at(e.seen.outcome), std::nullopt, {}};
  if (e.seen.result) seen.result = e.seen.result->number;
  for (const Value& v : e.seen.left) seen.left.push_back(v.number);
  return seen;
}

/// From the runs of the plain program.
Ends expected(ConcreteSemantics& plain, const Combination& wanted, const Meaning& meaning,
              const StateBelief& belief, const std::vector<Value>& arguments) {
  Ends ends;
  if (meaning.when && meaning.when->holds(arguments) == meaning.otherwise) return ends;
  if (meaning.assumed && !meaning.assumed->holds(arguments)) return ends;
  const Component& c = plain.component();
  const std::size_t index = *c.find_call(meaning.procedure);
  const Call& call = c.calls()[index];
  for (const ConcreteState& state : belief)
    for (const Endings& all : plain.ways({{state}}, index, arguments))
      for (const Ending& e : all) {
        if (e.errs) {
          const bool counts = wanted.counted.empty() || wanted.counted.contains(e.error);
          if (!counts || meaning.aside.contains(e.at)) continue;
          ends.errs = ends.any = true;
          continue;
        }
        ends.any = true;
        if (wanted.thrown && call.outcomes.at(e.seen.outcome) == "throws=X")
          ends.errs = true;
        else
          ends.after[seen_of(call, e, meaning.blind)].insert(e.after);
      }
  return ends;
}

/// From the component that was built with the options.
Ends observed(ConcreteSemantics& built, std::size_t index, const StateBelief& belief,
              const std::vector<Value>& arguments) {
  Ends ends;
  const Component& c = built.component();
  const Call& call = c.calls()[index];
  for (const Endings& all : built.ways({belief}, index, arguments))
    for (const Ending& e : all) {
      ends.any = true;
      ends.errs = ends.errs || e.errs;
      if (!e.errs) ends.after[seen_of(call, e, call.blind)].insert(e.after);
    }
  return ends;
}

std::string shown(const Ends& ends) {
  std::string text = fmt::format("{}{}", ends.any ? "" : "no run ", ends.errs ? "errs " : "");
  for (const auto& [seen, belief] : ends.after)
    text += fmt::format("{}{}({}) ", seen.outcome, seen.result ? "=" + to_string(*seen.result) : "",
                        belief.size());
  return text;
}

/// All words until the beliefs run out; the first that differs.
std::optional<std::string> difference(const Component& plain_component, const Component& component,
                                      const Combination& wanted) {
  ConcreteSemantics plain(plain_component), built(component);
  std::set<std::string> names;
  for (const Call& c : component.calls()) names.insert(c.name);
  for (const auto& [name, meaning] : wanted.calls)
    if (!names.contains(name)) return fmt::format("'{}' is no call", name);
  if (names.size() != wanted.calls.size()) return "there are more calls";

  std::vector<StateBelief> open;
  std::set<StateBelief> known;
  const auto meet = [&](const StateBelief& b) {
    if (known.size() < most_beliefs && known.insert(b).second) open.push_back(b);
  };
  for (std::size_t k = 0; k < component.constructors().size(); ++k)
    for (const auto& arguments : built.arguments(component.constructors()[k])) {
      const Resolutions ways = built.constructor_ways(k, arguments);
      if (ConcreteSemantics::constructor_legality(ways) != Legality::Legal) continue;
      for (const Observation& seen : ConcreteSemantics::seen(ways, true))
        for (const StateBelief& b : ConcreteSemantics::after(ways, seen, true)) meet(b);
    }
  while (!open.empty()) {
    const StateBelief belief = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < component.calls().size(); ++i) {
      const std::string& name = component.calls()[i].name;
      const Meaning& meaning = wanted.calls.at(name);
      const Call& call = plain_component.calls()[*plain_component.find_call(meaning.procedure)];
      for (const auto& arguments : plain.arguments(call)) {
        const Ends should_be = expected(plain, wanted, meaning, belief, arguments);
        const Ends is = observed(built, i, belief, arguments);
        if (plain.failure() || built.failure()) return std::nullopt;
        if (should_be.any != is.any || should_be.errs != is.errs || should_be.after != is.after)
          return fmt::format("{}: {} but should be {}", name, shown(is), shown(should_be));
        if (!is.errs)
          for (const auto& [seen, next] : is.after) meet(next);
      }
    }
  }
  return std::nullopt;
}

std::string described(const ComponentOptions& o) {
  std::string text;
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    for (const std::string& v : values) text += fmt::format(" {} '{}'", name, v);
  };
  add("--error", o.errors);
  add("--letter", o.letters);
  add("--assume", o.assumes);
  add("--blind", o.blind);
  add("--reject", o.rejects);
  add("--aside", o.aside);
  add("--methods", o.methods);
  add("--constructor", o.constructors);
  return text;
}

class Options : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Options, MeanWhatTheySay) {
  const Seeds seeds = random_seeds(2000, 60);
  std::size_t compared = 0, judged = 0, proved = 0;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += 2) {
    const RandomGuarded random = random_guarded(50'000 + seed);
    if (random.tir.contains("unknown ")) continue;
    const auto module = read_module(random.tir, "random.tir");
    ASSERT_TRUE(module.has_value()) << random.tir << to_string(module.error());
    const auto plain = build_component(*module, {.arguments = Arguments::Guarded});
    ASSERT_TRUE(plain.has_value()) << random.tir << to_string(plain.error());
    const Combination wanted = Chooser(seed, *plain).run();
    const std::string about =
        fmt::format("seed {}\noptions{}\n{}", seed, described(wanted.options), random.tir);
    SynthesisRequest request;
    request.component = wanted.options;
    request.needs = false;
    const auto built = build_component(*module, wanted.options);
    // A rejection in a call in which that outcome is an error, a site that a letter shares.
    if (!built) continue;
    const auto wrong = difference(*plain, *built, wanted);
    EXPECT_FALSE(wrong.has_value()) << *wrong << "\n" << about;
    if (HasFailure()) return;
    ++compared;
    if (!wanted.options.aside.empty()) continue; // the search says so itself

    Budget budget(BudgetLimits{.seconds = seconds_each});
    const auto answer = synthesise(*module, request, budget);
    if (!answer) continue; // nothing counts as an error
    const ReferenceReport report = judge_interface(answer->interface, *answer->component);
    const std::string more = about + to_json(answer->interface);
    ASSERT_FALSE(report.malformed.has_value()) << *report.malformed << "\n" << more;
    if (report.failure) continue;
    // Where there are no conditions, what cannot happen is a distinction as well.
    Verdict claimed = answer->interface.verdict;
    claimed.minimal = claimed.minimal && answer->interface.guarded();
    EXPECT_EQ(report.complaints(claimed), "") << more;
    if (HasFailure()) return;
    ++judged;
    proved += answer->interface.verdict.safe == Claim::Proved &&
              answer->interface.verdict.permissive == Claim::Proved;
  }
  fmt::print("{} combinations compared, {} results judged, {} proved\n", compared, judged, proved);
  EXPECT_GE(compared * 10, (seeds.end - seeds.first) / 2 * 6);
}

INSTANTIATE_TEST_SUITE_P(Parts, Options, testing::Range<std::uint64_t>(0, 2));

} // namespace
} // namespace tacit
