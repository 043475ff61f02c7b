#include "program/reduce/flags.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "program/graph/uses.h"
#include "program/ir/bit_terms.h"
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
  FlagSplit(Module& module, const StateVariable& variable)
      : module_(module), arena_(*module.arena), of_(variable.term) {
    const auto& high = variable.type.high;
    width_ = 0;
    while (high && width_ < last && (Integer{1} << width_) <= *high) ++width_;
    if (!high || *high >> width_ != 0) width_ = unbounded;
    keeps_outside_ = variable.initial != nullptr;
    fills_ = width_ == unbounded || (Integer{1} << width_) - 1 == *high;
  }

  /// False where the variable is used in any other way; nothing is changed then.
  bool run() {
    for (const Procedure& p : module_.procedures)
      each_read(p, [&](Term value, Term) { find_bits(value); });
    constexpr std::size_t most = 16;
    if (!masked_ || bits_.empty() || (by_position_ ? width_ > last : bits_.size() > most))
      return false;
    if (by_position_) {
      for (int bit = 0; bit < width_; ++bit) bits_.insert(bit);
      const Sort sort = arena_.map_sort(arena_.int_sort(), arena_.bool_sort());
      set_ = arena_.var(of_->name, sort);
      keeps_outside_ =
          keeps_outside_ && std::ranges::none_of(module_.procedures, [&](const auto& p) {
            return std::ranges::any_of(p.blocks, [&](const Block& b) {
              return std::ranges::any_of(b.statements, [&](const Statement& s) {
                return s.kind == StatementKind::Havoc && s.target == of_;
              });
            });
          });
    }
    for (const int bit : bits_)
      truth_[bit] = set_ ? arena_.select(set_, arena_.integer(bit))
                         : arena_.var(name(bit), arena_.bool_sort());
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
    // Bits that the variable does not have are 0.
    const auto there = [&](int low) { return Range{low, std::clamp(width_ - low, 0, *width)}; };
    if (t->args[0] == of_) return there(0);
    if (t->args[0]->op != Op::Div || t->args[0]->args[0] != of_) return std::nullopt;
    const auto low = exponent(t->args[0]->args[1]);
    return low ? std::optional(there(*low)) : std::nullopt;
  }

  /// `v == 4`, where a number that nothing is below is compared with `<=` as well.
  std::optional<Integer> compared(Term t) const {
    if (width_ == unbounded) return std::nullopt;
    const auto is = [&](Op op, std::size_t i) {
      return t->op == op && t->args[i] == of_ && t->args[1 - i]->op == Op::IntConst;
    };
    if (is(Op::Eq, 0) && t->args[1]->number >= 0) return t->args[1]->number;
    if (is(Op::Le, 0) && t->args[1]->number == 0) return 0;
    if (is(Op::Lt, 0) && t->args[1]->number == 1) return 0;
    return std::nullopt;
  }

  /// `0 < v`, `1 <= v`: a bit is set.
  bool is_not_empty(Term t) const {
    if (width_ == unbounded || (t->op != Op::Lt && t->op != Op::Le) || t->args[1] != of_)
      return false;
    return t->args[0]->op == Op::IntConst && t->args[0]->number == (t->op == Op::Lt ? 0 : 1);
  }

  Term set_of(Integer number) {
    Term made = arena_.const_map(set_->sort, arena_.falsehood());
    for (int bit = 0; bit < width_; ++bit)
      if ((number >> bit & 1) != 0) made = arena_.store(made, arena_.integer(bit), arena_.truth());
    return made;
  }

  Term equals(Integer number) {
    if (number >> width_ != 0) return arena_.falsehood();
    if (set_ && keeps_outside_) return arena_.eq(set_, set_of(number));
    std::vector<Term> same;
    for (int bit = 0; bit < width_; ++bit)
      same.push_back((number >> bit & 1) != 0 ? truth_.at(bit) : arena_.negate(truth_.at(bit)));
    return arena_.conj(std::move(same));
  }

  /// The bits of the variable that are asked for by one position: `k == 0 && v % 2 != 0 || ...`.
  struct Position {
    Term at = nullptr;
    int bit = 0;
  };
  std::optional<Position> position(Term t) const {
    if (t->op != Op::And || t->args.size() != 2) return std::nullopt;
    const Term where = t->args[0];
    if (where->op != Op::Eq || where->args[1]->op != Op::IntConst) return std::nullopt;
    const Integer bit = where->args[1]->number;
    if (bit < 0 || bit >= width_ || t->args[1] != tacit::bit_of(arena_, of_, static_cast<int>(bit)))
      return std::nullopt;
    return Position{where->args[0], static_cast<int>(bit)};
  }

  /// By position: how many of the lowest bits are asked for, without a gap.
  std::map<Term, int, TermById> positions(Term t) const {
    std::map<Term, Bits, TermById> found;
    std::map<Term, int, TermById> whole;
    if (t->op != Op::Or) return whole;
    for (const Term part : t->args)
      if (const auto one = position(part)) found[one->at].insert(one->bit);
    for (const auto& [at, bits] : found)
      if (bits.size() > 1 && *bits.rbegin() + 1 == static_cast<int>(bits.size()))
        whole[at] = static_cast<int>(bits.size());
    return whole;
  }

  Term inside(Term at, int count) {
    return arena_.conj(arena_.le(arena_.integer(0), at), arena_.lt(at, arena_.integer(count)));
  }

  /// A disjunction in which bits are asked for by position; null when there are none.
  Term elements(Term t) {
    const auto asked = positions(t);
    if (asked.empty()) return nullptr;
    std::vector<Term> parts;
    for (const Term part : t->args) {
      const auto one = position(part);
      if (one && asked.contains(one->at)) continue;
      parts.push_back(without(part));
      if (!parts.back()) return nullptr;
    }
    for (const auto& [at, count] : asked) {
      const Term key = without(at);
      if (!key) return nullptr;
      parts.push_back(arena_.conj(inside(key, count), arena_.select(set_, key)));
    }
    return arena_.disj(std::move(parts));
  }

  /// The set after an assignment; null when the variable becomes something else.
  Term updated(Term value) {
    if (value == of_) return set_;
    if (value->op == Op::Mod) {
      const auto cut = exponent(value->args[1]);
      if (cut && *cut >= width_) return updated(value->args[0]);
    }
    if (value->op == Op::Ite) {
      if (const Term one = one_changed(value)) return one;
      const Term condition = without(value->args[0]);
      const Term yes = updated(value->args[1]), no = updated(value->args[2]);
      return condition && yes && no ? arena_.ite(condition, yes, no) : nullptr;
    }
    if (value->op == Op::IntConst)
      return value->number >= 0 && value->number >> width_ == 0 ? set_of(value->number) : nullptr;
    Term made = set_;
    for (const auto& [bit, truth] : truth_) {
      const Term one = bit_of(value, bit);
      if (!one) return nullptr;
      if (one != truth) made = arena_.store(made, arena_.integer(bit), one);
    }
    return made;
  }

  /// `v | 1 << k`, `v & ~(1 << k)` and `v ^ 1 << k`, as program/ir/bit_terms.h has them.
  Term one_changed(Term value) {
    const auto asked = positions(value->args[0]);
    if (asked.size() != 1) return nullptr;
    const auto [at, count] = *asked.begin();
    if (value->args[0] != bit_at(arena_, of_, at, count)) return nullptr;
    const Term set = arena_.add(of_, power_at(arena_, at, count)),
               cleared = arena_.sub(of_, power_below(arena_, at, count));
    const bool clears = value->args[1] == cleared, sets = value->args[2] == set;
    if ((!clears && value->args[1] != of_) || (!sets && value->args[2] != of_)) return nullptr;
    const Term key = without(at);
    if (!key) return nullptr;
    const Term element =
        clears && sets ? arena_.negate(arena_.select(set_, key)) : arena_.boolean(sets);
    return arena_.ite(inside(key, count), arena_.store(set_, key, element), set_);
  }

  /// `v / 4`: all bits from one on.
  std::optional<Range> rest(Term t) const {
    if (t->op != Op::Div || t->args[0] != of_) return std::nullopt;
    const auto low = exponent(t->args[1]);
    return low ? std::optional(Range{*low, last - *low}) : std::nullopt;
  }

  void find_bits(Term t) {
    if (const auto asked = range(t)) {
      masked_ = true;
      for (int i = 0; i < asked->width; ++i) bits_.insert(asked->low + i);
      return;
    }
    if (compared(t) || is_not_empty(t))
      for (int bit = 0; bit < width_; ++bit) bits_.insert(bit);
    by_position_ = by_position_ || !positions(t).empty();
    masked_ = masked_ || by_position_;
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
    if (const auto number = compared(t)) return equals(*number);
    if (is_not_empty(t)) return arena_.negate(equals(0));
    if (set_)
      if (const Term by_position = elements(t)) return by_position;
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

  /// `y % 2 + y / 4 % 64 * 4`: ranges of what was computed before, each in its own place.
  struct Masked {
    struct Part {
      Term of = nullptr;
      Range bits;
    };
    std::vector<Part> parts;
    Integer put = 0;
  };

  bool mask(Term t, Integer times, Masked& into) const {
    if (t->op == Op::IntConst) {
      into.put += times * t->number;
      return true;
    }
    if (t->op == Op::Add)
      return std::ranges::all_of(t->args, [&](Term part) { return mask(part, times, into); });
    if (t->op == Op::Mul && t->args[0]->op == Op::IntConst)
      return mask(t->args[1], times * t->args[0]->number, into);
    if (t->op == Op::Mul && t->args[1]->op == Op::IntConst)
      return mask(t->args[0], times * t->args[1]->number, into);
    const auto width = t->op == Op::Mod ? exponent(t->args[1]) : std::nullopt;
    if (!width) return false;
    const Term inner = t->args[0];
    const auto low = inner->op == Op::Div ? exponent(inner->args[1]) : std::optional(0);
    if (!low || times != Integer{1} << *low) return false;
    into.parts.push_back({inner->op == Op::Div ? inner->args[0] : inner, {*low, *width}});
    return true;
  }

  /// A bit of such a sum; null when it is none, or when parts overlap.
  Term masked_bit(Term value, int bit) {
    Masked sum;
    if (value->op != Op::Add || !mask(value, 1, sum) || sum.put < 0) return nullptr;
    if (std::ranges::all_of(sum.parts, [&](const auto& part) { return part.of == of_; }))
      return nullptr;
    Integer taken = sum.put;
    const Masked::Part* there = nullptr;
    for (const Masked::Part& part : sum.parts) {
      const Integer bits = ((Integer{1} << part.bits.width) - 1) << part.bits.low;
      if ((taken & bits) != 0) return nullptr;
      taken |= bits;
      if ((bits >> bit & 1) != 0) there = &part;
    }
    return there ? bit_of(there->of, bit) : arena_.boolean((sum.put >> bit & 1) != 0);
  }

  /// A bit of what is assigned; null when it is computed in another way.
  Term bit_of(Term value, int bit) {
    if (const Term masked = masked_bit(value, bit)) return masked;
    if (value->op == Op::Ite) {
      const Term condition = without(value->args[0]);
      const Term yes = bit_of(value->args[1], bit), no = bit_of(value->args[2], bit);
      return condition && yes && no ? arena_.ite(condition, yes, no) : nullptr;
    }
    if (value->op == Op::Mod && !range(value)) {
      const auto cut = exponent(value->args[1]);
      if (!cut) return nullptr;
      return bit < *cut ? bit_of(value->args[0], bit) : arena_.falsehood();
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
    if (set_) {
      if (s.kind != StatementKind::Assign && s.kind != StatementKind::Havoc) return false;
      if (s.kind == StatementKind::Havoc && !fills_) return false;
      Statement whole = s;
      whole.target = set_;
      if (s.kind == StatementKind::Assign && !(whole.value = updated(s.value))) return false;
      into.push_back(std::move(whole));
      return true;
    }
    std::vector<Statement> writes;
    for (const auto& [bit, truth] : truth_) {
      Statement one = s;
      one.target = truth;
      if (s.kind == StatementKind::Assign && !(one.value = bit_of(s.value, bit))) return false;
      if (s.kind != StatementKind::Assign && s.kind != StatementKind::Havoc) return false;
      if (s.kind == StatementKind::Havoc && !fills_) return false;
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
    if (set_) {
      StateVariable& set = module_.state[place];
      set.term = set_;
      const Type key{.sort = arena_.int_sort(), .low = Integer{0}, .high = Integer{width_ - 1}};
      set.type = Type{.sort = set_->sort,
                      .key = std::make_shared<const Type>(key),
                      .value = std::make_shared<const Type>(Type{.sort = arena_.bool_sort()})};
      if (whole.initial) set.initial = updated(whole.initial);
      return;
    }
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
  static constexpr int last = 64, unbounded = 1000;
  int width_ = unbounded;    // how many bits the variable has
  bool fills_ = true;        // it may be every number of so many bits
  bool masked_ = false;      // a bit is asked for: what is compared alone is a number
  bool by_position_ = false; // bits are asked for by a variable: one map for all of them
  Term set_ = nullptr;
  bool keeps_outside_ = false; // what is no bit is never in the set: equal sets are equal numbers
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
    if (free) FlagSplit(module, module.state[*module.state_index(variable)]).run();
  }
}

} // namespace tacit
