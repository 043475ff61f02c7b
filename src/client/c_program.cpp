#include "client/c_program.h"

#include <algorithm>
#include <functional>

#include <fmt/ranges.h>

#include "client/c_expression.h"
#include "client/entering.h"
#include "client/object_layout.h"
#include "logic/term/print.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"

namespace tacit {

namespace {

// A state may be a byte, 0 stands for what is not made.
constexpr std::size_t most_states = 250;
// Outcomes of a call that are told apart where nothing else does.
constexpr std::size_t most_ways = 8;
// What clients do not write.
constexpr long some_number = 0x5ac10000;

std::string without_arguments(std::string_view name) {
  return std::string(name.substr(0, name.find('<')));
}

std::string last_part(std::string_view name) { return simple_name(without_arguments(name)); }

std::optional<std::string> c_type(const SourceType& type) {
  switch (type.kind) {
  case SourceType::Kind::Void: return "void";
  case SourceType::Kind::Bool: return "_Bool";
  case SourceType::Kind::Pointer: return "void *";
  case SourceType::Kind::Enumeration:
  case SourceType::Kind::Number:
    switch (type.bits) {
    case 8: return type.is_signed ? "signed char" : "unsigned char";
    case 16: return type.is_signed ? "short" : "unsigned short";
    case 32: return type.is_signed ? "int" : "unsigned";
    case 64: return type.is_signed ? "long" : "unsigned long";
    default: return std::nullopt;
    }
  case SourceType::Kind::Float:
    if (type.bits == 32) return "float";
    if (type.bits == 64) return "double";
    return std::nullopt;
  case SourceType::Kind::Object: break;
  }
  return std::nullopt;
}

/// Whether C compares such an argument as conditions do.
bool comparable(const SourceType& type, SortKind sort) {
  using Kind = SourceType::Kind;
  switch (sort) {
  case SortKind::Bool:
  case SortKind::Int:
  case SortKind::Enum:
    return type.kind == Kind::Bool || type.kind == Kind::Number || type.kind == Kind::Enumeration;
  case SortKind::Ref: return type.kind == Kind::Pointer;
  case SortKind::Map: break;
  }
  return false;
}

class CWriter {
public:
  CWriter(const InterfaceProgram& program, const SourceFacts& facts, const CProgramOptions& options)
      : program_(program), interface_(program.interface()), facts_(facts), options_(options),
        cpp_(facts.language == "cpp") {}

  Result<CProgram> run() {
    if (interface_.states.size() > most_states)
      return fail("the interface has {} states: more than {} are not followed in clients",
                  interface_.states.size(), most_states);
    if (auto found = find_record(); !found) return std::unexpected(found.error());
    if (auto made = head(); !made) return std::unexpected(made.error());
    for (const auto& [symbol, fact] : facts_.functions)
      if (is_member(fact)) member(fact);
    if (used_ == 0)
      return fail("no function of {} is called here: is it the component that the result is about?",
                  record_.empty() ? interface_.component_name : record_);
    if (!options_.end.may.empty()) {
      if (record_.empty())
        return fail("--must-end: {} is a module, which has no objects that end",
                    interface_.component_name);
      if (!has_destructor()) left();
    }
    if (options_.entries) entries();
    for (const auto& [symbol, fact] : facts_.globals)
      if (fact.is_reachable) made_.named_by_others.insert(fact.name);
    line("#ifdef __cplusplus");
    line("}");
    line("#endif");
    for (State state = 0; state < interface_.states.size(); ++state)
      made_.kept.states.push_back(value_of(state));
    made_.kept.mark = some_number;
    made_.stand_in.text = made_.text;
    made_.stand_in.record = record_;
    return std::move(made_);
  }

private:
  void line(const std::string& text) {
    made_.text += text + "\n";
    ++lines_;
  }
  /// A line that means something.
  void line(const std::string& text, ProgramEvent event) {
    line(text);
    made_.events[lines_] = std::move(event);
  }

  // ---- Which type, and what lies in its objects.

