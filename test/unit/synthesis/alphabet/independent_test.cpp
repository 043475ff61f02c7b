#include "synthesis/alphabet/independent.h"

#include <gtest/gtest.h>

#include "logic/term/term.h"

namespace tacit {
namespace {

TEST(IndependentQuestions, AreGroupedByWhatJoinsThem) {
  TermArena arena;
  std::vector<Term> q;
  for (const char* name : {"a", "b", "c", "d"}) q.push_back(arena.var(name, arena.bool_sort()));
  IndependentQuestions questions;
  for (Term one : q) questions.add(one);
  EXPECT_EQ(questions.groups().size(), 4);
  questions.join(q[3], q[0]);
  questions.join(q[0], q[0]);
  const auto groups = questions.groups();
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0], (std::vector<Term>{q[0], q[3]}));
  questions.join(q[1], q[2]);
  questions.join(q[2], q[3]);
  EXPECT_EQ(questions.groups(), std::vector<std::vector<Term>>{q});
}

} // namespace
} // namespace tacit
