#include "check/check.h"

#include "subjects.h"

namespace tacit {
namespace {

const std::string lock_text = R"(
component Lock
state held : bool = false
state uses : int [0..] = 0
constructor Lock() { return; }
method lock() { if (held) error AlreadyHeld; held := true; uses := uses + 1; return; }
method unlock() { if (!held) error NotHeld; held := false; return; }
method tryLock() : bool { if (held) return false; held := true; return true; }
method isHeld() : bool { return held; }
)";

const std::string lock_interface = R"(
start Lock 0
label 0 !held
label 1 held
0 lock 1
1 unlock 0
0 tryLock:returns=true 1
1 tryLock:returns=false 1
0 isHeld:returns=false 0
1 isHeld:returns=true 1
)";

struct LockTest : testing::Test {
  Component component = component_from(lock_text);
  Interface interface = interface_from(component, lock_interface);

  std::size_t transition(State from, const std::string& call) {
    for (std::size_t i = 0; i < interface.transitions.size(); ++i)
      if (interface.transitions[i].from == from &&
          interface.calls[interface.transitions[i].call].name == call)
        return i;
    throw std::runtime_error("no such transition");
  }
};

TEST_F(LockTest, AcceptsTheInterface) {
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
  EXPECT_EQ(report.permissive, Claim::Proved);
  EXPECT_EQ(report.full, Claim::Proved);
  EXPECT_TRUE(report.minimal);
  EXPECT_GT(report.obligations, 20u);
}

TEST_F(LockTest, RejectsAWrongLabel) {
  interface.states[0].label = interface.evidence.safe[0] = "true";
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "safety of lock in q0")) << text_of(report);
  EXPECT_TRUE(rejects(report, "absence of tryLock:returns=false in q0")) << text_of(report);
  EXPECT_TRUE(rejects(report, "refusal of unlock in q0")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Unknown);
  EXPECT_EQ(report.permissive, Claim::Unknown);
}

TEST_F(LockTest, SaysFromWhichState) {
  interface.states[1].label = interface.evidence.safe[1] = "held && uses > 1";
  const CheckReport report = check(interface, component);
  ASSERT_TRUE(rejects(report, "consecution of q0 --lock:returns--> q1")) << text_of(report);
  EXPECT_EQ(report.rejected.front().detail,
            "from held == false, uses == 0 to held == true, uses == 1")
      << text_of(report);
}

TEST_F(LockTest, RejectsALabelTooStrongForTheStart) {
  interface.states[0].label = interface.evidence.safe[0] = "!held && uses > 0";
  EXPECT_TRUE(rejects(check(interface, component), "initiation of Lock --> q0"));
}

TEST_F(LockTest, RejectsAShownLabelThatWasNotProved) {
  interface.states[1].label = "held && uses > 3";
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "shown label of q1")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
}

TEST_F(LockTest, RejectsALabelThatCannotBeRead) {
  interface.states[0].label = interface.evidence.safe[0] = "!hold";
  EXPECT_TRUE(rejects(check(interface, component), "label of q0"));
}

TEST_F(LockTest, RejectsAMovedTransition) {
  interface.transitions[transition(0, "lock")].to = 0;
  EXPECT_TRUE(rejects(check(interface, component), "consecution of q0 --lock:returns--> q0"));
}

TEST_F(LockTest, RejectsADroppedOutcome) {
  interface.transitions.erase(interface.transitions.begin() +
                              static_cast<long>(transition(1, "isHeld")));
  EXPECT_TRUE(rejects(check(interface, component), "absence of isHeld:returns=true in q1"));
}

TEST_F(LockTest, RejectsAnOutcomeThatCannotHappenWhenFull) {
  InterfaceTransition extra;
  extra.from = 0;
  extra.to = 1;
  extra.call = *interface.find_call("isHeld");
  extra.outcome = 0;
  if (interface.transitions[transition(0, "isHeld")].outcome == 0) extra.outcome = 1;
  interface.transitions.insert(
      interface.transitions.begin() + static_cast<long>(transition(0, "isHeld")), extra);
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "possibility of q0 --isHeld:returns=true--> q1")) << text_of(report);
  EXPECT_EQ(report.full, Claim::Unknown);
  EXPECT_EQ(report.safe, Claim::Proved);
  EXPECT_EQ(report.permissive, Claim::Proved);
}

