// Two passes over each body: a dataflow analysis numbers the values of references, then, when all
// keys of a record have one number, its maps are replaced.
#include "program/reduce/focus.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "program/graph/call_graph.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

/// What is known of a reference: null, the value that a state variable had on entry, the value that
/// a statement gave, or nothing.
struct Number {
  enum class Kind { Null, Entry, Made, Any };
  Kind kind = Kind::Any;
  Term variable = nullptr;               // Entry: the state variable; Made: what was assigned
  std::pair<BlockId, std::size_t> place; // Made
  bool operator==(const Number&) const = default;
};

/// The place of a value that is one of several, where ways meet: the start of the block.
constexpr std::size_t at_start = SIZE_MAX;

using Numbers = std::map<Term, Number, TermById>; // a variable that is missing has no known value

constexpr std::size_t most_joined = 6'000'000; // numbers, in all bodies

class Bodies {
public:
  explicit Bodies(Module& module) : module_(module), arena_(*module.arena) {
    for (const StateVariable& v : module.state)
      if (v.type.sort == arena_.ref_sort()) pointers_.push_back(&v);
  }

  /// By block: numbers on entry of it; nothing where no way leads. Where `left`, which counts the
  /// numbers that are joined, comes to its end, nothing is known of any of them.
  std::vector<std::optional<Numbers>> analyse(const Procedure& p, std::size_t& left) {
    std::vector<std::optional<Numbers>> in(p.blocks.size());
    Numbers start;
    for (const StateVariable* v : pointers_)
      if (p.kind == ProcedureKind::Constructor && v->initial == arena_.null())
        start[v->term] = {Number::Kind::Null, nullptr, {}};
      else
        start[v->term] = {Number::Kind::Entry, v->term, {}};
    in[0] = start;
    // What comes over each way; where they meet is worked out anew whenever one changes.
    std::map<BlockId, std::map<BlockId, Numbers>> coming;
    std::vector<BlockId> work{0};
    for (std::size_t rounds = 50 * p.blocks.size(); !work.empty(); --rounds) {
      if (rounds == 0 || left == 0)
        return std::vector<std::optional<Numbers>>(p.blocks.size(), Numbers{});
      const BlockId b = work.back();
      work.pop_back();
      Numbers now = *in[b];
      for (std::size_t i = 0; i < p.blocks[b].statements.size(); ++i)
        step(now, p.blocks[b].statements[i], {b, i});
      for (const BlockId to : ways(now, p.blocks[b].end)) {
        coming[to][b] = now;
        if (to == 0) coming[to].emplace(static_cast<BlockId>(p.blocks.size()), start);
        std::optional<Numbers> joined;
        for (const auto& [from, numbers] : coming[to]) {
          left -= std::min(left, 1 + numbers.size());
          if (joined)
            join(*joined, numbers, to);
          else
            joined = numbers;
        }
        if (in[to] == joined) continue;
        in[to] = std::move(joined);
        work.push_back(to);
      }
    }
    return in;
  }

  /// Where a block goes on, as far as null is known.
  std::vector<BlockId> ways(const Numbers& now, const Terminator& end) const {
    if (end.kind == TerminatorKind::Branch) {
      Term condition = end.value;
      const bool negated = condition->op == Op::Not;
      if (negated) condition = condition->args[0];
      if (condition->op == Op::Eq && condition->args[0]->sort == arena_.ref_sort() &&
          number(now, condition->args[0]).kind == Number::Kind::Null &&
          number(now, condition->args[1]).kind == Number::Kind::Null)
        return {negated ? end.other : end.next};
    }
    return successors(end);
  }

  /// Values that were made on different ways are one value afterwards.
  static void join(Numbers& into, const Numbers& other, BlockId at) {
    for (auto entry = into.begin(); entry != into.end();) {
      const auto more = other.find(entry->first);
      const Number joined{Number::Kind::Made, entry->first, {at, at_start}};
      if (more != other.end() && (more->second == entry->second || entry->second == joined)) {
        ++entry;
      } else if (more != other.end() && entry->second.kind != Number::Kind::Entry &&
                 more->second.kind != Number::Kind::Entry) {
        (entry++)->second = joined;
      } else {
        entry = into.erase(entry);
      }
    }
  }

