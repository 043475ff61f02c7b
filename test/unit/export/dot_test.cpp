#include "export/dot.h"

#include <sstream>

#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "export/written_form.h"
#include "interface/diff.h"
#include "interface/json.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

TEST(Dot, WritesTheLockForLearners) {
  EXPECT_EQ(show_dot(test::lock()), R"~(digraph "Lock" {
  alphabet="\"lock:returns=true\" \"lock:returns=false\" unlock query";
  rankdir="LR";
  s0 [shape="doublecircle" label="0\n!held"];
  s1 [shape="doublecircle" label="1\nheld"];
  s0 -> s1 [label="lock:returns=true"];
  s0 -> s0 [label="lock:returns=false"];
  s0 -> s0 [label="query"];
  s1 -> s1 [label="query"];
  s1 -> s0 [label="unlock"];
  __start0 [label="" shape="none"];
  __start0 -> s0 [label="Lock"];
  __start1 [label="" shape="none"];
  __start1 -> s1 [label="Lock(bool)"];
}
)~");
}

TEST(Dot, ReadsBackWhatItWrote) {
  const Interface lock = test::lock();
  const auto again = read_dot_result(show_dot(lock), "lock.dot");
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(again->component_name, "lock.dot");
  EXPECT_EQ(again->verdict.safe, Claim::Unknown);
  const auto changes = diff(lock, *again);
  ASSERT_TRUE(changes.has_value());
  // Only the constructor that is refused is not in the graph.
  EXPECT_EQ(print_diff(*changes), "constructors removed: Lock(null)\n");
}

TEST(Dot, TakesARejectingStateAsARefusal) {
  const auto read = read_dot_result(R"~(digraph g {
    a [shape="doublecircle"]; b [shape="doublecircle"]; sink [shape="circle"];
    a -> b [label="open"]; b -> a [label="read:returns=0"]; b -> sink [label="read:throws=E"];
    a -> sink [label="read:returns=0"]; b -> b [label="open"];
    __start0 [shape="none"]; __start0 -> a;
  })~",
                                    "x/learned.dot");
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->states.size(), 2u);
  ASSERT_EQ(read->calls.size(), 2u);
  EXPECT_EQ(read->states[1].allows, (std::vector<bool>{true, false}));
  EXPECT_EQ(read->constructors, std::vector<std::string>{"start0"});
  EXPECT_FALSE(read_dot_result("digraph g { a -> b; }", "x.dot").has_value());
}

TEST(WrittenForms, AreFoundByName) {
  EXPECT_EQ(written_forms().front().name, "text");
  EXPECT_EQ(find_written_form("xml"), nullptr);
  Interface empty = test::lock();
  empty.initial.clear();
  empty.states.clear();
  empty.transitions.clear();
  empty.forbidden.clear();
  // Several states by one letter, as in an enabledness abstraction.
  Interface epa = test::lock();
  epa.kind = "epa";
  epa.transitions.insert(epa.transitions.begin(), {0, 0, 0, 0, {}, {}});
  epa.forbidden.clear();
  for (const WrittenForm& form : written_forms()) {
    EXPECT_EQ(find_written_form(form.name), &form);
    for (const Interface& result : {test::lock(), empty, epa, test::chain(2000)}) {
      std::ostringstream out, again;
      form.write(out, result, {});
      EXPECT_TRUE(out.str().ends_with("\n")) << form.name;
      form.write(again, result, {});
      EXPECT_EQ(out.str(), again.str()) << form.name;
    }
  }
  std::ostringstream out;
  find_written_form("json")->write(out, test::lock(), {});
  EXPECT_EQ(out.str(), to_json(test::lock()));
}

/// What the escapes of all forms stand for.
std::string plain(std::string text) {
  const auto decode = [&](const std::regex& form, int base) {
    std::string result;
    std::smatch match;
    while (std::regex_search(text, match, form)) {
      result += match.prefix().str();
      result += static_cast<char>(std::stoi(match[1].str(), nullptr, base));
      text = match.suffix().str();
    }
    text = result + text;
  };
  decode(std::regex("&?#([0-9]+);"), 10); // Mermaid, HTML
  decode(std::regex("<U\\+([0-9A-F]+)>"), 16);
  for (const auto& [entity, character] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""),
        std::pair("&#39;", "'"), std::pair("&amp;", "&")})
    for (std::size_t at = text.find(entity); at != std::string::npos;
         at = text.find(entity, at + 1))
      text.replace(at, std::string(entity).size(), character);
  return text;
}

TEST(WrittenForms, AllShowGuardsCellsAndUpdates) {
  const Interface player = test::player();
  for (const WrittenForm& form : written_forms()) {
    if (form.name == "review") continue; // says what is odd, not what holds
    SCOPED_TRACE(form.name);
    std::ostringstream out;
    form.write(out, player, {});
    const std::string text = plain(out.str());
    const bool json = form.name == "json";
    // These know start states only.
    const bool starts = form.name != "aut" && form.name != "hoa";
    for (const std::string& wanted :
         {std::string(json ? R"("when": "0 <= ms && ms <= d")"
                           : "when 0 <= ms && ms <= duration()"),
          std::string(json ? R"({"n": "n + 1"})" : "/ n := n + 1"),
          std::string(json ? "" : "close when n > 0 / n := n - 1"),
          std::string(json ? R"("when": "ms < d")" : "&& ms < duration()"),
          std::string(json     ? R"("when": "1 <= limit")"
                      : starts ? "when 1 <= limit"
                               : "")})
      EXPECT_NE(text.find(wanted), std::string::npos) << wanted << " in\n" << text.substr(0, 3000);
    if (json || form.name == "aut" || form.name == "hoa") continue;
    EXPECT_NE(text.find("d : int, duration() (length)"), std::string::npos);
    if (form.name == "dot" || form.name == "scxml") continue;
    EXPECT_NE(text.find("load may also err at player.tir:7, whatever you do"), std::string::npos);
  }
}

TEST(Dot, AGuardedGraphReadsBackWithWhatStandsOnItsEdges) {
  const Interface back = read_dot_result(show_dot(test::player()), "p.dot").value();
  EXPECT_EQ(back.states.size(), 2u);
  EXPECT_TRUE(back.find_call("open / n := n + 1").has_value());
}

} // namespace
} // namespace tacit
