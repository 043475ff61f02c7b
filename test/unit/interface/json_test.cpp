#include "interface/json.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unit/interface/examples.h"

namespace tacit {
namespace {

Interface read_back(const std::string& text) {
  auto read = read_interface(text, "lock.json");
  EXPECT_TRUE(read.has_value()) << (read ? "" : to_string(read.error()));
  return read ? std::move(*read) : Interface{};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Json, WritesOneLinePerThing) {
  const std::string wanted = R"~({
  "tacit": 1,
  "kind": "interface",
  "component": {
    "name": "Lock",
    "language": "tir",
    "sources": ["lock.tir"],
    "tir": "component Lock\nstate held : bool = false\n",
    "options": {"methods": [], "constructors": [], "errors": ["assert"], "letters": [], "assumes": [], "rejects": [], "blind": [], "arguments": "demonic", "integers": "math", "translated_errors": false, "serial": false}
  },
  "engine": "permissive",
  "errors": ["assert"],
  "methods": ["lock", "unlock", "query"],
  "outcomes": {"lock": ["returns=true", "returns=false"], "unlock": ["any"], "query": ["any"]},
  "constructors": ["Lock", "Lock(bool)", "Lock(null)"],
  "initial": [
    {"constructor": "Lock", "state": 0},
    {"constructor": "Lock(bool)", "state": 1}
  ],
  "states": [
    {"id": 0, "allows": ["lock", "query"], "label": "!held"},
    {"id": 1, "allows": ["unlock", "query"], "label": "held"}
  ],
  "transitions": [
    {"from": 0, "call": "lock", "outcome": "returns=true", "to": 1, "example": {"before": {"held": "false"}, "steps": [{"call": "lock", "inputs": ["true"], "outcome": "returns=true", "after": {"held": "true"}}]}},
    {"from": 0, "call": "lock", "outcome": "returns=false", "to": 0},
    {"from": 0, "call": "query", "outcome": "any", "to": 0},
    {"from": 1, "call": "query", "outcome": "any", "to": 1},
    {"from": 1, "call": "unlock", "outcome": "any", "to": 0}
  ],
  "forbidden": [
    {"state": null, "call": "Lock(null)", "error": "assert", "at": "lock.tir:3", "word": ["Lock(null)"]},
    {"state": 0, "call": "unlock", "error": "assert", "at": "lock.tir:12", "word": ["unlock"], "run": {"initial": ["7"], "constructor": "Lock", "constructor_inputs": ["1"], "steps": [{"call": "unlock", "inputs": [], "outcome": ""}]}},
    {"state": 1, "call": "lock", "error": "assert", "at": "lock.tir:7", "word": ["lock:returns=true", "lock"]}
  ],
  "verdict": {
    "safe": "proved",
    "permissive": "proved",
    "full": "proved",
    "minimal": true,
    "details": {"full": "visibly deterministic"},
    "assumptions": [
      "no overflow",
      "clock() does not call back"
    ]
  },
  "evidence": {},
  "stats": {"seconds": 0.25, "queries": 12, "predicates": ["held"], "solver": "z3"},
  "omitted": []
}
)~";
  EXPECT_EQ(to_json(test::lock()), wanted);
}

TEST(Json, IsJsonToOthers) {
  Interface lock = test::lock();
  lock.states[0].label = "quote \" backslash \\ control \x01 bad \xff";
  const auto document = nlohmann::json::parse(to_json(lock));
  EXPECT_EQ(document["states"][0]["label"], "quote \" backslash \\ control \x01 bad \xef\xbf\xbd");
  EXPECT_EQ(document["forbidden"][2]["word"][0], "lock:returns=true");
}

