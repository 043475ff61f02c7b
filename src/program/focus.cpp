// Two passes over each body: a dataflow analysis numbers the values of references, then, when all
// keys of a record have one number, its maps are replaced.
#include "program/focus.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "program/call_graph.h"

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

using Numbers = std::map<Term, Number, TermById>; // a variable that is missing has no known value

class Bodies {
public:
  explicit Bodies(Module& module) : module_(module), arena_(*module.arena) {
    for (const StateVariable& v : module.state)
      if (v.type.sort == arena_.ref_sort()) pointers_.push_back(v.term);
  }

  /// By body and block: numbers on entry of the block.
  std::vector<Numbers> analyse(const Procedure& p) {
    std::vector<std::optional<Numbers>> in(p.blocks.size());
    Numbers start;
    for (const Term t : pointers_) start[t] = {Number::Kind::Entry, t, {}};
    in[0] = start;
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      Numbers now = *in[b];
      for (std::size_t i = 0; i < p.blocks[b].statements.size(); ++i)
        step(now, p.blocks[b].statements[i], {b, i});
      for (const BlockId to : successors(p.blocks[b].end)) {
        if (!in[to]) {
          in[to] = now;
          work.push_back(to);
          continue;
        }
        const std::size_t before = in[to]->size();
        std::erase_if(*in[to], [&](const auto& entry) {
          const auto other = now.find(entry.first);
          return other == now.end() || other->second != entry.second;
        });
        if (in[to]->size() != before) work.push_back(to);
      }
    }
    std::vector<Numbers> all;
    for (auto& numbers : in) all.push_back(numbers.value_or(Numbers{}));
    return all;
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
  std::vector<Term> pointers_;
};

/// One record: whether it can be focused, and doing it.
class Focus {
public:
  Focus(Bodies& bodies, const Record& record, std::vector<std::vector<Numbers>>& numbers)
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
      Numbers now = numbers_[i][b];
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

  /// Afterwards the pointer refers to the body's object, or to none. It is only ever set to these,
  /// so it may be left as it was where the body works on nothing else, or there was none before.
  bool leaves_well(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    const Number entry{Number::Kind::Entry, pointer_, {}};
    const bool made = objects_[i] && objects_[i]->kind == Number::Kind::Made;
    const bool none = p.kind == ProcedureKind::Constructor && starts_as_null();
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      Numbers now = numbers_[i][b];
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
    for (StateVariable& v : module_.state) {
      if (!maps_.contains(v.term)) continue;
      const Term map = v.term;
      v.type = Type(*v.type.value);
      v.term = arena_.var(names[map], v.type.sort);
      v.record.clear();
      if (v.initial) v.initial = v.initial->args[0];
      scalars_[map] = v.term;
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

  void rewrite(std::size_t i) {
    Procedure& p = module_.procedures[i];
    for (Block& block : p.blocks) {
      std::vector<Statement> made;
      for (Statement& s : block.statements) {
        const bool whole = s.target && scalars_.contains(s.target);
        if (whole) {
          if (s.value) s.value = element(s.value);
          s.target = scalars_.at(s.target);
        } else {
          s.value = value(s.value);
        }
        const bool nulled =
            s.kind == StatementKind::Assign && s.target == pointer_ && s.value == arena_.null();
        made.push_back(s);
        if (!nulled) continue;
        for (const auto& [map, scalar] : scalars_)
          made.push_back({.kind = StatementKind::Havoc,
                          .target = scalar,
                          .chooser = Chooser::Unknown,
                          .where = s.where});
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
  std::vector<std::vector<Numbers>>& numbers_;
  std::set<Term, TermById> maps_;
  std::vector<std::optional<Number>> objects_;
  Term pointer_ = nullptr;
  std::map<Term, Term, TermById> scalars_;
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
  Bodies bodies(module);
  std::vector<std::vector<Numbers>> numbers;
  for (const Procedure& p : module.procedures) numbers.push_back(bodies.analyse(p));
  std::size_t focused = 0;
  for (const Record& record : std::vector<Record>(module.records)) {
    if (!Focus(bodies, record, numbers).run()) continue;
    forget_record(module, record.name);
    ++focused;
    // Havocs were added: places have moved.
    numbers.clear();
    for (const Procedure& p : module.procedures) numbers.push_back(bodies.analyse(p));
  }
  return focused;
}

} // namespace tacit
