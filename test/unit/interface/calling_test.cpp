#include "interface/calling.h"

#include <gtest/gtest.h>

#include "interface/walk.h"
#include "program/text/read.h"

namespace tacit {
namespace {

using Kind = ClientValue::Kind;

WrittenValue recorded(std::string_view json) {
  JsonCursor cursor(json);
  return read_written_value(cursor);
}

TEST(WrittenCall, IsReadAndWritten) {
  const auto is_name = [](std::string_view name) {
    return name == "get" || name == "write(byte[],int)" || name == "io::read";
  };
  for (const std::string text :
       {"get", "get(3)", "get(-3, \"a, b\", 'c', null, true, {1, 2}, [1, [2]], $self, $out, ?)",
        "get()=-1", "get(3):throws=Range", "get(Mode::Fast, a.b.C, <noop>)=true:returns",
        "write(byte[],int)", "write(byte[],int)(b, 3)=0", "io::read()", "io::read:returns=0",
        "other(1)", "get(\"a\\\"b\\\\c\\n\")"}) {
    const auto call = parse_written_call(text, is_name);
    ASSERT_TRUE(call.has_value()) << text << ": " << call.error().message;
    EXPECT_EQ(to_string(*call), text);
  }
  const auto call = parse_written_call("write(byte[],int)(b, 3)=0", is_name);
  EXPECT_EQ(call->name, "write(byte[],int)");
  ASSERT_EQ(call->arguments->size(), 2u);
  EXPECT_EQ(call->arguments->at(1).number, 3);
  EXPECT_EQ(call->result->number, 0);
  EXPECT_EQ(parse_written_call("io::read:returns=0", is_name)->outcome, "returns=0");
  for (const std::string text : {"get(", "get(1", "get(1 2", "get(1,)", "get(\"a)", "get(1)x",
                                 "get(1):", "get()=", "get({1)"})
    EXPECT_FALSE(parse_written_call(text, is_name).has_value()) << text;
}

TEST(WrittenValue, IsReadFromTraces) {
  EXPECT_EQ(to_string(recorded(R"({"object": "gate"})")), "gate");
  EXPECT_EQ(recorded(R"({"object": "gate"})").kind, WrittenValue::Kind::Object);
  EXPECT_EQ(recorded(R"("<noop>")").kind, WrittenValue::Kind::Object);
  EXPECT_EQ(recorded(R"("$self")").kind, WrittenValue::Kind::Self);
  EXPECT_EQ(recorded(R"("$out")").kind, WrittenValue::Kind::Out);
  EXPECT_EQ(to_string(recorded(R"({"fields": [2, null]})")), "{2, null}");
  EXPECT_EQ(to_string(recorded("[1, true]")), "[1, true]");
  EXPECT_EQ(recorded("1.5").kind, WrittenValue::Kind::Other);
  EXPECT_EQ(recorded(R"("x")").kind, WrittenValue::Kind::Recorded);
}

/// A result with calls for a component.
struct Subject {
  Subject(std::string tir, std::vector<InterfaceCall> calls, std::vector<std::string> constructors,
          std::string language = "cpp")
      : module(read_module(tir, "x.tir").value()) {
    interface.language = std::move(language);
    interface.calls = std::move(calls);
    interface.constructors = std::move(constructors);
  }
  Calling calling() const { return {interface, module}; }
  std::string call(std::string_view name, const std::vector<std::string>& arguments) const {
    std::vector<WrittenValue> values;
    for (const std::string& text : arguments) values.push_back(recorded(text));
    const auto found = calling().calls(name, &values);
    return found.empty() ? "" : interface.calls[found.back()].name;
  }
  std::string constructor(std::string_view name, const std::vector<std::string>& arguments) const {
    std::vector<WrittenValue> values;
    for (const std::string& text : arguments) values.push_back(recorded(text));
    const auto found = calling().constructor(name, &values);
    return found ? interface.constructors[*found] : "";
  }
  std::vector<std::string> outcomes(std::size_t call, std::string_view outcome,
                                    std::string_view result = "") const {
    const WrittenValue value = result.empty() ? WrittenValue{} : recorded(result);
    std::vector<std::string> names;
    for (const std::size_t i : calling().outcomes(call, outcome, result.empty() ? nullptr : &value))
      names.push_back(interface.calls[call].outcomes[i]);
    return names;
  }

