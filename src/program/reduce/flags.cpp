#include "program/reduce/flags.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "program/graph/uses.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using Bits = std::set<int>;

/// The exponent of a power of two.
std::optional<int> exponent(Term t) {
  if (t->op != Op::IntConst || t->number <= 0) return std::nullopt;
  int bit = 0;
  while (bit < 62 && (Integer{1} << bit) < t->number) ++bit;
  return (Integer{1} << bit) == t->number ? std::optional(bit) : std::nullopt;
}

class FlagSplit {
public:
  FlagSplit(Module& module, Term variable)
      : module_(module), arena_(*module.arena), of_(variable) {}

  /// False where the variable is used in any other way; nothing is changed then.
  bool run() {
    for (const Procedure& p : module_.procedures)
      each_read(p, [&](Term value, Term) { find_bits(value); });
    constexpr std::size_t most = 16;
    if (bits_.empty() || bits_.size() > most) return false;
    for (const int bit : bits_) truth_[bit] = arena_.var(name(bit), arena_.bool_sort());
    std::vector<Procedure> made = module_.procedures;
    for (Procedure& p : made)
      if (!rewrite(p)) return false;
    declare();
    module_.procedures = std::move(made);
    return true;
  }

private:
  struct Range {
    int low = 0, width = 0;
  };

  std::string name(int bit) const { return fmt::format("{}.bit{}", of_->name, bit); }

  /// `v / 4 % 2`: the bits of the variable that a term is.
  std::optional<Range> range(Term t) const {
    if (t->op != Op::Mod) return std::nullopt;
    const auto width = exponent(t->args[1]);
    if (!width || *width == 0) return std::nullopt;
    if (t->args[0] == of_) return Range{0, *width};
    if (t->args[0]->op != Op::Div || t->args[0]->args[0] != of_) return std::nullopt;
    const auto low = exponent(t->args[0]->args[1]);
    return low ? std::optional(Range{*low, *width}) : std::nullopt;
  }

  /// `v / 4`: all bits from one on.
  std::optional<Range> rest(Term t) const {
    constexpr int last = 64;
    if (t->op != Op::Div || t->args[0] != of_) return std::nullopt;
    const auto low = exponent(t->args[1]);
    return low ? std::optional(Range{*low, last - *low}) : std::nullopt;
  }

  void find_bits(Term t) {
    if (const auto asked = range(t)) {
      for (int i = 0; i < asked->width; ++i) bits_.insert(asked->low + i);
      return;
    }
    for (const Term part : t->args) find_bits(part);
  }

  bool mentions(Term t) const {
    const auto all = variables(t);
    return std::ranges::find(all, of_) != all.end();
  }

  /// With truths for bits; null when the variable is asked for something else.
  Term without(Term t) {
    if (!mentions(t)) return t;
    if (const auto asked = range(t)) {
      Term sum = arena_.integer(0);
      for (int i = 0; i < asked->width; ++i)
        sum = arena_.add(sum, arena_.ite(truth_.at(asked->low + i), arena_.integer(Integer{1} << i),
                                         arena_.integer(0)));
      return sum;
    }
    if (t == of_) return nullptr;
    std::vector<Term> parts;
    for (const Term part : t->args) {
      parts.push_back(without(part));
      if (!parts.back()) return nullptr;
    }
    return arena_.rebuild(t, std::move(parts));
  }

  /// What is assigned, as a sum: what is left of the old value, and what is put there.
  struct Change {
    Integer old = 0, put = 0;
    std::map<int, Integer> bits; // by the lowest: how often a range of bits is there
    std::map<int, int> widths;
  };

  bool add(Term t, Integer times, Change& into) const {
    if (t == of_) {
      into.old += times;
      return true;
    }
    if (const auto asked = range(t) ? range(t) : rest(t)) {
      into.bits[asked->low] += times;
      return into.widths.try_emplace(asked->low, asked->width).first->second == asked->width;
    }
    switch (t->op) {
    case Op::IntConst: into.put += times * t->number; return true;
    case Op::Add:
      return std::ranges::all_of(t->args, [&](Term part) { return add(part, times, into); });
    case Op::Sub: return add(t->args[0], times, into) && add(t->args[1], -times, into);
    case Op::Neg: return add(t->args[0], -times, into);
    case Op::Mul:
      if (t->args[0]->op == Op::IntConst) return add(t->args[1], times * t->args[0]->number, into);
      if (t->args[1]->op == Op::IntConst) return add(t->args[0], times * t->args[1]->number, into);
      return false;
    default: return false;
    }
  }

