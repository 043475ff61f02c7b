// The interface program as .tir.
#include <algorithm>

#include <fmt/ranges.h>

#include "client/interface_program.h"
#include "client/program_forms.h"
#include "logic/term/print.h"
#include "program/text/read.h"

namespace tacit {

namespace {

std::string name(std::string_view text) { return fmt::format("`{}`", text); }

class TirWriter {
public:
  explicit TirWriter(const InterfaceProgram& program)
      : program_(program), interface_(program.interface()), module_(program.module()),
        arena_(*module_.arena) {}

  Result<std::string> run() {
    if (!program_.unreadable().empty())
      return fail("'{}' is not understood", program_.unreadable().front());
    if (interface_.states.empty()) return fail("the interface has no states");
    at_ = free_name("at");
    text_ = fmt::format("// The interface of {} as a component, written by `tacit show --as tir`.\n"
                        "component {}\n\n",
                        interface_.component_name, name(interface_.component_name));
    types();
    if (auto made = state(); !made) return std::unexpected(made.error());
    for (const ProgramStart& start : program_.starts())
      if (auto made = constructor(start); !made) return std::unexpected(made.error());
    for (const ProgramCall& call : program_.calls())
      if (auto made = method(call); !made) return std::unexpected(made.error());
    return std::move(text_);
  }

private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }
  void open(const std::string& text) {
    line(text + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }

  /// A name that no parameter and no tracked value has.
  std::string free_name(std::string wanted) const {
    const auto taken = [&] {
      return std::ranges::any_of(interface_.tracked,
                                 [&](const TrackedValue& t) { return t.name == wanted; }) ||
             std::ranges::any_of(module_.procedures, [&](const Procedure& p) {
               return std::ranges::any_of(p.parameters,
                                          [&](const Variable& v) { return v.name() == wanted; });
             });
    };
    while (taken()) wanted += "_";
    return wanted;
  }

  void types() {
    for (const Sort sort : module_.enums) {
      if (sort->kind != SortKind::Enum) continue;
      std::vector<std::string> values;
      for (const Enumerator& value : sort->decl->values)
        values.push_back(fmt::format("{} = {}", name(value.name), to_string(value.value)));
      line(fmt::format("enum {} {{ {} }}", name(sort->decl->name), fmt::join(values, ", ")));
    }
    for (const Exception& exception : module_.exceptions)
      line(fmt::format("exception {}{}", name(exception.name),
                       exception.parent.empty() ? "" : " : " + name(exception.parent)));
  }

  static Result<std::string> type_text(const Type& type) {
    switch (type.sort->kind) {
    case SortKind::Bool: return "bool";
    case SortKind::Int: return to_string(type);
    case SortKind::Enum: return name(type.sort->decl->name);
    case SortKind::Ref: return "ref";
    case SortKind::Map: break;
    }
    return fail("a value of type {} cannot be written", to_string(type));
  }

  Result<void> state() {
    line(fmt::format("state {} : int [0..{}] = 0", name(at_), interface_.states.size() - 1));
    for (std::size_t i = 0; i < program_.tracked().size(); ++i) {
      const Term variable = program_.tracked()[i];
      if (!variable)
        return fail("the tracked value {} is a set or a map: it cannot be written",
                    interface_.tracked[i].name);
      const auto type = type_text(
          {.sort = variable->sort, .low = {}, .high = {}, .record = {}, .key = {}, .value = {}});
      if (!type) return std::unexpected(type.error());
      line(fmt::format("state {} : {}", name(variable->name), *type));
    }
    return {};
  }

  /// Whether the program has every variable of a condition.
  Result<std::string> condition(Term term, const Procedure* procedure, Term result) const {
    if (!term) return fail("a condition is not understood");
    for (const Term variable : variables(term)) {
      const bool known =
          variable == result ||
          std::ranges::find(program_.tracked(), variable) != program_.tracked().end() ||
          (procedure && std::ranges::any_of(procedure->parameters,
                                            [&](const Variable& p) { return p.term == variable; }));
      if (!known)
        return fail("'{}' speaks of what an argument leads to, which cannot be written",
                    to_string(term));
    }
    return to_string(term);
  }

  Result<std::string> parameters(const Procedure* procedure) const {
    std::vector<std::string> all;
    for (const Variable& p : procedure ? procedure->parameters : std::vector<Variable>{}) {
      const auto type = type_text(p.type);
      if (!type) return type;
      all.push_back(fmt::format("{} : {}", name(p.name()), *type));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  /// All at once: what they are computed from is what was before.
  Result<void> updates(const std::vector<ProgramUpdate>& set, const Procedure* procedure,
                       Term result) {
    std::vector<std::string> after;
    for (const ProgramUpdate& update : set) {
      const Term variable = program_.tracked()[update.tracked];
      const auto value = condition(update.value, procedure, result);
      if (!value) return std::unexpected(value.error());
      const std::string made = fmt::format("new{}_{}", update.tracked, made_++);
      const auto type = type_text(
          {.sort = variable->sort, .low = {}, .high = {}, .record = {}, .key = {}, .value = {}});
      if (!type) return std::unexpected(type.error());
      line(fmt::format("var {} : {};", made, *type));
      line(fmt::format("{} := {};", made, *value));
      after.push_back(fmt::format("{} := {};", name(variable->name), made));
    }
    for (const std::string& one : after) line(one);
    return {};
  }

  Result<void> constructor(const ProgramStart& start) {
    const auto all = parameters(start.procedure);
    if (!all) return std::unexpected(all.error());
    text_ += "\n";
    open(fmt::format("constructor {}({})", name(start.constructor), *all));
    for (const ProgramStart::Way& way : start.ways) {
      const auto when = condition(way.when, start.procedure, nullptr);
      if (!when) return std::unexpected(when.error());
      open(fmt::format("if ({})", *when));
      if (auto set = updates(way.set, start.procedure, nullptr); !set) return set;
      line(fmt::format("{} := {};", name(at_), way.state));
      line("return;");
      close();
    }
    line("error refused;");
    close();
    return {};
  }

  Result<void> method(const ProgramCall& call) {
    if (call.letter) return fail("{} is a letter that was made by hand", call.name);
    const auto all = parameters(call.procedure);
    if (!all) return std::unexpected(all.error());
    std::string returns;
    if (call.procedure->returns) {
      const auto type = type_text(*call.procedure->returns);
      if (!type) return std::unexpected(type.error());
      returns = *type;
    }
    text_ += "\n";
    open(fmt::format("method {}({}){}", name(call.name), *all,
                     returns.empty() ? "" : " : " + returns));
    if (!returns.empty()) line(fmt::format("var result : {};", returns));
    line("var choice : int;");
    for (const ProgramCase& one : call.cases) {
      const auto guard = condition(one.guard, call.procedure, nullptr);
      if (!guard) return std::unexpected(guard.error());
      open(fmt::format("if ({} == {})", name(at_), one.state));
      if (*guard != "true") line(fmt::format("if (!({})) error refused;", *guard));
      if (auto made = steps(call, one); !made) return made;
      close();
    }
    line("error refused;");
    close();
    return {};
  }

  Result<void> steps(const ProgramCall& call, const ProgramCase& in) {
    const Term result = call.procedure->returns ? program_.result(*call.procedure) : nullptr;
    line("havoc choice;");
    if (result) line("havoc result;");
    int number = 0;
    for (const ProgramStep& step : in.steps)
      for (const std::string& outcome : step.outcomes) {
        const auto when = condition(step.when, call.procedure, result);
        if (!when) return std::unexpected(when.error());
        const auto thrown = thrown_by(outcome);
        std::string also = "true";
        if (!thrown && result) {
          const auto said = condition(outcome_condition(arena_, outcome, call.outcomes, result),
                                      call.procedure, result);
          if (!said) return std::unexpected(said.error());
          also = *said;
        }
        open(fmt::format("if (choice == {} && ({}) && ({}))", number++, *when, also));
        if (auto set = updates(step.set, call.procedure, result); !set) return set;
        line(fmt::format("{} := {};", name(at_), step.to));
        if (thrown)
          line(fmt::format("throw {};", name(exception_called(*thrown))));
        else
          line(result ? fmt::format("return {};", returned(outcome, result)) : "return;");
        close();
      }
    line("assume false;");
    return {};
  }

  /// A constant where the outcome names one: outcomes of numbers are told by what is returned.
  std::string returned(const std::string& outcome, Term result) const {
    constexpr std::string_view word = "returns=";
    const bool number = result->sort->kind == SortKind::Int && outcome.starts_with(word) &&
                        outcome != "returns=other";
    return number ? outcome.substr(word.size()) : "result";
  }

  std::string exception_called(const std::string& simple) const {
    for (const Exception& one : module_.exceptions)
      if (one.name == simple || one.name.ends_with("." + simple) ||
          one.name.ends_with(":" + simple) || one.name.ends_with("$" + simple))
        return one.name;
    return simple;
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const Module& module_;
  TermArena& arena_;
  std::string text_, at_;
  std::size_t depth_ = 0, made_ = 0;
};

} // namespace

Result<std::string> show_program_tir(const Interface& interface) {
  const auto program = InterfaceProgram::of(interface);
  if (!program) return std::unexpected(program.error());
  auto text = TirWriter(*program).run();
  if (!text) return text;
  // What was written has to be read again.
  if (const auto read = read_module(*text, interface.component_name + ".tir"); !read)
    return fail("the program cannot be written: {}", read.error().message);
  return text;
}

} // namespace tacit
