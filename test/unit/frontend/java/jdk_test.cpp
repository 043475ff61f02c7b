// The installed JDK as a test bed: many of its classes are lowered, and what is printed reads back
// exactly. Skipped where there is no JDK.
#include <gtest/gtest.h>

#include "base/should.h"
#include "frontend/java/contracts.h"
#include "frontend/java/lower.h"
#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/volume.h"

namespace tacit::java {
namespace {

class Jdk : public testing::Test {
protected:
  void SetUp() override {
    if (find_jdk().empty()) GTEST_SKIP() << "no JDK here";
    ASSERT_TRUE(pool_.add("jdk:"));
    options_.contracts = {std::string(standard_contracts())};
  }

  /// What is wrong, or nothing.
  std::string round_trip(const std::string& name) {
    try {
      auto module = lower_class(pool_, name, options_);
      if (!module) return to_string(module.error());
      const std::string text = print_module(*module);
      auto again = read_module(text, name);
      if (!again) return to_string(again.error());
      if (print_module(*again) != text) return "the text differs when printed again";
      for (std::size_t i = 0; i < module->procedures.size(); ++i)
        if (again->procedures[i].blocks.size() != module->procedures[i].blocks.size())
          return "blocks differ in " + module->procedures[i].name;
      return "";
    } catch (const InternalError& broken) {
      return broken.what();
    }
  }

  ClassPool pool_;
  LowerOptions options_;
};

TEST_F(Jdk, LoweredClassesReadBackExactly) {
  const std::size_t step = full_volume() ? 1 : 29;
  std::size_t count = 0, tried = 0;
  for (const std::string& name : pool_.names()) {
    if (!name.starts_with("java/") || name.starts_with("java/awt/")) continue;
    if (++count % step != 0) continue;
    const ClassFile* file = pool_.find(name);
    ASSERT_NE(file, nullptr) << name;
    if (file->is(access::is_interface) || file->is(access::is_module)) continue;
    ++tried;
    EXPECT_EQ(round_trip(name), "") << name;
  }
  EXPECT_GT(tried, 50u);
}

TEST_F(Jdk, NamesMayBeBinarySourceOrSimple) {
  for (const char* name : {"java.util.Map$Entry", "java.util.Map.Entry", "java/util/Map$Entry"}) {
    auto file = pool_.load(name);
    ASSERT_TRUE(file) << name;
    EXPECT_EQ((*file)->name, "java/util/Map$Entry");
  }
  auto missing = pool_.load("java.util.ArayList");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("did you mean 'java.util.ArrayList'"), std::string::npos)
      << missing.error().message;
}

TEST_F(Jdk, AnInterfaceIsNoComponent) {
  auto module = lower_class(pool_, "java.util.List", options_);
  ASSERT_FALSE(module);
  EXPECT_NE(module.error().message.find("an interface"), std::string::npos);
}

TEST_F(Jdk, EnclosingInstanceIsFlattened) {
  auto module = lower_class(pool_, "java.util.ArrayList$ListItr", options_);
  ASSERT_TRUE(module);
  EXPECT_NE(module->find_state("this$0.size"), nullptr);
  EXPECT_NE(module->find_state("lastRet"), nullptr);
  EXPECT_FALSE(module->find_state("ArrayList.size")) << "its fields are no maps";
}

TEST_F(Jdk, ContractsOfTheUserOutrankCodeOfOtherClasses) {
  const std::string name = "ArrayList.add(int,Object)";
  const auto kind = [&](const LowerOptions& options) {
    auto module = lower_class(pool_, "java.util.ArrayList$ListItr", options);
    EXPECT_TRUE(module) << to_string(module.error());
    const Procedure* found = module ? module->find_procedure(name) : nullptr;
    return found && found->kind == ProcedureKind::Extern;
  };
  EXPECT_FALSE(kind(options_));
  LowerOptions told = options_;
  told.contracts.insert(told.contracts.begin(),
                        {"extern `java.util.ArrayList.add(int,Object)`(list : ref, index : s32, "
                         "x : ref) throws java.lang.IllegalStateException;",
                         "mine.tir"});
  EXPECT_TRUE(kind(told));
  told.own = {"java.util.ArrayList"};
  EXPECT_FALSE(kind(told));
}

TEST_F(Jdk, WrongContractsAreSaidWithTheirPlace) {
  LowerOptions told = options_;
  told.contracts.insert(told.contracts.begin(), {"\nextern f() : int purr;", "mine.tir"});
  auto module = lower_class(pool_, "java.util.ArrayList$ListItr", told);
  ASSERT_FALSE(module);
  EXPECT_EQ(to_string(module.error().where), "mine.tir:2:18");
}

} // namespace
} // namespace tacit::java
