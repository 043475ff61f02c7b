#include "component/outs.h"

#include <algorithm>
#include <set>

#include "logic/term/lexer.h"
#include "program/graph/uses.h"
#include "program/reduce/slice.h"

namespace tacit {

namespace {

/// Whether a value can tell something of what errors depend on: whether it is computed from
/// anything that is still there when all else has been dropped.
class Telling {
public:
  explicit Telling(const Module& module) : module_(module) {
    Module rest = clone(module);
    for (Procedure& p : rest.procedures) p.out.clear();
    slice(rest);
    for (const Procedure& p : rest.procedures) relevant_.push_back(mentioned(p));
  }

  bool tells(std::size_t procedure, Term out) {
    seen_.clear();
    return follow(procedure, out);
  }

private:
  bool follow(std::size_t procedure, Term variable) {
    const bool state = module_.state_index(variable).has_value();
    if (!seen_.emplace(state ? module_.procedures.size() : procedure, variable).second)
      return false;
    // Arguments are known anyway.
    const auto& arguments = module_.procedures[procedure].parameters;
    if (std::ranges::find(arguments, variable, &Variable::term) != arguments.end()) return false;
    if (relevant_[procedure].contains(variable)) return true;
    bool found = false;
    for (std::size_t p = 0; p < module_.procedures.size() && !found; ++p) {
      if (!state && p != procedure) continue;
      found = state && relevant_[p].contains(variable);
      each_write(module_.procedures[p], [&](Term target, Term value) {
        found = found || (target == variable && value && follow_value(p, value));
      });
    }
    return found;
  }

  /// Where a table is looked into, what stands in it tells, not the place.
  bool follow_value(std::size_t procedure, Term value) {
    if (value->op == Op::Var) return follow(procedure, value);
    if (value->op == Op::Select) return follow_value(procedure, value->args[0]);
    return std::ranges::any_of(value->args,
                               [&](Term part) { return follow_value(procedure, part); });
  }

  const Module& module_;
  std::vector<VariableSet> relevant_; // by procedure
  std::set<std::pair<std::size_t, Term>> seen_;
};

bool outcomes_tell_result(const Procedure& procedure, const Call& call) {
  return !procedure.returns || std::ranges::all_of(call.outcomes, [](const std::string& outcome) {
    return outcome.starts_with("throws") ||
           (outcome.starts_with("returns=") && outcome != "returns=other");
  });
}

} // namespace

void show_outs(Module& module, const std::vector<Call>& calls) {
  const auto has_out = [](const Procedure& p) { return p.out_variable() != nullptr; };
  if (std::ranges::none_of(module.procedures, has_out)) return;
  std::vector<std::size_t> shown;
  Telling telling(module);
  for (const Call& call : calls) {
    const Procedure& p = module.procedures[call.procedure];
    const Variable* out = p.out_variable();
    if (out && !call.blind && outcomes_tell_result(p, call) &&
        (!module.conventions.reducible || telling.tells(call.procedure, out->term)))
      shown.push_back(call.procedure);
  }
  for (const std::size_t i : shown) {
    Procedure& p = module.procedures[i];
    const Variable out = *p.out_variable();
    p.returns = out.type;
    for (Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Return) b.end.value = out.term;
    p.shows_out = true;
  }
  for (Procedure& p : module.procedures)
    if (!p.shows_out) p.out.clear();
}

std::string with_out_named(const Procedure& procedure, std::string_view condition) {
  std::string text(condition);
  const auto tokens = tokenise(condition, "");
  if (!procedure.shows_out || !tokens) return text;
  for (auto token = tokens->rbegin(); token != tokens->rend(); ++token)
    if (token->kind == TokenKind::Name && token->text == "result")
      text.replace(static_cast<std::size_t>(token->column - 1), token->text.size(),
                   "`" + procedure.out + "`");
  return text;
}

} // namespace tacit
