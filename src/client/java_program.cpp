#include "client/java_program.h"

#include <algorithm>

#include "client/entering.h"
#include "frontend/java/descriptor.h"
#include "logic/term/print.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using java::ClassFile;
using java::JavaType;
using java::LowerOptions;
using java::Method;
using java::Signature;

/// The type of a parameter or result in a contract; empty where nothing is said about it.
std::string contract_type(const JavaType& type) {
  switch (type.letter) {
  case 'Z': return "bool";
  case 'B': return "s8";
  case 'S': return "s16";
  case 'C': return "u16";
  case 'I': return "s32";
  case 'J': return "s64";
  case '[': return "ref";
  default: return "";
  }
}

class JavaWriter {
public:
  JavaWriter(const InterfaceProgram& program, java::ClassPool& pool, const ClassFile& type)
      : program_(program), interface_(program.interface()), pool_(pool), type_(type) {}

  Result<JavaProgram> run() {
    made_.kept.emplace_back("state", LowerOptions::Kept::Number);
    for (std::size_t i = 0; i < program_.tracked().size(); ++i)
      if (const Term t = program_.tracked()[i])
        made_.kept.emplace_back(fmt::format("t{}", i),
                                t->sort->kind == SortKind::Bool  ? LowerOptions::Kept::Truth
                                : t->sort->kind == SortKind::Ref ? LowerOptions::Kept::Reference
                                                                 : LowerOptions::Kept::Number);
    auto chain = pool_.ancestry(type_);
    if (!chain) return std::unexpected(chain.error());
    std::set<std::string> seen;
    for (const ClassFile* file : *chain)
      for (const Method& method : file->methods) {
        if (method.is(java::access::is_static | java::access::is_private |
                      java::access::is_bridge) ||
            !seen.insert(method.name + method.descriptor).second)
          continue;
        const auto signature = java::parse_signature(method.descriptor);
        if (!signature) continue;
        if (method.name == "<init>") {
          if (file == &type_) constructor(*signature);
        } else {
          call(*file, method, *signature);
        }
      }
    return std::move(made_);
  }

private:
  void line(const std::string& text) {
    made_.text += text + "\n";
    ++lines_;
  }
  void line(const std::string& text, ProgramEvent event) {
    line(text);
    made_.events[lines_] = std::move(event);
  }

  static bool named(const std::string& wanted, const std::string& bare,
                    const Signature& signature) {
    return wanted == bare || wanted == bare + signature.simple();
  }

