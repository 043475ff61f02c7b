#include "program/contracts/template.h"

#include <algorithm>
#include <set>

#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

// More copies than this in one contract are a helper that calls itself.
constexpr int most_copies = 200;

bool assigns(const Procedure& body, Term variable) {
  return std::ranges::any_of(body.blocks, [&](const Block& block) {
    return block.end.result == variable ||
           std::ranges::find(block.statements, variable, &Statement::target) !=
               block.statements.end();
  });
}

class Splicer {
public:
  Splicer(Contract& contract, const std::vector<Contract>& helpers)
      : contract_(contract), helpers_(helpers), names_(*contract.home, contract.body) {}

  Result<void> run() {
    std::vector<Block>& blocks = contract_.body.blocks;
    int copies = 0;
    for (BlockId b = 0; b < blocks.size(); ++b) {
      if (blocks[b].end.kind != TerminatorKind::Call) continue;
      const auto helper = std::ranges::find(helpers_, blocks[b].end.name, &Contract::name);
      if (helper == helpers_.end()) continue;
      if (++copies > most_copies)
        return fail(helper->where(), "the helper '{}' calls itself", helper->name);
      if (auto done = splice(b, *helper); !done) return done;
    }
    if (copies > 0) tidy(contract_.body);
    return {};
  }

private:
  Result<void> splice(BlockId at, const Contract& helper) {
    const Terminator site = contract_.body.blocks[at].end;
    Substitution by;
    if (auto bound = bind(site, helper, at, by); !bound) return bound;
    const auto first = static_cast<BlockId>(contract_.body.blocks.size());
    contract_.body.blocks[at].end = {.kind = TerminatorKind::Goto, .next = first};
    for (Block copy : helper.body.blocks) {
      rename(copy, by);
      Terminator& end = copy.end;
      if (end.kind == TerminatorKind::Return) {
        if (site.result)
          copy.statements.push_back(
              {.kind = StatementKind::Assign, .target = site.result, .value = end.value});
        end = {.kind = TerminatorKind::Goto, .next = site.next};
      } else {
        if (end.kind == TerminatorKind::Throw && !site.handlers.empty())
          return fail(site.where, "'{}' throws and cannot be called within a try", helper.name);
        end.next += first;
        end.other += first;
        for (Handler& handler : end.handlers) handler.target += first;
        if (end.kind == TerminatorKind::Call)
          end.handlers.insert(end.handlers.end(), site.handlers.begin(), site.handlers.end());
      }
      contract_.body.blocks.push_back(std::move(copy));
    }
    return {};
  }

  /// Parameters and locals get locals of the contract; objects with facts are the arguments
  /// themselves.
  Result<void> bind(const Terminator& site, const Contract& helper, BlockId at, Substitution& by) {
    TermArena& arena = *contract_.home->arena;
    auto& statements = contract_.body.blocks[at].statements;
    for (const Contract::Mention& wanted : helper.facts) {
      const Term argument = site.arguments[wanted.parameter];
      const auto mention = std::ranges::find_if(contract_.facts, [&](const auto& known) {
        return known.fact == wanted.fact &&
               contract_.body.parameters[known.parameter].term == argument &&
               known.variable->sort == wanted.variable->sort;
      });
      if (mention == contract_.facts.end())
        return fail(site.where.known() ? site.where : contract_.where(),
                    "'{}' needs the fact '{}' of its argument, which is not kept here", helper.name,
                    wanted.fact);
      by.emplace(wanted.variable, mention->variable);
      const Term object = helper.body.parameters[wanted.parameter].term;
      if (assigns(helper.body, object))
        return fail(helper.where(), "'{}' cannot mean another object than it was handed",
                    object->name);
      by.emplace(object, argument);
    }
    const auto own = [&](const Variable& variable) {
      const Term made = add_local(arena, contract_.body, names_, variable.name(), variable.type);
      by.emplace(variable.term, made);
      return made;
    };
    for (std::size_t i = 0; i < helper.body.parameters.size(); ++i)
      if (!by.contains(helper.body.parameters[i].term))
        statements.push_back({.kind = StatementKind::Assign,
                              .target = own(helper.body.parameters[i]),
                              .value = site.arguments[i]});
    for (const Variable& local : helper.body.locals) {
      if (by.contains(local.term)) continue; // a fact
      const Term made = own(local);
      if (local.type.sort->kind != SortKind::Enum)
        statements.push_back({.kind = StatementKind::Assign,
                              .target = made,
                              .value = default_term(arena, local.type)});
    }
    return {};
  }

  void rename(Block& block, const Substitution& by) const {
    TermArena& arena = *contract_.home->arena;
    const auto in = [&](Term& term) {
      if (term) term = substitute(arena, term, by);
    };
    for (Statement& s : block.statements) {
      in(s.target);
      in(s.value);
    }
    in(block.end.value);
    in(block.end.result);
    for (Term& argument : block.end.arguments) in(argument);
    for (Handler& handler : block.end.handlers) in(handler.binder);
  }

  Contract& contract_;
  const std::vector<Contract>& helpers_;
  FreshNames names_;
};

/// Facts that are not mentioned are no concern of the contract; the others are no locals.
void keep_used_facts(Contract& made) {
  std::vector<Term> terms = made.body.ensures;
  for (const Block& block : made.body.blocks) {
    for (const Statement& s : block.statements)
      for (const Term t : {s.target, s.value})
        if (t) terms.push_back(t);
    for (const Term t : {block.end.value, block.end.result})
      if (t) terms.push_back(t);
    terms.insert(terms.end(), block.end.arguments.begin(), block.end.arguments.end());
  }
  const std::vector<Term> used = variables(terms);
  std::erase_if(made.body.locals, [&](const Variable& local) {
    return std::ranges::find(made.facts, local.term, &Contract::Mention::variable) !=
           made.facts.end();
  });
  std::erase_if(made.facts, [&](const Contract::Mention& mention) {
    return std::ranges::find(used, mention.variable) == used.end() &&
           std::ranges::find(made.body.writes, mention.variable->name) == made.body.writes.end();
  });
}

void name_exceptions(Contract& made) {
  std::set<std::string> names(made.body.throws.begin(), made.body.throws.end());
  for (const Block& block : made.body.blocks) {
    if (block.end.kind == TerminatorKind::Throw && block.end.value->op == Op::EnumConst)
      names.insert(made.home->exceptions[static_cast<std::size_t>(block.end.value->number)].name);
    for (const Handler& h : block.end.handlers)
      if (h.exception != "*") names.insert(h.exception);
  }
  made.exceptions.assign(names.begin(), names.end());
}

} // namespace

Result<void> finish_template(Contract& contract, const std::vector<Contract>& helpers) {
  if (auto done = Splicer(contract, helpers).run(); !done) return done;
  const Procedure& body = contract.body;
  for (const Block& block : body.blocks)
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Client)
        return fail(body.where, "a contract has no client that could choose '{}'", s.target->name);
  if (contract.attributes.contains(Attribute::Fresh) &&
      (!body.blocks.empty() || !body.returns || body.returns->sort->kind != SortKind::Ref))
    return fail(body.where, "'fresh' is said of a function that returns a ref and has no body");
  keep_used_facts(contract);
  name_exceptions(contract);
  return {};
}

} // namespace tacit