/// Everything that a result can hold.
Interface rich() {
  Interface lock = test::lock();
  lock.options = {.methods = {"lock"},
                  .constructors = {"Lock"},
                  .errors = {"throws:*"},
                  .letters = {"a = lock when x < 0"},
                  .assumes = {"lock: x > 0"},
                  .rejects = {"returns=-2"},
                  .blind = {"*"},
                  .arguments = Arguments::Angelic,
                  .integers = Integers::Machine,
                  .translated_errors = true};
  lock.component_name = "Lo\"ck\n\\";
  lock.verdict.safe = Claim::Refuted;
  lock.verdict.permissive = Claim::Bounded;
  lock.verdict.full = Claim::Unknown;
  lock.evidence.permissive = {"a", "b"};
  lock.evidence.must = {{0, "x == 1", {{1, std::nullopt}, {4, 1}}}, {1, "y", {{0, 0}}}};
  lock.evidence.refusal_must = {{2, 1}};
  lock.evidence.transition_must = {{0, 0}, {4, 1}};
  lock.evidence.outcome_must = {{{1, "returns"}, 0}};
  lock.evidence.unwind = {{"lock/3", 8}};
  lock.omitted = {"words"};
  lock.stats.set("ratio", 3.0);
  lock.stats.set("big", std::int64_t{-9'000'000'000'000'000'000});
  return lock;
}

TEST(Json, RoundTripsExactly) {
  const std::string written = to_json(rich());
  const Interface lock = read_back(written);
  EXPECT_EQ(to_json(lock), written);
  EXPECT_EQ(lock.options.arguments, Arguments::Angelic);
  EXPECT_EQ(lock.options.integers, Integers::Machine);
  EXPECT_TRUE(lock.options.translated_errors);
  EXPECT_EQ(lock.options.blind, std::vector<std::string>{"*"});
  EXPECT_EQ(lock.verdict.safe, Claim::Refuted);
  EXPECT_EQ(lock.verdict.permissive, Claim::Bounded);
  EXPECT_EQ(lock.verdict.full, Claim::Unknown);
  EXPECT_EQ(lock.evidence.must[0].incoming[1].source, 1u);
  EXPECT_EQ(lock.evidence.must[0].incoming[0].source, std::nullopt);
  EXPECT_EQ(lock.transitions[0].before.at("held"), "false");
  EXPECT_EQ(lock.forbidden[1].run->constructor_inputs, std::vector<std::string>{"1"});
  EXPECT_TRUE(std::holds_alternative<double>(*lock.stats.find("ratio")));
  EXPECT_EQ(lock.stats.count("big"), -9'000'000'000'000'000'000);
}

TEST(Json, CarriesTheInterfaceBeforePruning) {
  Interface pruned = test::lock();
  pruned.serial = true;
  pruned.evidence = {};
  pruned.states.clear();
  pruned.transitions.clear();
  pruned.initial.clear();
  pruned.forbidden = {{std::nullopt, 2, "assert", "", {}, {}}};
  pruned.before_pruning = std::make_shared<Interface>(rich());
  const std::string written = to_json(pruned);
  const Interface back = read_back(written);
  EXPECT_EQ(to_json(back), written);
  ASSERT_NE(back.before_pruning, nullptr);
  EXPECT_EQ(back.before_pruning->tir, pruned.tir); // not repeated in the file
  EXPECT_EQ(back.before_pruning->states.size(), 2u);
  EXPECT_TRUE(back.serial);
  EXPECT_FALSE(back.before_pruning->serial);

  const std::string bad = replaced(written, "\"to\": 1", "\"to\": 5");
  EXPECT_EQ(read_interface(bad, "f").error().message,
            "evidence.before_pruning.transitions[0].to: state 5 does not exist");

  pruned.before_pruning = std::make_shared<Interface>(back);
  EXPECT_EQ(read_interface(to_json(pruned), "f").error().message,
            "evidence.before_pruning.evidence.before_pruning: the interface before pruning should "
            "not have been pruned");
}

TEST(Json, FieldsMayComeInAnyOrder) {
  const std::string written = to_json(rich());
  const std::string shuffled =
      nlohmann::json::parse(written).dump(); // sorts by name, all on one line
  Interface back = read_back(shuffled);
  back.stats = rich().stats; // whose order is not kept
  EXPECT_EQ(to_json(back), written);
}

