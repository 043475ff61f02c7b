// The harder obligations: nondeterminism, readings of arguments, loops, references, hidden values,
// arithmetic.
#include "subjects.h"

namespace tacit {
namespace {

const std::string coin_text = R"(
component Coin
state up : bool = false
state done : bool = false
constructor Coin() { return; }
method toss() { if (done) error Over; havoc up; return; }
method take() { if (up) error Up; done := true; return; }
)";

Interface coin_interface(const Component& component) {
  Interface interface = interface_from(component, R"(
start Coin 0
label 0 !up && !done
label 1 !done
label 2 done
0 toss 1
1 toss 1
0 take 2
2 take 2
)");
  interface.evidence.safe[2] = interface.states[2].label = "done && !up";
  interface.verdict.full = Claim::Unknown;
  return interface;
}

std::size_t refusal_index(const Interface& interface, State q, const std::string& call) {
  for (std::size_t i = 0; i < interface.forbidden.size(); ++i)
    if (interface.forbidden[i].state == q &&
        interface.calls[interface.forbidden[i].call].name == call)
      return i;
  throw std::runtime_error("no such refusal");
}

std::size_t transition_index(const Interface& interface, State from, State to,
                             const std::string& call) {
  for (std::size_t i = 0; i < interface.transitions.size(); ++i) {
    const InterfaceTransition& t = interface.transitions[i];
    if (t.from == from && t.to == to && interface.calls[t.call].name == call) return i;
  }
  throw std::runtime_error("no such transition");
}

TEST(Semantics, NondeterminismNeedsAMustNode) {
  const Component component = component_from(coin_text);
  Interface interface = coin_interface(component);
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of take in q1")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved) << text_of(report);

  MustNode node{.state = 1, .predicate = "up && !done", .incoming = {}};
  node.incoming.push_back({transition_index(interface, 0, 1, "toss"), std::nullopt, std::nullopt});
  node.incoming.push_back({transition_index(interface, 1, 1, "toss"), 0, std::nullopt});
  interface.evidence.must = {node};
  interface.evidence.refusal_must[refusal_index(interface, 1, "take")] = 0;
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  interface.evidence.must[0].incoming.pop_back();
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "must-node 0 at q1 along q1 --toss:returns--> q1"))
      << text_of(report);

  interface.evidence.must = {node};
  interface.evidence.must[0].predicate = "up && done";
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "must-node 0 at q1 along q0 --toss:returns--> q1"))
      << text_of(report);

  interface.evidence.must = {node};
  interface.evidence.must[0].state = 0;
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of take in q1")) << text_of(report);
  EXPECT_TRUE(rejects(report, "must-node 0 at q0 from Coin")) << text_of(report);
}

TEST(Semantics, HiddenChoicesProveNothing) {
  std::string text = coin_text;
  text.replace(text.find("havoc up"), 8, "havoc unknown up");
  const Component component = component_from(text);
  Interface interface = coin_interface(component);
  MustNode node{.state = 1, .predicate = "up && !done", .incoming = {}};
  node.incoming.push_back({transition_index(interface, 0, 1, "toss"), std::nullopt, std::nullopt});
  node.incoming.push_back({transition_index(interface, 1, 1, "toss"), 0, std::nullopt});
  interface.evidence.must = {node};
  interface.evidence.refusal_must[refusal_index(interface, 1, "take")] = 0;
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "must-node 0 at q1 along q0 --toss:returns--> q1"))
      << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved);
  EXPECT_EQ(report.permissive, Claim::Unknown);
}

TEST(Semantics, MustNodesMaySpeakOfOneMergedOutcome) {
  const Component component = component_from(R"(
component Two
state up : bool = false
constructor Two() { return; }
method toss() : bool { var b : bool; havoc b; havoc up; return b; }
method take() { if (up) error Up; return; }
)");
  Interface interface = interface_from(component, R"(
start Two 0
label 0 !up
label 1 true
0 take 0
0 toss 1
1 toss 1
)");
  MustNode node{.state = 1, .predicate = "up", .incoming = {}};
  node.incoming.push_back({transition_index(interface, 0, 1, "toss"), std::nullopt, std::nullopt});
  node.incoming.push_back({transition_index(interface, 1, 1, "toss"), 0, "returns=true"});
  interface.evidence.must = {node};
  interface.evidence.refusal_must[refusal_index(interface, 1, "take")] = 0;
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "must-node 0 at q1 along q1 --toss:returns=false--> q1"))
      << text_of(report);
  interface.evidence.must[0].incoming.push_back(
      {transition_index(interface, 1, 1, "toss"), std::nullopt, "returns=false"});
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