  Module module;
  Interface interface;
};

TEST(Calling, FindsCallsByNameArityAndTypes) {
  const Subject writer("component W\n",
                       {{"value(string&)", {"any"}},
                        {"value(int)", {"any"}},
                        {"put(String,int)", {"any"}},
                        {"put(String)", {"any"}},
                        {"close", {"any"}}},
                       {"W"});
  EXPECT_EQ(writer.call("value", {"3"}), "value(int)");
  EXPECT_EQ(writer.call("value", {R"("v")"}), "value(string&)");
  EXPECT_EQ(writer.call("put(java.lang.String,int)", {R"("k")", "1"}), "put(String,int)");
  EXPECT_EQ(writer.call("put", {R"("k")"}), "put(String)");
  EXPECT_EQ(writer.call("close()", {}), "close");
  EXPECT_EQ(writer.call("close", {R"("$self")"}), "close");
  EXPECT_EQ(writer.call("ns::close", {}), "close");
  EXPECT_EQ(writer.call("value", {"3", "4"}), "");
  EXPECT_EQ(writer.call("open", {}), "");
}

TEST(Calling, FindsConstructors) {
  const Subject several("component W\n", {}, {"W()", "W(int)", "W(string&,int)"});
  EXPECT_EQ(several.constructor("W()", {}), "W()");
  EXPECT_EQ(several.constructor("W(2)", {"2"}), "W(int)");
  EXPECT_EQ(several.constructor("W(\"a\", 2)", {R"("a")", "2"}), "W(string&,int)");
  EXPECT_EQ(several.constructor("W(1,2,3)", {"1", "2", "3"}), "");
  const Subject one("component W\n", {}, {"W"});
  EXPECT_EQ(one.constructor("(module state)", {}), "W");
  EXPECT_EQ(one.constructor("W(table[(1,'a'),(2,null)])", {R"({"object": "t"})"}), "W");
  EXPECT_EQ(one.constructor("Outer.W({2,100})", {R"({"fields": [2, 100]})"}), "W");
}

TEST(Calling, FindsOutcomes) {
  Subject s(R"(component W
enum Status { Ok, Bad = 5 }
exception `std::exception`
exception `std::logic_error` : `std::exception`
exception `std::out_of_range` : `std::logic_error`
method code() : int { return 0; }
method status() : Status { return Ok; }
)",
            {{"code", {"returns=0", "returns=-1", "returns=other", "throws=logic_error"}},
             {"status", {"returns=Ok", "returns=Bad"}},
             {"flag", {"returns=true", "returns=false", "throws=exception"}},
             {"sign", {"returns<0", "returns>=0"}},
             {"find", {"returns=null", "returns!=null"}},
             {"go", {"any"}},
             {"plain", {"returns", "throws=other"}}},
            {"W"});
  s.interface.constants = {{"Codes", {{"E_OK", 0}, {"E_BAD", -1}}}};
  using Names = std::vector<std::string>;
  EXPECT_EQ(s.outcomes(0, "returns", "0"), Names{"returns=0"});
  EXPECT_EQ(s.outcomes(0, "returns", "7"), Names{"returns=other"});
  EXPECT_EQ(s.outcomes(0, "returns", R"("E_BAD")"), Names{"returns=-1"});
  EXPECT_EQ(s.outcomes(0, "returns", R"("Codes::E_OK")"), Names{"returns=0"});
  EXPECT_EQ(s.outcomes(0, "throws=std::logic_error"), Names{"throws=logic_error"});
  EXPECT_EQ(s.outcomes(0, "throws=std::out_of_range"), Names{"throws=logic_error"});
  EXPECT_EQ(s.outcomes(0, "throws=std::exception"), Names{});
  EXPECT_EQ(s.outcomes(0, "returns"), (Names{"returns=0", "returns=-1", "returns=other"}));
  EXPECT_EQ(s.outcomes(0, "").size(), 4u);
  EXPECT_EQ(s.outcomes(0, "returns=-1"), Names{"returns=-1"});
  EXPECT_EQ(s.outcomes(0, "returns=E_BAD"), Names{"returns=-1"});
  EXPECT_EQ(s.outcomes(0, "returns", R"("E_NONE")"),
            (Names{"returns=0", "returns=-1", "returns=other"})); // nobody knows it
  EXPECT_EQ(s.outcomes(1, "returns", R"("Bad")"), Names{"returns=Bad"});
  EXPECT_EQ(s.outcomes(1, "returns", R"("Status::Ok")"), Names{"returns=Ok"});
  EXPECT_EQ(s.outcomes(1, "returns", "5"), Names{"returns=Bad"});
  EXPECT_EQ(s.outcomes(2, "returns", "true"), Names{"returns=true"});
  EXPECT_EQ(s.outcomes(2, "returns", "0"), Names{"returns=false"});
  EXPECT_EQ(s.outcomes(2, "throws=std::out_of_range"), Names{"throws=exception"});
  EXPECT_EQ(s.outcomes(3, "returns", "-4"), Names{"returns<0"});
  EXPECT_EQ(s.outcomes(3, "returns", "0"), Names{"returns>=0"});
  EXPECT_EQ(s.outcomes(4, "returns", "null"), Names{"returns=null"});
  EXPECT_EQ(s.outcomes(4, "returns", R"("x")"), Names{"returns!=null"});
  EXPECT_EQ(s.outcomes(5, "throws=E"), Names{"any"});
  EXPECT_EQ(s.outcomes(5, "returns", "3"), Names{"any"});
  EXPECT_EQ(s.outcomes(6, "returns", "3"), Names{"returns"});
  EXPECT_EQ(s.outcomes(6, "throws=a.b.C"), Names{"throws=other"});
}

/// The bound arguments of `f`, each as text.
std::vector<std::string> bound(const Subject& subject, std::string_view name,
                               const std::vector<std::string>& arguments) {
  std::vector<WrittenValue> values;
  for (const std::string& text : arguments) values.push_back(recorded(text));
  const Procedure& procedure = *subject.module.find_procedure("f");
  const auto found = subject.calling().arguments(procedure, name, values);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < found.size(); ++i)
    texts.push_back(to_string(found[i], procedure.parameters[i].term->sort));
  return texts;
}