TEST(Json, OtherOrdersOfTransitionsAreSortedWithTheirEvidence) {
  auto document = nlohmann::ordered_json::parse(to_json(rich()));
  auto& transitions = document["transitions"];
  std::reverse(transitions.begin(), transitions.end());
  auto& forbidden = document["forbidden"];
  std::reverse(forbidden.begin(), forbidden.end());
  document["evidence"]["transition_must"] = {{"4", 0}, {"0", 1}};
  document["evidence"]["refusal_must"] = {{"0", 1}};
  auto& must = document["evidence"]["must"];
  must[0]["incoming"][0]["transition"] = 3;
  must[0]["incoming"][1]["transition"] = 0;
  must[1]["incoming"][0]["transition"] = 4;
  Interface back = read_back(document.dump());
  // The order of outcomes within a call does not matter.
  EXPECT_EQ(back.transitions[0].to, 0u);
  EXPECT_EQ(back.transitions[1].to, 1u);
  EXPECT_EQ(back.evidence.transition_must, (std::map<std::size_t, std::size_t>{{1, 0}, {4, 1}}));
  EXPECT_EQ(back.evidence.refusal_must, (std::map<std::size_t, std::size_t>{{2, 1}}));
  EXPECT_EQ(back.evidence.must[0].incoming[0].transition, 0u);
  EXPECT_EQ(back.evidence.must[0].incoming[1].transition, 4u);
  EXPECT_EQ(back.forbidden[0].state, std::nullopt);
}

TEST(Json, OnlyTheFieldsOfTheFormatAreNeeded) {
  const Interface back = read_back(R"~({
    "tacit": 1, "kind": "interface", "future": [{"x": [[]]}], "component": {"name": "S"},
    "methods": ["init", "sign"], "initial": [{"constructor": "S(String)", "state": 0}],
    "states": [{"id": 0, "allows": ["init"]}, {"id": 1, "allows": ["init", "sign"], "colour": "red"}],
    "transitions": [{"from": 0, "call": "init", "outcome": "throws=E", "to": 0},
                    {"from": 0, "call": "init", "outcome": "returns", "to": 1},
                    {"from": 1, "call": "init", "outcome": "returns", "to": 1},
                    {"from": 1, "call": "sign", "outcome": "any", "to": 1}],
    "forbidden": [{"state": 0, "call": "sign", "error": "E", "at": "S.java:7", "word": ["sign"]},
                  {"state": null, "call": "S()", "error": "E", "at": "", "word": ["S()"]}],
    "verdict": {"safe": "proved", "permissive": "unknown", "full": "unknown"}, "evidence": {}, "stats": {"odd": {}}})~");
  EXPECT_EQ(back.calls[0].outcomes, (std::vector<std::string>{"throws=E", "returns"}));
  EXPECT_EQ(back.calls[1].outcomes, std::vector<std::string>{"any"});
  EXPECT_EQ(back.constructors, (std::vector<std::string>{"S(String)", "S()"}));
  EXPECT_EQ(back.refused_name(back.forbidden[0]), "S()");
  EXPECT_EQ(back.next(0, 0, 1), 1u);
}

TEST(Json, AnEpaMayBeNondeterministic) {
  Interface lock = test::lock();
  lock.kind = "epa";
  lock.initial.push_back({"Lock", 1});
  lock.transitions.push_back({1, 1, 0, 1, {}, {}});
  lock.forbidden.clear();
  lock.forbidden.push_back({std::nullopt, 2, "assert", "", {}, {}});
  const std::string written = to_json(lock);
  EXPECT_EQ(to_json(read_back(written)), written);
}

struct Damage {
  std::string_view from, to;
  std::string_view message;
};