const std::string slots_text = R"(
component Slots
state used : int [0..3] = 0
constructor Slots() { return; }
method put(i : int [0..3]) {
  if (i < used) error Taken;
  if (used == 3) error Full;
  used := used + 1;
  return;
}
method clear() { used := 0; return; }
)";

TEST(Semantics, DemonicArgumentsErrIfAnyDoes) {
  const Component component = component_from(slots_text);
  const Interface interface = interface_from(component, R"(
start Slots 0
label 0 used == 0
label 1 used == 1
0 put 1
0 clear 0
1 clear 0
)");
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

TEST(Semantics, AngelicArgumentsErrIfNoneIsGood) {
  ComponentOptions options;
  options.arguments = Arguments::Angelic;
  const Component component = component_from(slots_text, options);
  Interface interface = interface_from(component, R"(
start Slots 0
label 0 used == 0
label 1 used == 1
0 put 1
0 clear 0
1 clear 0
)");
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "refusal of put in q1")) << text_of(report);

  interface = interface_from(component, R"(
start Slots 0
label 0 used == 0
label 1 used == 1
label 2 used == 2
label 3 used == 3
0 put 1
1 put 2
2 put 3
0 clear 0
1 clear 0
2 clear 0
3 clear 0
)");
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

TEST(Semantics, AngelicRejectionIsNoService) {
  // With b == false the call errs when busy; with b == true it is rejected there.
  const std::string text = R"(
component Server
state busy : bool = false
constructor Server() { return; }
method ask(b : bool) : int {
  if (busy && b) return -2;
  if (busy) error Busy;
  busy := true;
  return 0;
}
method done() { busy := false; return; }
)";
  ComponentOptions options;
  options.arguments = Arguments::Angelic;
  options.rejects = {"returns=-2"};
  const Component component = component_from(text, options);
  Interface interface = interface_from(component, R"(
start Server 0
label 0 !busy
label 1 busy
0 ask:returns=0 1
0 done 0
1 done 0
)");
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  options.rejects.clear();
  const Component lenient = component_from(text, options);
  interface.options = options;
  report = check(interface, lenient);
  EXPECT_TRUE(rejects(report, "refusal of ask in q1")) << text_of(report);
}

TEST(Semantics, AngelicWithUnboundedArguments) {
  ComponentOptions options;
  options.arguments = Arguments::Angelic;
  const Component component = component_from(R"(
component Seq
state last : int = 0
state closed : bool = false
constructor Seq() { return; }
method put(i : int) { if (i <= last) error Order; if (closed) error Closed; last := i; return; }
method close() { closed := true; return; }
)",
                                             options);
  const Interface interface = interface_from(component, R"(
start Seq 0
label 0 !closed
label 1 closed
0 put 0
0 close 1
1 close 1
)");
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

TEST(Semantics, ArgumentsThatDependOnTheState) {
  // Errs only for the argument that equals a state variable: needs a witness that is no constant.
  const Component component = component_from(R"(
component Secret
state key : int
state table : map [int] int [0..9]
constructor Secret() { return; }
method guess(i : int) { if (i == key + 3) error Right; return; }
method look(i : int) { if (table[i] > 9) error Range; return; }
)");
  Interface interface = interface_from(component, R"(
start Secret 0
label 0 true
0 look 0
)");
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

const std::string loop_text = R"(
component Drain
state n : int [0..3] = 0
constructor Drain() { return; }
method fill() { if (n > 0) error NotEmpty; n := 3; return; }
method drain() { var i : int [0..3] = n; while (i > 0) { i := i - 1; if (n > 0) n := n - 1; } return; }
)";