TEST_F(LockTest, RejectsARefusalOfAHarmlessCall) {
  const std::size_t call = *interface.find_call("isHeld");
  interface.states[0].allows[call] = false;
  interface.transitions.erase(interface.transitions.begin() +
                              static_cast<long>(transition(0, "isHeld")));
  fill_refusals(component, interface);
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of isHeld in q0")) << text_of(report);
  EXPECT_EQ(report.permissive, Claim::Unknown);
  EXPECT_EQ(report.safe, Claim::Proved);
}

TEST_F(LockTest, ChecksWords) {
  for (Refusal& refusal : interface.forbidden)
    if (interface.calls[refusal.call].name == "lock")
      refusal.word = {"isHeld:returns=false", "lock", "lock"};
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "word of lock in q1")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
  for (Refusal& refusal : interface.forbidden)
    if (interface.calls[refusal.call].name == "lock") refusal.word = {"lock"};
  EXPECT_TRUE(rejects(check(interface, component), "word of lock in q1"));
  for (Refusal& refusal : interface.forbidden)
    if (interface.calls[refusal.call].name == "lock") refusal.word = {"lock", "unlock"};
  EXPECT_TRUE(rejects(check(interface, component), "word of lock in q1"));
}

TEST_F(LockTest, ChecksErrorSites) {
  interface.forbidden.front().error = "Nonsense";
  EXPECT_TRUE(rejects(check(interface, component), "error of unlock in q0"));
}

TEST_F(LockTest, ReportsMissingRefusalEntries) {
  interface.forbidden.clear();
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of unlock in q0")) << text_of(report);
}

TEST_F(LockTest, ReplaysRuns) {
  Refusal* refusal = nullptr;
  for (Refusal& r : interface.forbidden)
    if (r.state == 1u) refusal = &r;
  Example run;
  run.constructor = "Lock";
  run.steps = {{"lock", {}, "returns", {{"held", "true"}, {"uses", "1"}}}, {"lock", {}, "", {}}};
  refusal->run = run;
  refusal->word = {"lock", "lock"};
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  refusal->run->steps[0].after["uses"] = "2";
  EXPECT_TRUE(rejects(check(interface, component), "run of lock in q1"));
  refusal->run = run;
  refusal->run->steps.pop_back();
  EXPECT_TRUE(rejects(check(interface, component), "run of lock in q1"));
  refusal->run = run;
  refusal->run->steps[0].call = "isHeld";
  EXPECT_TRUE(rejects(check(interface, component), "run of lock in q1"));
}

TEST_F(LockTest, ReplaysExamples) {
  InterfaceTransition& t = interface.transitions[transition(0, "lock")];
  t.before = {{"held", "false"}, {"uses", "7"}};
  t.example.emplace().steps = {{"lock", {}, "returns", {{"held", "true"}, {"uses", "8"}}}};
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
  t.example->steps[0].after["uses"] = "7";
  EXPECT_TRUE(rejects(check(interface, component), "example of q0 --lock--> q1"));
  t.before["held"] = "true";
  EXPECT_TRUE(rejects(check(interface, component), "example of q0 --lock--> q1"));
}

TEST_F(LockTest, RejectsASplitState) {
  interface = interface_from(component, R"(
start Lock 0
label 0 !held
label 1 held
label 2 held
0 lock 1
1 unlock 0
2 unlock 0
0 tryLock:returns=true 2
1 tryLock:returns=false 1
2 tryLock:returns=false 1
0 isHeld:returns=false 0
1 isHeld:returns=true 1
2 isHeld:returns=true 2
)");
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "minimal")) << text_of(report);
  EXPECT_FALSE(report.minimal);
  EXPECT_EQ(report.safe, Claim::Proved);
}

TEST_F(LockTest, WantsEvidenceForWhatIsProved) {
  interface.evidence = {};
  for (InterfaceState& state : interface.states) state.label.clear();
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "evidence for safe")) << text_of(report);
  EXPECT_TRUE(rejects(report, "evidence for permissive"));
  interface.evidence.omitted = true;
  report = check(interface, component);
  EXPECT_TRUE(undecided(report, "evidence for full")) << text_of(report);
  EXPECT_TRUE(report.rejected.empty()) << text_of(report);
  interface.verdict.safe = interface.verdict.permissive = interface.verdict.full = Claim::Unknown;
  EXPECT_TRUE(check(interface, component).accepted());
}