  Result<void> find_record() {
    record_ = options_.record;
    if (cpp_) {
      std::set<std::string> found;
      for (const auto& [symbol, fact] : facts_.functions)
        if (fact.is_instance &&
            (record_.empty() ? last_part(fact.in_class) == last_part(interface_.component_name)
                             : fact.in_class == record_))
          found.insert(fact.in_class);
      if (found.size() > 1)
        return fail("{} are all called {}: name one with --class", fmt::join(found, ", "),
                    interface_.component_name);
      if (found.empty() && interface_.language == "cpp")
        return fail("no object of {} is used here", interface_.component_name);
      if (!found.empty()) record_ = *found.begin();
      for (std::string one = record_; !one.empty();) {
        if (!classes_.insert(one).second) break;
        const auto above = facts_.parents.find(one);
        one = above == facts_.parents.end() ? "" : above->second;
      }
    }
    if (classes_.empty() && record_.empty())
      for (const auto& [symbol, fact] : facts_.functions) {
        const bool named =
            std::ranges::any_of(program_.calls(),
                                [&](const ProgramCall& c) { return c.method == fact.name; }) ||
            std::ranges::any_of(program_.starts(),
                                [&](const ProgramStart& s) { return s.constructor == fact.name; });
        if (!named) continue;
        const SourceType* type = nullptr;
        if (!fact.parameters.empty() && is_component(fact.parameters[0].type))
          type = &fact.parameters[0].type;
        else if (is_component(fact.returns))
          type = &fact.returns;
        if (type) record_ = type->name;
      }
    return {};
  }

  /// By name, before it is settled which type it is.
  bool is_component(const SourceType& type) const {
    if (type.kind != SourceType::Kind::Pointer || type.is_function || type.name.empty())
      return false;
    if (type.name == interface_.component_name) return true;
    const auto alias = facts_.aliases.find(interface_.component_name);
    return alias != facts_.aliases.end() && alias->second == type.name;
  }

  bool is_object(const SourceType& type) const {
    return !record_.empty() && type.kind == SourceType::Kind::Pointer && !type.is_function &&
           type.name == record_;
  }

  bool is_member(const FunctionFact& fact) const {
    if (!classes_.empty()) return fact.is_instance && classes_.contains(fact.in_class);
    return fact.in_class.empty() && (!calls_of(fact).empty() || start_of(fact));
  }

  /// The type of a tracked value in an object.
  static std::string tracked_type(Term variable, bool wide) {
    if (variable->sort->kind == SortKind::Ref) return "void *";
    return variable->sort->kind == SortKind::Int && wide ? "long " : "int ";
  }

  Result<void> head() {
    const auto known = facts_.records.find(record_);
    const RecordFact* record = known == facts_.records.end() ? nullptr : &known->second;
    if (record && record->polymorphic)
      return fail("{} has virtual functions: its objects are not followed", record_);
    std::set<std::string> state;
    for (const StateVariable& v : program_.module().state)
      if (!v.client) state.insert(v.name());
    for (const bool wide : {true, false}) {
      wide_ = wide;
      layout_ = lay_out(record, state, tracked_items());
      if (!layout_.fields.empty()) break;
    }
    if (layout_.fields.empty())
      return fail("objects of {} have {} bytes, too few for what is tracked of them", record_,
                  record->bits / 8);
    line("#ifdef __cplusplus");
    if (cpp_) exceptions();
    line("#define _Bool bool");
    line("extern \"C\" {");
    line("#endif");
    line(fmt::format("struct tacit_object {{ {} }};", layout_.fields));
    line("void tacit_refused(void) __attribute__((noreturn, nothrow));");
    line("void tacit_thrown(void) __attribute__((noreturn, nothrow));");
    line("void *malloc(unsigned long);");
    // What a library returns nobody chooses.
    line("# 1 \"tacit-hidden.h\" 3");
    line("long tacit_hidden(void) __attribute__((nothrow));");
    line(fmt::format("# {} \"{}.{}\"", lines_ + 2, stand_in_file, cpp_ ? "cpp" : "c"));
    line("static int tacit_unknown(void) { return tacit_hidden() != 0; }");
    for (const char* type :
         {"int", "_Bool", "signed char", "unsigned char", "short", "unsigned short", "unsigned",
          "long", "unsigned long", "float", "double", "void *"})
      line(fmt::format("{} {}(void) __attribute__((nothrow));", type, any(type)));
    if (record_.empty())
      line(fmt::format("static struct tacit_object tacit_module = {{ {} }};",
                       module_start() ? value_of(static_cast<State>(module_start() - 1)) : 0));
    return {};
  }