  void step(Numbers& now, const Statement& s, std::pair<BlockId, std::size_t> place) const {
    if (s.kind == StatementKind::Assume || s.target->sort != arena_.ref_sort()) return;
    now[s.target] = s.kind == StatementKind::Assign ? number(now, s.value)
                                                    : Number{Number::Kind::Made, s.target, place};
    // A computed reference has its own number as well.
    if (now[s.target].kind == Number::Kind::Any)
      now[s.target] = {Number::Kind::Made, s.target, place};
  }

  Number number(const Numbers& now, Term t) const {
    if (t == arena_.null()) return {Number::Kind::Null, nullptr, {}};
    const auto known = now.find(t);
    return known == now.end() ? Number{} : known->second;
  }

  Module& module_;
  TermArena& arena_;
  std::vector<const StateVariable*> pointers_;
};

/// One record: whether it can be focused, and doing it.
class Focus {
public:
  Focus(Bodies& bodies, const Record& record,
        std::vector<std::vector<std::optional<Numbers>>>& numbers)
      : bodies_(bodies), module_(bodies.module_), arena_(bodies.arena_), record_(record.name),
        numbers_(numbers) {
    for (const StateVariable& v : module_.state)
      if (v.record == record_) maps_.insert(v.term);
  }

  bool run() {
    if (maps_.empty()) return false;
    for (const Term t : module_.invariants)
      if (mentions(t)) return false;
    for (std::size_t i = 0; i < module_.procedures.size(); ++i)
      if (!scan(i)) return false;
    if (!pointer_) return false;
    for (std::size_t i = 0; i < module_.procedures.size(); ++i)
      if (!leaves_well(i)) return false;
    if (!declare()) return false;
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) rewrite(i);
    return true;
  }

