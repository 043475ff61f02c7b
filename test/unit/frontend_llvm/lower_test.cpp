// Lowering of small sources: what is printed, and that it reads back as the same module.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "frontend/llvm/lower.h"
#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;

class Lower : public testing::Test {
protected:
  Lower() {
    std::string name = (fs::temp_directory_path() / "tacit-lower-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Lower() override { fs::remove_all(folder_); }

  std::string source(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  /// The lowered text; reading it back must print alike.
  std::string lowered(const LlvmOptions& options) {
    auto module = lower_c_family(options);
    if (!module) return to_string(module.error());
    EXPECT_TRUE(verify(*module).empty());
    std::string text = print_module(*module);
    auto again = read_module(text, "again.tir");
    EXPECT_TRUE(again.has_value()) << (again ? "" : to_string(again.error())) << text;
    if (again) {
      EXPECT_EQ(print_module(*again), text);
    }
    return text;
  }

  std::string lowered_c(const std::string& text) {
    LlvmOptions options;
    options.sources = {source("input.c", text)};
    return lowered(options);
  }

  std::string lowered_class(const std::string& text, const std::string& name) {
    LlvmOptions options;
    options.sources = {source("input.cpp", text)};
    options.class_name = name;
    return lowered(options);
  }

  fs::path folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Lower, GlobalsAndAsserts) {
  const std::string text = lowered_c("#include <assert.h>\n"
                                     "static int x = 3;\n"
                                     "void f(void) { assert(x == 3); x = 4; }\n");
  EXPECT_TRUE(has(text, "state x : int [-2147483648..2147483647] = 3")) << text;
  EXPECT_TRUE(has(text, "assert x == 3")) << text;
}

TEST_F(Lower, BooleansAreNotBytes) {
  const std::string text = lowered_c("#include <stdbool.h>\n"
                                     "static bool a, b;\n"
                                     "bool f(bool x) { a = x && !b; return a; }\n");
  EXPECT_TRUE(has(text, "state a : bool = false")) << text;
  EXPECT_FALSE(has(text, "% 2")) << text;
}

TEST_F(Lower, EnumerationsKeepTheirNames) {
  const std::string text =
      lowered_class("class C { enum class S { Off, On } s = S::Off;\n"
                    "public: void flip() { s = s == S::On ? S::Off : S::On; } };",
                    "C");
  EXPECT_TRUE(has(text, "enum S { Off, On }")) << text;
  EXPECT_TRUE(has(text, "s == On")) << text;
}

TEST_F(Lower, AnEnumerationThatHoldsOtherNumbersIsANumber) {
  const std::string text = lowered_c("enum e { A, B };\nstatic enum e x;\n"
                                     "void f(int n) { x = (enum e)n; }\n"
                                     "int g(void) { return x == B; }\n");
  EXPECT_TRUE(has(text, "state x : int")) << text;
}

TEST_F(Lower, BitFieldsAreVariables) {
  const std::string text = lowered_c("static struct { unsigned a : 1, b : 3; } s;\n"
                                     "void f(void) { s.b = 5; }\n"
                                     "int g(void) { return s.b; }\n");
  EXPECT_TRUE(has(text, "s.b := 5")) << text;
  EXPECT_TRUE(has(text, "state s.b : int [0..7] = 0")) << text;
}

/// What a procedure is said to write, or nothing.
std::string writes_of(const std::string& text, const std::string& procedure) {
  const auto at = text.find("extern " + procedure);
  if (at == std::string::npos) return "nowhere";
  const std::string line = text.substr(at, text.find('\n', at) - at);
  const auto said = line.find("writes ");
  return said == std::string::npos ? "" : line.substr(said);
}

TEST_F(Lower, ElementsLieOutsideOfTheirContainer) {
  const std::string text = lowered_class(
      "#include <map>\n#include <memory>\n#include <string>\n"
      "void element(std::string&); void whole(std::map<int, std::string>&); void number(int&);\n"
      "class C { std::map<int, std::string> names; std::shared_ptr<int> p; public:\n"
      "  void one(int k) { element(names[k]); }\n"
      "  void all() { whole(names); }\n"
      "  void two() { number(*p); }\n"
      "  bool ask() { return names.empty() || !p; } };",
      "C");
  EXPECT_EQ(writes_of(text, "`whole@names`"), "writes names.has, names.size;") << text;
  EXPECT_EQ(writes_of(text, "element("), "") << text;
  EXPECT_EQ(writes_of(text, "number("), "") << text;
  EXPECT_FALSE(has(writes_of(text, "number.beside"), "p.set")) << text;
}

TEST_F(Lower, AnElementIsNoOtherContainerOfTheComponent) {
  const std::string text =
      lowered_class("#include <vector>\n"
                    "class C { std::vector<std::vector<int>> rows; std::vector<int> row; public:\n"
                    "  void grow(int k) { rows[k].push_back(1); row.push_back(1); }\n"
                    "  bool ask() { return rows.empty() || row.empty(); } };",
                    "C");
  EXPECT_FALSE(has(text, "beside")) << text;
}

TEST_F(Lower, WhatACalleePutsSomewhereMayBeAnyAddressThatItHas) {
  const std::string text = lowered_class("extern \"C\" void put(int** where, int* what);\n"
                                         "class C { int x = 0; int* p = nullptr; public:\n"
                                         "  void init() { put(&p, &x); }\n"
                                         "  void set() { if (p) *p = 5; }\n"
                                         "  bool ask() { return x == 0; } };",
                                         "C");
  const auto set = text.find("method set()");
  ASSERT_NE(set, std::string::npos) << text;
  EXPECT_TRUE(has(text.substr(set, text.find("method ask()") - set), "havoc unknown x")) << text;
}

TEST_F(Lower, OwnExceptionsAndThoseOfCallees) {
  const std::string text =
      lowered_class("#include <stdexcept>\nvoid other();\n"
                    "class C { public:\n"
                    "  void f(int x) { if (x < 0) throw std::logic_error(\"\"); }\n"
                    "  int g() { try { other(); } catch (...) { return 1; } return 0; } };",
                    "C");
  EXPECT_TRUE(has(text, "throw `std::logic_error`")) << text;
  EXPECT_TRUE(has(text, "extern other() throws foreign_exception")) << text;
}

TEST_F(Lower, OverloadsAreSpelledWithTheirTypes) {
  const std::string text = lowered_class(
      "class C { int n = 0; public: void set(int x) { n = x; } void set(const char*) { n = 0; }\n"
      "int get() const { return n; } };",
      "C");
  EXPECT_TRUE(has(text, "method `set(int)`(x : int")) << text;
  EXPECT_TRUE(has(text, "method `set(char*)`(")) << text;
  EXPECT_TRUE(has(text, "method get()")) << text;
}

TEST_F(Lower, NamedConstantsAmongReturnedValues) {
  const std::string text = lowered_c("#define FINE 0\n#define WRONG (-7)\n#define UNUSED 99\n"
                                     "static int s;\n"
                                     "int f(void) { if (s) return WRONG; s = 1; return FINE; }\n");
  EXPECT_TRUE(has(text, "WRONG = -7")) << text;
  EXPECT_FALSE(has(text, "UNUSED")) << text;
}

TEST_F(Lower, ADiagnosticOfClangHasItsPlace) {
  const std::string text = lowered_c("int f(void) {\n  return y;\n}\n");
  EXPECT_TRUE(has(text, "input.c:2:10: error: clang cannot compile it: use of undeclared")) << text;
}

// The handle that is found by itself.

constexpr const char* door_code = R"(struct door { int open; };
void door_open(struct door* d) { d->open = 1; }
void door_close(struct door* d) { d->open = 0; }
)";

TEST_F(Lower, TheStructThatMostFunctionsTakeIsTheHandle) {
  const std::string text = lowered_c(std::string(door_code) + "int version(void) { return 3; }\n");
  EXPECT_NE(text.find("component door\n"), std::string::npos) << text;
  EXPECT_NE(text.find("the handle is door, which 2 of 3 functions take first"), std::string::npos);
  EXPECT_NE(text.find("method door_open()"), std::string::npos) << text;
  EXPECT_EQ(text.find("method version"), std::string::npos) << "not on the handle";
  EXPECT_NE(text.find("left_out version \"it does not take the handle first\""), std::string::npos);
}

TEST_F(Lower, HalfOfTheFunctionsAreNotEnough) {
  const std::string text =
      lowered_c(std::string(door_code) +
                "static int n;\nvoid up(void) { n = 1; }\nvoid down(void) { n = 0; }\n");
  EXPECT_NE(text.find("component input\n"), std::string::npos) << text;
  EXPECT_NE(text.find("method up()"), std::string::npos);
}

TEST_F(Lower, AStructThatOneFunctionTakesIsNoHandle) {
  const std::string text = lowered_c("struct s { int a; };\nvoid put(struct s* p) { p->a = 1; }\n");
  EXPECT_NE(text.find("component input\n"), std::string::npos) << text;
}

TEST_F(Lower, AHandleMayBeNamedByItsTypedef) {
  LlvmOptions options;
  options.sources = {source("input.c", "typedef struct door_s { int open; } door;\n"
                                       "typedef struct door_s* door_t;\n"
                                       "void door_open(door* d) { d->open = 1; }\n")};
  for (const char* name : {"door_s", "door", "door_t"}) {
    options.handle = name;
    const std::string text = lowered(options);
    EXPECT_NE(text.find("method door_open() {\n  open := 1"), std::string::npos) << name << text;
  }
}

TEST_F(Lower, AStaticObjectIsTheSameByNameAndByPointer) {
  const std::string text =
      lowered_c("struct s { int a; };\nstatic struct s o;\n"
                "static struct s* p = &o;\n"
                "void set(void) { p->a = 1; }\nint get(void) { return o.a; }\n");
  EXPECT_NE(text.find("s.a[p] := 1"), std::string::npos) << text;
  EXPECT_NE(text.find("s.a[address.o]"), std::string::npos) << text;
  EXPECT_NE(text.find("p := address.o"), std::string::npos) << text;
}

} // namespace
} // namespace tacit