  /// What is tracked of an object, the largest first.
  std::vector<LayoutItem> tracked_items() const {
    std::vector<LayoutItem> items;
    for (std::size_t i = 0; i < program_.tracked().size(); ++i)
      if (const Term t = program_.tracked()[i]) {
        const std::string type = tracked_type(t, wide_);
        items.push_back({type, fmt::format("tacit_t{}", i), type == "int " ? 4U : 8U});
      }
    std::ranges::stable_sort(items, std::greater(), &LayoutItem::bytes);
    return items;
  }

  /// A state as objects hold it; 0 is what is not made.
  long value_of(State state) const {
    return layout_.wide_state ? some_number + static_cast<long>(state)
                              : static_cast<long>(state) + 1;
  }

  /// What writes a state.
  std::string enter_state(State state, const std::string& object = "self->") const {
    std::string text = fmt::format("{}tacit_state = {}; ", object, value_of(state));
    for (const std::string& mark : layout_.marks)
      text += fmt::format("{}{} = {}; ", object, mark, some_number);
    return text;
  }

  /// Begins to tell states apart: what somebody else has written is none.
  void open_states() {
    std::string intact, none;
    for (const std::string& mark : layout_.marks) {
      intact += fmt::format(" && self->{} == {}", mark, some_number);
      none += fmt::format(" && self->{} == 0", mark);
    }
    line(intact.empty()
             ? "switch (self->tacit_state) {"
             : fmt::format("switch (self->tacit_state == 0{} || (self->tacit_state != 0{}) ? "
                           "self->tacit_state : -1) {{",
                           none, intact));
  }

  /// The state of a module before any function has run.
  std::size_t module_start() const {
    for (const InitialState& initial : interface_.initial)
      if (initial.constructor == interface_.component_name) return initial.state + 1;
    return 0;
  }

  static std::string any(std::string type) {
    for (char& c : type)
      if (c == ' ' || c == '*') c = '_';
    return "tacit_any_" + type;
  }

  // ---- Exceptions.

  /// The exception that an outcome names, in full.
  std::string exception(const std::string& simple) const {
    for (const Exception& e : program_.module().exceptions)
      if (e.name == simple || simple_name(e.name) == simple) return e.name;
    return "";
  }

  void declare_exception(const std::string& name, std::set<std::string>& done) {
    if (name.empty() || !done.insert(name).second) return;
    std::string parent;
    for (const Exception& e : program_.module().exceptions)
      if (e.name == name) parent = e.parent;
    declare_exception(parent, done);
    std::string opened, closed, rest = name;
    for (auto at = rest.find("::"); at != std::string::npos; at = rest.find("::")) {
      opened += "namespace " + rest.substr(0, at) + " { ";
      closed += " }";
      rest = rest.substr(at + 2);
    }
    line(fmt::format("{}struct {}{} {{}};{}", opened, rest,
                     parent.empty() ? "" : " : public ::" + parent, closed));
  }

  void exceptions() {
    std::set<std::string> done;
    for (const ProgramCall& call : program_.calls())
      for (const std::string& outcome : call.outcomes)
        if (const auto thrown = thrown_by(outcome)) declare_exception(exception(*thrown), done);
    line("struct tacit_exception {};");
  }

  // ---- Functions of the component.

  std::vector<const ProgramCall*> calls_of(const FunctionFact& fact) const {
    std::vector<const ProgramCall*> letters, rest;
    for (const ProgramCall& call : program_.calls())
      if (call.method == fact.name || call.method == fact.name + fact.signature)
        (call.letter ? letters : rest).push_back(&call);
    letters.insert(letters.end(), rest.begin(), rest.end());
    return letters;
  }

