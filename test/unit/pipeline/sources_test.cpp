// Files of all kinds become modules; what does not go together is said before anything is read.
#include "pipeline/sources.h"

#include <gmock/gmock.h>

#include "unit/pipeline/subjects.h"

namespace tacit {
namespace {

using testing::HasSubstr;

class SourcesTest : public FolderTest {
protected:
  static std::string complaint(SourceOptions options, const Subject& subject = {}) {
    auto sources = Sources::open(std::move(options));
    if (!sources) return sources.error().message;
    auto module = sources->lower(subject);
    return module ? "" : module.error().message;
  }
};

TEST_F(SourcesTest, KindsByName) {
  EXPECT_EQ(kind_of_sources({"a.c", "b.h"}), SourceKind::CFamily);
  EXPECT_EQ(kind_of_sources({"a.jar", "A.java"}), SourceKind::Java);
  EXPECT_EQ(kind_of_sources({"jdk:"}), SourceKind::Java);
  EXPECT_EQ(kind_of_sources({folder_.string()}), SourceKind::Java);
  EXPECT_EQ(kind_of_sources({"a.tir"}), SourceKind::Tir);
  EXPECT_THAT(kind_of_sources({}).error().message, HasSubstr("a source is needed"));
  EXPECT_THAT(kind_of_sources({"a.tir", "b.tir"}).error().message, HasSubstr("one .tir file"));
  EXPECT_THAT(kind_of_sources({"A.java"}).error().message, HasSubstr("javac -g"));
  EXPECT_THAT(kind_of_sources({"a.txt"}).error().message, HasSubstr("not a kind of source"));
  EXPECT_THAT(kind_of_sources({"a.class", "b.c"}).error().message, HasSubstr("do not go together"));
}

TEST_F(SourcesTest, OptionsWithoutEffectAreErrors) {
  const std::string tir = write("lock.tir", lock_text), c = write("a.c", "int x;\n");
  EXPECT_THAT(complaint({.files = {tir}, .flags = {"-O2"}}), HasSubstr("C and C++ sources"));
  EXPECT_THAT(complaint({.files = {tir}, .own = {"x"}}), HasSubstr("--own"));
  EXPECT_THAT(complaint({.files = {tir}, .reentrant = true}), HasSubstr("--reentrant"));
  EXPECT_THAT(complaint({.files = {tir}}, {.class_name = "Lock"}), HasSubstr("no classes"));
  EXPECT_THAT(complaint({.files = {tir}}, {.handle = "lock"}), HasSubstr("--handle"));
  EXPECT_THAT(complaint({.files = {c}}, {.class_name = "A", .handle = "a"}),
              HasSubstr("exclude each other"));
  EXPECT_EQ(complaint({.files = {tir}}), "");
}

TEST_F(SourcesTest, OneOpeningSeveralSubjects) {
  const std::string file =
      write("two.cpp", "#include <cassert>\n"
                       "struct A { bool on = false; void start() { on = true; }"
                       " void use() { assert(on); } };\n"
                       "struct B { bool up = false; void lift() { up = true; }"
                       " void drop() { assert(up); } };\n");
  auto sources = Sources::open({.files = {file}});
  ASSERT_TRUE(sources) << to_string(sources.error());
  for (const char* name : {"A", "B", "A"}) {
    auto module = sources->lower({.class_name = name});
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(module->name, name);
    EXPECT_TRUE(sources->times());
  }
}

TEST_F(SourcesTest, ClassesAreReadOnce) {
  if (java::find_jdk().empty()) GTEST_SKIP() << "there is no JDK";
  auto sources = Sources::open({.files = {"jdk:"}});
  ASSERT_TRUE(sources) << to_string(sources.error());
  ASSERT_NE(sources->classes(), nullptr);
  const auto* list = sources->classes()->find("java/util/ArrayList");
  ASSERT_NE(list, nullptr);
  for (const char* name : {"java.util.ArrayList$Itr", "java.util.StringJoiner"}) {
    auto module = sources->lower({.class_name = name});
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(module->language, "java");
  }
  EXPECT_EQ(sources->classes()->find("java/util/ArrayList"), list);
  EXPECT_THAT(complaint({.files = {"jdk:"}}, {.class_name = "java.util.*"}), HasSubstr("wildcard"));
  EXPECT_THAT(complaint({.files = {"jdk:"}}), HasSubstr("name one with --class"));
}

TEST_F(SourcesTest, ADatabaseOfAnotherFolderMovesNobody) {
  namespace fs = std::filesystem;
  write("build/config.h", "#define FROM_BUILD 1\n");
  write("flags/more.h", "#define FROM_USER 1\n");
  const std::string first = "#include \"config.h\"\n#include \"more.h\"\n"
                            "#if FROM_BUILD && FROM_USER\nint start(void) { return 1; }\n#endif\n";
  const std::string one = write("src/one.c", first);
  const std::string two = write("src/two.c", "int stop(void) { return 2; }\n");
  const auto entry = [&](const char* name) {
    return "{\"directory\": \"" + (folder_ / "build").string() + "\", \"file\": \"../src/" + name +
           "\", \"command\": \"cc -I. -c ../src/" + name + " -o x.o\"}";
  };
  write("compile_commands.json", "[" + entry("one.c") + ",\n" + entry("two.c") + "]");
  const fs::path here = fs::current_path();
  // What the caller names is relative to where the process is.
  auto sources = Sources::open({.files = {fs::relative(one).string(), fs::relative(two).string()},
                                .flags = {"-I" + fs::relative(folder_ / "flags").string()}});
  ASSERT_TRUE(sources) << to_string(sources.error());
  for (int again = 0; again < 2; ++again) {
    auto module = sources->lower({});
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_NE(module->find_procedure("start"), nullptr);
    EXPECT_NE(module->find_procedure("stop"), nullptr);
    EXPECT_EQ(fs::current_path(), here);
  }
}

TEST_F(SourcesTest, ClauseTextsFollowIncludesOfTheirFolder) {
  write("clauses.h", "// @invariant x >= 0\n");
  const std::string file =
      write("a.c", "#include \"clauses.h\"\nint x;\nvoid f(void) { x = 1; }\n");
  auto sources = Sources::open({.files = {file}});
  ASSERT_TRUE(sources);
  auto module = sources->lower({});
  ASSERT_TRUE(module) << to_string(module.error());
  const auto texts = sources->clause_texts(*module);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_THAT(texts[1].text, HasSubstr("@invariant"));
}

} // namespace
} // namespace tacit
