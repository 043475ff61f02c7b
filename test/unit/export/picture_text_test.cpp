// Conditions and letters in the room that pictures have.
#include "export/picture_text.h"

#include <gtest/gtest.h>

#include "export/drawing.h"
#include "export/layout.h"
#include "export/svg.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

using Lines = std::vector<std::string>;

TEST(PictureText, BreaksBetweenConjuncts) {
  EXPECT_EQ(condition_lines("a == 1 && b == 2", 30, 3), Lines{"a == 1 && b == 2"});
  EXPECT_EQ(condition_lines("step == Open && count > 0 && !closed", 16, 3),
            (Lines{"step == Open &&", "count > 0 &&", "!closed"}));
  EXPECT_EQ(condition_lines("a && b || c", 6, 3), (Lines{"a &&", "b || c"}));
}

TEST(PictureText, CountsWhatThereIsNoRoomFor) {
  EXPECT_EQ(condition_lines("aaaa && bbbb && cccc && dddd", 8, 2),
            (Lines{"aaaa &&", "bbbb && … 2 more"}));
}

TEST(PictureText, LettersSayWhatTheyDependOnAndWhatTheySet) {
  EXPECT_EQ(letter_lines("seek(ms) when 0 <= ms", 40), Lines{"seek(ms) when 0 <= ms"});
  EXPECT_EQ(letter_lines("seek(ms):returns when 0 <= ms && ms <= duration() / at := ms", 24),
            (Lines{"seek(ms):returns", "when 0 <= ms &&", "ms <= duration()", "/ at := ms"}));
  EXPECT_EQ(letter_lines("put(key, value) / keys + key, size() := size() + 1, last := key", 22),
            (Lines{"put(key, value)", "/ keys + key, … 2 more"}));
}

TEST(PictureText, NumbersInARowAreARange) {
  EXPECT_EQ(numbers_text({}), "");
  EXPECT_EQ(numbers_text({0, 1, 3}), "0, 1, 3");
  EXPECT_EQ(numbers_text({0, 2, 3, 4, 9}), "0, 2–4, 9");
}

/// What every state allows and what changes nothing is said once.
TEST(PictureText, CallsWithoutEffectAreNoArrows) {
  Interface lock = test::lock();
  lock.calls.push_back({"peek", {"returns"}});
  for (InterfaceState& state : lock.states) state.allows.push_back(true);
  const std::size_t peek = lock.calls.size() - 1;
  for (State q = 0; q < lock.states.size(); ++q)
    lock.transitions.push_back({q, peek, 0, q, {}, {}});
  std::ranges::stable_sort(lock.transitions, {}, &InterfaceTransition::from);
  const Drawing drawing = drawing_of(lock);
  EXPECT_EQ(drawing.everywhere, (Lines{"query", "peek"}));
  const auto picture = draw_svg(drawing);
  ASSERT_TRUE(picture.has_value());
  EXPECT_NE(picture->find("in every state: query, peek ↺"), std::string::npos);
  EXPECT_EQ(picture->find(">peek<"), std::string::npos);
}

} // namespace
} // namespace tacit