  const ProgramStart* start_of(const FunctionFact& fact) const {
    for (const ProgramStart& start : program_.starts())
      if (start.constructor == fact.name || start.constructor == fact.name + fact.signature)
        return &start;
    return nullptr;
  }

  struct Body {
    const FunctionFact* fact = nullptr;
    std::string returns;
    std::size_t first = 0; // parameters before it are the object
  };

  void member(const FunctionFact& fact) {
    made_.stand_in.replaced.insert(fact.symbol);
    ++used_;
    Body body{&fact, "", 0};
    const auto returns = fact.is_constructor || fact.name.starts_with("~")
                             ? std::optional<std::string>("void")
                             : c_type(fact.returns);
    if (!returns) return; // not followed: it may do anything to its object
    body.returns = *returns;
    std::string parameters;
    const bool takes =
        !classes_.empty() || (!fact.parameters.empty() && is_object(fact.parameters[0].type));
    if (takes) {
      parameters = "struct tacit_object *self";
      body.first = classes_.empty() ? 1 : 0;
    }
    for (std::size_t i = body.first; i < fact.parameters.size(); ++i) {
      const auto type = c_type(fact.parameters[i].type);
      if (!type) return;
      parameters += fmt::format("{}{} a{}", parameters.empty() ? "" : ", ", *type, i);
    }
    const auto calls = calls_of(fact);
    const ProgramStart* start = start_of(fact);
    const bool copies =
        fact.is_constructor && fact.parameters.size() == 1 && is_object(fact.parameters[0].type);
    const bool ends = fact.name.starts_with("~");
    if (copies || (calls.empty() && !start && !ends)) return;
    const std::string name = fmt::format("tacit_call_{}", used_);
    line(fmt::format("{} {}({}) __asm__(\"{}\");", body.returns, name,
                     parameters.empty() ? "void" : parameters, fact.symbol));
    line(fmt::format("{} {}({}) {{", body.returns, name, parameters.empty() ? "void" : parameters));
    if (!takes && record_.empty()) line("struct tacit_object *self = &tacit_module;");
    if (!takes && !record_.empty()) {
      line("struct tacit_object *self = (struct tacit_object *)malloc(sizeof *self);");
      line("if (!self) return 0;");
    }
    if (ends) write_left();
    if (!calls.empty())
      for (const ProgramCall* call : calls) write_call(*call, body);
    else if (ends)
      write_end();
    else
      write_start(*start, body, !takes && !record_.empty());
    line("}");
  }

  /// The name of a variable of a condition within a body.
  CName names(const Body& body, const Procedure* procedure, Term result) const {
    return [this, &body, procedure, result](Term variable) -> std::optional<std::string> {
      if (result && variable == result) return "result";
      for (std::size_t i = 0; i < program_.tracked().size(); ++i)
        if (program_.tracked()[i] == variable) return fmt::format("self->tacit_t{}", i);
      if (!procedure) return std::nullopt;
      if (const auto tested = tested_for_null(variable)) {
        const auto index = find_parameter(*procedure, *tested);
        const auto name = index ? argument(body, *procedure, *index, SortKind::Ref) : std::nullopt;
        return name ? std::optional("(" + *name + " != 0)") : std::nullopt;
      }
      for (std::size_t i = 0; i < procedure->parameters.size(); ++i)
        if (procedure->parameters[i].term == variable && !is_real(procedure->parameters[i].type))
          return argument(body, *procedure, i, variable->sort->kind);
      return std::nullopt;
    };
  }

  static std::optional<std::string> argument(const Body& body, const Procedure& procedure,
                                             std::size_t index, SortKind sort) {
    const auto& known = body.fact->parameters;
    const std::string wanted(source_name(procedure.parameters[index].name()));
    std::optional<std::size_t> found;
    for (std::size_t i = body.first; i < known.size(); ++i)
      if (known[i].name == wanted) found = i;
    // A prototype may leave names out.
    if (!found && procedure.parameters.size() == known.size() - body.first)
      found = index + body.first;
    if (!found || !comparable(known[*found].type, sort)) return std::nullopt;
    return fmt::format("a{}", *found);
  }