/// Complaints about lock.json when one piece of it is replaced by another.
const Damage damages[] = {
    {R"("tacit": 1)", R"("tacit": 3)",
     "tacit: this is a result of version 3, only versions 1 and 2 can be read"},
    {R"("tacit": 1)", R"("tacit": "1")", "tacit: should be a number, is a string"},
    {R"("tacit": 1)", R"("tactic": 1)",
     "the field 'tacit' is missing, this is not a result of Tacit"},
    {R"("kind": "interface")", R"("kind": "interfaces")",
     "kind: 'interfaces' is not one of interface, epa; did you mean 'interface'?"},
    {R"("kind": "interface",)", R"()", "the field 'kind' is missing"},
    {R"("kind": "interface",)", R"("kind": "interface", "kind": "epa",)", "kind: is given twice"},
    {R"("name": "Lock")", R"("nam": "Lock")", "component: the field 'name' is missing"},
    {R"("name": "Lock")", R"("name": 7)", "component.name: should be a string, is a number"},
    {R"("sources": ["lock.tir"])", R"("sources": "lock.tir")",
     "component.sources: should be an array, is a string"},
    {R"("sources": ["lock.tir"])", R"("sources": [null])",
     "component.sources[0]: should be a string, is null"},
    {R"("demonic")", R"("demon")",
     "component.options.arguments: 'demon' is not one of demonic, angelic, guarded; did "
     "you mean 'demonic'?"},
    {R"("math")", R"("maths")",
     "component.options.integers: 'maths' is not one of math, machine; did you mean 'math'?"},
    {R"("serial": false)", R"("serial": 0)",
     "component.options.serial: should be true or false, is a number"},
    {R"("methods": ["lock", "unlock", "query"])", R"("methods": ["lock", "unlock", "lock"])",
     "methods[2]: call 'lock' is listed twice"},
    {R"("methods": ["lock", "unlock", "query"])", R"("methods": [""])",
     "methods[0]: a call should have a name"},
    {R"("methods": ["lock", "unlock", "query"])", R"("methods": ["lock", "unlock"])",
     "outcomes.query: unknown call 'query'"},
    {R"("lock": ["returns=true", "returns=false"])", R"("lock": [])",
     "outcomes.lock: there should be at least one outcome"},
    {R"("lock": ["returns=true", "returns=false"], )", "",
     "outcomes: the outcomes of call 'lock' are missing"},
    {R"(["returns=true", "returns=false"])", R"(["returns=true", "returns=true"])",
     "outcomes.lock[1]: outcome 'returns=true' is listed twice"},
    {R"~("Lock(bool)", "state": 1)~", R"~("Lock(boo)", "state": 1)~",
     "initial[1].constructor: unknown constructor 'Lock(boo)'; did you mean 'Lock(bool)'"},
    {R"~("Lock(bool)", "state": 1)~", R"("Lock", "state": 1)",
     "initial[1]: constructor 'Lock' is listed twice"},
    {R"~("Lock(bool)", "state": 1)~", R"~("Lock(bool)", "state": 2)~",
     "initial[1].state: state 2 does not exist"},
    {R"~("Lock(bool)", "state": 1)~", R"~("Lock(bool)", "state": null)~",
     "initial[1].state: should be a number, is null"},
    {R"({"id": 1,)", R"({"id": 2,)",
     "states[1].id: should be 1, as states are numbered in order, is 2"},
    {R"({"id": 1,)", R"({"id": 0,)",
     "states[1].id: should be 1, as states are numbered in order, is 0"},
    {R"({"id": 1,)", R"({"id": 1.0,)",
     "states[1].id: should be 1, as states are numbered in order, is 1.0"},
    {R"({"id": 1,)", R"({)", "states[1]: the field 'id' is missing"},
    {R"({"id": 1,)", R"({"id": 1, "id": 1,)", "states[1].id: is given twice"},
    {R"("allows": ["unlock", "query"])", R"("allows": ["unlok", "query"])",
     "states[1].allows[0]: unknown call 'unlok'; did you mean 'unlock'"},
    {R"("allows": ["unlock", "query"])", R"("allows": ["unlock", "unlock"])",
     "states[1].allows[1]: call 'unlock' is listed twice"},
    {R"("allows": ["unlock", "query"], )", "", "states[1]: the field 'allows' is missing"},
    {R"("label": "held")", R"("label": [])", "states[1].label: should be a string, is an array"},
    {R"("from": 1, "call": "unlock")", R"("from": 99, "call": "unlock")",
     "transitions[4].from: state 99 does not exist"},
    {R"("from": 1, "call": "unlock")", R"("from": -1, "call": "unlock")",
     "transitions[4].from: should be the number of a state, is -1"},
    {R"("from": 1, "call": "unlock")", R"("from": 1e0, "call": "unlock")",
     "transitions[4].from: should be the number of a state, is 1e0"},
    {R"("from": 1, "call": "unlock")", R"("from": 99999999999999999999999, "call": "unlock")",
     "transitions[4].from: state 99999999999999999999999 does not exist"},
    {R"("from": 1, "call": "unlock")", R"("from": 4294967296, "call": "unlock")",
     "transitions[4].from: state 4294967296 does not exist"},
    {R"("from": 1, "call": "unlock")", R"("from": 1, "call": "unloc")",
     "transitions[4].call: unknown call 'unloc'; did you mean 'unlock'"},
    {R"("from": 1, "call": "unlock", "outcome": "any")",
     R"("from": 1, "call": "unlock", "outcome": "returns")",
     "transitions[4].outcome: call 'unlock' has no outcome 'returns'"},
    {R"("call": "unlock", "outcome": "any", "to": 0)", R"("call": "unlock", "outcome": "any")",
     "transitions[4]: the field 'to' is missing"},
    {R"({"from": 0, "call": "lock", "outcome": "returns=false", "to": 0})",
     R"({"from": 0, "call": "lock", "outcome": "returns=true", "to": 0})",
     "transitions[1]: repeats transitions[0]: state 0, call 'lock', outcome 'returns=true'"},
    {R"({"from": 0, "call": "query", "outcome": "any", "to": 0})", R"(17)",
     "transitions[2]: should be an object, is a number"},
    {R"("inputs": ["true"])", R"("inputs": [1])",
     "transitions[0].example.steps[0].inputs[0]: should be a string, is a number"},
    {R"({"state": 0, "call": "unlock")", R"({"state": 0, "call": "Lock")",
     "forbidden[1].call: unknown call 'Lock'; did you mean 'lock'"},
    {R"~({"state": null, "call": "Lock(null)")~", R"({"state": null, "call": "lock")",
     "forbidden[0].call: unknown constructor 'lock'; did you mean 'Lock'"},
    {R"({"state": 0, "call": "unlock")", R"({"state": 7, "call": "unlock")",
     "forbidden[1].state: state 7 does not exist"},
    {R"({"state": 0, "call": "unlock")", R"({"call": "unlock")",
     "forbidden[1]: the field 'state' is missing"},
    {R"(["lock:returns=true", "lock"])", R"(["lock:returns=maybe", "lock"])",
     "forbidden[2].word[0]: call 'lock' has no outcome 'returns=maybe'"},
    {R"(["lock:returns=true", "lock"])", R"(["lock:returns=true", "Lock"])",
     "forbidden[2].word[1]: unknown call 'Lock'; did you mean 'lock'"},
    {R"({"state": 1, "call": "lock", "error": "assert", "at": "lock.tir:7")",
     R"({"state": 0, "call": "unlock", "error": "assert", "at": "lock.tir:12")",
     "forbidden[2]: repeats forbidden[1]"},
    {R"("safe": "proved")", R"("safe": "proven")",
     "verdict.safe: 'proven' is not one of proved, refuted, bounded, unknown; did you mean "
     "'proved'?"},
    {R"("safe": "proved",)", "", "verdict: the field 'safe' is missing"},
    {R"("minimal": true)", R"("minimal": "yes")",
     "verdict.minimal: should be true or false, is a string"},
    {R"("full": "visibly deterministic")", R"("full": 1)",
     "verdict.details.full: should be a string, is a number"},
    {R"("evidence": {})", R"("evidence": {"labels": {"permissive": ["x"]}})",
     "evidence.labels.permissive: there are 1 labels for 2 states"},
    {R"("predicates": ["held"])", R"("predicates": 1)",
     "stats.predicates: should be an array, is a number"},
    {R"("states": [)", R"("states": [], "old": [)", "initial[0].state: state 0 does not exist"},
};