TEST(Semantics, LoopsNeedBounds) {
  const Component component = component_from(loop_text);
  Interface interface = interface_from(component, R"(
start Drain 0
label 0 n == 0
label 1 n == 3
0 fill 1
0 drain 0
1 drain 0
)");
  interface.states[0].label = interface.evidence.safe[0] = "n == 0 || n == 1";
  interface.states[1].label = interface.evidence.safe[1] = "n == 2 || n == 3";
  CheckReport report = check(interface, component);
  EXPECT_TRUE(rejects(report, "safety of fill in q0")) << text_of(report);
  EXPECT_FALSE(rejects(report, "consecution of q1 --drain:returns--> q0")) << text_of(report);
  interface.states[0].label = interface.evidence.safe[0] = "n == 0";
  interface.states[1].label = interface.evidence.safe[1] = "n == 3";

  report = check(interface, component);
  EXPECT_TRUE(report.rejected.empty()) << text_of(report);
  EXPECT_TRUE(undecided(report, "consecution of q1 --drain:returns--> q0")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Unknown);

  const Call& drain = component.calls()[*component.find_call("drain")];
  for (BlockId block = 0; block < component.body(drain).blocks.size(); ++block)
    interface.evidence.unwind[fmt::format("drain/{}", block)] = 3;
  report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  for (auto& [head, bound] : interface.evidence.unwind) bound = 2;
  report = check(interface, component);
  ASSERT_FALSE(report.rejected.empty());
  EXPECT_TRUE(report.rejected[0].obligation.starts_with("loop bound of drain/")) << text_of(report);
}

TEST(Semantics, LoopsThatDoNotMatterNeedNoBounds) {
  const Component component = component_from(R"(
component Search
record Node { next : ref Node }
state head : ref Node = null
state open : bool = false
constructor Search() { return; }
method start() { if (open) error Twice; open := true; return; }
method find(wanted : ref Node) : bool {
  var n : ref Node;
  if (!open) error Closed;
  n := head;
  while (n != null && n != wanted) { n := n.next; }
  return n == wanted;
}
)");
  Interface interface = interface_from(component, R"(
start Search 0
label 0 !open
label 1 open
0 start 1
1 find 1
)");
  interface.verdict.full = Claim::Unknown;
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_EQ(report.permissive, Claim::Proved);

  // Full holds too: null is found at once, and is not found only by going round when the list is
  // not empty.
  interface.verdict.full = Claim::Proved;
  report = check(interface, component);
  EXPECT_TRUE(report.rejected.empty()) << text_of(report);
  EXPECT_TRUE(undecided(report, "possibility of q1 --find:returns=false--> q1")) << text_of(report);
}

TEST(Semantics, NestedLoops) {
  const Component component = component_from(R"(
component Nest
state total : int = 0
constructor Nest() { return; }
method count() {
  var i : int; var j : int; var k : int;
  if (total > 0) error Again;
  while (i < 2) {
    j := 0;
    while (j < 3) { k := k + 1; j := j + 1; }
    i := i + 1;
  }
  total := k;
  return;
}
method reset() { if (total != 6) error Miscounted; total := 0; return; }
)");
  Interface interface = interface_from(component, R"(
start Nest 0
label 0 total == 0
label 1 total == 6
0 count 1
1 reset 0
)");
  for (BlockId block = 0; block < 20; ++block)
    interface.evidence.unwind[fmt::format("count/{}", block)] = 3;
  const CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
}

TEST(Semantics, FreshReferencesDiffer) {
  const std::string text = R"(
component Cell
record Node { next : ref Node }
state head : ref Node = null
state old : ref Node = null
constructor Cell() { return; }
method grow() { var n : ref Node; n := new Node; n.next := head; old := head; head := n; return; }
method same() { if (head == old) error Same; if (head.next != old) error Lost; return; }
)";
  const Component component = component_from(text);
  Interface interface = interface_from(component, R"(
start Cell 0
label 0 head == null && old == null
label 1 head != old && head.next == old
0 grow 1
1 grow 1
1 same 1
)");
  CheckReport report = check(interface, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);

  interface.states[1].label = interface.evidence.safe[1] = "head != old";
  report = check(interface, component);
  EXPECT_TRUE(rejects(report, "safety of same in q1")) << text_of(report);
}

