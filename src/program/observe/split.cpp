// Named letters: a method by cases of what the client passes. Each case is a copy of the method
// that assumes its condition on entry; the method itself keeps the rest. (Outcomes are in
// outcomes.cpp.)
#include "program/observe/split.h"

#include <algorithm>

#include "program/graph/call_graph.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

std::unexpected<Diagnostic> bad_letter(const std::string& text) {
  return fail("cannot read letter '{}'; the form is NAME = METHOD when COND", text);
}

bool is_leading_client_havoc(const Statement& statement) {
  return statement.kind == StatementKind::Havoc && statement.chooser == Chooser::Client;
}

/// A block in front of all others, so that what is put into it runs once even if the body starts
/// with a loop.
void add_entry(Procedure& procedure) {
  procedure.blocks.insert(procedure.blocks.begin(), Block{});
  for (Block& block : procedure.blocks) {
    Terminator& end = block.end;
    if (end.kind == TerminatorKind::Goto || end.kind == TerminatorKind::Branch ||
        end.kind == TerminatorKind::Call)
      ++end.next;
    if (end.kind == TerminatorKind::Branch) ++end.other;
    for (Handler& handler : end.handlers) ++handler.target;
  }
  auto& inner = procedure.blocks[1].statements;
  const auto havocs = std::ranges::find_if_not(inner, is_leading_client_havoc);
  procedure.blocks[0].statements.assign(inner.begin(), havocs);
  inner.erase(inner.begin(), havocs);
  procedure.blocks[0].end = {.kind = TerminatorKind::Goto, .next = 1, .where = procedure.where};
}

bool entry_is_target(const Procedure& procedure) {
  return std::ranges::any_of(procedure.blocks, [](const Block& block) {
    const auto next = successors(block.end);
    return std::ranges::find(next, BlockId{0}) != next.end();
  });
}

void assume_on_entry(Procedure& procedure, Term condition) {
  if (entry_is_target(procedure)) add_entry(procedure);
  auto& statements = procedure.blocks[0].statements;
  statements.insert(std::ranges::find_if_not(statements, is_leading_client_havoc),
                    {.kind = StatementKind::Assume, .value = condition, .where = procedure.where});
}

class LetterSplit {
public:
  explicit LetterSplit(Module& module) : module_(module) {}

  Result<std::vector<LetterConditions>> run(const std::vector<LetterSpec>& specs) {
    for (const LetterSpec& spec : specs)
      if (auto added = add(spec); !added) return std::unexpected(added.error());
    for (const LetterConditions& conditions : found_) split(conditions);
    return std::move(found_);
  }

private:
  Result<bool> add(const LetterSpec& spec) {
    const auto method = find_method(spec);
    if (!method) return std::unexpected(method.error());
    if (name_taken(spec.name))
      return fail("letter '{}': there is a procedure or letter of that name", spec.name);
    const auto condition = parse_condition(spec, **method);
    if (!condition) return std::unexpected(condition.error());
    entry((*method)->name).letters.emplace_back(spec.name, *condition);
    return true;
  }

  /// By its full name or, when there is one overload, its bare name.
  Result<const Procedure*> find_method(const LetterSpec& spec) {
    if (const Procedure* exact = method_named(spec.method)) return exact;
    std::vector<const Procedure*> overloads;
    std::vector<std::string> names;
    for (const Procedure& procedure : module_.procedures) {
      if (!is_root(procedure)) continue;
      if (bare_name(procedure.name) == spec.method) overloads.push_back(&procedure);
      names.push_back(procedure.name);
    }
    if (overloads.size() == 1) return overloads[0];
    if (overloads.empty())
      return fail("letter '{}': there is no method '{}'{}", spec.name, spec.method,
                  suggestion(spec.method, names));
    std::vector<std::string> choices;
    for (const Procedure* overload : overloads) choices.push_back(overload->name);
    return fail("letter '{}': '{}' has overloads {}; name one", spec.name, spec.method,
                fmt::join(choices, ", "));
  }

  /// A constructor may bear the name of a method; the method is meant then.
  Procedure* method_named(const std::string& name) {
    for (const ProcedureKind kind : {ProcedureKind::Method, ProcedureKind::Constructor})
      for (Procedure& procedure : module_.procedures)
        if (procedure.kind == kind && procedure.name == name) return &procedure;
    return nullptr;
  }

  bool name_taken(const std::string& name) const {
    if (module_.find_procedure(name) != nullptr) return true;
    return std::ranges::any_of(found_, [&](const LetterConditions& conditions) {
      return std::ranges::any_of(conditions.letters,
                                 [&](const auto& letter) { return letter.first == name; });
    });
  }

  Result<Term> parse_condition(const LetterSpec& spec, const Procedure& method) const {
    const ModuleScope scope(module_, &method);
    const auto term =
        parse_expression(spec.condition, "", *module_.arena, scope, module_.arena->bool_sort());
    if (!term) return fail("letter '{}': {}", spec.name, term.error().message);
    for (const Term variable : variables(*term)) {
      if (clients_own(method, variable)) continue;
      return fail("letter '{}': '{}' is neither a parameter of {} nor state that the client owns",
                  spec.name, variable->name, method.name);
    }
    return *term;
  }

  bool clients_own(const Procedure& method, Term variable) const {
    const auto is = [&](const Variable& candidate) { return candidate.term == variable; };
    if (std::ranges::any_of(method.parameters, is)) return true;
    const auto index = module_.state_index(variable);
    return index && module_.state[*index].client;
  }

  LetterConditions& entry(const std::string& method) {
    const auto same = [&](const LetterConditions& conditions) {
      return conditions.method == method;
    };
    const auto known = std::ranges::find_if(found_, same);
    if (known != found_.end()) return *known;
    return found_.emplace_back(LetterConditions{method, {}});
  }

  void split(const LetterConditions& conditions) {
    Procedure* method = method_named(conditions.method);
    // Sites keep the name they have in the source, whichever copy they stand in.
    for (Block& block : method->blocks)
      if (block.end.procedure.empty()) block.end.procedure = method->name;
    std::vector<Procedure> copies;
    std::vector<Term> cases;
    for (const auto& [name, condition] : conditions.letters) {
      copies.push_back(*method);
      copies.back().name = name;
      assume_on_entry(copies.back(), condition);
      cases.push_back(condition);
    }
    assume_on_entry(*method, module_.arena->negate(module_.arena->disj(std::move(cases))));
    const auto behind = module_.procedures.begin() + (method - module_.procedures.data()) + 1;
    module_.procedures.insert(behind, copies.begin(), copies.end());
  }

  Module& module_;
  std::vector<LetterConditions> found_;
};

} // namespace

Result<LetterSpec> parse_letter_spec(const std::string& text) {
  constexpr std::string_view keyword = " when ";
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return bad_letter(text);
  const std::size_t when = text.find(keyword, equals);
  if (when == std::string::npos) return bad_letter(text);
  LetterSpec spec{.name = trimmed(text.substr(0, equals)),
                  .method = trimmed(text.substr(equals + 1, when - equals - 1)),
                  .condition = trimmed(text.substr(when + keyword.size()))};
  const bool one_word = spec.name.find_first_of(" \t:") == std::string::npos;
  if (spec.name.empty() || !one_word || spec.method.empty() || spec.condition.empty())
    return bad_letter(text);
  return spec;
}

Result<std::vector<LetterConditions>> split_letters(Module& module,
                                                    const std::vector<LetterSpec>& specs) {
  return LetterSplit(module).run(specs);
}

} // namespace tacit
