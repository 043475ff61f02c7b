// The obligations of guarded interfaces: for each a file that violates it and nothing else.
#include "check/check.h"

#include "subjects.h"

namespace tacit {
namespace {

ComponentOptions guarded_options() {
  ComponentOptions options;
  options.arguments = Arguments::Guarded;
  return options;
}

struct Subject {
  Component component;
  Interface interface;

  Subject(const std::string& tir, const std::string& text,
          const ComponentOptions& options = guarded_options())
      : component(component_from(tir, options)), interface(interface_from(component, text)) {
    interface.verdict.full = Claim::Unknown;
    interface.verdict.minimal = false;
    interface.tir = tir;
  }

  CheckReport report() const { return check(interface, component); }
  InterfaceTransition& transition(std::size_t i) { return interface.transitions.at(i); }
};

/// The obligations that failed, in order and each once.
std::string failed(const CheckReport& report) {
  std::set<std::string> names;
  for (const Finding& finding : report.rejected) names.insert(finding.obligation);
  for (const Finding& finding : report.unknown) names.insert("undecided " + finding.obligation);
  return fmt::format("{}", fmt::join(names, "; "));
}

// A counter with a limit that its constructor takes.
const std::string counter = R"(
component Counter
state n : int [0..] = 0
state limit : int = 0
constructor Counter(most : int) { if (most < 1) error most; limit := most; return; }
method add(k : int) : int { if (k < 0 || n + k > limit) error k; n := n + k; return n; }
method take() { if (n == 0) error empty; n := n - 1; return; }
)";
const std::string counter_interface = R"(
track c int n
track l int limit
start Counter 0 when most >= 1 set c = 0, l = most
label 0 true
guard 0 add k >= 0 && c + k <= l
guard 0 take c > 0
0 add 0 set c = c + k
0 take 0 set c = c - 1
)";

struct CounterTest : testing::Test, Subject {
  CounterTest() : Subject(counter, counter_interface) {}
};

TEST_F(CounterTest, IsAccepted) {
  const CheckReport report = this->report();
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
  EXPECT_EQ(report.permissive, Claim::Proved);
}

TEST_F(CounterTest, IsFullAndMinimal) {
  interface.verdict.full = Claim::Proved;
  interface.verdict.minimal = true;
  const CheckReport report = this->report();
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_TRUE(report.minimal);
}

TEST_F(CounterTest, SafetyAGuardThatIsTooWeak) {
  interface.guards[0].condition = "k >= 0 && c + k <= l + 1";
  EXPECT_EQ(failed(report()), "safety of add in q0");
}

TEST_F(CounterTest, PermissivenessAGuardThatIsTooStrong) {
  interface.guards[0].condition = "k > 0 && c + k <= l";
  const CheckReport report = this->report();
  EXPECT_EQ(failed(report), "refusal of add in q0");
  EXPECT_EQ(report.safe, Claim::Proved);
  EXPECT_EQ(report.permissive, Claim::Unknown);
}

TEST_F(CounterTest, UpdatesOneThatIsOff) {
  transition(0).set["c"] = "c + k + 1";
  EXPECT_EQ(failed(report()), "tracked values of q0 --add:returns--> q0");
}

TEST_F(CounterTest, UpdatesThroughTheResult) {
  transition(0).set["c"] = "result";
  EXPECT_TRUE(report().accepted()) << text_of(report());
  transition(1).set["c"] = "result"; // take returns nothing
  EXPECT_EQ(failed(report()), "cell of q0 --take--> q0, c");
}

TEST_F(CounterTest, UpdatesAValueThatIsKeptSilently) {
  transition(1).set.clear();
  EXPECT_EQ(failed(report()), "tracked values of q0 --take:returns--> q0");
}

TEST_F(CounterTest, ConsecutionALabelThatIsLeft) {
  interface.states[0].label = interface.evidence.safe[0] = "n <= 3";
  EXPECT_EQ(failed(report()), "consecution of q0 --add:returns--> q0");
}

TEST_F(CounterTest, StartsArgumentsThatErrAreAllowed) {
  interface.initial[0].when = "most >= 0";
  EXPECT_EQ(failed(report()), "safety of Counter --> q0");
}

TEST_F(CounterTest, StartsArgumentsThatAreGoodAreRefused) {
  interface.initial[0].when = "most > 1";
  EXPECT_EQ(failed(report()), "refusal of Counter");
}