  /// A bit of what is assigned; null when it is computed in another way.
  Term bit_of(Term value, int bit) {
    if (value->op == Op::Ite) {
      const Term condition = without(value->args[0]);
      const Term yes = bit_of(value->args[1], bit), no = bit_of(value->args[2], bit);
      return condition && yes && no ? arena_.ite(condition, yes, no) : nullptr;
    }
    Change change;
    if (!add(value, 1, change) || (change.old != 0 && change.old != 1)) return nullptr;
    // The bits that stand in the sum beside the old value leave it, those that stand alone are
    // kept.
    const Integer there = change.old == 1 ? -1 : 1;
    Integer named = 0;
    for (const auto& [low, times] : change.bits) {
      if (times == 0) continue;
      if (times != there * (Integer{1} << low)) return nullptr;
      for (int i = 0; i < change.widths.at(low); ++i) named |= Integer{1} << (low + i);
    }
    const bool is_named = (named >> bit & 1) != 0;
    const Integer free = change.old == 1 ? named : ~named;
    if (change.put < 0 || (change.put & ~free) != 0) return nullptr;
    if (is_named == (change.old == 1)) return arena_.boolean((change.put >> bit & 1) != 0);
    return truth_.at(bit);
  }

  bool rewrite(Procedure& p) {
    for (Block& b : p.blocks) {
      std::vector<Statement> statements;
      for (Statement& s : b.statements) {
        if (s.target == of_) {
          if (!rewrite_write(s, statements)) return false;
          continue;
        }
        if (s.value && !(s.value = without(s.value))) return false;
        statements.push_back(std::move(s));
      }
      b.statements = std::move(statements);
      if (b.end.value && !(b.end.value = without(b.end.value))) return false;
      for (Term& argument : b.end.arguments)
        if (!(argument = without(argument))) return false;
      if (b.end.result == of_) return false;
    }
    return std::ranges::none_of(p.preconditions, [&](Term t) { return mentions(t); }) &&
           std::ranges::none_of(p.ensures, [&](Term t) { return mentions(t); }) &&
           std::ranges::find(p.writes, of_->name) == p.writes.end();
  }

  bool rewrite_write(const Statement& s, std::vector<Statement>& into) {
    std::vector<Statement> writes;
    for (const auto& [bit, truth] : truth_) {
      Statement one = s;
      one.target = truth;
      if (s.kind == StatementKind::Assign && !(one.value = bit_of(s.value, bit))) return false;
      if (s.kind != StatementKind::Assign && s.kind != StatementKind::Havoc) return false;
      if (one.value != truth) writes.push_back(std::move(one));
    }
    // All at once: no bit may ask for one that was written before it.
    for (std::size_t i = 0; i < writes.size(); ++i)
      for (std::size_t j = i + 1; j < writes.size(); ++j)
        if (writes[j].value && std::ranges::count(variables(writes[j].value), writes[i].target))
          return false;
    into.insert(into.end(), writes.begin(), writes.end());
    return true;
  }

  void declare() {
    const std::size_t place = *module_.state_index(of_);
    const StateVariable whole = module_.state[place];
    std::vector<StateVariable> made;
    for (const auto& [bit, truth] : truth_) {
      StateVariable one;
      one.term = truth;
      one.type = Type{.sort = arena_.bool_sort()};
      one.shown = fmt::format("{} & {}", whole.shown_name(), to_string(Integer{1} << bit));
      if (whole.initial) one.initial = arena_.boolean((whole.initial->number >> bit & 1) != 0);
      made.push_back(std::move(one));
    }
    const auto at = module_.state.erase(module_.state.begin() + static_cast<std::ptrdiff_t>(place));
    module_.state.insert(at, made.begin(), made.end());
  }

  Module& module_;
  TermArena& arena_;
  Term of_;
  Bits bits_;
  std::map<int, Term> truth_;
};

} // namespace

void split_flags(Module& module, const std::set<std::string>& kept) {
  const auto is_number = [](const StateVariable& v) {
    return v.type.sort->kind == SortKind::Int && v.type.low && *v.type.low >= 0 && !v.client &&
           (!v.initial || (v.initial->op == Op::IntConst && v.initial->number >= 0));
  };
  std::vector<Term> candidates;
  for (const StateVariable& v : module.state)
    if (is_number(v) && !kept.contains(v.name())) candidates.push_back(v.term);
  for (const Term variable : candidates) {
    const bool free = std::ranges::none_of(
        module.invariants, [&](Term t) { return std::ranges::count(variables(t), variable) > 0; });
    if (free) FlagSplit(module, variable).run();
  }
}

} // namespace tacit
