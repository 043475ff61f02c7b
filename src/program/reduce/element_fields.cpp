#include "program/reduce/element_fields.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "program/graph/uses.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

using TermSet = std::set<Term, TermById>;

bool is_null(Term t) { return t->op == Op::RefConst && t->number == 0; }

/// What is known of a local reference that may be an element.
struct Element {
  Term key = nullptr;    // where it stands in the map, while it does
  Term inside = nullptr; // whether it stands there; a constant where that is always known
  Term gone = nullptr;   // whether something else was put in its place; null: never
};

/// One map of references, in all bodies.
class ElementFields {
public:
  ElementFields(Module& module, Term map)
      : module_(module), arena_(*module.arena), map_(map),
        key_type_(*module.find_state(map->name)->type.key) {}

  bool run() {
    const Term initial = module_.find_state(map_->name)->initial;
    if (!initial || initial->op != Op::ConstMap || !is_null(initial->args[0])) return false;
    find_fields();
    if (fields_.empty()) return false;
    for (const Procedure& p : module_.procedures)
      if (!puts_once(p)) return false;
    declare();
    for (Procedure& p : module_.procedures) rewrite(p);
    return true;
  }

private:
  // --- what is followed

  /// References that lead nowhere but to null, new objects and what the map holds.
  bool is_path(Term t) const {
    if (is_null(t)) return true;
    if (t->op == Op::Var) return !module_.find_state(t->name);
    if (t->op == Op::Ite) return is_path(t->args[1]) && is_path(t->args[2]);
    return t->op == Op::Select && t->args[0] == map_;
  }

  static void add_locals(Term path, TermSet& into) {
    if (path->op == Op::Var) into.insert(path);
    if (path->op != Op::Ite) return;
    add_locals(path->args[1], into);
    add_locals(path->args[2], into);
  }

  static bool looks_up(Term path) {
    if (path->op == Op::Ite) return looks_up(path->args[1]) || looks_up(path->args[2]);
    return path->op == Op::Select;
  }

  template <class See> static void each_access(Term t, TermSet& seen, const See& see) {
    if (!seen.insert(t).second) return;
    if (t->op == Op::Select || t->op == Op::Store) see(t->args[0], t->args[1]);
    for (const Term a : t->args) each_access(a, seen, see);
  }

  /// The map below stores and choices.
  static void add_bases(Term t, TermSet& into) {
    if (t->op == Op::Store) return add_bases(t->args[0], into);
    if (t->op == Op::Ite) {
      add_bases(t->args[1], into);
      return add_bases(t->args[2], into);
    }
    into.insert(t);
  }