TEST_F(CounterTest, StartsAWrongFirstValue) {
  interface.initial[0].set["l"] = "most + 1";
  EXPECT_EQ(failed(report()), "tracked values of Counter --> q0");
}

TEST_F(CounterTest, StartsThatOverlap) {
  interface.initial.push_back(interface.initial[0]);
  EXPECT_EQ(failed(report()), "starts of Counter");
}

TEST_F(CounterTest, StartsASetThatIsMissing) {
  interface.initial[0].set.erase("l");
  EXPECT_EQ(failed(report()), "start Counter --> q0");
}

TEST_F(CounterTest, TrackedValuesHaveTheTypeOfTheirTerm) {
  interface.tracked[0].type = "bool";
  EXPECT_EQ(failed(report()), "tracked values");
}

TEST_F(CounterTest, ConditionsSpeakOfWhatTheClientKnows) {
  interface.guards[1].condition = "n > 0"; // the component's, not the client's
  EXPECT_EQ(failed(report()), "guard of take in q0");
}

// Cells by argument and by result.
const std::string gate = R"(
component Gate
state open : bool = false
state x : int = 0
method ask(k : int) : int { havoc x; open := k > 0 && x > 0; return x; }
method go() { if (!open) error shut; return; }
)";
const std::string gate_interface = R"(
start Gate 0
label 0 !open
label 1 open
0 ask 1 when k > 0 && result > 0
0 ask 0 when k <= 0 || result <= 0
1 ask 1 when k > 0 && result > 0
1 ask 0 when k <= 0 || result <= 0
1 go 1
)";

struct GateTest : testing::Test, Subject {
  GateTest() : Subject(gate, gate_interface) {}
};

TEST_F(GateTest, IsAccepted) {
  interface.verdict.full = Claim::Proved;
  interface.verdict.minimal = true;
  EXPECT_TRUE(report().accepted()) << text_of(report());
}

TEST_F(GateTest, CellsThatLeaveAGap) {
  transition(1).when = "k < 0 || result <= 0";
  EXPECT_EQ(failed(report()), "absence of ask:returns in q0");
}

TEST_F(GateTest, CellsThatOverlap) {
  transition(2).when = "k > 0";
  transition(2).to = 0;
  transition(3).when = "result <= 0 || k <= 0";
  const auto found = failed(report());
  EXPECT_NE(found.find("cells of ask:returns in q1"), std::string::npos) << found;
}

TEST_F(GateTest, CellsThatAreSwapped) {
  std::swap(transition(0).when, transition(1).when);
  EXPECT_EQ(failed(report()), "consecution of q0 --ask:returns--> q0; "
                              "consecution of q0 --ask:returns--> q1");
}

TEST_F(GateTest, ATransitionThatIsLeftOutCannotHappen) {
  interface.transitions.erase(interface.transitions.begin() + 1);
  EXPECT_EQ(failed(report()), "absence of ask:returns in q0");
}

TEST_F(GateTest, ACellThatNothingTakes) {
  interface.verdict.full = Claim::Proved;
  transition(0).when = "k > 0 && result > 0";
  transition(1).when = "result <= 0 || k <= 0";
  EXPECT_TRUE(report().accepted()) << text_of(report());
  InterfaceTransition extra = transition(4);
  extra.to = 0;
  transition(4).when = "true";
  extra.when = "false";
  interface.transitions.push_back(extra);
  EXPECT_TRUE(report().accepted()) << text_of(report());
  interface.verdict.minimal = true;
  EXPECT_EQ(failed(report()), "minimal");
}

TEST_F(GateTest, MinimalStatesThatCanBeMerged) {
  Subject twice(gate, R"(
start Gate 0
label 0 !open
label 1 open
label 2 !open
0 ask 1 when k > 0 && result > 0
0 ask 2 when k <= 0 || result <= 0
1 ask 1 when k > 0 && result > 0
1 ask 0 when k <= 0 || result <= 0
1 go 1
2 ask 1 when k > 0 && result > 0
2 ask 0 when k <= 0 || result <= 0
)");
  EXPECT_TRUE(twice.report().accepted()) << text_of(twice.report());
  twice.interface.verdict.minimal = true;
  EXPECT_EQ(failed(twice.report()), "minimal");
}

