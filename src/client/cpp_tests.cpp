#include "client/cpp_tests.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/ranges.h>

#include "client/c_expression.h"
#include "client/test_text.h"
#include "frontend/llvm/facts/source_facts.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using Kind = SourceType::Kind;

constexpr const char* gtest_line = "#include <gtest/gtest.h>";
/// In its place when a text is only compiled: as much of GoogleTest as the tests use.
constexpr const char* gtest_stub = "#include <sstream>";
const std::vector<std::string> gtest_flags = {"-DTEST(a,b)=void a##_##b##_test()",
                                              "-DFAIL()=std::ostringstream()",
                                              "-DGTEST_SKIP()=std::ostringstream()"};

constexpr std::string_view helpers = R"(
namespace {

/// One test: what it saw that it should not have seen, or why it could not go on.
struct Story {
  std::string wrong, ended;

  static std::string thrown() {
    int status = 0;
    char* name = abi::__cxa_demangle(abi::__cxa_current_exception_type()->name(), nullptr, nullptr, &status);
    std::string text = status == 0 ? name : abi::__cxa_current_exception_type()->name();
    std::free(name);
    for (auto at = text.find("__cxx11::"); at != std::string::npos; at = text.find("__cxx11::")) text.erase(at, 9);
    return text;
  }
  template <class Call> static std::string outcome(Call call) {
    try {
      return call();
    } catch (...) {
      return "throws=" + thrown();
    }
  }
  static std::string simple(const std::string& outcome) {
    const auto at = outcome.rfind(':');
    return outcome.rfind("throws=", 0) == 0 && at != std::string::npos ? "throws=" + outcome.substr(at + 1) : outcome;
  }
  static bool is_error(const std::string& outcome) {
    if (outcome == "error") return true;
    if (outcome.rfind("throws=", 0) != 0) return false;
    for (const std::string& error : error_types)
      if (error == "*" || outcome == "throws=" + error) return true;
    return false;
  }
  static bool has(const std::vector<std::string>& outcomes, const std::string& seen) {
    for (const std::string& one : outcomes)
      if (one == seen || one == simple(seen) || one == "*" ||
          (one == "throws=foreign_exception" && seen.rfind("throws=", 0) == 0 && !is_error(seen)))
        return true;
    return false;
  }

