// The proof and the refiner that the engines over predicates share.
#include "synthesis/predicate/interface_proof.h"
#include "synthesis/predicate/refiner.h"
#include "unit/abstraction/subject.h"

namespace tacit::test {
namespace {

class Setting {
public:
  explicit Setting(std::string_view text, const Strategy& strategy = permissive_strategy())
      : subject(text),
        made(PredicateSetting::create(subject.component, options, strategy, budget).value()) {}

  std::shared_ptr<MayMust> over(const std::vector<std::string>& predicates) {
    return std::make_shared<MayMust>(made->formulas(), made->goals(), subject.terms(predicates),
                                     made->solver());
  }
  Trace word(const std::vector<std::string>& letters, std::optional<std::string> call) const {
    Trace trace{0, subject.word(letters), {}};
    if (call) trace.call = subject.call(*call);
    return trace;
  }
  /// One state, every call allowed but one.
  Protocol refusing(std::string_view refused) const {
    Protocol protocol(subject.component);
    std::vector<bool> allowed(subject.component.calls().size(), true);
    allowed[subject.call(refused)] = false;
    const State only = protocol.add_state(allowed);
    for (Letter l = 0; l < subject.component.letters(); ++l)
      if (allowed[subject.component.letter(l).call]) protocol.dfa.set_next(only, l, only);
    protocol.dfa.add_entry(only);
    return protocol;
  }

