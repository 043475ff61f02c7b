// May, must and must-nodes, with the cubes, posts and nodes that a reader can work out.
#include "abstraction/maymust/must_nodes.h"
#include "subject.h"

namespace tacit::test {
namespace {

constexpr Cube zero = 0b1, more = 0b0; // of the predicate n == 0

std::vector<Cube> cubes(MayOracle& oracle, Region region) { return oracle.cubes(region); }

TEST(May, StartPostAndErrors) {
  Subject subject(counter);
  MayOracle oracle(*subject.formulas, subject.terms({"n == 0"}), *subject.solver);
  const Region start = oracle.start(0);
  EXPECT_EQ(cubes(oracle, start), std::vector{zero});
  EXPECT_TRUE(oracle.errs(start, subject.call("down")));
  EXPECT_FALSE(oracle.errs(start, subject.call("up")));
  EXPECT_EQ(oracle.post(start, subject.letter("down")), empty_region);
  EXPECT_EQ(cubes(oracle, oracle.post(start, subject.letter("up"))), std::vector{more});
  EXPECT_EQ(oracle.post_cubes(more, subject.letter("down")), (std::vector{more, zero}));
  EXPECT_EQ(oracle.erring(more), std::vector<bool>(3, false));
  EXPECT_EQ(to_string(oracle.formula({more})), "n != 0");
}

TEST(May, EqualSetsAreOneRegion) {
  Subject subject(counter);
  MayOracle oracle(*subject.formulas, subject.terms({"n == 0"}), *subject.solver);
  EXPECT_EQ(oracle.intern({more, zero, more}), oracle.intern({zero, more}));
  EXPECT_EQ(oracle.intern({}), empty_region);
}

TEST(May, AllCallsOfACubeAreJudgedWithFewQueries) {
  std::string text = "component Many\nstate s : int [0..9] = 0\n";
  for (int i = 0; i < 10; ++i)
    text += "method m" + std::to_string(i) + "() { if (s != " + std::to_string(i) +
            ") error wrong; s := (s + 1) % 10; return; }\n";
  Subject subject(text);
  MayOracle oracle(*subject.formulas, subject.terms({"s == 4"}), *subject.solver);
  const auto before = subject.solver->statistics().queries;
  std::vector<bool> expected(10, true);
  expected[4] = false;
  EXPECT_EQ(oracle.erring(1), expected);
  EXPECT_LE(subject.solver->statistics().queries - before, 4u);
  EXPECT_EQ(oracle.erring(0), std::vector<bool>(10, true));
}

TEST(May, TooManyPredicatesThatTheTextDoesNotHaveAreAFailure) {
  Subject subject(counter);
  std::vector<Term> predicates;
  for (int i = 0; i < 70; ++i) predicates.push_back(subject.term("n == " + std::to_string(i)));
  MayOracle oracle(*subject.formulas, predicates, *subject.solver);
  EXPECT_TRUE(oracle.failure());
}

TEST(May, RunsAndSites) {
  Subject subject(counter);
  MayOracle oracle(*subject.formulas, {}, *subject.solver);
  EXPECT_TRUE(oracle.run_along(0, subject.word({"up", "down"}), subject.call("down")));
  EXPECT_FALSE(oracle.run_along(0, subject.word({"up"}), subject.call("down")));
  const auto site = oracle.error_site(oracle.start(0), subject.call("down"));
  ASSERT_TRUE(site);
  EXPECT_EQ(site->error, "empty");
  EXPECT_EQ(site->where.line, 5u);
}

TEST(Must, EveryStateOfTheCube) {
  Subject subject(counter);
  MayMust both(*subject.formulas, subject.goals, subject.terms({"n <= 1"}), *subject.solver);
  constexpr Cube low = 1, high = 0;
  const std::size_t down = subject.call("down");
  EXPECT_TRUE(both.may_err(low)[down]);
  EXPECT_FALSE(both.must_err(low)[down]); // not from n == 1
  EXPECT_FALSE(both.may_err(high)[down]);
  EXPECT_TRUE(both.must_happen(high, subject.letter("down")));
  EXPECT_FALSE(both.must_happen(low, subject.letter("down")));
  EXPECT_TRUE(both.must_happen(low, subject.letter("grab:returns=true")));
}

TEST(Must, OnlyWhatIsAskedAboutIsJudged) {
  Subject subject(counter);
  MayMust both(*subject.formulas, subject.goals, subject.terms({"n == 0"}), *subject.solver);
  std::vector<bool> asked(3, false);
  const auto before = subject.solver->statistics().queries;
  EXPECT_EQ(both.must_err(zero, asked), std::vector<bool>(3, false));
  EXPECT_EQ(subject.solver->statistics().queries, before);
  asked[subject.call("down")] = true;
  EXPECT_TRUE(both.must_err(zero, asked)[subject.call("down")]);
}

TEST(Must, Words) {
  Subject subject(counter);
  MayMust both(*subject.formulas, subject.goals, subject.terms({"n == 0", "n == 1"}),
               *subject.solver);
  const std::size_t down = subject.call("down");
  EXPECT_TRUE(both.must({0, {}, down}));
  EXPECT_FALSE(both.must({0, subject.word({"up"}), down}));
  EXPECT_TRUE(both.must({0, subject.word({"grab:returns=true", "down"}), down}));
  EXPECT_TRUE(both.must({0, subject.word({"grab:returns=true"}), {}}));
  EXPECT_FALSE(both.must({0, subject.word({"down"}), {}}));
}

TEST(Must, HiddenValuesShowNothing) {
  Subject subject(hidden);
  MayMust both(*subject.formulas, subject.goals, subject.terms({"m < 0"}), *subject.solver);
  EXPECT_EQ(both.may().cubes(both.may().start(0)).size(), 2u);
  EXPECT_TRUE(both.must_err(1)[subject.call("reset")]);
  EXPECT_FALSE(both.must({0, {}, subject.call("reset")}));
}

/// An automaton with one state that every letter but `down` stays in.
Dfa one_state(const Subject& subject, std::string_view refused) {
  Dfa dfa(subject.component.letters());
  const State only = dfa.add_state();
  for (Letter l = 0; l < dfa.letters(); ++l)
    if (subject.component.letter(l).call != subject.call(refused)) dfa.set_next(only, l, only);
  dfa.add_entry(only);
  return dfa;
}

constexpr std::size_t most = 40;

TEST(MustNodes, ALabelThatImpliesTheGoalNeedsNone) {
  Subject subject(counter);
  const Dfa dfa = one_state(subject, "up");
  Budget budget;
  MustNodes nodes(*subject.formulas, dfa, {subject.term("n == 0")}, *subject.solver, budget);
  const auto shown = nodes.show(0, subject.term("n <= 3"), most);
  ASSERT_TRUE(shown);
  EXPECT_FALSE(*shown);
  EXPECT_TRUE(nodes.nodes().empty());
}

TEST(MustNodes, EveryWordCanReachTheGoal) {
  Subject subject(R"(component Coin
state heads : bool = true
extern flip() : bool;
method toss() { heads := call flip(); return; }
method win() { if (heads) error lost; return; }
)");
  const Dfa dfa = one_state(subject, "win");
  Budget budget;
  MustNodes nodes(*subject.formulas, dfa, {subject.arena().truth()}, *subject.solver, budget);
  const auto shown = nodes.show(0, subject.term("heads"), most);
  ASSERT_TRUE(shown);
  ASSERT_TRUE(*shown);
  ASSERT_EQ(nodes.nodes().size(), 1u);
  const MustNodes::Node& node = nodes.nodes()[0];
  EXPECT_TRUE(subject.same(node.predicate, subject.term("heads")));
  // A toss from any state can show heads, so the label is enough of a source.
  ASSERT_EQ(node.sources.size(), 1u);
  EXPECT_EQ(node.sources[0].letter, subject.letter("toss"));
  EXPECT_FALSE(node.sources[0].node);
}

TEST(MustNodes, AGapIsAWord) {
  Subject subject(counter);
  const Dfa dfa = one_state(subject, "down");
  Budget budget;
  MustNodes nodes(*subject.formulas, dfa, {subject.arena().truth()}, *subject.solver, budget);
  const auto shown = nodes.show(0, subject.term("n == 0"), most);
  ASSERT_FALSE(shown);
  ASSERT_TRUE(shown.error().constructor);
  EXPECT_EQ(shown.error().letters, subject.word({"up"}));
  EXPECT_TRUE(nodes.nodes().empty());
}

TEST(MustNodes, AGapThatIsPassedOverIsNotTheLast) {
  Subject subject(hidden);
  const Dfa dfa = one_state(subject, "reset");
  Budget budget;
  MustNodes nodes(*subject.formulas, dfa, {subject.arena().truth()}, *subject.solver, budget);
  std::vector<std::vector<std::size_t>> met;
  const auto pass_over = [&](const MustNodes::Gap& gap) {
    met.push_back(gap.letters);
    return gap.letters.empty();
  };
  const auto shown = nodes.show(0, subject.term("m < 0"), most, pass_over, most);
  ASSERT_FALSE(shown);
  EXPECT_EQ(met, (std::vector{subject.word({}), subject.word({"mark"})}));
  EXPECT_EQ(shown.error().letters, subject.word({"mark"}));
  EXPECT_TRUE(nodes.nodes().empty());
}

TEST(MustNodes, NoEndOfNodes) {
  Subject subject(R"(component Down
state n : int = 0
constructor Down(start : int) { n := start; return; }
method down() { n := n - 1; return; }
method stop() { if (n == 0) error zero; return; }
)");
  const Dfa dfa = one_state(subject, "stop");
  Budget budget;
  MustNodes nodes(*subject.formulas, dfa, {subject.arena().truth()}, *subject.solver, budget);
  const auto shown = nodes.show(0, subject.term("n == 0"), 5);
  ASSERT_FALSE(shown);
  EXPECT_FALSE(shown.error().constructor);
  EXPECT_NE(shown.error().reason.find("no end"), std::string::npos);
}

} // namespace
} // namespace tacit::test