  /// Text that goes on only where a condition holds, or may hold.
  static std::string assume(const std::optional<std::string>& condition) {
    if (condition == "1") return "";
    return fmt::format("if (!({})) __builtin_unreachable(); ",
                       condition.value_or("tacit_unknown()"));
  }

  std::optional<std::string> expression(Term term, const CName& name) const {
    return term ? c_expression(term, name) : std::nullopt;
  }

  std::string updates(const std::vector<ProgramUpdate>& set, const CName& name) const {
    std::string first, then;
    for (const ProgramUpdate& update : set) {
      const Term variable = program_.tracked()[update.tracked];
      const std::string type = tracked_type(variable, wide_);
      const auto value = expression(update.value, name);
      first += fmt::format("{}n{} = ({}){}; ", type, update.tracked, type,
                           value.value_or("tacit_hidden()"));
      then += fmt::format("self->tacit_t{0} = n{0}; ", update.tracked);
    }
    return first + then;
  }

  void write_call(const ProgramCall& call, const Body& body) {
    const Term result = program_.result(*call.procedure);
    const CName name = names(body, call.procedure, result);
    if (call.letter)
      line(fmt::format("if ({}) {{", expression(*call.letter, name).value_or("tacit_unknown()")));
    open_states();
    for (State state = 0; state < interface_.states.size(); ++state) {
      const auto found = std::ranges::find(call.cases, state, &ProgramCase::state);
      if (found == call.cases.end()) {
        line(fmt::format("case {}: tacit_refused();", value_of(state)),
             {ProgramEvent::Kind::Refused, call.name, "", state, std::nullopt, ""});
        continue;
      }
      line(fmt::format("case {}: {{", value_of(state)));
      const ArgumentGuard* guard = interface_.find_guard(state, *interface_.find_call(call.name));
      if (const auto condition = expression(found->guard, name); condition != "1") {
        line(fmt::format("if (!({}))", condition.value_or("tacit_unknown()")));
        line("tacit_refused();", {ProgramEvent::Kind::Refused, call.name, "", state, std::nullopt,
                                  guard ? guard->condition : ""});
      }
      write_steps(call, *found, body, result, name);
      line("}");
    }
    line("case 0: tacit_refused();", {ProgramEvent::Kind::Unmade, call.name, "", {}, {}, ""});
    line("default: if (tacit_unknown())");
    line("tacit_refused();", {ProgramEvent::Kind::Unmade, call.name, "", {}, {}, ""});
    // However it goes on, nothing is known.
    line("__builtin_unreachable();");
    line("}");
    if (call.letter) line("}");
  }

  void write_steps(const ProgramCall& call, const ProgramCase& one, const Body& body, Term result,
                   const CName& name) {
    const std::vector<Way> ways = ways_of(one);
    if (ways.size() > 1)
      line(fmt::format("int choice = {}();", any("int")),
           {ProgramEvent::Kind::Step, call.name, "", one.state, std::nullopt, ""});
    TermArena& arena = *program_.module().arena;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const ProgramStep& step = *ways[i].step;
      // The test on a line of its own: a way that is not taken should not be met.
      if (i + 1 < ways.size()) line(fmt::format("if (choice == {})", i + 1));
      std::string text = "{ ";
      const auto thrown = thrown_by(ways[i].outcomes.front());
      if (!thrown && body.returns != "void")
        text += fmt::format("{} result = {}(); ", body.returns, any(body.returns));
      if (!thrown && result) {
        std::vector<Term> any_of;
        for (const std::string& outcome : ways[i].outcomes)
          any_of.push_back(outcome_condition(arena, outcome, call.outcomes, result));
        text += assume(expression(arena.disj(std::move(any_of)), name));
      }
      text += assume(expression(step.when, name)) + updates(step.set, name);
      text += enter_state(step.to);
      if (thrown)
        text += cpp_ ? fmt::format("throw {}(); ", thrown_name(*thrown)) : "tacit_thrown(); ";
      else
        text += body.returns == "void" ? "return; " : "return result; ";
      const std::string shown = ways[i].outcomes.size() > 1 ? "" : ways[i].outcomes.front();
      line(text + "}", {ProgramEvent::Kind::Step, call.name, shown, one.state, step.to, ""});
    }
    if (ways.empty()) line("__builtin_unreachable();");
  }