TEST(Json, SaysWhatIsWrongAndWhere) {
  const std::string good = to_json(test::lock());
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.to);
    std::string text = replaced(good, damage.from, damage.to);
    if (damage.message.starts_with("initial[0]"))
      text = replaced(text, R"("transitions": [)", R"("transitions": [], "older": [)");
    const auto read = read_interface(text, "lock.json");
    if (read) {
      ADD_FAILURE() << "was accepted";
      continue;
    }
    EXPECT_EQ(read.error().message.substr(0, damage.message.size()), damage.message);
    EXPECT_EQ(read.error().where.file, "lock.json");
    EXPECT_GT(read.error().where.line, 0);
  }
}

TEST(Json, VersionTwoRoundTripsExactly) {
  const std::string written = to_json(test::player());
  EXPECT_EQ(written.substr(0, 15), "{\n  \"tacit\": 2,");
  const Interface player = read_back(written);
  EXPECT_EQ(to_json(player), written);
  ASSERT_EQ(player.tracked.size(), 3u);
  EXPECT_EQ(player.tracked[0].shown, "duration()");
  EXPECT_EQ(player.initial[0].when, "1 <= limit");
  EXPECT_EQ(player.initial[0].set.at("m"), "Slow");
  EXPECT_EQ(player.find_guard(1, 1)->condition, "0 <= ms && ms <= d");
  EXPECT_EQ(player.find_guard(1, 2), nullptr);
  EXPECT_EQ(player.outgoing(1, 1)[1].when, "d <= ms");
  EXPECT_EQ(player.constants.at("Mode").at("Fast"), 4);
  EXPECT_EQ(player.error_sites.at("error:Range"), 2u);
  EXPECT_EQ(player.left_out[0].call, "position");
  EXPECT_TRUE(player.aside[0].decided);
  EXPECT_EQ(player.options.arguments, Arguments::Guarded);
  const auto document = nlohmann::json::parse(written);
  EXPECT_EQ(document["never"], nlohmann::json({"stop"}));
  EXPECT_EQ(document["errors"][0]["sites"], 2);
  EXPECT_EQ(document["guards"][0]["when"], "url != null && url.size > 0 && 0 <= duration");
}