  /// Locals that hold references which are followed, with all that they are copied from; none if
  /// one of them may hold something else.
  std::optional<TermSet> closed(const Procedure& p, TermSet locals) const {
    for (const Variable& v : p.parameters)
      if (locals.contains(v.term)) return std::nullopt;
    std::vector<Term> work(locals.begin(), locals.end());
    while (!work.empty()) {
      const Term at = work.back();
      work.pop_back();
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements) {
          if (s.target != at || s.kind == StatementKind::New) continue;
          if (s.kind != StatementKind::Assign || !is_path(s.value)) return std::nullopt;
          TermSet more;
          add_locals(s.value, more);
          for (const Variable& v : p.parameters)
            if (more.contains(v.term)) return std::nullopt;
          for (const Term m : more)
            if (locals.insert(m).second) work.push_back(m);
        }
    }
    return locals;
  }

  /// By field, the locals through which a body reaches it; nothing where it does so in another way.
  struct Access {
    bool strange = false;
    bool through_map = false;
    TermSet locals;
  };
  std::map<Term, Access, TermById> accesses(const Procedure& p) const {
    std::map<Term, Access, TermById> found;
    TermSet seen;
    const auto look = [&](Term root) {
      each_access(root, seen, [&](Term map, Term key) {
        TermSet bases;
        add_bases(map, bases);
        for (const Term base : bases) {
          if (base->op != Op::Var || !candidates_.contains(base)) continue;
          Access& access = found[base];
          if (!is_path(key)) {
            access.strange = true;
            continue;
          }
          add_locals(key, access.locals);
          access.through_map |= looks_up(key);
        }
      });
    };
    each_read(p, [&](Term t, Term) { look(t); });
    for (const Term t : p.preconditions) look(t);
    return found;
  }

  /// Fields whose every access is one that is followed, and some of them through the map.
  void find_fields() {
    for (const StateVariable& v : module_.state)
      if (!v.client && v.type.value && v.type.key->sort == arena_.ref_sort() &&
          !v.type.value->value && v.term != map_)
        candidates_.insert(v.term);
    TermSet bad, through;
    for (const Term t : module_.invariants) {
      TermSet seen;
      for (const Term v : variables(t)) bad.insert(v);
    }
    for (const Procedure& p : module_.procedures) {
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements)
          if (s.target && candidates_.contains(s.target) &&
              (s.kind != StatementKind::Assign || !is_update(s.value, s.target)))
            bad.insert(s.target);
      uses_as_a_whole(p, bad);
      for (const auto& [field, access] : accesses(p)) {
        const auto locals = access.strange ? std::nullopt : closed(p, access.locals);
        if (!locals) {
          bad.insert(field);
          continue;
        }
        if (access.through_map || reads_map(p, *locals)) through.insert(field);
      }
    }
    for (const Term field : through)
      if (!bad.contains(field)) fields_.insert(field);
  }

  bool reads_map(const Procedure& p, const TermSet& locals) const {
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Assign && locals.contains(s.target) && looks_up(s.value))
          return true;
    return false;
  }

  /// Stores into the variable itself, one after the other.
  static bool is_update(Term value, Term variable) {
    if (value->op == Op::Ite)
      return is_update(value->args[1], variable) && is_update(value->args[2], variable);
    return value == variable || (value->op == Op::Store && is_update(value->args[0], variable));
  }

  /// Fields that are read other than by one reference.
  void uses_as_a_whole(const Procedure& p, TermSet& bad) const {
    TermSet seen;
    const std::function<void(Term)> walk = [&](Term t) {
      if (!seen.insert(t).second) return;
      for (std::size_t i = 0; i < t->args.size(); ++i) {
        const Term a = t->args[i];
        if (a->op == Op::Var && candidates_.contains(a) && (t->op != Op::Select || i != 0))
          bad.insert(a);
        walk(a);
      }
    };
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements) {
        if (!s.value) continue;
        if (s.target && candidates_.contains(s.target)) {
          walk_update(s.value, walk);
        } else {
          if (candidates_.contains(s.value)) bad.insert(s.value);
          walk(s.value);
        }
      }
      if (b.end.value) walk(b.end.value);
      for (const Term a : b.end.arguments) walk(a);
    }
    for (const Term t : p.preconditions) walk(t);
  }

  static void walk_update(Term t, const std::function<void(Term)>& walk) {
    if (t->op == Op::Store) {
      walk_update(t->args[0], walk);
      walk(t->args[1]);
      walk(t->args[2]);
    } else if (t->op == Op::Ite) {
      walk(t->args[0]);
      walk_update(t->args[1], walk);
      walk_update(t->args[2], walk);
    }
  }

  // --- what is put into the map

  /// What a body may put there: stores of new objects and of what stands there already.
  bool puts_once(const Procedure& p) const {
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements) {
        if (s.target != map_) {
          if (s.value && mentions_whole_map(s.value)) return false;
          continue;
        }
        if (s.kind != StatementKind::Assign) return false;
        if (s.value->op == Op::ConstMap && is_null(s.value->args[0])) continue;
        if (!is_put(s.value)) return false;
        const Term stored = s.value->args[2];
        if (is_null(stored) || keeps(s.value)) continue;
        if (!is_path(stored) || looks_up(stored)) return false;
        TermSet locals;
        add_locals(stored, locals);
        const auto sources = closed(p, locals);
        if (!sources || reads_map(p, *sources) || put_again(p, b, s, *sources)) return false;
      }
    for (const Block& b : p.blocks) {
      if (b.end.value && mentions_whole_map(b.end.value)) return false;
      for (const Term a : b.end.arguments)
        if (mentions_whole_map(a)) return false;
    }
    return std::ranges::none_of(p.preconditions, [&](Term t) { return mentions_whole_map(t); });
  }

  bool is_put(Term value) const { return value->op == Op::Store && value->args[0] == map_; }

  /// `m[k := m[k]]`
  bool keeps(Term store) const {
    const Term value = store->args[2];
    return value->op == Op::Select && value->args[0] == map_ && value->args[1] == store->args[1];
  }

  bool mentions_whole_map(Term t) const {
    if (t == map_) return true;
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      if (t->op == Op::Select && i == 0 && t->args[i] == map_) continue;
      if (mentions_whole_map(t->args[i])) return true;
    }
    return false;
  }

  /// Whether an object that these locals hold may be put into the map behind this statement again,
  /// before they hold a new one.
  bool put_again(const Procedure& p, const Block& block, const Statement& put,
                 const TermSet& sources) const {
    std::set<BlockId> seen;
    std::vector<BlockId> work;
    // True when the walk finds a put; stops at what makes a new object.
    const auto walk = [&](const Block& b, std::size_t from, bool& ends) {
      for (std::size_t i = from; i < b.statements.size(); ++i) {
        const Statement& s = b.statements[i];
        if (s.kind == StatementKind::New && sources.contains(s.target)) {
          ends = true;
          return false;
        }
        if (s.target != map_ || s.kind != StatementKind::Assign || !is_put(s.value)) continue;
        TermSet locals;
        if (is_path(s.value->args[2])) add_locals(s.value->args[2], locals);
        const auto others = closed(p, locals);
        if (!others || std::ranges::any_of(*others, [&](Term t) { return sources.contains(t); }))
          return true;
      }
      return false;
    };
    const auto go_on = [&](const Block& b) {
      for (const BlockId next : successors(b.end))
        if (seen.insert(next).second) work.push_back(next);
    };
    bool ends = false;
    if (walk(block, static_cast<std::size_t>(&put - block.statements.data()) + 1, ends))
      return true;
    if (!ends) go_on(block);
    while (!work.empty()) {
      const Block& b = p.blocks[work.back()];
      work.pop_back();
      ends = false;
      if (walk(b, 0, ends)) return true;
      if (!ends) go_on(b);
    }
    return false;
  }

  // --- rewriting

  void declare() {
    const StateVariable map = *module_.find_state(map_->name);
    const auto prefix = [](const std::string& name) {
      const auto dot = name.rfind('.');
      return dot == std::string::npos ? name : name.substr(0, dot);
    };
    std::set<std::string> taken;
    for (const StateVariable& v : module_.state) taken.insert(v.name());
    for (const Procedure& p : module_.procedures)
      for (const auto* list : {&p.parameters, &p.locals})
        for (const Variable& v : *list) taken.insert(v.name());
    std::vector<StateVariable> made;
    for (const Term field : fields_) {
      const StateVariable& of = *module_.find_state(field->name);
      const std::string last = field->name.substr(field->name.rfind('.') + 1);
      StateVariable beside;
      std::string name = prefix(map.name()) + "." + last;
      while (!taken.insert(name).second) name += "'";
      beside.type = {.sort = arena_.map_sort(key_type_.sort, of.type.value->sort),
                     .key = map.type.key,
                     .value = of.type.value};
      beside.term = arena_.var(name, beside.type.sort);
      beside.shown = prefix(map.shown_name()) + "." + last;
      beside.initial = default_term(arena_, beside.type);
      beside_[field] = beside.term;
      made.push_back(std::move(beside));
    }
    const auto at = std::ranges::find(module_.state, map_, &StateVariable::term);
    module_.state.insert(at + 1, made.begin(), made.end());
  }

  Term local(Procedure& p, const std::string& wanted, const Type& type) {
    std::set<std::string> taken;
    for (const StateVariable& v : module_.state) taken.insert(v.name());
    for (const auto* list : {&p.parameters, &p.locals})
      for (const Variable& v : *list) taken.insert(v.name());
    std::string name = wanted;
    while (taken.contains(name)) name += "'";
    const Term made = arena_.var(name, type.sort);
    p.locals.push_back({made, type});
    return made;
  }

  void rewrite(Procedure& p) {
    elements_.clear();
    lost_.clear();
    TermSet locals;
    for (const auto& [field, access] : accesses(p))
      if (fields_.contains(field)) locals.insert(access.locals.begin(), access.locals.end());
    locals = *closed(p, locals);
    const bool puts = std::ranges::any_of(p.blocks, [&](const Block& b) {
      return std::ranges::any_of(b.statements, [&](const Statement& s) {
        return s.target == map_ && is_put(s.value) && !keeps(s.value);
      });
    });
    for (const Term t : locals) {
      bool made = false, found = false;
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements) {
          if (s.target != t) continue;
          made |= s.kind == StatementKind::New || has_new(s.value, locals);
          found |= s.kind == StatementKind::Assign && (looks_up(s.value) || has_locals(s.value));
        }
      Element& element = elements_[t];
      const Type boolean{.sort = arena_.bool_sort()};
      const bool never_inside = made && !found && !puts;
      const bool always_inside = found && !made;
      element.key = never_inside ? nullptr : local(p, t->name + ".key", key_type_);
      element.inside = never_inside    ? arena_.falsehood()
                       : always_inside ? arena_.truth()
                                       : local(p, t->name + ".inside", boolean);
      if (puts && !never_inside) {
        element.gone = local(p, t->name + ".gone", boolean);
        for (const Term field : fields_)
          lost_[{t, field}] =
              local(p, t->name + "." + field->name.substr(field->name.rfind('.') + 1),
                    *module_.find_state(field->name)->type.value);
      }
    }
    for (Term& t : p.preconditions) t = translated(t);
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      for (const Statement& s : b.statements) rewrite(s, made);
      b.statements = std::move(made);
      if (b.end.value) b.end.value = translated(b.end.value);
      for (Term& a : b.end.arguments) a = translated(a);
    }
    drop_unused_locals(p);
  }

  bool has_locals(Term path) const {
    TermSet locals;
    add_locals(path, locals);
    return !locals.empty();
  }
  /// Whether one of the locals among the alternatives may hold a new object: any may.
  bool has_new(Term path, const TermSet& locals) const {
    if (!path) return false;
    TermSet mine;
    add_locals(path, mine);
    return std::ranges::any_of(mine, [&](Term t) { return locals.contains(t); });
  }

  static Statement assignment(Term target, Term value, const Statement& from) {
    return {.kind = StatementKind::Assign, .target = target, .value = value, .where = from.where};
  }

  void rewrite(const Statement& s, std::vector<Statement>& made) {
    const auto element = s.target ? elements_.find(s.target) : elements_.end();
    if (s.target && fields_.contains(s.target)) {
      const Term inside = inside_after(s.value, s.target), outside = outside_after(s.value);
      if (outside != s.target) made.push_back(assignment(s.target, outside, s));
      if (inside != beside_.at(s.target))
        made.push_back(assignment(beside_.at(s.target), inside, s));
      return;
    }
    if (s.target == map_ && is_put(s.value) && !keeps(s.value)) return put(s, made);
    if (element == elements_.end()) {
      made.push_back(s);
      if (s.value) made.back().value = translated(s.value);
      return;
    }
    const Element& e = element->second;
    if (s.kind == StatementKind::New) {
      made.push_back(s);
      if (!is_constant(e.inside)) made.push_back(assignment(e.inside, arena_.falsehood(), s));
      if (e.gone) made.push_back(assignment(e.gone, arena_.falsehood(), s));
      return;
    }
    // All at once: what is copied may be this local itself.
    if (e.key) made.push_back(assignment(e.key, key_of(s.value), s));
    const Term inside = inside_of(s.value), gone = gone_of(s.value);
    if (e.gone) {
      for (const Term field : fields_)
        if (const Term lost = lost_of(s.value, field); lost != lost_.at({s.target, field}))
          made.push_back(assignment(lost_.at({s.target, field}), lost, s));
    }
    if (!is_constant(e.inside)) made.push_back(assignment(e.inside, inside, s));
    if (e.gone) made.push_back(assignment(e.gone, gone, s));
    made.push_back(s);
    made.back().value = translated(s.value);
  }

  /// A new object, or null, takes a place: its fields come with it, and who held what stood there
  /// before holds an object that is not followed.
  void put(const Statement& s, std::vector<Statement>& made) {
    const Term key = translated(s.value->args[1]), value = translated(s.value->args[2]);
    for (const auto& [t, e] : elements_) {
      if (!e.gone) continue;
      const Term same = arena_.conj(arena_.eq(t, value), arena_.ne(t, arena_.null()));
      made.push_back(assignment(
          e.gone,
          arena_.disj(e.gone, arena_.conj({e.inside, arena_.eq(e.key, key), arena_.negate(same)})),
          s));
      for (const Term field : fields_) {
        const Term lost = lost_.at({t, field});
        Statement unknown{.kind = StatementKind::Havoc,
                          .target = lost,
                          .chooser = Chooser::Unknown,
                          .where = s.where};
        made.push_back(std::move(unknown));
      }
      if (is_constant(e.inside)) continue;
      made.push_back(assignment(e.key, arena_.ite(same, key, e.key), s));
      made.push_back(assignment(e.inside, arena_.disj(e.inside, same), s));
    }
    if (!is_null(value))
      for (const Term field : fields_) {
        const Term beside = beside_.at(field);
        made.push_back(
            assignment(beside, arena_.store(beside, key, arena_.select(field, value)), s));
      }
    made.push_back(assignment(map_, arena_.store(map_, key, value), s));
  }

  Term key_of(Term path) {
    if (path->op == Op::Select) return translated(path->args[1]);
    if (path->op == Op::Var) {
      const auto e = elements_.find(path);
      return e != elements_.end() && e->second.key ? e->second.key
                                                   : default_term(arena_, key_type_);
    }
    if (path->op == Op::Ite) {
      // Where one side is null, its key does not matter.
      if (is_null(path->args[2])) return key_of(path->args[1]);
      if (is_null(path->args[1])) return key_of(path->args[2]);
      return arena_.ite(translated(path->args[0]), key_of(path->args[1]), key_of(path->args[2]));
    }
    return default_term(arena_, key_type_);
  }

  template <class Of> Term chosen(Term path, const Of& of) {
    if (path->op != Op::Ite) return of(path);
    return arena_.ite(translated(path->args[0]), chosen(path->args[1], of),
                      chosen(path->args[2], of));
  }
  Term inside_of(Term path) {
    return chosen(path, [&](Term t) {
      if (t->op == Op::Var) {
        const auto e = elements_.find(t);
        return e != elements_.end() ? e->second.inside : arena_.falsehood();
      }
      return arena_.truth();
    });
  }
  Term gone_of(Term path) {
    return chosen(path, [&](Term t) {
      const auto e = t->op == Op::Var ? elements_.find(t) : elements_.end();
      return e != elements_.end() && e->second.gone ? e->second.gone : arena_.falsehood();
    });
  }
  Term lost_of(Term path, Term field) {
    return chosen(path, [&](Term t) {
      const auto found = t->op == Op::Var ? lost_.find({t, field}) : lost_.end();
      return found != lost_.end()
                 ? found->second
                 : default_term(arena_, *module_.find_state(field->name)->type.value);
    });
  }

  /// What a field of the object at the end of a path holds.
  Term held(Term path, Term field) {
    return chosen(path, [&](Term t) {
      if (is_null(t)) return default_term(arena_, *module_.find_state(field->name)->type.value);
      if (t->op == Op::Select) return arena_.select(beside_.at(field), translated(t->args[1]));
      const Element& e = elements_.at(t);
      Term value = arena_.select(field, t);
      if (e.key) value = arena_.ite(e.inside, arena_.select(beside_.at(field), e.key), value);
      return e.gone ? arena_.ite(e.gone, lost_.at({t, field}), value) : value;
    });
  }

  Term translated(Term t) {
    if (t->args.empty()) return t;
    if (t->op == Op::Select && fields_.contains(t->args[0])) return held(t->args[1], t->args[0]);
    std::vector<Term> args;
    for (const Term a : t->args) args.push_back(translated(a));
    return arena_.rebuild(t, std::move(args));
  }

  /// A store at the places that a path may mean, by the conditions of its choices.
  template <class Place>
  Term store_at(Term base, Term path, Term value, Term when, const Place& place) {
    if (path->op == Op::Ite) {
      const Term condition = translated(path->args[0]);
      base = store_at(base, path->args[1], value, arena_.conj(when, condition), place);
      return store_at(base, path->args[2], value, arena_.conj(when, arena_.negate(condition)),
                      place);
    }
    return place(base, path, value, when);
  }

  Term stored(Term base, Term key, Term value, Term when) {
    return arena_.store(base, key, arena_.ite(when, value, arena_.select(base, key)));
  }

  /// An assignment to a field, as far as it means elements.
  Term inside_after(Term update, Term field) {
    if (update->op == Op::Ite)
      return arena_.ite(translated(update->args[0]), inside_after(update->args[1], field),
                        inside_after(update->args[2], field));
    if (update->op != Op::Store) return beside_.at(field);
    const Term base = inside_after(update->args[0], field);
    return store_at(base, update->args[1], translated(update->args[2]), arena_.truth(),
                    [&](Term into, Term path, Term value, Term when) {
                      if (path->op == Op::Select)
                        return stored(into, translated(path->args[1]), value, when);
                      if (path->op != Op::Var || !elements_.at(path).key) return into;
                      const Element& e = elements_.at(path);
                      Term here = arena_.conj(when, e.inside);
                      if (e.gone) here = arena_.conj(here, arena_.negate(e.gone));
                      return stored(into, e.key, value, here);
                    });
  }
  /// As far as it means new objects that are not there yet.
  Term outside_after(Term update) {
    if (update->op == Op::Ite)
      return arena_.ite(translated(update->args[0]), outside_after(update->args[1]),
                        outside_after(update->args[2]));
    if (update->op != Op::Store) return update;
    const Term base = outside_after(update->args[0]);
    return store_at(base, update->args[1], translated(update->args[2]), arena_.truth(),
                    [&](Term into, Term path, Term value, Term when) {
                      if (path->op != Op::Var || is_true(elements_.at(path).inside)) return into;
                      const Element& e = elements_.at(path);
                      return stored(into, path, value, arena_.conj(when, arena_.negate(e.inside)));
                    });
  }

  Module& module_;
  TermArena& arena_;
  const Term map_;
  const Type key_type_;
  TermSet candidates_; // maps of fields
  TermSet fields_;     // those that are followed
  std::map<Term, Term, TermById> beside_;
  // Of the body at hand.
  std::map<Term, Element, TermById> elements_;
  std::map<std::pair<Term, Term>, Term> lost_; // of an object that is gone, by local and field
};

} // namespace

std::size_t attach_element_fields(Module& module) {
  std::vector<Term> maps;
  for (const StateVariable& v : module.state)
    if (!v.client && v.type.value && v.type.value->sort == module.arena->ref_sort() &&
        v.type.key->sort != module.arena->ref_sort())
      maps.push_back(v.term);
  std::size_t taken = 0;
  for (const Term map : maps) taken += ElementFields(module, map).run() ? 1 : 0;
  return taken;
}

} // namespace tacit
