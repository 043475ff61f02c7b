// Options that decide what a component is: what they name is looked at, and what names nothing is
// said to.
#include <algorithm>

#include "subjects.h"

namespace tacit {
namespace {

bool assumes(const Component& component, const std::string& text) {
  return std::ranges::any_of(component.assumptions(),
                             [&](const std::string& a) { return a.find(text) != a.npos; });
}

bool errs_at(const Component& component, const std::string& call, const std::string& site) {
  const auto sites = component.error_sites(component.calls()[*component.find_call(call)]);
  return std::ranges::any_of(
      sites, [&](const ErrorSite& s) { return to_string(s.where).starts_with(site); });
}

std::size_t errors_of(const Component& component, const std::string& call) {
  return component.error_sites(component.calls()[*component.find_call(call)]).size();
}

// `m` with p == 1 is only ever rejected, so no argument is good, whether anybody looks or not.
TEST(Options, RejectionIsNotHiddenByBlindness) {
  const std::string text = R"(
component Bl
state s : bool = false
method m(p : int [0..1]) : int { if (p == 0) error bad; return 0; }
method k() : int { s := true; return 0; }
)";
  ComponentOptions options{.rejects = {"returns=0"}, .arguments = Arguments::Angelic};
  for (const bool blind : {false, true}) {
    if (blind) options.blind = {"m"};
    const Component component = component_from(text, options);
    for (const Block& block : component.body(component.calls()[0]).blocks)
      if (block.end.kind == TerminatorKind::Return) EXPECT_TRUE(block.end.rejecting) << blind;
    EXPECT_EQ(component.calls()[0].outcomes.size(), 1u);
    EXPECT_EQ(component.calls()[0].blind, blind);
    const Interface refused = interface_from(component, R"(
start Bl 0
label 0 true
0 k 0
)");
    EXPECT_EQ(check(refused, component).permissive, Claim::Proved) << blind;
    const Interface allowed = interface_from(component, R"(
start Bl 0
label 0 true
0 k 0
0 m 0
)");
    EXPECT_NE(check(allowed, component).safe, Claim::Proved) << blind;
  }
}

TEST(Options, RangesOfElementsAreAssumedAloud) {
  const std::string range = "values stay within the ranges";
  EXPECT_TRUE(assumes(component_from(R"(
component X
state t : map [int [0..1]] int [0..1] = all(0)
method put(v : int [0..5]) { t[0] := v; return; }
)"),
                      range));
  EXPECT_FALSE(assumes(component_from(R"(
component X
state t : map [int [0..1]] int [0..1] = all(0)
method put(v : int [0..1]) { t[0] := v; t[1] := t[0]; return; }
method clear() { t := all(0); return; }
)"),
                       range));
}

const std::string sites = R"(
component F
exception Bad
exception Worse : Bad
state f : bool = false
state g : bool = false
procedure fin() { if (f) throw Bad @F.java:3; f := true; return; }
procedure other() { throw Worse @F.java:9; }
method plain() { call fin(); return; }
method again() { try { call fin(); } catch (Bad e) { g := true; throw e @F.java:5; } return; }
method between() {
  try { call fin(); } catch (Bad e) {
    try { call other(); } catch (Worse w) { g := false; }
    throw e @F.java:6;
  }
  return;
}
method swallow() { try { call fin(); } catch (Bad e) { g := false; } return; }
method instead() { try { call fin(); } catch (Bad e) { throw Bad @F.java:7; } return; }
method reset() { f := false; return; }
)";

TEST(Options, TheSiteOfAnExceptionIsWhereItWasThrown) {
  const Component component =
      component_from(sites, {.errors = {"throws:Bad@F.java:3"}, .arguments = Arguments::Guarded});
  EXPECT_TRUE(component.unmatched_errors().empty());
  const Interface right = interface_from(component, R"(
start F 0
label 0 !f
label 1 f
0 plain 1
0 again 1
0 between 1
0 swallow:returns 1
1 swallow:returns 1
0 instead:returns 1
1 instead:throws=Bad 1
0 reset 0
1 reset 0
)");
  const CheckReport report = check(right, component);
  EXPECT_EQ(report.safe, Claim::Proved) << text_of(report);
  EXPECT_EQ(report.permissive, Claim::Proved) << text_of(report);
}

TEST(Options, ARethrowIsASiteTooWhenItIsNamed) {
  const Component component = component_from(sites, {.errors = {"throws:Bad@F.java:5"}});
  EXPECT_EQ(errors_of(component, "again"), 1u);
  EXPECT_EQ(errors_of(component, "plain"), 0u);
}

TEST(Options, AnErrorThatNothingSatisfiesIsNamedWithCandidates) {
  const Component component = component_from(sites, {.errors = {"throws:Bad@F.java:4"}});
  ASSERT_EQ(component.unmatched_errors().size(), 1u);
  EXPECT_NE(component.unmatched_errors()[0].find("throws:Bad at F.java:3"), std::string::npos)
      << component.unmatched_errors()[0];
  EXPECT_EQ(component_from(sites, {.errors = {"assert"}}).unmatched_errors().size(), 1u);
  EXPECT_TRUE(component_from(sites, {.errors = {"throws:Bad"}}).unmatched_errors().empty());
}

TEST(Options, SitesAreSetAsideByCall) {
  const std::string text = R"(
component A
exception Bad
state n : int = 0
procedure look() { if (n > 0) throw Bad @a.c:1; if (n < 0) error low @a.c:2; return; }
method one() { call look(); return; }
method two() { call look(); return; }
)";
  const Component component =
      component_from(text, {.errors = {"throws:Bad", "error:low"}, .aside = {"one@a.c:1"}});
  EXPECT_FALSE(errs_at(component, "one", "a.c:1"));
  EXPECT_TRUE(errs_at(component, "one", "a.c:2"));
  EXPECT_TRUE(errs_at(component, "two", "a.c:1"));
  const auto& outcomes = component.calls()[*component.find_call("one")].outcomes;
  EXPECT_EQ(outcomes, (std::vector<std::string>{"returns", "throws=Bad"})); // it is an outcome
  const Component both =
      component_from(text, {.errors = {"throws:Bad", "error:low"}, .aside = {"one@a.c:2"}});
  EXPECT_FALSE(errs_at(both, "one", "a.c:2")); // the run ends there
}

} // namespace
} // namespace tacit