TEST(Json, VersionTwoIsWrittenForWhatNeedsIt) {
  const auto version = [](const Interface& interface) {
    return nlohmann::json::parse(to_json(interface))["tacit"].get<int>();
  };
  Interface lock = test::lock();
  lock.options.arguments = Arguments::Guarded;
  EXPECT_EQ(version(lock), 1);
  const auto with = [&](auto change) {
    Interface changed = lock;
    change(changed);
    return version(changed);
  };
  EXPECT_EQ(with([](Interface& i) { i.transitions[0].when = "now"; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.initial[1].when = "held"; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.guards = {{0, 0, "now"}}; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.aside = {{"lock", "a:1", "x", false}}; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.left_out = {{"peek", "x"}}; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.error_sites = {{"assert", 1}}; }), 2);
  EXPECT_EQ(with([](Interface& i) { i.options.aside = {"lock@a:1"}; }), 2);
  // Conditions on good arguments are for people, as before.
  lock.options.arguments = Arguments::Angelic;
  EXPECT_EQ(with([](Interface& i) { i.guards = {{0, 0, "now"}}; }), 1);
}

/// Complaints about the player when one piece of it is replaced by another.
const Damage guarded_damages[] = {
    {R"("tacit": 2)", R"("tacit": 1)",
     "errors[0]: belongs to version 2, but this is a result of version 1"},
    {R"("name": "n")", R"("name": "d")", "tracked[1]: tracked value 'd' is listed twice"},
    {R"("name": "n")", R"("name": "result")", "tracked[1]: a tracked value cannot be called"},
    {R"("name": "n")", R"("name": "")", "tracked[1]: a tracked value should have a name"},
    {R"("name": "n", "type": "int")", R"("name": "n", "type": "list<int>")",
     "tracked[1]: 'list<int>' is not a type that can be tracked"},
    {R"("name": "n", "type": "int")", R"("name": "n", "type": "int", "size": "streams")",
     "tracked[1]: only sets and maps have a size, and only maps have keys"},
    {R"("Fast": 4)", R"("Fast": 4.5)",
     "constants.Mode.Fast: should be a whole number of 64 bits, is 4.5"},
    {R"("set": {"n": "n + 1"})", R"("set": {"k": "n + 1"})",
     "transitions[2].set.k: unknown tracked value 'k'"},
    {R"("when": "1 <= limit")", R"("when": "")",
     "initial[0].when: a condition should not be empty"},
    {R"("m": "Slow", )", "", "initial[0]: should say what tracked value 'm' begins with"},
    {R"({"state": 0, "call": "load", "when": "url != null && url.size > 0 && 0 <= duration"})",
     R"({"state": 0, "call": "close", "when": "n > 1"})",
     "guards[1]: call 'close' has two guards in state 0"},
    {R"({"state": 0, "call": "close", "when": "n > 0"})",
     R"({"state": 0, "call": "seek", "when": "n > 0"})",
     "guards[1]: call 'seek' has a guard, but state 0 does not allow it"},
    {R"({"state": 0, "call": "close", "when": "n > 0"})",
     R"({"state": 0, "call": "close", "when": "true"})",
     "guards[1]: a guard should be neither true nor false"},
    {R"({"state": 0, "call": "close", "when": "n > 0"})", R"({"state": 0, "call": "close"})",
     "guards[1]: the field 'when' is missing"},
    {R"({"state": 1, "call": "seek", "when": "0 <= ms && ms <= d"},)", "",
     "forbidden[2]: call 'seek' is both allowed and refused in state 1"},
    {R"("arguments": "guarded")", R"("arguments": "demonic")",
     "guards[0]: conditions and tracked values belong to guarded arguments"},
    {R"("when": "d <= ms")", R"("when": "ms < d")", ""},
    {R"("outcome": "returns=false", "to": 1, "when": "d <= ms")",
     R"("outcome": "returns=true", "to": 1, "when": "ms < d")", "transitions[8]: repeats"},
    {R"("outcome": "returns=false", "to": 1, "when": "d <= ms")",
     R"("outcome": "returns=true", "to": 1)", "transitions[8]: repeats transitions[7]"},
    {R"("outcome": "returns=false", "to": 1, "when": "d <= ms")",
     R"("outcome": "returns=true", "to": 1, "when": "d <= ms")", ""},
    {R"("outcome": "returns=false", "to": 1, "when": "d <= ms"})",
     R"("outcome": "returns=true", "to": 1, "when": "d <= ms"}, )"
     R"({"from": 1, "call": "seek", "outcome": "returns=true", "to": 0, "when": "ms < d"})",
     "transitions[9]: repeats transitions[7]"},
    {R"("call": "position")", R"("call": "stop")",
     "left_out[0]: call 'stop' is not left out, it is one of the calls"},
    {R"("never": ["stop"])", R"("never": [])", "never: should list the calls that no state allows"},
    {R"("never": ["stop"])", R"("never": ["seek"])",
     "never: should list the calls that no state allows"},
    {R"({"call": "load", "site")", R"({"call": "laod", "site")", "aside[0].call: unknown call"},
    {R"("decided": true)", R"("decided": 1)", "aside[0].decided: should be true or false"},
};

