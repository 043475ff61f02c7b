// The interface program in C: functions on a struct that holds the state and the tracked values.
#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "client/c_expression.h"
#include "client/interface_program.h"
#include "client/program_forms.h"
#include "client/test_text.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"

namespace tacit {

namespace {

class CProgramWriter {
public:
  explicit CProgramWriter(const InterfaceProgram& program)
      : program_(program), interface_(program.interface()),
        record_(identifier(interface_.component_name)) {}

  Result<std::string> run() {
    if (!program_.unreadable().empty())
      return fail("'{}' is not understood", program_.unreadable().front());
    if (auto named = check_names(); !named) return std::unexpected(named.error());
    text_ = fmt::format(
        "/* The interface of {} as a component, written by `tacit show --as c`: synthesise "
        "it with\n   --handle {}{}. A refused call fails an assertion; what the "
        "environment decides, {}_choose tells. */\n#include <assert.h>\n\n",
        one_line(interface_.component_name), record_, constructors(), record_);
    types();
    line(fmt::format("long long {}_choose(void);", record_));
    line(fmt::format("struct {} {{", record_));
    line("  int tacit_state;");
    for (std::size_t i = 0; i < program_.tracked().size(); ++i) {
      if (!program_.tracked()[i] || program_.tracked()[i]->sort->kind == SortKind::Ref)
        return fail("the tracked value {} cannot be held in C", interface_.tracked[i].name);
      line(fmt::format("  long long tacit_t{};", i));
    }
    line("};");
    for (const ProgramStart& start : program_.starts())
      if (auto made = constructor(start); !made) return std::unexpected(made.error());
    for (const ProgramCall& call : program_.calls())
      if (auto made = function(call); !made) return std::unexpected(made.error());
    return std::move(text_);
  }

private:
  void line(const std::string& text) { text_ += text + "\n"; }

  std::string constructors() const {
    std::string all;
    for (const ProgramStart& start : program_.starts())
      all += " --constructor " + start.constructor;
    return all;
  }

  Result<void> check_names() const {
    static const std::set<std::string> words = {
        "auto",   "break",  "case",     "char",   "const",    "continue", "default", "do",
        "double", "else",   "enum",     "extern", "float",    "for",      "goto",    "if",
        "inline", "int",    "long",     "main",   "register", "restrict", "return",  "short",
        "signed", "sizeof", "static",   "struct", "switch",   "typedef",  "union",   "unsigned",
        "void",   "while",  "volatile", "assert"};
    std::set<std::string> seen;
    const auto good = [&](const std::string& name) {
      return identifier(name) == name && !words.contains(name) && seen.insert(name).second;
    };
    for (const ProgramStart& start : program_.starts())
      if (!good(start.constructor))
        return fail("'{}' is no name for a function of C", start.constructor);
    for (const ProgramCall& call : program_.calls()) {
      if (call.letter) return fail("{} is a letter that was made by hand", call.name);
      if (!good(call.name)) return fail("'{}' is no name for a function of C", call.name);
      for (const ProgramCase& one : call.cases)
        for (const ProgramStep& step : one.steps)
          for (const std::string& outcome : step.outcomes)
            if (thrown_by(outcome))
              return fail("{} may throw {}, which C does not do", call.name, *thrown_by(outcome));
    }
    return {};
  }

  void types() {
    std::set<std::string> names;
    for (const Sort sort : program_.module().enums) {
      if (sort->kind != SortKind::Enum) continue;
      std::vector<std::string> values;
      for (const Enumerator& value : sort->decl->values)
        if (identifier(value.name) == value.name && names.insert(value.name).second)
          values.push_back(fmt::format("{} = {}", value.name, to_string(value.value)));
      if (!values.empty())
        line(fmt::format("enum {} {{ {} }};", identifier(sort->decl->name),
                         fmt::join(values, ", ")));
    }
  }

  static Result<std::string> type_text(const Type& type) {
    switch (type.sort->kind) {
    case SortKind::Bool: return "_Bool";
    case SortKind::Enum: return "enum " + identifier(type.sort->decl->name);
    case SortKind::Ref: return "void *";
    case SortKind::Int: {
      if (!type.low || !type.high) return "long long";
      const bool is_signed = *type.low < 0;
      const Integer high = *type.high;
      if (high <= 0x7f) return is_signed ? "signed char" : "unsigned char";
      if (high <= 0xff) return is_signed ? "short" : "unsigned char";
      if (high <= 0xffff) return is_signed ? (high <= 0x7fff ? "short" : "int") : "unsigned short";
      if (high <= 0x7fffffff) return is_signed ? "int" : "unsigned";
      if (high <= 0xffffffffLL) return is_signed ? "long long" : "unsigned";
      return is_signed ? "long long" : "unsigned long long";
    }
    case SortKind::Map: break;
    }
    return fail("a value of type {} cannot be written in C", to_string(type));
  }

  Result<std::string> condition(Term term, const Procedure* procedure, Term result) const {
    if (!term) return fail("a condition is not understood");
    const auto text = c_expression(term, [&](Term variable) -> std::optional<std::string> {
      if (result && variable == result) return "result";
      for (std::size_t i = 0; i < program_.tracked().size(); ++i)
        if (program_.tracked()[i] == variable) return fmt::format("self->tacit_t{}", i);
      for (std::size_t i = 0; procedure && i < procedure->parameters.size(); ++i)
        if (procedure->parameters[i].term == variable && !is_real(procedure->parameters[i].type))
          return fmt::format("p{}", i);
      return std::nullopt;
    });
    if (!text) return fail("a condition speaks of what an argument leads to");
    return *text;
  }

