// The command line is read by the option table.
#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tacit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CommandLine parsed(const std::vector<std::string>& words) {
  auto line = parse_arguments(words);
  EXPECT_TRUE(line) << line.error().message;
  return line ? *line : CommandLine{};
}

std::string complaint(const std::vector<std::string>& words) {
  auto line = parse_arguments(words);
  EXPECT_FALSE(line);
  return line ? "" : line.error().message;
}

TEST(Arguments, OptionsAndPositions) {
  const CommandLine line = parsed({"synth", "a.c", "--engine=direct", "b.c", "-o", "r.json",
                                   "--serial", "--", "-DX=1", "--engine"});
  EXPECT_EQ(line.command, "synth");
  EXPECT_THAT(line.positional, ElementsAre("a.c", "b.c"));
  EXPECT_THAT(line.after_dashes, ElementsAre("-DX=1", "--engine"));
  EXPECT_EQ(line.one("--engine"), "direct");
  EXPECT_EQ(line.one("--output"), "r.json");
  EXPECT_TRUE(line.has("--serial"));
  EXPECT_FALSE(line.has("--full"));
  EXPECT_EQ(line.one("--full"), std::nullopt);
}

TEST(Arguments, ListsSplitAtCommasOutsideOfParentheses) {
  const CommandLine line =
      parsed({"synth", "--methods", "write(byte[],int,int), put", "--methods", "map<K,V>::get,*"});
  EXPECT_THAT(line.list("--methods"),
              ElementsAre("write(byte[],int,int)", "put", "map<K,V>::get", "*"));
  EXPECT_THAT(line.all("--methods"), testing::SizeIs(2));
}

TEST(Arguments, WhatIsWrongIsSaid) {
  EXPECT_THAT(complaint({"sinth"}), HasSubstr("did you mean 'synth'"));
  EXPECT_THAT(complaint({"synth", "--engin", "x"}), HasSubstr("did you mean '--engine'"));
  EXPECT_THAT(complaint({"show", "--engine", "x"}), HasSubstr("'tacit show' has no option"));
  EXPECT_THAT(complaint({"synth", "--engine"}), HasSubstr("needs a value"));
  EXPECT_THAT(complaint({"synth", "--serial=yes"}), HasSubstr("takes no value"));
  EXPECT_THAT(complaint({"synth", "--engine", "a", "--engine", "b"}), HasSubstr("given twice"));
  EXPECT_THAT(complaint({"show", "r.json", "--", "x"}), HasSubstr("takes nothing after '--'"));
}

TEST(Arguments, EveryOptionBelongsToACommand) {
  unsigned all = 0;
  std::set<std::string_view> names;
  for (const CommandSpec& command : command_table()) {
    all |= command.bit;
    EXPECT_THAT(command_help(command), HasSubstr(std::string(command.usage)));
  }
  for (const OptionSpec& option : option_table) {
    EXPECT_NE(option.commands & all, 0u) << option.name;
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.repeatable && option.argument.empty()) << option.name;
  }
}

} // namespace
} // namespace tacit