TEST(Json, SaysWhatIsWrongWithGuards) {
  const std::string good = to_json(test::player());
  for (const Damage& damage : guarded_damages) {
    SCOPED_TRACE(damage.to);
    const auto read = read_interface(replaced(good, damage.from, damage.to), "player.json");
    EXPECT_EQ(read.has_value(), damage.message.empty());
    if (read || damage.message.empty()) continue;
    EXPECT_EQ(read.error().message.substr(0, damage.message.size()), damage.message);
  }
}

TEST(Json, AConstructorMayBeListedAgainWithAnotherCondition) {
  Interface player = test::player();
  player.initial.push_back(player.initial[0]);
  player.initial[1].when = "limit < -5";
  player.initial[1].state = 1;
  EXPECT_EQ(read_back(to_json(player)).initial[1].state, 1u);
  player.initial[1].when = "";
  EXPECT_EQ(read_interface(to_json(player), "f").error().message,
            "initial[1]: constructor 'Player' is listed twice");
}

TEST(Json, ComplaintsCarryLineAndColumn) {
  const std::string good = to_json(test::lock());
  const auto place = [&](std::string_view from, std::string_view to) {
    return to_string(read_interface(replaced(good, from, to), "a.json").error());
  };
  EXPECT_EQ(place(R"("outcome": "any", "to": 1)", R"("outcome": "any", "to": 9)"),
            "a.json:28:58: error: transitions[3].to: state 9 does not exist");
  EXPECT_EQ(place(R"("kind": "interface",)", R"("kind": "interface")"),
            "a.json:4:3: error: expected ',' or '}', found '\"'");
  EXPECT_EQ(to_string(read_interface("", "a.json").error()),
            "a.json:1:1: error: expected a value, found the end of the text");
  EXPECT_EQ(to_string(read_interface("\n [1]", "a.json").error()),
            "a.json:2:2: error: a result should be an object, this is an array");
  EXPECT_EQ(to_string(read_interface(good + "x", "a.json").error()).substr(0, 6), "a.json");
  EXPECT_EQ(read_interface(std::string(1'000'000, '{'), "a.json").error().message,
            "expected a field's name or '}', found '{'");
  std::string bomb;
  for (int i = 0; i < 100'000; ++i) bomb += "{\"evidence\":";
  EXPECT_EQ(read_interface(bomb, "a.json").error().message, "nested more than 200 deep");
}

TEST(Json, EvidenceRefersToWhatExists) {
  const std::string good = to_json(rich());
  const auto complaint = [&](std::string_view from, std::string_view to) {
    return read_interface(replaced(good, from, to), "a.json").error().message;
  };
  EXPECT_EQ(complaint(R"("refusal_must": {"2": 1})", R"("refusal_must": {"3": 1})"),
            "evidence.refusal_must.3: refusal 3 does not exist");
  EXPECT_EQ(complaint(R"("refusal_must": {"2": 1})", R"("refusal_must": {"two": 1})"),
            "evidence.refusal_must.two: should be the number of a refusal, is two");
  EXPECT_EQ(complaint(R"("refusal_must": {"2": 1})", R"("refusal_must": {"2": 2})"),
            "evidence.refusal_must.2: must-node 2 does not exist");
  EXPECT_EQ(complaint(R"({"transition": 4, "source": 1})", R"({"transition": 5, "source": 1})"),
            "evidence.must[0].incoming[1].transition: transition 5 does not exist");
  EXPECT_EQ(complaint(R"({"transition": 4, "source": 1})", R"({"transition": 4, "source": 2})"),
            "evidence.must[0].incoming[1].source: must-node 2 does not exist");
  EXPECT_EQ(complaint(R"({"lock/3": 8})", R"({"lock/3": -8})"),
            "evidence.unwind.lock/3: should be the number of a bound, is -8");
}

TEST(Json, EmptyStatesNeedAReason) {
  Interface nothing;
  nothing.component_name = "Nothing";
  EXPECT_EQ(read_interface(to_json(nothing), "a.json").error().message,
            "states: there should be a state, unless there are constructors and none can be used");
  nothing.constructors = {"Nothing"};
  nothing.forbidden = {{std::nullopt, 0, "assert", "n.c:1", {"Nothing"}, {}}};
  EXPECT_TRUE(read_interface(to_json(nothing), "a.json").has_value());
}

TEST(Json, ContradictionsAreErrorsUnlessAskedFor) {
  Interface lock = test::lock();
  lock.forbidden.pop_back();
  lock.transitions.pop_back();
  const std::string text = to_json(lock);
  const auto strict = read_interface(text, "a.json");
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(to_string(strict.error()), "a.json:22:5: error: states[1]: call 'lock' is not allowed, "
                                       "but no entry of 'forbidden' says why");
  std::vector<std::string> found;
  ASSERT_TRUE(read_interface(text, "a.json", &found).has_value());
  EXPECT_EQ(found,
            (std::vector<std::string>{
                "states[1]: call 'lock' is not allowed, but no entry of 'forbidden' says why"}));
}

TEST(Json, ManyStates) {
  const Interface chain = test::chain(std::size_t{1} << 14);
  std::ostringstream out;
  write_interface(out, chain);
  const std::string written = out.str();
  const Interface back = read_back(written);
  EXPECT_EQ(back.states.size(), chain.states.size());
  EXPECT_EQ(back.transitions.size(), chain.transitions.size());
  EXPECT_TRUE(back.evidence.omitted);
  EXPECT_EQ(to_json(back), written);
}

TEST(Json, EveryTruncationIsAComplaint) {
  const std::string good = to_json(rich());
  for (std::size_t length = 0; length + 2 < good.size(); length += 7)
    EXPECT_FALSE(read_interface(std::string_view(good).substr(0, length), "a.json").has_value())
        << length;
}

#ifdef TACIT_SOURCE_DIR
TEST(Json, TheExampleInTheManualIsCanonical) {
  std::ifstream in(TACIT_SOURCE_DIR "/docs/result.md");
  std::stringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::size_t start = text.find("```json\n") + 8;
  const std::string example = text.substr(start, text.find("```", start) - start);
  const Interface lock = read_back(example);
  EXPECT_EQ(to_json(lock), example);
  const auto component = component_of(lock);
  ASSERT_TRUE(component.has_value()) << to_string(component.error());
  EXPECT_EQ(component->calls().size(), 2u);
}
#endif

} // namespace
} // namespace tacit