  Subject subject;
  SynthesisOptions options;
  Budget budget;
  std::unique_ptr<PredicateSetting> made;
};

TEST(Words, WhatTheComponentSays) {
  const Setting setting(counter);
  const PredicateSetting& says = *setting.made;
  EXPECT_TRUE(says.never(setting.word({"up"}, "down")));
  EXPECT_EQ(says.judge(setting.word({}, "down")), Fact::Yes);
  EXPECT_EQ(says.judge(setting.word({"down"}, std::nullopt)), Fact::No);
  EXPECT_EQ(says.classify(setting.word({"up"}, "down")), Fact::No);
  EXPECT_EQ(says.classify(setting.word({}, "down")), Fact::Yes);
}

TEST(Words, RunsThatDisagreeAndRunsThatAreHidden) {
  const Setting coin(R"(component Coin
state heads : bool = true
extern flip() : bool;
method toss() { heads := call flip(); return; }
method win() { if (heads) error lost; return; }
)");
  EXPECT_EQ(coin.made->classify(coin.word({"toss"}, "win")), Fact::Both);
  const Setting behind(hidden);
  EXPECT_EQ(behind.made->classify(behind.word({}, "reset")), Fact::Both);
  EXPECT_EQ(behind.made->classify(behind.word({"clear"}, "reset")), Fact::Yes);
}

TEST(Refiner, LearnsFromPreconditions) {
  Setting setting(counter);
  Refiner refiner(*setting.made);
  PredicateSet set(setting.subject.arena());
  const Lesson lesson = refiner.learn(setting.word({"up"}, "down"), Fact::No, set);
  EXPECT_TRUE(lesson.learnt());
  EXPECT_EQ(lesson.how, "wp");
  EXPECT_TRUE(set.contains(setting.subject.term("n == 0")));
  // The ranges of the state say more than n == -1, which is among the preconditions.
  EXPECT_FALSE(set.contains(setting.subject.term("n == -1")));
}

TEST(Refiner, ADisagreementHasNoPredicates) {
  Setting setting(counter);
  Refiner refiner(*setting.made);
  PredicateSet set(setting.subject.arena());
  EXPECT_EQ(refiner.learn(setting.word({}, "down"), Fact::Both, set).kind, Lesson::Kind::Disagrees);
  EXPECT_EQ(set.size(), 0u);
}

TEST(Refiner, WhatOthersBroughtCounts) {
  Setting setting(counter);
  Refiner refiner(*setting.made);
  PredicateSet set(setting.subject.arena());
  const Trace word = setting.word({"up"}, "down");
  ASSERT_TRUE(refiner.learn(word, Fact::No, set, 0).learnt());
  const std::size_t size = set.size();
  EXPECT_TRUE(refiner.learn(word, Fact::No, set, 0).learnt());
  EXPECT_EQ(set.size(), size);
}

TEST(Refiner, OrdersForWordsThatCount) {
  Setting setting(counter);
  Refiner refiner(*setting.made);
  PredicateSet set(setting.subject.arena());
  set.add(setting.subject.term("n == 2"));
  const Lesson lesson = refiner.learn(setting.word({"up", "up", "up"}, "down"), Fact::No, set);
  EXPECT_EQ(lesson.how, "orders");
  EXPECT_TRUE(set.contains(setting.subject.term("n <= 2")));
}

TEST(Refiner, PredicatesThatSayTheSameAreNoNews) {
  Setting setting(counter, maymust_strategy(Refinement::Wp));
  Refiner refiner(*setting.made);
  PredicateSet from(setting.subject.arena()), into(setting.subject.arena());
  from.add(setting.subject.term("n == 0"));
  from.add(setting.subject.term("n <= 4"));
  into.add(setting.subject.term("n <= 0"));
  refiner.adopt(from, into);
  EXPECT_EQ(into.all(), setting.subject.terms({"n <= 0", "n <= 4"}));
}

TEST(InterfaceProof, SafeByLabels) {
  Setting setting(counter);
  const auto nothing = setting.over({});
  InterfaceProof safe(*setting.made, setting.refusing("down"), nothing);
  EXPECT_TRUE(safe.show_safe().shown());
  InterfaceProof unsafe(*setting.made, setting.refusing("up"), nothing);
  const Standing standing = unsafe.show_safe();
  EXPECT_TRUE(standing.open());
  EXPECT_NE(standing.reason.find("'down' was not shown to be safe"), std::string::npos);
}

TEST(InterfaceProof, ADoubtIsALegalWord) {
  Setting setting(counter);
  const auto nothing = setting.over({});
  InterfaceProof proof(*setting.made, setting.refusing("down"), nothing);
  proof.leave_rest_to_nodes(nothing);
  const Standing standing = proof.show_refusals();
  ASSERT_TRUE(standing.doubt());
  EXPECT_EQ(standing.word->letters, setting.subject.word({"up"}));
  EXPECT_FALSE(proof.past_open());
  proof.leave_open(*standing.word, "nothing was found");
  EXPECT_EQ(proof.show_refusals().reason,
            "the refusal of 'down' in state 0 is open: nothing was found");
}

TEST(InterfaceProof, PastAnOpenWordThereMayBeADoubt) {
  Setting setting(hidden);
  const auto nothing = setting.over({});
  InterfaceProof proof(*setting.made, setting.refusing("reset"), nothing);
  proof.leave_rest_to_nodes(nothing);
  const Standing standing = proof.show_refusals();
  ASSERT_TRUE(standing.doubt());
  EXPECT_EQ(standing.word->letters, setting.subject.word({"mark"}));
  EXPECT_TRUE(proof.past_open());
}

TEST(InterfaceProof, SuspicionsAreTheFirstOfEachCall) {
  Setting setting(counter);
  const auto labels = setting.over({"n == 0"});
  InterfaceProof proof(*setting.made, setting.refusing("down"), labels);
  const auto found = proof.suspicions(labels);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].letters, setting.subject.word({"up"}));
  proof.leave_to_nodes(found[0]);
  EXPECT_TRUE(proof.suspicions(labels).empty());
}

TEST(InterfaceProof, WhereNothingIsKnownErringConstructorsAreRefused) {
  Setting setting(R"(component Picky
state n : int = 0
constructor Picky() { return; }
constructor Fussy(start : int) { if (start < 0) error negative; n := start; return; }
method touch() { return; }
)");
  const auto proof = InterfaceProof::of_nothing(*setting.made, setting.made->solver());
  const auto& constructors = setting.subject.component.constructors();
  ASSERT_EQ(constructors.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(proof->protocol().dfa.entries()[k], constructors[k].name == "Picky" ? 0 : no_state);
}

} // namespace
} // namespace tacit::test