TEST(Guarded, ABlindCallHasNoResult) {
  ComponentOptions options = guarded_options();
  options.blind = {"ask"};
  Subject subject(gate, gate_interface, options);
  EXPECT_EQ(failed(subject.report()), "cell of q0 --ask--> q1");
}

// Results are observed, never chosen.
const std::string pair = R"(
component Pair
state x : int = 1
method c() : int { havoc x; return x; }
method d() { if (x == 0) error zero; return; }
)";

TEST(Guarded, AResultThatWasSeenIsNotChosen) {
  Subject subject(pair, R"(
start Pair 0
label 0 x != 0
label 1 true
0 c 1
0 d 0
1 c 1
must 1 x == 0 from 0 2
)");
  subject.interface.evidence.refusal_must[0] = 0;
  EXPECT_EQ(failed(subject.report()), "must-node 0 at q1 along q0 --c:returns--> q1; "
                                      "must-node 0 at q1 along q1 --c:returns--> q1");
}

TEST(Guarded, WhatNobodySeesIsChosen) {
  const std::string hidden = R"(
component Pair
state x : int = 1
method c() { havoc x; return; }
method d() { if (x == 0) error zero; return; }
)";
  const std::string text = R"(
start Pair 0
label 0 x != 0
label 1 true
0 c 1
0 d 0
1 c 1
must 1 x == 0 from 0 2
)";
  Subject subject(hidden, text);
  subject.interface.evidence.refusal_must[0] = 0;
  EXPECT_TRUE(subject.report().accepted()) << text_of(subject.report());
  // Nor is a value that nobody chooses.
  std::string unknown = hidden;
  unknown.replace(unknown.find("havoc x"), 7, "havoc unknown x");
  Subject spoilt(unknown, text);
  spoilt.interface.evidence.refusal_must[0] = 0;
  EXPECT_EQ(spoilt.report().permissive, Claim::Unknown);
  EXPECT_EQ(spoilt.report().safe, Claim::Proved);
}

TEST(Guarded, ABlindResultIsChosen) {
  ComponentOptions options = guarded_options();
  options.blind = {"c"};
  Subject subject(pair, R"(
start Pair 0
label 0 x != 0
label 1 true
0 c 1
0 d 0
1 c 1
must 1 x == 0 from 0 2
)",
                  options);
  subject.interface.evidence.refusal_must[0] = 0;
  EXPECT_TRUE(subject.report().accepted()) << text_of(subject.report());
}

TEST(Guarded, WhatIsLeftInTheClientsStateIsSeen) {
  const std::string text = R"(
component Pair
client state shown : int
state x : int = 1
method c() { havoc x; shown := x; return; }
method d() { if (x == 0) error zero; return; }
)";
  Subject subject(text, R"(
start Pair 0
label 0 x != 0
label 1 true
0 c 1
0 d 0
1 c 1
must 1 x == 0 from 0 2
)");
  subject.interface.evidence.refusal_must[0] = 0;
  EXPECT_EQ(subject.report().permissive, Claim::Unknown);
}

TEST(Guarded, AConstructorThatMakesNoObjectIsRefused) {
  const std::string text = R"(
component Box
exception Bad
state n : int = 0
constructor Box(k : int) { if (k < 0) throw Bad; n := k; return; }
method use() { if (n == 7) error seven; n := 0; return; }
)";
  const std::string interface = R"(
start Box 0 when k >= 0 && k != 7
start Box 1 when k == 7
label 0 n != 7
label 1 n == 7
0 use 0
)";
  Subject subject(text, interface);
  EXPECT_TRUE(subject.report().accepted()) << text_of(subject.report());
  subject.interface.initial[0].when = "k != 7";
  EXPECT_EQ(failed(subject.report()), "object of Box --> q0");
}

// Sites that were set aside

const std::string order = R"(
component Order
state items : int [0..] = 0
extern gateway() : bool;
method add() { items := items + 1; return; }
method pay() {
  var ok : bool;
  if (items == 0) error nothing @order.c:1;
  ok := call gateway();
  if (!ok) error declined @order.c:2;
  items := 0;
  return;
}
)";
const std::string order_interface = R"(
start Order 0
label 0 items == 0
label 1 items > 0
0 add 1
1 add 1
1 pay 0
)";

Subject order_with(const std::vector<std::string>& aside) {
  ComponentOptions options = guarded_options();
  options.aside = aside;
  return {order, order_interface, options};
}