TEST_F(LockTest, ChecksOnlyWhatIsClaimed) {
  interface.states[0].label = interface.evidence.safe[0] = "!held || uses == 77";
  interface.verdict.safe = Claim::Unknown;
  interface.verdict.permissive = Claim::Unknown;
  interface.verdict.full = Claim::Unknown;
  EXPECT_TRUE(check(interface, component).accepted());
}

TEST_F(LockTest, RejectsForeignVocabulary) {
  interface.calls[0].name = "seize";
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "structure")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Unknown);
}

TEST_F(LockTest, RejectsNondeterminism) {
  InterfaceTransition copy = interface.transitions[0];
  interface.transitions.insert(interface.transitions.begin(), copy);
  EXPECT_TRUE(rejects(check(interface, component), "structure"));
}

TEST_F(LockTest, StopsAtTheLimitOfFindings) {
  for (State q = 0; q < 2; ++q) interface.states[q].label = interface.evidence.safe[q] = "true";
  const CheckReport report = check_evidence(interface, component, {.max_findings = 1});
  EXPECT_EQ(report.rejected.size(), 1u);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.full, Claim::Unknown);
}

TEST_F(LockTest, StopsWhenTheBudgetIsSpent) {
  Budget budget;
  budget.cancel();
  const CheckReport report = check_evidence(interface, component, {.budget = &budget});
  EXPECT_FALSE(report.accepted());
  EXPECT_EQ(report.safe, Claim::Unknown);
}

TEST(Check, ConstructorsAreCallsToo) {
  const std::string text = R"(
component Pool
state size : int [0..] = 0
constructor Pool(n : int) { if (n < 0) error Negative; size := n; return; }
constructor Empty() { return; }
method get() { if (size == 0) error Empty; size := size - 1; return; }
method fill() { size := 1; return; }
)";
  const Component component = component_from(text);
  Interface interface = interface_from(component, R"(
start Empty 0
label 0 size >= 0
0 fill 1
label 1 size == 1
1 fill 1
1 get 2
label 2 size == 0
2 fill 1
)");
  // State 0 and 2 are one: after Empty() there is nothing in it.
  interface.verdict.minimal = false;
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of get in q0")) << text_of(report);
  interface.states[0].label = interface.evidence.safe[0] = "size == 0";
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  interface.initial.push_back({"Pool", 1});
  fill_refusals(component, interface);
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "initiation of Pool --> q1")) << text_of(report);
  EXPECT_TRUE(rejects(report, "safety of Pool")) << text_of(report);
  interface.initial.pop_back();
  fill_refusals(component, interface);
  interface.forbidden.erase(interface.forbidden.begin());
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "missing start of Pool")) << text_of(report);
}

TEST(Check, AMergedOutcomeStandsForAll) {
  const Component component = component_from(R"(
component Query
state x : int = 0
constructor Query() { return; }
method ask() : bool { havoc x; return x > 0; }
method drop() { if (x > 0) error Positive; return; }
)");
  Interface interface = interface_from(component, R"(
start Query 0
label 0 x == 0
0 drop 0
0 ask 1
label 1 true
1 ask 1
)");
  interface.verdict.full = Claim::Unknown;
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of drop in q1")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved) << text_of(report);

  interface = interface_from(component, R"(
start Query 0
label 0 x <= 0
0 drop 0
0 ask:returns=false 0
0 ask:returns=true 1
label 1 x > 0
1 ask:returns=false 0
1 ask:returns=true 1
)");
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

TEST(Check, SeparatePermissiveLabels) {
  const Component component = component_from(R"(
component Gate
state opened : int [0..] = 0
constructor Gate() { return; }
method open() { if (opened >= 1) error Twice; opened := opened + 1; return; }
method use() { if (opened == 0) error Closed; return; }
)");
  Interface interface = interface_from(component, R"(
start Gate 0
label 0 opened == 0
0 open 1
label 1 opened == 1
1 use 1
)");
  interface.evidence.permissive = {"opened <= 0", "opened >= 1"};
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
  interface.evidence.permissive = {"opened <= 0", "opened >= 2"};
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "permissive consecution of q0 --open:returns--> q1"))
      << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
}

} // namespace
} // namespace tacit
