// Outcomes: what the client observes of a call. First every exit's possible values are found
// (constants.h) on the unchanged body and the outcomes fixed; then exits that can have several
// outcomes are branched over.
#include "program/observe/split.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "base/should.h"
#include "program/graph/branches.h"
#include "program/graph/constants.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

/// One outcome of an exit: when the value is one of these constants; for the last one, in all other
/// cases too.
struct Case {
  std::string outcome;
  std::vector<Term> constants;
  Term condition = nullptr; // instead
};

struct Exit {
  BlockId block = 0;
  std::vector<Case> cases;
};

bool is_exit(const Terminator& end) {
  return end.kind == TerminatorKind::Return || end.kind == TerminatorKind::Throw;
}

std::string text_of(Term constant) { return to_string(Value(constant->number), constant->sort); }

std::vector<Term> all_values(TermArena& arena, Sort sort) {
  const std::size_t size = sort->kind == SortKind::Bool ? 2 : sort->decl->values.size();
  std::vector<Term> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(arena.constant(sort, static_cast<Integer>(i)));
  return values;
}

class OutcomeSplit {
public:
  OutcomeSplit(Module& module, Procedure& procedure, const OutcomeOptions& options)
      : module_(module), arena_(*module.arena), procedure_(procedure), options_(options) {}

  std::vector<std::string> run() {
    find_values();
    std::vector<Exit> exits;
    for (const auto& [block, values] : values_)
      exits.push_back({block, cases(procedure_.blocks[block].end, values)});
    std::set<std::string> names;
    for (const Exit& exit : exits)
      for (const Case& one : exit.cases) names.insert(one.outcome);
    if (names.empty()) names.insert(options_.blind ? "any" : "returns");
    names_.assign(names.begin(), names.end());
    for (const Exit& exit : exits) split(exit);
    tidy(procedure_);
    return std::move(names_);
  }

private:
  void find_values() {
    const ConstantFinder finder(arena_, procedure_);
    for (BlockId b = 0; b < procedure_.blocks.size(); ++b) {
      const Terminator& end = procedure_.blocks[b].end;
      if (!is_exit(end)) continue;
      PossibleConstants values{.constants = {}, .other = true};
      if (end.value != nullptr && end.value->sort->kind != SortKind::Map)
        values = finder.at_end(b, end.value);
      if (end.kind == TerminatorKind::Return)
        returned_.insert(values.constants.begin(), values.constants.end());
      values_.emplace(b, std::move(values));
    }
  }

  std::vector<Case> cases(const Terminator& end, const PossibleConstants& values) const {
    if (options_.blind) return {{"any", {}}};
    if (end.kind == TerminatorKind::Throw) return throw_cases(values);
    if (end.value == nullptr) return {{"returns", {}}};
    const Sort sort = end.value->sort;
    if (sort->kind == SortKind::Bool || sort->kind == SortKind::Enum)
      return enumerated_cases(sort, values);
    if (options_.by_result && sort->kind == SortKind::Int) return result_cases(end.value);
    if (returned_.empty() || returned_.size() > options_.max_constants) return {{"returns", {}}};
    return constant_cases(values);
  }

  /// Exceptions of the same simple name are one outcome.
  std::vector<Case> throw_cases(const PossibleConstants& values) const {
    std::map<std::string, Case> found;
    for (const Term exception : candidates(module_.exception_sort, values)) {
      Case& one = found["throws=" + simple_name(text_of(exception))];
      one.outcome = "throws=" + simple_name(text_of(exception));
      one.constants.push_back(exception);
    }
    std::vector<Case> all;
    for (auto& [name, one] : found) all.push_back(std::move(one));
    return all;
  }

  std::vector<Case> enumerated_cases(Sort sort, const PossibleConstants& values) const {
    std::vector<Case> all;
    for (const Term value : candidates(sort, values))
      all.push_back({"returns=" + text_of(value), {value}});
    return all;
  }

  std::vector<Term> candidates(Sort sort, const PossibleConstants& values) const {
    if (values.other) return all_values(arena_, sort);
    return {values.constants.begin(), values.constants.end()};
  }

  std::vector<Case> result_cases(Term value) const {
    const ReturnSplit& by = *options_.by_result;
    const Term holds = by.on(arena_, value);
    if (is_true(holds)) return {{by.holds(), {}}};
    if (is_false(holds)) return {{by.fails(), {}}};
    return {{by.holds(), {}, holds}, {by.fails(), {}}};
  }

  /// What is no constant may still equal one that is returned elsewhere.
  std::vector<Case> constant_cases(const PossibleConstants& values) const {
    std::vector<Case> all;
    for (const Term constant : values.other ? returned_ : values.constants)
      all.push_back({"returns=" + text_of(constant), {constant}});
    if (values.other) all.push_back({"returns=other", {}});
    return all;
  }

  int index(const std::string& outcome) const {
    return static_cast<int>(std::ranges::lower_bound(names_, outcome) - names_.begin());
  }

  void split(const Exit& exit) {
    should(!exit.cases.empty(), "an exit should have an outcome");
    Terminator end = procedure_.blocks[exit.block].end;
    BlockId open = exit.block;
    for (std::size_t i = 0; i + 1 < exit.cases.size(); ++i) {
      end.outcome = index(exit.cases[i].outcome);
      const Case& one = exit.cases[i];
      const Term is_this = one.condition ? one.condition : is_one_of(end.value, one.constants);
      open = branch_to(procedure_, open, is_this, end, end) + 1;
    }
    end.outcome = index(exit.cases.back().outcome);
    procedure_.blocks[open].end = end;
  }

  Term is_one_of(Term value, const std::vector<Term>& constants) const {
    std::vector<Term> equal;
    for (const Term constant : constants) equal.push_back(arena_.eq(value, constant));
    return arena_.disj(std::move(equal));
  }

  Module& module_;
  TermArena& arena_;
  Procedure& procedure_;
  const OutcomeOptions& options_;
  std::map<BlockId, PossibleConstants> values_;
  std::set<Term, TermById> returned_;
  std::vector<std::string> names_;
};

} // namespace

namespace {

constexpr std::pair<std::string_view, std::string_view> opposites[] = {
    {"==", "!="}, {"!=", "=="}, {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}};

std::string outcome_named(std::string_view op, Integer limit) {
  return fmt::format("returns{}{}", op == "==" ? "=" : op, to_string(limit));
}

} // namespace

std::optional<ReturnSplit> parse_return_split(const std::string& text) {
  static const std::regex form(R"(\s*result\s*(==|!=|<=|>=|<|>)\s*(-?\d{1,18})\s*)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return std::nullopt;
  return ReturnSplit{parts[1].str(), std::stoll(parts[2].str())};
}

std::string ReturnSplit::holds() const { return outcome_named(op, limit); }

std::string ReturnSplit::fails() const {
  const auto found = std::ranges::find(opposites, op, [](const auto& pair) { return pair.first; });
  return outcome_named(found->second, limit);
}

Term ReturnSplit::on(TermArena& arena, Term value) const {
  const Term number = arena.integer(limit);
  if (op == "==") return arena.eq(value, number);
  if (op == "!=") return arena.ne(value, number);
  if (op == "<") return arena.lt(value, number);
  if (op == "<=") return arena.le(value, number);
  return op == ">" ? arena.lt(number, value) : arena.le(number, value);
}

std::vector<std::string> split_outcomes(Module& module, Procedure& procedure,
                                        const OutcomeOptions& options) {
  return OutcomeSplit(module, procedure, options).run();
}

} // namespace tacit