  /// The head of a contract, and what its body may use.
  void head(const std::string& owner, const std::string& name, const Signature& signature) {
    std::string text =
        fmt::format("extern `{}.{}{}`(self : ref", dotted(owner), name, signature.simple());
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
      const std::string type = contract_type(signature.parameters[i]);
      text += fmt::format(", a{} : {}", i, type.empty() ? "any" : type);
    }
    const std::string result = contract_type(signature.result);
    line(text + ")" + (result.empty() ? "" : " : " + result) + " {");
    line("var choice : int;");
    line("var unknown : bool;");
    if (!result.empty()) line(fmt::format("var result : {};", result));
    for (std::size_t i = 0; i < program_.tracked().size(); ++i)
      if (program_.tracked()[i]) line(fmt::format("var n{} : {};", i, kept_type(i)));
  }

  std::string kept_type(std::size_t tracked) const {
    switch (program_.tracked()[tracked]->sort->kind) {
    case SortKind::Bool: return "bool";
    case SortKind::Ref: return "ref";
    default: return "int";
    }
  }

  /// An expression of contracts; nothing where it speaks of what these do not know.
  std::optional<std::string> expression(Term term, const Procedure* procedure,
                                        const Signature& signature, Term result) const {
    if (!term) return std::nullopt;
    Substitution by;
    TermArena& arena = *program_.module().arena;
    for (const Term variable : variables(term)) {
      std::optional<std::string> name;
      if (result && variable == result && !contract_type(signature.result).empty()) name = "result";
      for (std::size_t i = 0; i < program_.tracked().size(); ++i)
        if (program_.tracked()[i] == variable) name = fmt::format("kept{}", i);
      for (std::size_t i = 0; procedure && i < procedure->parameters.size(); ++i)
        if (procedure->parameters[i].term == variable && i < signature.parameters.size() &&
            !contract_type(signature.parameters[i]).empty())
          name = fmt::format("a{}", i);
      if (!name || variable->sort->kind == SortKind::Enum || variable->sort->kind == SortKind::Map)
        return std::nullopt;
      by[variable] = arena.var(*name, variable->sort);
    }
    std::string text = to_string(substitute(arena, term, by));
    for (std::size_t i = program_.tracked().size(); i-- > 0;) {
      const std::string from = fmt::format("kept{}", i);
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        text.replace(at, from.size(), fmt::format("component.t{}[self]", i));
    }
    return text;
  }

  void assume(const std::optional<std::string>& condition) {
    if (condition == "true") return;
    if (!condition) line("havoc unknown unknown;");
    line(fmt::format("assume {};", condition.value_or("unknown")));
  }

  /// Opens a block in which the condition holds, or may.
  void open(const std::optional<std::string>& condition) {
    if (!condition) line("havoc unknown unknown;");
    line(fmt::format("if ({}) {{", condition.value_or("unknown")));
  }

  void update(const std::vector<ProgramUpdate>& set, const Procedure* procedure,
              const Signature& signature, Term result) {
    for (const ProgramUpdate& one : set) {
      const auto value = expression(one.value, procedure, signature, result);
      line(value ? fmt::format("n{} := {};", one.tracked, *value)
                 : fmt::format("havoc unknown n{};", one.tracked));
    }
    for (const ProgramUpdate& one : set)
      line(fmt::format("component.t{0}[self] := n{0};", one.tracked));
  }

  void constructor(const Signature& signature) {
    const std::string simple = JavaType{'L', type_.name}.simple();
    for (const ProgramStart& start : program_.starts()) {
      if (!named(start.constructor, simple, signature)) continue;
      head(type_.name, "new", signature);
      std::string guard;
      for (const ProgramStart::Way& way : start.ways) {
        open(expression(way.when, start.procedure, signature, nullptr));
        update(way.set, start.procedure, signature, nullptr);
        line(fmt::format("component.state[self] := {};", way.state + 1),
             {ProgramEvent::Kind::Start, start.constructor, "", {}, way.state, ""});
        line("return;");
        line("}");
      }
      for (const InitialState& initial : interface_.initial)
        if (initial.constructor == start.constructor && !initial.when.empty())
          guard += (guard.empty() ? "" : " || ") + initial.when;
      line(fmt::format("error {};", java_refusal),
           {ProgramEvent::Kind::Refused, start.constructor, "", {}, {}, guard});
      line("}");
      return;
    }
  }

  void call(const ClassFile& owner, const Method& method, const Signature& signature) {
    std::vector<const ProgramCall*> letters, rest;
    for (const ProgramCall& one : program_.calls())
      if (named(one.method, method.name, signature)) (one.letter ? letters : rest).push_back(&one);
    letters.insert(letters.end(), rest.begin(), rest.end());
    if (letters.empty()) return;
    head(owner.name, method.name, signature);
    for (const ProgramCall* one : letters) {
      if (one->letter) open(expression(*one->letter, one->procedure, signature, nullptr));
      cases(*one, signature);
      if (one->letter) line("}");
    }
    line("}");
  }

  void cases(const ProgramCall& call, const Signature& signature) {
    for (State state = 0; state < interface_.states.size(); ++state) {
      line(fmt::format("if (component.state[self] == {}) {{", state + 1));
      const auto found = std::ranges::find(call.cases, state, &ProgramCase::state);
      if (found == call.cases.end()) {
        line(fmt::format("error {};", java_refusal),
             {ProgramEvent::Kind::Refused, call.name, "", state, {}, ""});
      } else {
        const auto guard = expression(found->guard, call.procedure, signature, nullptr);
        if (guard != "true") {
          open(guard ? std::optional("!(" + *guard + ")") : std::nullopt);
          const ArgumentGuard* said =
              interface_.find_guard(state, *interface_.find_call(call.name));
          line(
              fmt::format("error {};", java_refusal),
              {ProgramEvent::Kind::Refused, call.name, "", state, {}, said ? said->condition : ""});
          line("}");
        }
        steps(call, *found, signature);
      }
      line("}");
    }
    line(fmt::format("error {};", java_refusal),
         {ProgramEvent::Kind::Unmade, call.name, "", {}, {}, ""});
  }

  void steps(const ProgramCall& call, const ProgramCase& one, const Signature& signature) {
    const Term result = program_.result(*call.procedure);
    std::size_t ways = 0, way = 0;
    for (const ProgramStep& step : one.steps) ways += step.outcomes.size();
    if (ways > 1)
      line("havoc choice;", {ProgramEvent::Kind::Step, call.name, "", one.state, {}, ""});
    const bool returns = !contract_type(signature.result).empty();
    for (const ProgramStep& step : one.steps)
      for (const std::string& outcome : step.outcomes) {
        line(++way < ways ? fmt::format("if (choice == {}) {{", way) : "if (true) {");
        const auto thrown = thrown_by(outcome);
        if (!thrown && returns) {
          line("havoc result;");
          if (result)
            assume(expression(
                outcome_condition(*program_.module().arena, outcome, call.outcomes, result),
                call.procedure, signature, result));
        }
        assume(expression(step.when, call.procedure, signature, result));
        update(step.set, call.procedure, signature, result);
        line(fmt::format("component.state[self] := {};", step.to + 1),
             {ProgramEvent::Kind::Step, call.name, outcome, one.state, step.to, ""});
        if (thrown)
          line(fmt::format("throw {};", exception(*thrown)));
        else
          line(returns ? "return result;" : "return;");
        line("}");
      }
    line("assume false;");
    line(returns ? "return result;" : "return;");
  }

  /// In full.
  std::string exception(const std::string& simple) const {
    for (const Exception& e : program_.module().exceptions)
      if (e.name == simple || simple_name(e.name) == simple) return e.name;
    return "java.lang.RuntimeException";
  }

  static std::string dotted(std::string name) {
    std::ranges::replace(name, '/', '.');
    return name;
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  java::ClassPool& pool_;
  const ClassFile& type_;
  JavaProgram made_;
  int lines_ = 0;
};

} // namespace