private:
  bool mentions(Term t) const {
    return t && std::ranges::any_of(variables(t), [&](Term v) { return maps_.contains(v); });
  }

  /// Keys of this record's maps within a term. False when a map is used in another way.
  bool keys(Term t, std::vector<Term>& found, std::set<Term, TermById>& seen) const {
    if (maps_.contains(t)) return false;
    if (!mentions(t) || !seen.insert(t).second) return true;
    if (t->op == Op::Select && is_map(t->args[0])) {
      found.push_back(t->args[1]);
      return map_keys(t->args[0], found, seen) && keys(t->args[1], found, seen);
    }
    return std::ranges::all_of(t->args, [&](Term a) { return keys(a, found, seen); });
  }

  /// A whole map of this record: one of its variables, updated, or a choice of such.
  bool is_map(Term t) const {
    if (maps_.contains(t)) return true;
    if (t->op == Op::Store) return is_map(t->args[0]);
    if (t->op == Op::Ite) return is_map(t->args[1]) && is_map(t->args[2]);
    return false;
  }

  bool map_keys(Term t, std::vector<Term>& found, std::set<Term, TermById>& seen) const {
    if (maps_.contains(t)) return true;
    if (t->op == Op::Store) {
      found.push_back(t->args[1]);
      return map_keys(t->args[0], found, seen) && keys(t->args[1], found, seen) &&
             keys(t->args[2], found, seen);
    }
    return keys(t->args[0], found, seen) && map_keys(t->args[1], found, seen) &&
           map_keys(t->args[2], found, seen);
  }

  /// The number that all keys in a body have.
  bool scan(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    objects_.resize(module_.procedures.size());
    const auto again = blocks_in_cycles(p);
    for (const Term t : p.preconditions)
      if (mentions(t)) return false;
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      if (!numbers_[i][b]) continue; // no way leads there
      Numbers now = *numbers_[i][b];
      const auto meet = [&](Term t, bool whole) {
        if (!mentions(t)) return true;
        std::vector<Term> found;
        std::set<Term, TermById> seen;
        if (!(whole && is_map(t) ? map_keys(t, found, seen) : keys(t, found, seen))) return false;
        return std::ranges::all_of(found, [&](Term k) {
          const Number n = bodies_.number(now, k);
          if (n.kind != Number::Kind::Entry && n.kind != Number::Kind::Made) return false;
          if (n.kind == Number::Kind::Made && again[n.place.first]) return false;
          if (!objects_[i]) objects_[i] = n;
          return *objects_[i] == n;
        });
      };
      const Block& block = p.blocks[b];
      for (std::size_t s = 0; s < block.statements.size(); ++s) {
        const Statement& statement = block.statements[s];
        const bool whole = statement.target && maps_.contains(statement.target);
        if (whole && statement.kind == StatementKind::Assign && !is_map(statement.value))
          return false;
        if (statement.value && !meet(statement.value, whole)) return false;
        bodies_.step(now, statement, {b, s});
      }
      if (block.end.value && !meet(block.end.value, false)) return false;
    }
    if (objects_[i] && objects_[i]->kind == Number::Kind::Entry) {
      if (pointer_ && pointer_ != objects_[i]->variable) return false;
      pointer_ = objects_[i]->variable;
    }
    return true;
  }

  bool starts_as_null() const {
    const StateVariable& v = module_.state[*module_.state_index(pointer_)];
    return v.initial == arena_.null();
  }

  static bool follows(const Procedure& p, BlockId from, BlockId to) {
    std::set<BlockId> seen{from};
    for (std::vector<BlockId> work{from}; !work.empty();) {
      const BlockId b = work.back();
      work.pop_back();
      for (const BlockId next : successors(p.blocks[b].end))
        if (seen.insert(next).second) work.push_back(next);
    }
    return seen.contains(to);
  }

  /// Afterwards the pointer refers to the body's object, or to none. It is only ever set to these,
  /// so it may be left as it was where the body works on nothing else, there was none before, or
  /// the body did not come to make its object.
  bool leaves_well(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    const Number entry{Number::Kind::Entry, pointer_, {}};
    const bool made = objects_[i] && objects_[i]->kind == Number::Kind::Made;
    const bool none = p.kind == ProcedureKind::Constructor && starts_as_null();
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      if (!numbers_[i][b]) continue;
      Numbers now = *numbers_[i][b];
      for (std::size_t s = 0; s < p.blocks[b].statements.size(); ++s) {
        const Statement& statement = p.blocks[b].statements[s];
        bodies_.step(now, statement, {b, s});
        if (statement.target != pointer_) continue;
        const Number n = bodies_.number(now, pointer_);
        const bool own = objects_[i] && n == *objects_[i];
        if (n.kind != Number::Kind::Null && !own && n != entry) return false;
      }
      if (!made || none || !successors(p.blocks[b].end).empty()) continue;
      const Number n = bodies_.number(now, pointer_);
      if (n == entry && !follows(p, objects_[i]->place.first, b)) continue;
      if (n.kind != Number::Kind::Null && n != *objects_[i]) return false;
    }
    return true;
  }

  bool declare() {
    std::map<Term, std::string, TermById> names;
    for (const StateVariable& v : module_.state) {
      if (!maps_.contains(v.term)) continue;
      const std::string field = v.name().substr(record_.size() + 1);
      names[v.term] = pointer_->name + "." + field;
      if (v.initial && v.initial->op != Op::ConstMap) return false;
      if (module_.find_state(names[v.term])) return false;
      for (const Procedure& p : module_.procedures)
        if (p.find_local(names[v.term])) return false;
    }
    const bool starts_empty = starts_as_null();
    for (StateVariable& v : module_.state) {
      if (!maps_.contains(v.term)) continue;
      const Term map = v.term;
      v.type = Type(*v.type.value);
      v.term = arena_.var(names[map], v.type.sort);
      v.record.clear();
      if (v.initial) v.initial = v.initial->args[0];
      if (starts_empty) v.initial = default_term(arena_, v.type);
      scalars_[map] = v.term;
      types_.emplace(map, v.type);
    }
    std::erase_if(module_.records, [&](const Record& r) { return r.name == record_; });
    return true;
  }

  /// The element of a whole map that belongs to the object.
  Term element(Term t) {
    if (const auto found = scalars_.find(t); found != scalars_.end()) return found->second;
    if (t->op == Op::Store) return value(t->args[2]);
    return arena_.ite(value(t->args[0]), element(t->args[1]), element(t->args[2]));
  }

  Term value(Term t) {
    if (!t || t->args.empty() || !mentions(t)) return t;
    if (const auto found = done_.find(t); found != done_.end()) return found->second;
    Term made = nullptr;
    if (t->op == Op::Select && is_map(t->args[0])) {
      made = element(t->args[0]);
    } else {
      std::vector<Term> args;
      for (const Term a : t->args) args.push_back(value(a));
      made = arena_.rebuild(t, std::move(args));
    }
    done_.emplace(t, made);
    return made;
  }

  void forget_fields(std::vector<Statement>& into, const Location& where) const {
    for (const auto& [map, scalar] : scalars_)
      into.push_back({.kind = StatementKind::Havoc,
                      .target = scalar,
                      .chooser = Chooser::Unknown,
                      .where = where});
  }

  /// Nobody reads them, so they may hold anything: what clients can follow.
  void empty_fields(std::vector<Statement>& into, const Location& where) const {
    for (const auto& [map, scalar] : scalars_)
      into.push_back({.kind = StatementKind::Assign,
                      .target = scalar,
                      .value = default_term(arena_, types_.at(map)),
                      .where = where});
  }

  void rewrite(std::size_t i) {
    Procedure& p = module_.procedures[i];
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      Block& block = p.blocks[b];
      std::vector<Statement> made;
      if (objects_[i] && objects_[i]->kind == Number::Kind::Made &&
          objects_[i]->place == std::pair(b, at_start))
        forget_fields(made, p.where);
      for (std::size_t at = 0; at < block.statements.size(); ++at) {
        Statement& s = block.statements[at];
        // What a new object holds is not what the one before held.
        const bool fresh = objects_[i] && objects_[i]->kind == Number::Kind::Made &&
                           objects_[i]->place == std::pair(b, at);
        const bool whole = s.target && scalars_.contains(s.target);
        if (whole) {
          if (s.value) s.value = element(s.value);
          s.target = scalars_.at(s.target);
        } else {
          s.value = value(s.value);
        }
        // Where an object is made, the fields are its own, whatever p holds in between.
        const bool makes = objects_[i] && objects_[i]->kind == Number::Kind::Made;
        const bool nulled = !makes && s.kind == StatementKind::Assign && s.target == pointer_ &&
                            s.value == arena_.null();
        made.push_back(s);
        if (fresh) forget_fields(made, s.where);
        if (nulled) empty_fields(made, s.where);
      }
      block.statements = std::move(made);
      block.end.value = value(block.end.value);
    }
    for (auto* list : {&p.parameters, &p.locals})
      for (Variable& v : *list)
        if (v.type.record == record_) v.type.record.clear();
  }

  Bodies& bodies_;
  Module& module_;
  TermArena& arena_;
  std::string record_;
  std::vector<std::vector<std::optional<Numbers>>>& numbers_;
  std::set<Term, TermById> maps_;
  std::vector<std::optional<Number>> objects_;
  Term pointer_ = nullptr;
  std::map<Term, Term, TermById> scalars_;
  std::map<Term, Type, TermById> types_; // of the scalars, by map
  std::unordered_map<Term, Term> done_;
};

/// References to a record that is no more are just references.
void forget_record(Module& module, const std::string& name) {
  for (StateVariable& v : module.state) {
    if (v.type.record == name) v.type.record.clear();
    if (v.type.value && v.type.value->record == name) {
      Type inner = *v.type.value;
      inner.record.clear();
      v.type.value = std::make_shared<Type>(std::move(inner));
    }
  }
  for (Record& r : module.records)
    for (auto& [field, type] : r.fields)
      if (type.record == name) type.record.clear();
}

} // namespace

std::size_t focus(Module& module) {
  std::size_t focused = 0, left = most_joined;
  std::optional<Bodies> bodies;
  std::vector<std::vector<std::optional<Numbers>>> numbers;
  for (const Record& record : std::vector<Record>(module.records)) {
    // Anew after each that was focused: that moved places and made variables.
    if (!bodies) {
      bodies.emplace(module);
      numbers.clear();
      for (const Procedure& p : module.procedures) numbers.push_back(bodies->analyse(p, left));
    }
    if (!Focus(*bodies, record, numbers).run()) continue;
    forget_record(module, record.name);
    ++focused;
    bodies.reset();
  }
  return focused;
}

} // namespace tacit
