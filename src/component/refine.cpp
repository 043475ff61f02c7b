#include "component/refine.h"

#include <algorithm>
#include <set>

#include "base/should.h"
#include "program/ir/names.h"

namespace tacit {

bool CallSplits::splits() const {
  const auto split = [](const CallCells& cells) {
    return cells.entry.size() > 1 || !cells.results.empty();
  };
  return std::ranges::any_of(calls, split) || std::ranges::any_of(constructors, split);
}

Term result_variable(TermArena& arena, Sort sort) { return arena.var("result", sort); }

namespace {

/// One copy of a body for one condition on entry.
class VariantBody {
public:
  VariantBody(const Module& module, const Procedure& original, const Call& call)
      : module_(module), arena_(*module.arena), made_(original), call_(call) {}

  Procedure run(Term when, const CallCells& cells, CallVariant& variant) {
    for (std::size_t o = 0; o < call_.outcomes.size(); ++o)
      variant.outcomes.push_back({o, arena_.truth()});
    std::vector<Statement> entry;
    if (!is_true(when)) entry.push_back({.kind = StatementKind::Assume, .value = when});
    for (const auto& [outcome, conditions] : cells.results) {
      std::vector<Term> kept;
      for (Term condition : conditions) kept.push_back(as_on_entry(condition, entry));
      number_outcomes(outcome, conditions, variant);
      split_returns(outcome, kept);
    }
    auto& statements = made_.blocks[0].statements;
    const auto at = std::ranges::find_if_not(statements, [](const Statement& s) {
      return s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
    });
    statements.insert(at, entry.begin(), entry.end());
    return std::move(made_);
  }

private:
  /// What is said at the end about the beginning speaks of values that were kept.
  Term as_on_entry(Term condition, std::vector<Statement>& entry) {
    Substitution by;
    for (Term v : variables(condition)) {
      if (v->name == "result" || !is_written(v)) continue;
      auto [found, fresh] = kept_.try_emplace(v, nullptr);
      if (fresh) {
        found->second = arena_.var(fresh_name("entry." + v->name), v->sort);
        made_.locals.push_back({found->second, type_of(v)});
        entry.push_back({.kind = StatementKind::Assign, .target = found->second, .value = v});
      }
      by[v] = found->second;
    }
    return substitute(arena_, condition, by);
  }

  std::string fresh_name(const std::string& base) const {
    std::string name = base;
    for (int i = 2; made_.find_local(name) || module_.find_state(name); ++i)
      name = base + "." + std::to_string(i);
    return name;
  }

  const Type& type_of(Term variable) const {
    if (const Variable* local = made_.find_local(variable->name)) return local->type;
    return module_.state[*module_.state_index(variable)].type;
  }

  bool is_written(Term variable) const {
    for (const Block& b : made_.blocks)
      for (const Statement& s : b.statements)
        if (s.target == variable) return true;
    return false;
  }

  /// The first condition keeps the outcome's number, the others get new ones behind all.
  void number_outcomes(std::size_t outcome, const std::vector<Term>& conditions,
                       CallVariant& variant) {
    numbers_ = {outcome};
    variant.outcomes[outcome].when = conditions[0];
    for (std::size_t i = 1; i < conditions.size(); ++i) {
      numbers_.push_back(variant.outcomes.size());
      variant.outcomes.push_back({outcome, conditions[i]});
    }
  }

  void split_returns(std::size_t outcome, const std::vector<Term>& conditions) {
    const std::size_t blocks = made_.blocks.size();
    for (BlockId b = 0; b < blocks; ++b) {
      const Terminator end = made_.blocks[b].end;
      if (end.kind != TerminatorKind::Return || !end.value ||
          end.outcome != static_cast<int>(outcome))
        continue;
      const Substitution by{{result_variable(arena_, end.value->sort), end.value}};
      BlockId at = b;
      for (std::size_t i = 0; i < conditions.size(); ++i) {
        Terminator leave = end;
        leave.outcome = static_cast<int>(numbers_[i]);
        if (i + 1 == conditions.size()) {
          made_.blocks[at].end = leave;
          break;
        }
        const BlockId yes = static_cast<BlockId>(made_.blocks.size());
        made_.blocks.push_back({{}, leave});
        made_.blocks.push_back({});
        made_.blocks[at].end = {.kind = TerminatorKind::Branch,
                                .value = substitute(arena_, conditions[i], by),
                                .next = yes,
                                .other = yes + 1,
                                .where = end.where};
        at = yes + 1;
      }
    }
  }

  const Module& module_;
  TermArena& arena_;
  Procedure made_;
  const Call& call_;
  std::vector<std::size_t> numbers_; // of the outcomes that one outcome is split into
  std::map<Term, Term, TermById> kept_;
};

} // namespace

class ComponentRefiner {
public:
  ComponentRefiner(const Component& component, const CallSplits& alphabet)
      : component_(component), alphabet_(alphabet), made_{component, {}, {}} {}

  RefinedComponent run() {
    Module& module = made_.component.module_;
    module.procedures.clear();
    made_.component.calls_ = split(component_.calls(), alphabet_.calls, made_.calls);
    made_.component.constructors_ =
        split(component_.constructors(), alphabet_.constructors, made_.constructors);
    made_.component.letters_.clear();
    made_.component.first_letter_.clear();
    for (std::size_t c = 0; c < made_.component.calls_.size(); ++c) {
      made_.component.first_letter_.push_back(made_.component.letters_.size());
      for (std::size_t o = 0; o < made_.component.calls_[c].outcomes.size(); ++o)
        made_.component.letters_.push_back({c, o});
    }
    return std::move(made_);
  }

private:
  std::vector<Call> split(const std::vector<Call>& calls, const std::vector<CallCells>& cells,
                          std::vector<CallVariant>& variants) {
    Module& module = made_.component.module_;
    std::vector<Call> made;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      std::vector<Term> entry = cells[c].entry;
      if (entry.empty()) entry.push_back(component_.arena().truth());
      for (std::size_t i = 0; i < entry.size(); ++i) {
        CallVariant variant{c, entry[i], {}};
        Procedure body = VariantBody(component_.module(), component_.body(calls[c]), calls[c])
                             .run(entry[i], cells[c], variant);
        body.name = numbered(calls[c].name, i);
        Call call{body.name, module.procedures.size(), {}};
        std::map<std::size_t, std::size_t> seen;
        for (const CallVariant::Outcome& o : variant.outcomes)
          call.outcomes.push_back(numbered(calls[c].outcomes[o.outcome], seen[o.outcome]++));
        module.procedures.push_back(std::move(body));
        made.push_back(std::move(call));
        variants.push_back(std::move(variant));
      }
    }
    return made;
  }

  static std::string numbered(const std::string& name, std::size_t index) {
    return index == 0 ? name : name + "." + std::to_string(index + 1);
  }

  const Component& component_;
  const CallSplits& alphabet_;
  RefinedComponent made_;
};

RefinedComponent refine(const Component& component, const CallSplits& alphabet) {
  should(alphabet.calls.size() == component.calls().size() &&
             alphabet.constructors.size() == component.constructors().size(),
         "an alphabet should have cells for every call");
  return ComponentRefiner(component, alphabet).run();
}

} // namespace tacit