  /// The protocol allows the call. True: it came to what the test needs to go on.
  template <class Call>
  bool allowed(const char* shown, const std::vector<std::string>& wanted, const std::vector<std::string>& possible, Call call) {
    const std::string seen = outcome(call);
    if (has(wanted, seen)) return true;
    if (has(possible, seen))
      ended = std::string(shown) + " came to " + seen;
    else
      wrong = std::string(shown) + " is allowed and came to " + seen;
    return false;
  }
  template <class Call> void refused(const char* shown, Call call) {
    const std::string seen = outcome(call);
    if (!is_error(seen)) wrong = std::string(shown) + " should err and came to " + seen;
  }
  /// An assertion may end the process: the call is made in another one.
  template <class Call> void dies(const char* shown, Call call) {
    constexpr int erred = 99;
    std::string seen = "its end";
    const pid_t child = fork();
    if (child == 0) {
      std::fclose(stderr);
      _exit(is_error(outcome(call)) ? erred : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const bool errs = WIFSIGNALED(status) || WEXITSTATUS(status) == erred;
    if (!errs) wrong = std::string(shown) + " should err and came to " + seen;
  }
};

void tell(const Story& story) {
  if (!story.wrong.empty()) FAIL() << story.wrong;
  if (!story.ended.empty()) GTEST_SKIP() << story.ended;
}

/// Where a constructor fails for a reason that is no error of the client, nothing can be shown.
void run(Story& story, void (*test)(Story&)) {
  try {
    test(story);
  } catch (...) {
    const std::string seen = "throws=" + Story::thrown();
    (Story::is_error(seen) ? story.wrong : story.ended) = "making the object came to " + seen;
  }
}

[[maybe_unused]] void play(void (*test)(Story&)) {
  Story story;
  run(story, test);
  tell(story);
}

/// In a process of its own, for state that all tests would share.
[[maybe_unused]] void alone(void (*test)(Story&)) {
  Story story;
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    run(story, test);
    const std::string told = story.wrong.empty() ? "." + story.ended : "!" + story.wrong;
    _exit(write(ends[1], told.data(), told.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string told;
  char buffer[256];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) told.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (told.empty()) told = "!the process ended in the middle of the test";
  (told[0] == '!' ? story.wrong : story.ended) = told.substr(1);
  tell(story);
}

/// Memory for whatever a pointer or a reference leads to.
struct Memory {
  alignas(64) inline static unsigned char bytes[1 << 16];
  template <class T> operator T*() const { return reinterpret_cast<T*>(bytes); }
  template <class T> operator T&() const { return *reinterpret_cast<T*>(bytes); }
};
)";

std::string list(const std::vector<std::string>& items) {
  std::vector<std::string> all;
  for (const std::string& item : items) all.push_back(c_quoted(item));
  return fmt::format("{{{}}}", fmt::join(all, ", "));
}

class CppTests {
public:
  CppTests(const InterfaceProgram& program, const SourceFacts& facts,
           const CppTestsRequest& request)
      : program_(program), interface_(program.interface()), facts_(facts), request_(request),
        cpp_(!facts.subject.empty()), walk_(interface_) {
    if (!cpp_) find_handle();
  }

  Result<WrittenTests> run() {
    const TestLanguage language{
        .cannot_call = [&](const std::string& name,
                           bool constructor) { return cannot_call(name, constructor); },
        .can_write =
            [&](const std::string& name, bool constructor, std::size_t parameter,
                const WrittenValue& value) {
              return can_write(name, constructor, parameter, value);
            }};
    if (absolute_subject().find_first_of("\"\n") != std::string::npos)
      return fail(Location{subject_file()}, "no file of that name can be included");
    WrittenTests written;
    written.file = identifier(interface_.component_name) + "_protocol_test.cpp";
    written.plan = plan_tests(program_, walk_, language);
    if (auto compiled = leave_out_broken(written.plan); !compiled)
      return std::unexpected(compiled.error());
    written.text = text(written.plan, gtest_line, include_path(), nullptr);
    return written;
  }

private:
  // ---- Functions, and how their parameters are those of the component's calls.

  const FunctionFact* function(const std::string& name, bool constructor) const {
    const std::string wanted = method_name(name, constructor);
    const auto named = [&](const FunctionFact& fact) {
      return fact.name == wanted || fact.name + fact.signature == wanted;
    };
    if (cpp_ && constructor)
      for (const FunctionFact& fact : facts_.trivial_constructors)
        if (named(fact)) return &fact;
    const FunctionFact* found = nullptr;
    for (const auto& [symbol, fact] : facts_.functions) {
      if (!named(fact)) continue;
      if (!cpp_) {
        if (fact.in_class.empty()) return &fact;
        continue;
      }
      if (fact.is_constructor != constructor || !facts_.subject_classes.contains(fact.in_class))
        continue;
      if (fact.in_class == facts_.subject) return &fact;
      found = &fact;
    }
    return found;
  }

  std::string method_name(const std::string& name, bool constructor) const {
    if (constructor) return name;
    for (const ProgramCall& call : program_.calls())
      if (call.name == name) return call.method;
    return name;
  }

  void find_handle() {
    std::map<std::string, std::size_t> takers;
    for (const ProgramCall& call : program_.calls())
      if (const FunctionFact* fact = function(call.name, false);
          fact && !fact->parameters.empty() && is_record_pointer(fact->parameters[0].type))
        ++takers[fact->parameters[0].type.name];
    for (const auto& [name, count] : takers)
      if (count * 2 > program_.calls().size()) handle_ = name;
  }

  static bool is_record_pointer(const SourceType& type) {
    return type.kind == Kind::Pointer && !type.is_function && !type.name.empty();
  }
  bool is_handle(const SourceType& type) const {
    return !handle_.empty() && is_record_pointer(type) && type.name == handle_;
  }

  const Procedure& procedure(const std::string& name) const { return walk_.procedure(name); }

  /// The parameter of the call that a parameter of the source is; none for one that was left out.
  std::optional<std::size_t> parameter_of(const std::string& name, const FunctionFact& fact,
                                          std::size_t at) const {
    const auto& parameters = procedure(name).parameters;
    const auto found = std::ranges::find_if(parameters, [&](const Variable& variable) {
      return variable.shown_name() == fact.parameters[at].name ||
             source_name(variable.name()) == fact.parameters[at].name;
    });
    if (found != parameters.end() && !fact.parameters[at].name.empty())
      return static_cast<std::size_t>(found - parameters.begin());
    if (parameters.size() == fact.parameters.size()) return at;
    if (handle_.empty() || parameters.size() + 1 != fact.parameters.size() || at == 0)
      return std::nullopt;
    return at - 1;
  }

  bool made_without_function(const std::string& name, bool constructor) const {
    return constructor && !function(name, true) && procedure(name).parameters.empty();
  }

  std::string cannot_call(const std::string& name, bool constructor) const {
    const FunctionFact* fact = function(name, constructor);
    if (!fact) {
      if (made_without_function(name, constructor)) return "";
      return fmt::format("{} is not found in the sources", name);
    }
    if (!cpp_ && fact->is_static) return fmt::format("{} is static", name);
    std::size_t known = 0;
    for (std::size_t i = 0; i < fact->parameters.size(); ++i)
      known += !is_handle(fact->parameters[i].type) && parameter_of(name, *fact, i).has_value();
    if (known < procedure(name).parameters.size())
      return fmt::format("the arguments of {} are parts of structures", name);
    for (std::size_t i = 0; i < fact->parameters.size(); ++i)
      if (const auto at = parameter_of(name, *fact, i);
          !at && !is_handle(fact->parameters[i].type) &&
          !argument(fact->parameters[i].type, {}, nullptr))
        return fmt::format("no value of the parameter {} of {} can be written",
                           fact->parameters[i].name, name);
    return "";
  }

  bool can_write(const std::string& name, bool constructor, std::size_t parameter,
                 const WrittenValue& value) const {
    const FunctionFact* fact = function(name, constructor);
    if (!fact) return true;
    for (std::size_t i = 0; i < fact->parameters.size(); ++i)
      if (!is_handle(fact->parameters[i].type) && parameter_of(name, *fact, i) == parameter)
        return argument(fact->parameters[i].type, value, nullptr).has_value();
    return false;
  }

  // ---- Values.

  static bool is_text(const std::string& name) {
    return name.starts_with("std::basic_string") || name == "std::string" ||
           name == "std::string_view";
  }

  static bool may_be_empty(const std::string& name) {
    return std::ranges::any_of(std::array{"std::shared_ptr", "std::unique_ptr", "std::weak_ptr",
                                          "std::optional", "std::function", "std::any"},
                               [&](const char* one) { return name.starts_with(one); });
  }

  std::optional<std::string> number(const SourceType& type, const WrittenValue& value) const {
    using V = WrittenValue::Kind;
    Integer number = value.number;
    if (type.is_real && value.kind == V::Other)
      return value.text.find_first_not_of("-+.e0123456789") == std::string::npos
                 ? std::optional(value.text)
                 : std::nullopt;
    if (value.kind == V::Bare) {
      const auto known = facts_.enums.find(type.name);
      if (known == facts_.enums.end()) return std::nullopt;
      const auto found = std::ranges::find(known->second.values, simple_name(value.text),
                                           &std::pair<std::string, std::int64_t>::first);
      if (found == known->second.values.end()) return std::nullopt;
      number = found->second;
    } else if (value.kind != V::Number && value.kind != V::Bool && value.kind != V::Missing) {
      return std::nullopt;
    }
    const std::string literal = c_number(number, type.is_signed || type.kind != Kind::Number);
    if (type.kind == Kind::Enumeration && !type.name.empty() &&
        type.name.find('(') == std::string::npos)
      return fmt::format("static_cast<{}>({})", type.name, literal);
    return literal;
  }

  /// With `before`, lines that make what the argument refers to.
  std::optional<std::string> argument(const SourceType& type, const WrittenValue& value,
                                      std::vector<std::string>* before) const {
    using V = WrittenValue::Kind;
    switch (type.kind) {
    case Kind::Void: return std::nullopt;
    case Kind::Bool:
      if (value.kind != V::Bool && value.kind != V::Missing && value.kind != V::Number)
        return std::nullopt;
      return value.number != 0 ? "true" : "false";
    case Kind::Number:
    case Kind::Enumeration:
    case Kind::Float: return number(type, value);
    case Kind::Object:
      if (value.kind == V::Text && is_text(type.name)) return text_literal(value.text);
      if (value.kind == V::Missing) return "{}";
      // What is made by default holds nothing where a class can hold nothing.
      if (may_be_empty(type.name))
        return value.kind == V::Null ? std::optional("{}") : std::nullopt;
      return value.kind == V::Object && !is_text(type.name) ? std::optional("{}") : std::nullopt;
    case Kind::Pointer: break;
    }
    if (value.kind == V::Null) return type.is_reference ? std::nullopt : std::optional("nullptr");
    if (type.is_function) return std::nullopt;
    if (is_text(type.name)) {
      if (value.kind == V::Object || !type.is_reference) return std::nullopt;
      const std::string text = text_literal(value.text);
      if (type.pointee_const || type.is_rvalue) return text;
      return local(fmt::format("std::string({})", text), before);
    }
    if (value.kind == V::Text)
      return type.pointee == "char" && type.pointee_const ? std::optional(c_quoted(value.text))
                                                          : std::nullopt;
    if (value.kind != V::Object && value.kind != V::Missing) return std::nullopt;
    if (type.name.empty()) return "Memory{}";
    if (type.pointee_opaque) return std::nullopt;
    const std::string made = local(fmt::format("{}{{}}", type.name), before, value.text);
    if (type.is_rvalue) return fmt::format("std::move({})", made);
    return type.is_reference ? made : "&" + made;
  }

  static std::string text_literal(const std::string& text) {
    return fmt::format("std::string({}, {})", c_quoted(text), text.size());
  }

  /// Objects with a name are the same object wherever they are named.
  static std::string local(const std::string& value, std::vector<std::string>* before,
                           const std::string& named = "") {
    if (!before) return "made";
    const std::string comment = named.empty() ? "" : fmt::format(" // {}", named);
    for (std::size_t i = 0; !named.empty() && i < before->size(); ++i)
      if ((*before)[i].ends_with(comment) &&
          (*before)[i].find(" = " + value + ";") != std::string::npos)
        return fmt::format("made{}", i);
    before->push_back(fmt::format("auto&& made{} = {};{}", before->size(), value, comment));
    return fmt::format("made{}", before->size() - 1);
  }

  // ---- Calls.

  std::string arguments(const std::string& name, const FunctionFact& fact, const PlannedStep& step,
                        std::vector<std::string>& before) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < fact.parameters.size(); ++i) {
      const SourceType& type = fact.parameters[i].type;
      if (is_handle(type) && i == 0) {
        all.push_back(object_is_pointer_ ? "object" : "&object");
        continue;
      }
      const auto at = parameter_of(name, fact, i);
      const WrittenValue value = at ? step.arguments.at(*at) : WrittenValue{};
      all.push_back(argument(type, value, &before).value_or("{}"));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  static std::string callable(const std::string& name) {
    constexpr std::string_view word = "operator";
    if (name.starts_with(word) && name.size() > word.size() &&
        (std::isalpha(static_cast<unsigned char>(name[word.size()])) != 0))
      return "operator " + name.substr(word.size());
    return name;
  }

  std::string call_text(const PlannedStep& step, std::vector<std::string>& before) const {
    const std::string& name = interface_.calls[step.call].name;
    const FunctionFact& fact = *function(name, false);
    return fmt::format("{}{}({})", cpp_ ? "object." : "", callable(fact.name),
                       arguments(name, fact, step, before));
  }

  /// What a call came to, as an expression of the tests: `error` for errors that are returned.
  std::string body(const ProgramCall& call, const std::string& text) const {
    const FunctionFact& fact = *function(call.name, false);
    if (fact.returns.kind == Kind::Void) return fmt::format("{}; return \"returns\";", text);
    const Term result = program_.result(*call.procedure);
    const CName name = [&](Term variable) -> std::optional<std::string> {
      return variable == result ? std::optional<std::string>("result") : std::nullopt;
    };
    std::string checks;
    const auto add = [&](Term condition, const std::string& outcome) {
      const auto written = condition ? c_expression(condition, name) : std::nullopt;
      if (written) checks += fmt::format(" if ({}) return {};", *written, c_quoted(outcome));
    };
    for (const Term condition : error_results(program_, call)) add(condition, "error");
    bool split = false;
    for (const std::string& outcome : call.outcomes)
      if (result && outcome.starts_with("returns=") && outcome != "returns=other") {
        split = true;
        add(outcome_condition(*program_.module().arena, outcome, call.outcomes, result), outcome);
      }
    const std::string end = split ? "returns=other" : "returns";
    if (checks.empty()) return fmt::format("static_cast<void>({}); return \"{}\";", text, end);
    const bool scalar = fact.returns.kind == Kind::Enumeration;
    return fmt::format("const auto result = {};{} return \"{}\";",
                       scalar ? fmt::format("static_cast<long long>({})", text) : text, checks,
                       end);
  }

  /// The constructor; whether objects are pointers is settled here.
  std::vector<std::string> start_lines(const PlannedStep& start, std::vector<std::string>& before) {
    const std::string& name = interface_.constructors[start.call];
    const FunctionFact* fact = function(name, true);
    object_is_pointer_ = false;
    if (!fact) {
      if (cpp_) return {fmt::format("{} object;", facts_.subject)};
      if (handle_.empty()) return {};
      return {fmt::format("{} object{{}};", handle_)};
    }
    if (cpp_) {
      const std::string all = arguments(name, *fact, start, before);
      return {all.empty() ? fmt::format("{} object;", facts_.subject)
                          : fmt::format("{} object({});", facts_.subject, all)};
    }
    if (is_handle(fact->returns)) {
      object_is_pointer_ = true;
      const std::string all = arguments(name, *fact, start, before);
      return {fmt::format("{}* const object = {}({});", handle_, name, all),
              fmt::format("if (object == nullptr) {{ story.ended = {}; return; }}",
                          c_quoted(name + " made no object"))};
    }
    std::vector<std::string> lines;
    if (!handle_.empty()) lines.push_back(fmt::format("{} object{{}};", handle_));
    lines.push_back(
        fmt::format("static_cast<void>({}({}));", name, arguments(name, *fact, start, before)));
    return lines;
  }

  std::string refused_start(const PlannedStep& start, std::vector<std::string>& before) {
    std::vector<std::string> lines = start_lines(start, before);
    if (object_is_pointer_)
      return fmt::format("{} return object == nullptr ? \"error\" : \"returns\";", lines[0]);
    return fmt::format("{} return \"returns\";", fmt::join(lines, " "));
  }

  bool may_die() const {
    return std::ranges::any_of(interface_.forbidden,
                               [](const Refusal& r) { return r.error == "assert"; });
  }

  std::vector<std::string> known_outcomes(const PlannedStep& step) const {
    std::vector<std::string> possible = step.possible;
    if (step.may_err) possible.emplace_back("*");
    return possible;
  }

  std::vector<std::string> lines(const PlannedTest& test) {
    const std::string refuse = may_die() ? "dies" : "refused";
    std::vector<std::string> before, made;
    if (test.refused && test.steps.empty()) {
      const std::string call = refused_start(test.start, before);
      made.push_back(fmt::format("story.{}({}, [&]() -> std::string {{ {} }});", refuse,
                                 c_quoted(shown_step(interface_, test.start, true)), call));
    } else {
      made = start_lines(test.start, before);
    }
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      const PlannedStep& step = test.steps[i];
      const std::string call = body(program_.calls()[step.call], call_text(step, before));
      const std::string shown = c_quoted(shown_step(interface_, step, false));
      if (test.refused && i + 1 == test.steps.size())
        made.push_back(
            fmt::format("story.{}({}, [&]() -> std::string {{ {} }});", refuse, shown, call));
      else
        made.push_back(
            fmt::format("if (!story.allowed({}, {}, {}, [&]() -> std::string {{ {} }})) return;",
                        shown, list(step.wanted), list(known_outcomes(step)), call));
    }
    made.insert(made.begin(), before.begin(), before.end());
    return made;
  }

  // ---- The file.

  /// The header in which the component is declared, else the source.
  std::string subject_file() const {
    for (const ProgramCall& call : program_.calls())
      if (const FunctionFact* fact = function(call.name, false); fact && !fact->in_system_header)
        return fact->declared.file;
    return request_.sources.sources.front();
  }

  std::string absolute_subject() const {
    std::error_code error;
    return std::filesystem::absolute(subject_file(), error).lexically_normal().string();
  }

  std::string include_path() const {
    if (request_.folder.empty()) return absolute_subject();
    std::error_code error;
    const auto folder = std::filesystem::absolute(request_.folder, error);
    return std::filesystem::path(absolute_subject()).lexically_relative(folder).generic_string();
  }

  /// With `first_lines`, the line at which each test begins.
  std::string text(const TestPlan& plan, std::string_view gtest, const std::string& include,
                   std::vector<int>* first_lines) {
    std::string made = fmt::format(
        "// Tests of {} against its protocol, written by `tacit tests`. Compile it with the "
        "component, without NDEBUG,\n// and link GoogleTest. A test is skipped where the "
        "environment decided otherwise than it needs.\n{}\n",
        one_line(interface_.component_name), gtest);
    for (const char* header :
         {"cctype", "cmath", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "cxxabi.h",
          "string", "sys/wait.h", "typeinfo", "unistd.h", "utility", "vector"})
      made += fmt::format("#include <{}>\n", header);
    const bool c = facts_.language != "cpp";
    made += fmt::format("\n{}#include \"{}\"\n{}", c ? "extern \"C\" {\n" : "", include,
                        c ? "}\n" : "");
    made += fmt::format("\nstatic const std::vector<std::string> error_types = {};\n",
                        list(error_exceptions(program_)));
    made += helpers;
    made += "\n} // namespace\n";
    const std::string suite = identifier(interface_.component_name);
    for (std::size_t i = 0; i < plan.tests.size(); ++i) {
      if (first_lines) first_lines->push_back(static_cast<int>(std::ranges::count(made, '\n')) + 1);
      made += fmt::format("\n// {}\nTEST({}Protocol, {}) {{\n", one_line(plan.tests[i].title),
                          suite, test_name(plan.tests[i].title, i));
      made += has_shared_state() ? "  alone([](Story& story) {\n" : "  play([](Story& story) {\n";
      for (const std::string& line : lines(plan.tests[i])) made += "    " + line + "\n";
      made += "    (void)story;\n  });\n}\n";
    }
    if (first_lines) first_lines->push_back(static_cast<int>(std::ranges::count(made, '\n')) + 1);
    return made;
  }

  /// A C module has one state, which tests would hand to each other.
  bool has_shared_state() const { return !cpp_ && handle_.empty(); }

  Result<void> leave_out_broken(TestPlan& plan) {
    LlvmOptions options = request_.sources;
    options.flags.insert(options.flags.end(), gtest_flags.begin(), gtest_flags.end());
    constexpr int most_rounds = 40;
    for (int round = 0; round < most_rounds; ++round) {
      std::vector<int> first;
      const std::string whole = text(plan, gtest_stub, absolute_subject(), &first);
      const auto problems = compile_problems(whole, options.sources.front(), options);
      if (!problems) return std::unexpected(problems.error());
      if (problems->empty()) return {};
      std::map<std::size_t, std::string> broken;
      for (const CompileProblem& problem : *problems) {
        const auto after = std::ranges::upper_bound(first, problem.line);
        if (after == first.begin() || after == first.end())
          return fail("the tests do not compile with {}: {}", subject_file(), problem.message);
        broken.emplace(static_cast<std::size_t>(after - first.begin()) - 1,
                       "it does not compile: " + problem.message);
      }
      drop_tests(plan, {broken.begin(), broken.end()});
    }
    return fail("tests of {} do not compile", interface_.component_name);
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const SourceFacts& facts_;
  const CppTestsRequest& request_;
  const bool cpp_;
  Walk walk_;
  std::string handle_;
  bool object_is_pointer_ = false;
};

} // namespace

Result<WrittenTests> write_cpp_tests(const InterfaceProgram& program,
                                     const CppTestsRequest& request) {
  auto facts = read_c_facts(request.sources);
  if (!facts) return std::unexpected(facts.error());
  return CppTests(program, *facts, request).run();
}

} // namespace tacit