TEST(Semantics, EnumerationsAndMachineArithmetic) {
  ComponentOptions options;
  options.integers = Integers::Machine;
  const Component component = component_from(R"(
component Num
enum Mode { Idle, Busy = 4, Done = 2 }
state mode : Mode = Idle
state c : u8 = 250
constructor Num() { return; }
method step() { if (mode > Idle && mode < Busy) error Done; c := u8(c + 7); mode := Busy; return; }
method finish() { if (int(mode) != 4) error NotBusy; if (c / -2 * 2 + c % -2 > 0) error Odd; mode := Done; return; }
)",
                                             options);
  const Interface interface = interface_from(component, R"(
start Num 0
label 0 mode == Idle && c == 250
label 1 mode == Busy && c == 1
0 step 1
label 2 mode == Busy && c == 8
1 step 2
label 3 mode == Done
1 finish 3
2 finish 3
)");
  CheckReport report = check(interface, component);
  EXPECT_FALSE(rejects(report, "consecution of q0 --step:returns--> q1")) << text_of(report);
  EXPECT_FALSE(rejects(report, "refusal of step in q3")) << text_of(report);
  EXPECT_FALSE(rejects(report, "safety of finish in q2")) << text_of(report);
  EXPECT_TRUE(rejects(report, "safety of finish in q1")) << text_of(report);
}

TEST(Semantics, RangesBlockRuns) {
  const Component component = component_from(R"(
component Small
state n : int [0..2] = 0
state m : map [int [0..1]] int [0..5] = all(0)
constructor Small() { return; }
method up() { n := n + 1; m[0] := n + 4; return; }
method check() { if (n > 1) error Big; if (m[0] > 5) error Map; return; }
)");
  const Interface interface = interface_from(component, R"(
start Small 0
label 0 n == 0
label 1 n == 1
0 check 0
0 up 1
1 check 1
1 up 1
)");
  const CheckReport report = check(interface, component);
  // From n == 1 the store leaves the range of the elements, so `up` has no run there.
  EXPECT_TRUE(rejects(report, "possibility of q1 --up:returns--> q1")) << text_of(report);
  EXPECT_EQ(report.safe, Claim::Proved) << text_of(report);
  EXPECT_EQ(report.permissive, Claim::Proved) << text_of(report);
}

TEST(Semantics, SerialInterfacesArePruned) {
  const Component component = component_from(R"(
component Trap
enum At { Start, Ok, Dead }
state at : At = Start
constructor Trap() { return; }
method go() : bool { if (at == Dead) error Dead; havoc at; assume at != Start; return at == Ok; }
method safe() { if (at == Dead) error Dead; at := Ok; return; }
)");
  Interface before = interface_from(component, R"(
start Trap 0
label 0 at != Dead
0 safe 0
0 go:returns=true 0
0 go:returns=false 1
label 1 at == Dead
)");
  CheckReport report = check(before, component);
  ASSERT_TRUE(report.accepted()) << text_of(report);

  Interface after = interface_from(component, R"(
start Trap 0
label 0 at != Dead
0 safe 0
)");
  for (Refusal& refusal : after.forbidden) {
    refusal.error = "no way on";
    refusal.at = "";
  }
  after.serial = true;
  after.before_pruning = std::make_shared<const Interface>(before);
  report = check(after, component);
  EXPECT_TRUE(report.accepted()) << text_of(report);
  EXPECT_EQ(report.permissive, Claim::Proved);

  Interface unpruned = before;
  unpruned.serial = true;
  unpruned.before_pruning = std::make_shared<const Interface>(before);
  EXPECT_TRUE(rejects(check(unpruned, component), "pruning"));

  after.forbidden[0].error = "Dead";
  after.forbidden[0].at = before.forbidden[0].at;
  report = check(after, component);
  EXPECT_TRUE(rejects(report, "error of go in q0")) << text_of(report);

  before.verdict.full = Claim::Unknown;
  after.before_pruning = std::make_shared<const Interface>(before);
  EXPECT_TRUE(rejects(check(after, component), "evidence for full"));
}

} // namespace
} // namespace tacit
