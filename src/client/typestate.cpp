// The typestate header: one class template whose parameter is the state.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "client/c_expression.h"
#include "client/interface_program.h"
#include "client/program_forms.h"
#include "client/test_text.h"
#include "interface/conditions.h"
#include "interface/source_words.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"

namespace tacit {

namespace {

constexpr std::string_view common = R"(
/// The calls so far, for the message about one whose guard does not hold.
struct history {
  std::vector<std::string> calls;

  [[noreturn]] void violated(const char* call, const char* guard) const {
    std::fprintf(stderr, "protocol violated: %s needs %s; the calls before:", call, guard);
    for (const std::string& one : calls) std::fprintf(stderr, " %s", one.c_str());
    std::fprintf(stderr, "\n");
    std::abort();
  }
};

template <class...> inline constexpr bool never = false;

/// What a call returned, and the object in its next state.
template <class Value, class Next> struct returned {
  Value value;
  Next next;
};
)";

class Typestate {
public:
  explicit Typestate(const InterfaceProgram& program)
      : program_(program), interface_(program.interface()),
        class_(identifier(interface_.component_name)), c_(interface_.language == "c") {}

  Result<std::string> run() {
    if (interface_.language != "cpp" && interface_.language != "c")
      return fail("a typestate header is for components in C and C++, not in '{}'",
                  interface_.language);
    std::map<std::string, std::size_t> names;
    for (const ProgramCall& call : program_.calls()) ++names[std::string(bare_name(call.method))];
    std::string members;
    for (std::size_t i = 0; i < program_.calls().size(); ++i) {
      const ProgramCall& call = program_.calls()[i];
      const std::string name(bare_name(call.method));
      if (identifier(name) != name || name.starts_with("operator"))
        members += fmt::format("\n  // {} is no name for a function: reach it by get().\n",
                               one_line(name));
      else if (names[name] > 1)
        members +=
            fmt::format("\n  // {} is overloaded: which one is called is not told apart here.\n",
                        one_line(call.name));
      else
        members += member(i, name);
    }
    return head() + starts() + object(members) + "\n} // namespace " + class_ + "_protocol\n";
  }

private:
  std::string wrapper(const std::string& state) const {
    return fmt::format("{}<Object, {}>", class_, state);
  }
  std::string wrapper(State state) const { return wrapper(fmt::format("{}", state)); }

  std::string state_text(State state) const {
    const std::string& label = interface_.states[state].label;
    return label.empty() || label == "true" ? fmt::format("state {}", state)
                                            : fmt::format("state {} ({})", state, label);
  }

  std::string head() const {
    std::string made = fmt::format(
        "// The protocol of {} as types, written by `tacit show --as typestate`. In C++20:\n"
        "//\n"
        "//   auto a = {}_protocol::start<T>(…);     // T is the component's class{}\n"
        "//   auto b = std::move(a).call(…);         // in its next state; `a` is gone\n"
        "//\n"
        "// A call that returns something gives {{value, next}}. Where it can lead to several "
        "states,\n"
        "// the next one is a std::variant. A call that throws takes the object with it.\n"
        "#pragma once\n\n",
        one_line(interface_.component_name), class_,
        c_ ? ", the struct behind its handle;\n//                                          // its "
             "header is included before this one"
           : "");
    // Comments are for people, and ASCII.
    for (auto at = made.find("…"); at != std::string::npos; at = made.find("…"))
      made.replace(at, std::string("…").size(), "...");
    for (const char* header :
         {"cstdio", "cstdlib", "memory", "string", "tuple", "utility", "variant", "vector"})
      made += fmt::format("#include <{}>\n", header);
    made += fmt::format(
        "\nnamespace {}_protocol {{\n{}\ntemplate <class Object, int State> class {};\n", class_,
        common, class_);
    std::string fields;
    for (std::size_t i = 0; i < program_.tracked().size(); ++i)
      if (program_.tracked()[i])
        fields +=
            fmt::format("  long long t{} = 0; // {}\n", i, one_line(interface_.tracked[i].name));
    made += fmt::format(
        "\n/// What goes along from state to state.\ntemplate <class Object> struct kept {{\n"
        "  {} object;\n  history past;\n{}}};\n",
        c_ ? "Object*" : "std::unique_ptr<Object>", fields);
    return made;
  }

