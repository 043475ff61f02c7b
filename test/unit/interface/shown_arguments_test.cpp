// Arguments of runs as somebody would write them.
#include "interface/shown_arguments.h"

#include <gtest/gtest.h>

#include "program/text/read.h"

namespace tacit {
namespace {

Variable parameter(Module& module, const std::string& name, Sort sort) {
  return {.term = module.arena->var(name, sort), .type = {.sort = sort}};
}

TEST(ShownArguments, ObjectsGoByTheirParameterAndTextsByWhatTheySay) {
  Module module;
  module.literals = {{"GET", 70454}};
  const Sort ref = module.arena->ref_sort(), number = module.arena->int_sort();
  const std::vector<Variable> parameters{parameter(module, "url", ref),
                                         parameter(module, "limit", number),
                                         parameter(module, "basic_string.size[url]", number),
                                         parameter(module, "basic_string.text[url]", number)};
  EXPECT_EQ(shown_arguments(module, parameters, {"ref(7)", "3", "0", "0"}), "(\"\", 3)");
  EXPECT_EQ(shown_arguments(module, parameters, {"ref(7)", "3", "4", "1"}), "(url, 3)");
  EXPECT_EQ(shown_arguments(module, parameters, {"ref(7)", "3", "3", "70454"}), "(\"GET\", 3)");
  EXPECT_EQ(shown_arguments(module, parameters, {"null", "-1", "0", "0", "true"}), "(null, -1)");
  EXPECT_EQ(shown_arguments(module, parameters, {"null"}), "");
  EXPECT_EQ(shown_arguments(module, {}, {"true"}), "");
}

} // namespace
} // namespace tacit
