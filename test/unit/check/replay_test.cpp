#include "check/written_run.h"

#include "subjects.h"

namespace tacit {
namespace {

TEST(ParseValue, ReadsWhatIsWritten) {
  TermArena arena;
  const Sort mode = arena.enum_sort({"Mode", {{"Idle", 0}, {"not idle", 1}}});
  EXPECT_EQ(parse_value("true", arena.bool_sort()), Value(1));
  EXPECT_EQ(parse_value("-12", arena.int_sort()), Value(-12));
  EXPECT_EQ(parse_value("not idle", mode), Value(1));
  EXPECT_EQ(parse_value("`not idle`", mode), Value(1));
  EXPECT_EQ(parse_value("null", arena.ref_sort()), Value(0));
  EXPECT_EQ(parse_value("ref(7)", arena.ref_sort()), Value(7));
  EXPECT_EQ(parse_value("1", arena.bool_sort()), std::nullopt);
  EXPECT_EQ(parse_value("x", arena.int_sort()), std::nullopt);
  EXPECT_EQ(parse_value("Busy", mode), std::nullopt);
}

TEST(ParseValue, ReadsMapsInBothForms) {
  TermArena arena;
  const Sort inner = arena.map_sort(arena.int_sort(), arena.ref_sort());
  const Sort outer = arena.map_sort(arena.bool_sort(), inner);
  const Value one = store(const_map(Value(0)), Value(3), Value(2));
  const Value two = store(const_map(const_map(Value(0))), Value(1), one);
  EXPECT_EQ(parse_value(to_string(two, outer), outer), two);
  EXPECT_EQ(parse_value("{otherwise: null, 3: ref(2)}", inner), one);
  EXPECT_EQ(parse_value("all(null)[3 := ref(2)]", inner), one);
  EXPECT_EQ(parse_value("all(all(null))[true := all(null)[3 := ref(2)]]", outer), two);
  EXPECT_EQ(parse_value("all(null)[3 = ref(2)]", inner), std::nullopt);
  EXPECT_EQ(parse_value("{3: null}", inner), std::nullopt);
  EXPECT_EQ(parse_value("{}", inner), std::nullopt);
  EXPECT_EQ(parse_value("", inner), std::nullopt);
}

} // namespace
} // namespace tacit