  /// What one line stands for: an outcome, or several that lead to the same.
  struct Way {
    const ProgramStep* step = nullptr;
    std::vector<std::string> outcomes;
  };

  static std::vector<Way> ways_of(const ProgramCase& one) {
    std::size_t all = 0;
    for (const ProgramStep& step : one.steps) all += step.outcomes.size();
    std::vector<Way> ways;
    for (const ProgramStep& step : one.steps)
      for (const std::string& outcome : step.outcomes) {
        const auto same = std::ranges::find_if(ways, [&](const Way& way) {
          return way.step->to == step.to && way.step->when == step.when && way.step->set.empty() &&
                 step.set.empty() && !thrown_by(way.outcomes.front());
        });
        if (all > most_ways && same != ways.end() && !thrown_by(outcome))
          same->outcomes.push_back(outcome);
        else
          ways.push_back({&step, {outcome}});
      }
    return ways;
  }

  std::string thrown_name(const std::string& simple) const {
    const std::string full = exception(simple);
    return full.empty() ? "tacit_exception" : "::" + full;
  }

  /// Looks at an object before it is written over: what is only written is not lowered, and nobody
  /// would see that it may be another object, too.
  void look_at() {
    line(fmt::format("if (self->tacit_state == {}) __builtin_unreachable();",
                     layout_.wide_state ? -some_number : 255));
  }

  void write_start(const ProgramStart& start, const Body& body, bool makes) {
    if (!makes) look_at();
    const CName name = names(body, start.procedure, nullptr);
    for (const ProgramStart::Way& way : start.ways) {
      std::string result;
      if (makes)
        result = "return self;";
      else if (body.returns == "void")
        result = "return;";
      else
        result = fmt::format("return {}();", any(body.returns));
      line(fmt::format("if ({})", expression(way.when, name).value_or("tacit_unknown()")));
      line(fmt::format("{{ {}{}{} }}", updates(way.set, name), enter_state(way.state), result),
           {ProgramEvent::Kind::Start, start.constructor, "", {}, way.state, ""});
    }
    std::string guard;
    for (const InitialState& initial : interface_.initial)
      if (initial.constructor == start.constructor && !initial.when.empty())
        guard += (guard.empty() ? "" : " || ") + initial.when;
    line("tacit_refused();", {ProgramEvent::Kind::Refused, start.constructor, "", {}, {}, guard});
  }

  /// What a destructor does that is no letter.
  void write_end() {
    look_at();
    line("self->tacit_state = 0;");
  }

  // ---- Objects that end too early.

  bool has_destructor() const {
    return std::ranges::any_of(facts_.functions, [&](const auto& known) {
      return known.second.name.starts_with("~") && is_member(known.second);
    });
  }

  void write_left() {
    for (State state = 0; state < options_.end.may.size(); ++state)
      if (!options_.end.may[state]) {
        line(fmt::format("if (self->tacit_state == {})", value_of(state)));
        line("tacit_refused();",
             {ProgramEvent::Kind::Left, options_.end.wanted[state], "", state, std::nullopt, ""});
      }
  }

  /// What happens to local objects that no destructor ends.
  void left() {
    made_.stand_in.left = "tacit_left";
    line("void tacit_left(struct tacit_object *self) {");
    write_left();
    line("}");
  }

  // ---- Functions of the client.