TEST(Aside, ASiteThatCountsIsAnError) {
  EXPECT_EQ(failed(order_with({}).report()), "safety of pay in q1");
}

TEST(Aside, TheFileAndTheOptionsAgree) {
  Subject subject = order_with({"pay@order.c:2"});
  EXPECT_EQ(failed(subject.report()), "set aside");
  subject.interface.aside.push_back({"pay", "order.c:2", "gateway() decides", false});
  const CheckReport report = subject.report();
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_EQ(report.unchecked.front(), "the reasons of sites that are set aside");
  subject.interface.aside.push_back({"pay", "order.c:1", "", false});
  EXPECT_EQ(failed(subject.report()), "set aside");
}

TEST(Aside, WhatIsDecidedErrsEverywhere) {
  Subject subject = order_with({"pay@order.c:2"});
  subject.interface.aside.push_back({"pay", "order.c:2", "gateway() decides", true});
  EXPECT_TRUE(subject.report().accepted()); // without items another error comes first
  ComponentOptions options = guarded_options();
  options.aside = {"wait@timer.c:1"};
  Subject timer(R"(
component Timer
state armed : bool = false
method arm() { armed := true; return; }
method wait() { if (*) error timeout @timer.c:1; if (!armed) error idle @timer.c:2; return; }
)",
                R"(
start Timer 0
label 0 !armed
label 1 armed
0 arm 1
1 arm 1
1 wait 1
)",
                options);
  timer.interface.aside.push_back({"wait", "timer.c:1", "the clock decides", true});
  EXPECT_TRUE(timer.report().accepted()) << text_of(timer.report());
  Subject calm(R"(
component Timer
state armed : bool = false
method arm() { armed := true; return; }
method wait() { if (armed) { if (*) error timeout @timer.c:1; } return; }
)",
               R"(
start Timer 0
label 0 !armed
label 1 armed
0 arm 1
0 wait 0
1 arm 1
1 wait 1
)",
               options);
  calm.interface.aside.push_back({"wait", "timer.c:1", "the clock decides", true});
  EXPECT_EQ(failed(calm.report()), "set aside wait@timer.c:1");
}

TEST(Aside, ASiteThatIsNoneIsBadInput) {
  ComponentOptions options = guarded_options();
  options.aside = {"add@order.c:2"};
  const auto module = read_module(order, "test.tir");
  const auto component = build_component(*module, options);
  ASSERT_FALSE(component);
  EXPECT_NE(component.error().message.find("order.c:2"), std::string::npos);
}

// What else the file says

TEST_F(CounterTest, EverythingIsLookedAt) {
  Interface changed = interface;
  changed.errors = {"assert"};
  EXPECT_EQ(failed(check(changed, component)), "errors");
  changed = interface;
  changed.component_name = "Other";
  EXPECT_EQ(failed(check(changed, component)), "component");
  changed = interface;
  changed.constants["Mode"] = {{"Fast", 1}};
  EXPECT_EQ(failed(check(changed, component)), "constants");
  changed = interface;
  changed.left_out.push_back({"take", "it is private"});
  EXPECT_EQ(failed(check(changed, component)), "left out");
  changed = interface;
  changed.evidence.arguments["add"] = {{{"k", "1"}}};
  EXPECT_EQ(failed(check(changed, component)), "evidence");
  changed = interface;
  changed.verdict.full = Claim::Refuted;
  EXPECT_EQ(check(changed, component).unchecked.front(), "that 'full' is refuted");
  changed = interface;
  changed.error_sites["error:*"] = 2;
  EXPECT_EQ(failed(check(changed, component)), "errors");
  changed.error_sites["error:*"] = 3;
  EXPECT_TRUE(check(changed, component).accepted());
}

TEST(Angelic, ArgumentsThatHaveNoRunAreNotGood) {
  ComponentOptions options;
  options.arguments = Arguments::Angelic;
  Subject subject(R"(
component Blocked
state s : bool = false
method m(p : int [0..1]) { var b : bool; b := p == 1; if (!b) error bad; assume false; return; }
method n() { s := !s; return; }
)",
                  R"(
start Blocked 0
label 0 true
0 m 0
0 n 0
)",
                  options);
  subject.interface.evidence.arguments["m"] = {{{"p", "1"}}};
  const CheckReport report = subject.report();
  EXPECT_TRUE(rejects(report, "safety of m in q0")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Unknown);
}

} // namespace
} // namespace tacit