Result<JavaProgram> write_java_program(const InterfaceProgram& program, java::ClassPool& pool,
                                       const std::string& class_name) {
  auto file = pool.load(class_name);
  if (!file) return std::unexpected(file.error());
  return JavaWriter(program, pool, **file).run();
}

namespace {

/// Class files say where statements are, not where methods begin.
Location place_of(const Procedure& p) {
  if (p.where.line > 0) return p.where;
  Location first = p.where;
  const auto look = [&](const Location& where) {
    if (where.file == p.where.file && where.line > 0 &&
        (first.line == 0 || where.line < first.line))
      first = where;
  };
  for (const Block& b : p.blocks) {
    for (const Statement& s : b.statements) look(s.where);
    look(b.end.where);
  }
  return first;
}

/// What holds where a method is entered in one of the ways.
std::vector<Statement> entered_so(const std::vector<Entered>& way,
                                  const std::vector<std::size_t>& objects, const Procedure& p,
                                  const StateVariable& state, TermArena& arena) {
  std::vector<Statement> made;
  const auto assume = [&](Term holds) {
    made.push_back({.kind = StatementKind::Assume, .value = holds});
  };
  const auto object = [&](std::size_t i) { return p.parameters[objects[i]].term; };
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way[i].kind == Entered::Kind::Null) {
      assume(arena.eq(object(i), arena.null()));
      continue;
    }
    if (way[i].kind == Entered::Kind::Same) {
      assume(arena.eq(object(i), object(way[i].as)));
      continue;
    }
    assume(arena.ne(object(i), arena.null()));
    for (std::size_t j = 0; j < i; ++j)
      if (way[j].kind == Entered::Kind::InState) assume(arena.ne(object(i), object(j)));
    made.push_back({.kind = StatementKind::Assign,
                    .target = state.term,
                    .value = arena.store(state.term, object(i), arena.integer(way[i].state + 1))});
  }
  return made;
}

} // namespace

void add_java_entries(Module& module, JavaProgram& program, const Interface& interface,
                      const std::map<std::string, std::vector<std::size_t>>& handed) {
  const StateVariable* state = module.find_state("component.state");
  std::vector<Procedure> added;
  for (const Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Method) continue;
    ClientFunction function{p.name, place_of(p), {}, {}};
    const auto objects = handed.find(p.name);
    const auto ways = objects == handed.end() || !state
                          ? std::vector<std::vector<Entered>>{}
                          : ways_to_enter(std::vector<bool>(objects->second.size(), true),
                                          interface.states.size());
    if (ways.empty()) {
      function.entries.push_back({p.name, {}});
      program.functions.push_back(std::move(function));
      continue;
    }
    for (const std::size_t i : objects->second)
      function.objects.push_back(p.parameters[i].shown_name());
    for (std::size_t k = 0; k < ways.size(); ++k) {
      Procedure copy = p;
      copy.name = fmt::format("{}#{}", p.name, k);
      EntryPoint entry{copy.name, ways[k]};
      const std::vector<Statement> first =
          entered_so(ways[k], objects->second, p, *state, *module.arena);
      auto& statements = copy.blocks[0].statements;
      statements.insert(std::ranges::find_if_not(statements,
                                                 [](const Statement& s) {
                                                   return s.kind == StatementKind::Havoc &&
                                                          s.chooser == Chooser::Client;
                                                 }),
                        first.begin(), first.end());
      function.entries.push_back(std::move(entry));
      added.push_back(std::move(copy));
    }
    program.functions.push_back(std::move(function));
  }
  for (Procedure& p : added) module.procedures.push_back(std::move(p));
}

} // namespace tacit