  /// A condition in C++ over `p0`, `p1`…, `result` and tracked values; nullopt where it cannot be
  /// said.
  std::optional<std::string> condition(Term term, const Procedure* procedure, Term result) const {
    if (!term) return std::nullopt;
    return c_expression(term, [&](Term variable) -> std::optional<std::string> {
      if (result && variable == result) return "result";
      for (std::size_t i = 0; i < program_.tracked().size(); ++i)
        if (program_.tracked()[i] == variable)
          return variable->sort->kind == SortKind::Ref ? std::nullopt
                                                       : std::optional(fmt::format("kept_.t{}", i));
      for (std::size_t i = 0; procedure && i < procedure->parameters.size(); ++i)
        if (procedure->parameters[i].term == variable && variable->sort->kind != SortKind::Ref &&
            !is_real(procedure->parameters[i].type))
          return fmt::format("p{}", i);
      return std::nullopt;
    });
  }

  static bool is_true(const std::optional<std::string>& text) { return text == "1"; }

  std::string bind(const Procedure* procedure) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; procedure && i < procedure->parameters.size(); ++i)
      names.push_back(fmt::format("p{}", i));
    return names.empty() ? ""
                         : fmt::format("[[maybe_unused]] const auto& [{}] = std::tie(a...);",
                                       fmt::join(names, ", "));
  }

  /// `if constexpr`, since arguments of the source need not be those of the component.
  std::string checked(const Procedure* procedure, const std::string& statement) const {
    const std::size_t count = procedure ? procedure->parameters.size() : 0;
    if (count == 0) return statement;
    return fmt::format("if constexpr (sizeof...(A) == {}) {{ {} {} }}", count, bind(procedure),
                       statement);
  }

  // ---- Constructors.

  /// Constructors that lead to one state are told from others by name when they lead elsewhere.
  std::string starts() const {
    std::set<State> reached;
    for (const InitialState& one : interface_.initial) reached.insert(one.state);
    std::string made;
    for (const ProgramStart& start : program_.starts()) {
      if (start.ways.empty()) continue;
      const std::string name = reached.size() == 1 && program_.starts().size() == 1
                                   ? "start"
                                   : "start_" + identifier(start.constructor);
      if (start.ways.size() > 1) {
        made +=
            fmt::format("\n// {} starts in several states, by its arguments: not written here.\n",
                        one_line(start.constructor));
        continue;
      }
      made += one_start(start, name);
    }
    return made;
  }

  std::string one_start(const ProgramStart& start, const std::string& name) const {
    const ProgramStart::Way& way = start.ways.front();
    const auto when = condition(way.when, start.procedure, nullptr);
    std::string body;
    if (when && !is_true(when))
      body += "  " +
              checked(start.procedure, fmt::format("if (!({})) kept_.past.violated({}, {});", *when,
                                                   c_quoted(start.constructor),
                                                   c_quoted(initial_text(start.constructor)))) +
              "\n";
    body += set_text(way.set, start.procedure, nullptr, "  ");
    body += fmt::format("  kept_.past.calls.push_back({});\n", c_quoted(start.constructor));
    // The object of C is made by the client, which hands it over with what it was made from.
    const char* object = c_ ? "Object* object, " : "";
    const char* make = c_ ? "object" : "std::make_unique<Object>(std::forward<A>(a)...)";
    return fmt::format("\n/// Starts in {}.\ntemplate <class Object, class... A> [[nodiscard]] {} "
                       "{}({}A&&... a) {{\n"
                       "  kept<Object> kept_;\n{}  kept_.object = {};\n  (void)std::tie(a...);\n  "
                       "return {}(std::move(kept_));\n}}\n",
                       one_line(state_text(way.state)), wrapper(way.state), name, object, body,
                       make, wrapper(way.state));
  }

  std::string initial_text(const std::string& constructor) const {
    for (const InitialState& one : interface_.initial)
      if (one.constructor == constructor) return SourceWords(interface_).condition(one.when);
    return "";
  }

  /// What becomes of tracked values; one that cannot be said is not followed any further: a guard
  /// over it would be wrong, so such calls are not written at all (see member).
  std::string set_text(const std::vector<ProgramUpdate>& set, const Procedure* procedure,
                       Term result, const std::string& indent) const {
    std::string values, assigned;
    for (const ProgramUpdate& update : set) {
      const auto value = condition(update.value, procedure, result);
      if (!value) continue;
      values += fmt::format("const long long n{} = {}; ", update.tracked, *value);
      assigned += fmt::format("kept_.t{} = n{}; ", update.tracked, update.tracked);
    }
    if (values.empty()) return "";
    return indent + checked(procedure, values + assigned) + "\n";
  }

  bool can_set(const std::vector<ProgramUpdate>& set, const Procedure* procedure,
               Term result) const {
    return std::ranges::all_of(set, [&](const ProgramUpdate& update) {
      return condition(update.value, procedure, result).has_value();
    });
  }

  // ---- Calls.

  std::string member(std::size_t index, const std::string& name) const {
    const ProgramCall& call = program_.calls()[index];
    std::string made = "\n";
    for (State state = 0; state < interface_.states.size(); ++state) {
      const auto in = std::ranges::find(call.cases, state, &ProgramCase::state);
      if (in == call.cases.end())
        made += refused(name, state, "is refused");
      else
        made += allowed(call, *in, name);
    }
    return made;
  }

  std::string refused(const std::string& name, State state, const std::string& why) const {
    return fmt::format("  template <class... A> void {}(A&&...) && requires (State == {}) {{\n"
                       "    static_assert(never<A...>, {});\n  }}\n",
                       name, state,
                       c_quoted(fmt::format("{}: {} {} in {}", interface_.component_name, name, why,
                                            state_text(state))));
  }

  std::string call_text(const std::string& name) const {
    // The member has the same name.
    return c_ ? fmt::format("::{}(kept_.object, std::forward<A>(a)...)", name)
              : fmt::format("kept_.object->{}(std::forward<A>(a)...)", name);
  }

  std::string allowed(const ProgramCall& call, const ProgramCase& in,
                      const std::string& name) const {
    const Term result = call.procedure->returns ? program_.result(*call.procedure) : nullptr;
    std::set<State> targets;
    bool sayable = true;
    for (const ProgramStep& step : in.steps) {
      targets.insert(step.to);
      sayable = sayable && can_set(step.set, call.procedure, result);
    }
    const bool plain =
        targets.size() == 1 &&
        std::ranges::all_of(in.steps, [](const ProgramStep& s) { return s.set.empty(); });
    if (targets.empty() || (!plain && !sayable))
      return refused(name, in.state, "leads where these types cannot follow");
    std::string made = fmt::format(
        "  template <class... A> [[nodiscard]] auto {}(A&&... a) && requires (State == {}) {{\n",
        name, in.state);
    const auto guard = condition(in.guard, call.procedure, nullptr);
    const ArgumentGuard* text = interface_.find_guard(in.state, *interface_.find_call(call.name));
    if (text && guard)
      made += "    " +
              checked(call.procedure,
                      fmt::format("if (!({})) kept_.past.violated({}, {});", *guard,
                                  c_quoted(call.name),
                                  c_quoted(SourceWords(interface_).condition(text->condition)))) +
              "\n";
    else if (text)
      made += fmt::format("    // Not checked: {}\n",
                          one_line(SourceWords(interface_).condition(text->condition)));
    made += fmt::format("    kept_.past.calls.push_back({});\n", c_quoted(call.name));
    made += body(call, in, name, targets, plain);
    return made + "  }\n";
  }

  std::string body(const ProgramCall& call, const ProgramCase& in, const std::string& name,
                   const std::set<State>& targets, bool plain) const {
    const std::string text = call_text(name);
    std::vector<std::string> types;
    for (const State target : targets) types.push_back(wrapper(target));
    const std::string next = targets.size() == 1
                                 ? types.front()
                                 : fmt::format("std::variant<{}>", fmt::join(types, ", "));
    const std::string is_void = fmt::format("std::is_void_v<decltype({})>", text);
    const auto finish = [&](const std::string& state, bool value) {
      return value ? fmt::format(
                         "return returned<decltype({}), "
                         "{}>{{std::forward<decltype(result)>(result), {}(std::move(kept_))}};",
                         text, next, state)
                   : fmt::format("return {}({}(std::move(kept_)));", next, state);
    };
    std::string made;
    if (plain)
      return fmt::format("    if constexpr ({}) {{\n      {};\n      {}\n    }} else {{\n      "
                         "decltype(auto) result = {};\n      {}\n    }}\n",
                         is_void, text, finish(types.front(), false), text,
                         finish(types.front(), true));
    const Term result = call.procedure->returns ? program_.result(*call.procedure) : nullptr;
    made += result ? fmt::format("    decltype(auto) result = {};\n", text)
                   : fmt::format("    {};\n", text);
    for (const ProgramStep& step : in.steps) {
      std::vector<Term> ways;
      for (const std::string& outcome : step.outcomes)
        if (const Term way =
                outcome_condition(*program_.module().arena, outcome, call.outcomes, result))
          ways.push_back(way);
      if (ways.empty()) continue; // it throws
      TermArena& arena = *program_.module().arena;
      const auto when = condition(
          arena.conj({arena.disj(std::move(ways)), step.when ? step.when : arena.falsehood()}),
          call.procedure, result);
      if (!when)
        return fmt::format("    static_assert(never<A...>, {});\n",
                           c_quoted(fmt::format("{}: where {} leads cannot be told here",
                                                interface_.component_name, name)));
      const std::string set = set_text(step.set, call.procedure, result, "      ");
      made += fmt::format("    if ({}) {{\n{}      {}\n    }}\n", choice(call.procedure, *when),
                          set, finish(wrapper(step.to), result != nullptr));
    }
    return made +
           fmt::format("    kept_.past.violated({}, \"an outcome that the protocol knows\");\n",
                       c_quoted(call.name));
  }

  /// Conditions of cells may speak of arguments.
  std::string choice(const Procedure* procedure, const std::string& when) const {
    if (!procedure || procedure->parameters.empty() || when.find('p') == std::string::npos)
      return when;
    return fmt::format(
        "[&] {{ if constexpr (sizeof...(A) == {}) {{ {} return bool({}); }} else return true; }}()",
        procedure->parameters.size(), bind(procedure), when);
  }

  std::string object(const std::string& members) const {
    return fmt::format(
        "\ntemplate <class Object, int State> class {0} {{\npublic:\n"
        "  {0}({0}&&) noexcept = default;\n  {0}& operator=({0}&&) noexcept = default;\n"
        "  {0}(const {0}&) = delete;\n  {0}& operator=(const {0}&) = delete;\n"
        "  explicit {0}(kept<Object> kept) : kept_(std::move(kept)) {{}}\n\n"
        "  /// The object itself, for what the protocol does not speak of.\n"
        "  const Object& get() const {{ return *kept_.object; }}\n"
        "  /// Gives it up.\n  auto release() && {{ return std::move(kept_.object); }}\n{1}\n"
        "private:\n  kept<Object> kept_;\n}};\n",
        class_, members);
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const std::string class_;
  const bool c_;
};

} // namespace

Result<std::string> show_typestate(const Interface& interface) {
  const auto program = InterfaceProgram::of(interface);
  if (!program) return std::unexpected(program.error());
  return Typestate(*program).run();
}

} // namespace tacit