  void entries() {
    std::size_t number = 0;
    for (const auto& [symbol, fact] : facts_.functions) {
      if (!fact.where.known() || fact.in_system_header || fact.is_constructor ||
          fact.name.starts_with("~") || is_member(fact) || classes_.contains(fact.in_class) ||
          symbol.find("EUl") != std::string::npos || symbol.find("$_") != std::string::npos)
        continue;
      ClientFunction function;
      function.shown = fact.qualified.empty() ? fact.name : fact.qualified;
      if (cpp_) function.shown += fact.signature;
      function.where = fact.where;
      if (fact.is_instance) function.in_class = fact.in_class;
      enter(fact, fmt::format("f{}", ++number), function);
      made_.functions.push_back(std::move(function));
    }
  }

  void enter(const FunctionFact& fact, const std::string& name, ClientFunction& function) {
    std::vector<std::size_t> objects;
    std::vector<bool> may_be_null;
    std::vector<std::string> types;
    for (std::size_t i = 0; i < fact.parameters.size(); ++i) {
      if (is_object(fact.parameters[i].type)) {
        objects.push_back(i);
        may_be_null.push_back(!fact.parameters[i].type.is_reference);
      }
      if (const auto type = c_type(fact.parameters[i].type)) types.push_back(*type);
    }
    const auto returns = c_type(fact.returns);
    const auto ways = ways_to_enter(may_be_null, interface_.states.size());
    if (objects.empty() || ways.empty() || types.size() < fact.parameters.size() || !returns ||
        fact.is_instance) {
      made_.stand_in.roots[fact.symbol] = name;
      function.entries.push_back({name, {}});
      return;
    }
    line(fmt::format("{} tacit_{}({}) __asm__(\"{}\");", *returns, name, fmt::join(types, ", "),
                     fact.symbol));
    for (const std::size_t i : objects) function.objects.push_back(fact.parameters[i].name);
    for (std::size_t k = 0; k < ways.size(); ++k) {
      EntryPoint entry{fmt::format("{}_{}", name, k), ways[k]};
      std::string parameters, arguments, set;
      for (std::size_t i = 0; i < types.size(); ++i) {
        const auto object = std::ranges::find(objects, i);
        std::string argument = fmt::format("a{}", i);
        if (object == objects.end())
          parameters += fmt::format("{}{} a{}", parameters.empty() ? "" : ", ", types[i], i);
        else
          argument =
              handed(ways[k][static_cast<std::size_t>(object - objects.begin())], objects, i, set);
        arguments += (arguments.empty() ? "" : ", ") + argument;
      }
      line(fmt::format("void tacit_enter_{}({}) {{ {}tacit_{}({}); }}", entry.call,
                       parameters.empty() ? "void" : parameters, set, name, arguments));
      made_.stand_in.roots["tacit_enter_" + entry.call] = entry.call;
      function.entries.push_back(std::move(entry));
    }
  }

  /// An object that a function is handed as parameter i, and what makes it what it should be.
  std::string handed(const Entered& entered, const std::vector<std::size_t>& objects, std::size_t i,
                     std::string& set) const {
    if (entered.kind == Entered::Kind::Null) return "0";
    if (entered.kind == Entered::Kind::Same) return fmt::format("&o{}", objects[entered.as]);
    set += fmt::format("union {{ struct tacit_object object; char bytes[{}]; }} o{} = {{}}; ",
                       layout_.bytes, i);
    set += enter_state(entered.state, fmt::format("o{}.object.", i));
    for (std::size_t t = 0; t < program_.tracked().size(); ++t)
      if (const Term tracked = program_.tracked()[t])
        set += fmt::format("o{}.object.tacit_t{} = ({})tacit_hidden(); ", i, t,
                           tracked_type(tracked, wide_));
    return fmt::format("&o{}", i);
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const SourceFacts& facts_;
  const CProgramOptions& options_;
  const bool cpp_;
  CProgram made_;
  int lines_ = 0;
  std::string record_;
  std::set<std::string> classes_; // the class and its first bases; none in C
  bool wide_ = true;
  ObjectLayout layout_;
  std::size_t used_ = 0;
};

} // namespace

Result<CProgram> write_c_program(const InterfaceProgram& program, const SourceFacts& facts,
                                 const CProgramOptions& options) {
  return CWriter(program, facts, options).run();
}

} // namespace tacit
