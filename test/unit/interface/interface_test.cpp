#include "interface/interface.h"

#include <gtest/gtest.h>

#include "base/should.h"
#include "interface/consistency.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

TEST(Interface, FindsCallsTransitionsAndRefusals) {
  const Interface lock = test::lock();
  EXPECT_EQ(lock.find_call("unlock"), 1u);
  EXPECT_EQ(lock.find_call("unloc"), std::nullopt);
  EXPECT_EQ(lock.next(0, 0, 0), 1u);
  EXPECT_EQ(lock.next(0, 0, 1), 0u);
  EXPECT_EQ(lock.next(0, 1, 0), no_state);
  EXPECT_EQ(lock.next(1, 1, 0), 0u);
  EXPECT_EQ(lock.outgoing(0).size(), 3u);
  EXPECT_EQ(lock.outgoing(0, 0).size(), 2u);
  EXPECT_EQ(lock.outgoing(1, 0).size(), 0u);
  ASSERT_NE(lock.find_refusal(1, 0), nullptr);
  EXPECT_EQ(lock.find_refusal(1, 0)->at, "lock.tir:7");
  EXPECT_EQ(lock.find_refusal(1, 1), nullptr);
  ASSERT_NE(lock.find_refusal(std::nullopt, 2), nullptr);
  EXPECT_EQ(lock.refused_name(*lock.find_refusal(std::nullopt, 2)), "Lock(null)");
  EXPECT_EQ(lock.refused_name(*lock.find_refusal(0, 1)), "unlock");
}

TEST(Interface, IsAnAutomatonWhoseColoursAreSetsOfCalls) {
  const Interface lock = test::lock();
  const InterfaceLetters letters = letters_of(lock);
  EXPECT_EQ(letters.letters.size(), 4u);
  EXPECT_EQ(letters.first, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(letter_name(lock.calls[0], 1), "lock:returns=false");
  EXPECT_EQ(letter_name(lock.calls[1], 0), "unlock");

  Dfa wanted(4);
  wanted.add_state(1);
  wanted.add_state(2);
  wanted.set_next(0, 0, 1);
  wanted.set_next(0, 1, 0);
  wanted.set_next(0, 3, 0);
  wanted.set_next(1, 2, 0);
  wanted.set_next(1, 3, 1);
  wanted.add_entry(0);
  wanted.add_entry(1);
  EXPECT_EQ(automaton_of(lock), wanted);
}

TEST(Interface, OnlyDeterministicOnesAreAutomata) {
  Interface lock = test::lock();
  lock.transitions.push_back({1, 1, 0, 1, {}, {}});
  EXPECT_THROW(automaton_of(lock), InternalError);
}

TEST(Interface, ReadsLetters) {
  Interface lock = test::lock();
  lock.calls.push_back({"io::read", {"any"}});
  lock.calls.push_back({"odd:name", {"returns=1", "throws=a.b::C"}});
  const auto read = [&](std::string_view text) { return parse_letter(lock, text).value(); };
  EXPECT_EQ(read("lock"), (WrittenLetter{0, std::nullopt}));
  EXPECT_EQ(read("lock:any"), (WrittenLetter{0, std::nullopt}));
  EXPECT_EQ(read("lock:returns=false"), (WrittenLetter{0, 1}));
  EXPECT_EQ(read("unlock:any"), (WrittenLetter{1, 0}));
  EXPECT_EQ(read("unlock:throws=IOException"),
            (WrittenLetter{1, 0})); // merged: all outcomes are alike
  EXPECT_EQ(read("io::read"), (WrittenLetter{3, std::nullopt}));
  EXPECT_EQ(read("io::read:returns=0"), (WrittenLetter{3, 0}));
  EXPECT_EQ(read("odd:name"), (WrittenLetter{4, std::nullopt}));
  EXPECT_EQ(read("odd:name:throws=a.b::C"), (WrittenLetter{4, 1}));
}

TEST(Interface, ComplainsAboutLettersWithSuggestions) {
  const Interface lock = test::lock();
  const auto complaint = [&](std::string_view text) { return parse_letter(lock, text).error(); };
  EXPECT_EQ(complaint("unlok").message, "unknown call 'unlok'; did you mean 'unlock'?");
  EXPECT_EQ(complaint("unlok:any").message, "unknown call 'unlok'; did you mean 'unlock'?");
  EXPECT_EQ(complaint("lock::returns=true").message.substr(0, 33),
            "unknown call 'lock::returns=true'");
  EXPECT_EQ(complaint("").message.substr(0, 15), "unknown call ''");
  EXPECT_EQ(complaint(":").message.substr(0, 15), "unknown call ''");
  const Diagnostic outcome = complaint("lock:returns=tru");
  EXPECT_EQ(outcome.message.substr(0, 64),
            "call 'lock' has no outcome 'returns=tru'; did you mean 'returns=");
  EXPECT_EQ(outcome.notes,
            std::vector<std::string>{"its outcomes are returns=true, returns=false"});
  EXPECT_EQ(complaint("unlock:sometimes").message, "call 'unlock' has no outcome 'sometimes'");
}

std::vector<std::string> texts(const Interface& interface) {
  std::vector<std::string> texts;
  for (const Contradiction& found : contradictions(interface)) texts.push_back(to_string(found));
  return texts;
}

TEST(Consistency, FindsContradictionsBetweenParts) {
  EXPECT_EQ(texts(test::lock()), std::vector<std::string>{});
  EXPECT_EQ(texts(test::chain(100)), std::vector<std::string>{});

  Interface lock = test::lock();
  lock.states[0].allows = {false, true, true};
  lock.initial.push_back({"Lock(null)", 0});
  EXPECT_EQ(texts(lock),
            (std::vector<std::string>{
                "constructors[2]: constructor 'Lock(null)' is both allowed and refused",
                "transitions[0]: state 0 does not allow call 'lock'",
                "forbidden[1]: call 'unlock' is both allowed and refused in state 0",
                "states[0]: call 'lock' is not allowed, but no entry of 'forbidden' says why",
            }));
  lock.kind = "epa";
  EXPECT_EQ(texts(lock).size(), 3u);
  EXPECT_EQ(contradictions(lock, 1).size(), 1u);
}

} // namespace
} // namespace tacit