  Result<std::string> parameters(const Procedure* procedure) const {
    std::string all = fmt::format("struct {} *self", record_);
    for (std::size_t i = 0; procedure && i < procedure->parameters.size(); ++i) {
      const auto type = type_text(procedure->parameters[i].type);
      if (!type) return type;
      all += fmt::format(", {} p{}", *type, i);
    }
    return all;
  }

  Result<void> updates(const std::vector<ProgramUpdate>& set, const Procedure* procedure,
                       Term result, State to) {
    std::string after;
    for (const ProgramUpdate& update : set) {
      const auto value = condition(update.value, procedure, result);
      if (!value) return std::unexpected(value.error());
      line(fmt::format("      const long long n{} = {};", update.tracked, *value));
      after += fmt::format(" self->tacit_t{} = n{};", update.tracked, update.tracked);
    }
    line(fmt::format("     {} self->tacit_state = {};", after, to));
    return {};
  }

  Result<void> constructor(const ProgramStart& start) {
    const auto all = parameters(start.procedure);
    if (!all) return std::unexpected(all.error());
    line(fmt::format("\nvoid {}({}) {{", start.constructor, *all));
    for (const ProgramStart::Way& way : start.ways) {
      const auto when = condition(way.when, start.procedure, nullptr);
      if (!when) return std::unexpected(when.error());
      line(fmt::format("    if ({}) {{", *when));
      if (auto set = updates(way.set, start.procedure, nullptr, way.state); !set) return set;
      line("      return;");
      line("    }");
    }
    line("  assert(0);");
    line("}");
    return {};
  }

  Result<void> function(const ProgramCall& call) {
    const auto all = parameters(call.procedure);
    if (!all) return std::unexpected(all.error());
    std::string returns = "void";
    if (call.procedure->returns) {
      const auto type = type_text(*call.procedure->returns);
      if (!type) return std::unexpected(type.error());
      returns = *type;
    }
    line(fmt::format("\n{} {}({}) {{", returns, call.name, *all));
    line("  switch (self->tacit_state) {");
    for (const ProgramCase& one : call.cases) {
      const auto guard = condition(one.guard, call.procedure, nullptr);
      if (!guard) return std::unexpected(guard.error());
      line(fmt::format("  case {}: {{", one.state));
      if (*guard != "1") line(fmt::format("    assert({});", *guard));
      if (auto made = steps(call, one, returns); !made) return made;
      line("  }");
    }
    line("  default: assert(0);");
    line("  }");
    if (returns != "void") line("  return 0;");
    line("}");
    return {};
  }

  /// The last way needs no condition: one of them is taken.
  Result<void> steps(const ProgramCall& call, const ProgramCase& in, const std::string& returns) {
    const Term result = call.procedure->returns ? program_.result(*call.procedure) : nullptr;
    std::vector<std::pair<const ProgramStep*, std::string>> ways;
    for (const ProgramStep& step : in.steps)
      for (const std::string& outcome : step.outcomes) ways.emplace_back(&step, outcome);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const auto& [step, outcome] = ways[i];
      const auto when = condition(step->when, call.procedure, result);
      if (!when) return std::unexpected(when.error());
      const bool last = i + 1 == ways.size();
      line("    {");
      if (result)
        line(fmt::format("    const {} result = ({}){};", returns, returns,
                         value_of(outcome, call, result)));
      std::string test = *when;
      if (!last) test += fmt::format(" && {}_choose() == 0", record_);
      if (result) {
        const auto said =
            condition(outcome_condition(*program_.module().arena, outcome, call.outcomes, result),
                      call.procedure, result);
        if (!said) return std::unexpected(said.error());
        test += " && " + *said;
      }
      line(fmt::format("    if ({}) {{", last && !result ? std::string("1") : test));
      if (auto set = updates(step->set, call.procedure, result, step->to); !set) return set;
      line(result ? "      return result;" : "      return;");
      line("    }");
      line("    }");
    }
    line("    for (;;) {} /* no such run */");
    return {};
  }

  std::string value_of(const std::string& outcome, const ProgramCall&, Term result) const {
    constexpr std::string_view word = "returns=";
    const std::string value = outcome.starts_with(word) ? outcome.substr(word.size()) : "";
    if (result->sort->kind == SortKind::Int && parse_integer(value)) return "(" + value + ")";
    if (result->sort->kind == SortKind::Bool && (value == "true" || value == "false"))
      return value == "true" ? "1" : "0";
    if (result->sort->kind == SortKind::Enum)
      for (const Enumerator& one : result->sort->decl->values)
        if (one.name == value) return fmt::format("({})", to_string(one.value));
    if (result->sort->kind == SortKind::Ref)
      return value == "null" ? "0" : fmt::format("(long){}_choose()", record_);
    return fmt::format("{}_choose()", record_);
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const std::string record_;
  std::string text_;
};

} // namespace

Result<std::string> show_program_c(const Interface& interface) {
  const auto program = InterfaceProgram::of(interface);
  if (!program) return std::unexpected(program.error());
  return CProgramWriter(*program).run();
}

} // namespace tacit