TEST(Calling, ValuesFollowTheTypesOfParameters) {
  using Texts = std::vector<std::string>;
  Subject c(R"(component C
enum Status { Ok, Bad = 5 }
enum constants { Get, Head }
method f(n : int [0..4294967295], c : int [-128..127], b : bool, s : Status, p : ref, m : int [-2147483648..2147483647]) { return; }
)",
            {}, {}, "c");
  c.interface.constants = {{"Method", {{"Post", 3}}}};
  EXPECT_EQ(bound(c, "f", {"7", R"("N")", "true", R"("Status::Bad")", "null", R"("Method::Post")"}),
            (Texts{"7", "78", "true", "Bad", "null", "3"}));
  EXPECT_EQ(bound(c, "f", {"-1", R"("7")", "0", "5", R"("ab")", R"("Head")"}),
            (Texts{"4294967295", "55", "false", "Bad", "\"ab\"", "1"}));
  EXPECT_EQ(bound(c, "f", {R"("$self")", "1", "2", "1", "9", R"("<noop>")", R"("None")"}),
            (Texts{"1", "2", "true", "?", "<noop>", "?"}));
  EXPECT_EQ(bound(c, "f", {"1", "1.5", R"("x")"}), (Texts{"1", "?", "?", "?", "?", "?"}));
  EXPECT_EQ(bound(c, "f", {"1", "1", "1", "1", "1", "1", "1"}),
            (Texts{"?", "?", "?", "?", "?", "?"}));

  const Subject java(R"(component J
enum `A$Mode` { `no_A$Mode` = -1, GET, POST }
method f(n : int [-2147483648..2147483647], c : int [0..65535], m : `A$Mode`, s : ref, o : ref, b : bool) { return; }
)",
                     {}, {}, "java");
  const std::string name = "f(int,char,a.A$Mode,java.lang.String,java.util.List,boolean)";
  EXPECT_EQ(
      bound(java, name, {R"("12")", R"("5")", R"("POST")", R"("x")", R"("two")", R"("true")"}),
      (Texts{"12", "53", "POST", "\"x\"", "two", "true"}));
  EXPECT_EQ(bound(java, name, {"12", R"(";")", "null", "null", "[1, 2]", "false"}),
            (Texts{"12", "59", "no_A$Mode", "null", "an object", "false"}));
  // Without types a text may be the name of an object.
  EXPECT_EQ(bound(java, "f", {"1", R"(";")", "null", R"("x")", "null", "true"})[3], "x");

  const Subject spread("component S\nrecord Range { low : int, high : int }\n"
                       "method f(config.coerce0 : int, config.coerce1 : int, r : ref Range, x.2 : "
                       "int) { return; }\n",
                       {}, {});
  EXPECT_EQ(bound(spread, "f", {R"({"fields": [2, 100]})", R"({"fields": [3, 4]})", "9"}),
            (Texts{"2", "100", "an object", "9"}));
  EXPECT_EQ(bound(spread, "f", {R"({"fields": [2, 100, 3]})", "null", "9"}),
            (Texts{"?", "?", "null", "9"}));
  const Procedure& f = *spread.module.find_procedure("f");
  const auto values = spread.calling().arguments(
      f, "f", {recorded("1"), recorded(R"({"fields": [3, 4]})"), recorded("9")});
  EXPECT_EQ(Judge().fact(values[2], "high").number, 4);
}

TEST(Calling, WhatIsWrittenThroughAPointerIsItsFact) {
  WrittenValue out = recorded(R"("$out")");
  const Subject s("component S\nmethod f(p : ref) { return; }\n", {}, {});
  const Procedure& f = *s.module.find_procedure("f");
  EXPECT_FALSE(Judge().fact(s.calling().arguments(f, "f", {out})[0], "value").known());
  out.parts = {recorded("true")};
  const ClientValue value = s.calling().arguments(f, "f", {out})[0];
  EXPECT_EQ(Judge().fact(value, "value").number, 1);
  EXPECT_EQ(Judge().same(value, null_value(), nullptr), false);
}

} // namespace
} // namespace tacit
