#include "client/new_objects.h"

#include <algorithm>
#include <map>
#include <set>

#include "client/java_program.h"
#include "frontend/llvm/lower.h"
#include "program/ir/names.h"
#include "program/reduce/inline.h"
#include "program/text/externs.h"

namespace tacit {

namespace {

constexpr std::string_view kept_prefix = "component.";
constexpr const char* handed_name = "component.handed";
constexpr std::size_t largest_callee = 400; // blocks, as for components

/// What stands for lines of the program where objects end: beyond all that are written.
int end_line(State state) { return 1'000'000 + static_cast<int>(state); }

using Variables = std::set<Term, TermById>;

/// What is handed to a callee of others is written down, so that it shows as a use after inlining:
/// also one that changes nothing may keep it, and what it returns may lead back (`List.of(c)`).
void mark_handed(Module& module) {
  const StateVariable* handed = module.find_state(handed_name);
  if (!handed) return;
  for (Procedure& p : module.procedures)
    for (Block& b : p.blocks) {
      if (b.end.kind != TerminatorKind::Call) continue;
      const Procedure* callee = module.find_procedure(b.end.name);
      if (!callee || callee->kind != ProcedureKind::Extern || callee->where.file == stand_in_file)
        continue;
      for (const Term argument : b.end.arguments)
        if (argument->sort->kind == SortKind::Ref)
          b.statements.push_back({.kind = StatementKind::Assign,
                                  .target = handed->term,
                                  .value = argument,
                                  .where = b.end.where});
    }
}

/// What callees of others do to objects nobody chooses.
void change_unknown(Module& module) {
  std::map<std::string, std::vector<Statement>> changes;
  for (Procedure& p : module.procedures)
    std::erase_if(p.writes, [&](const std::string& name) {
      if (!name.starts_with(kept_prefix)) return false;
      changes[p.name].push_back({.kind = StatementKind::Havoc,
                                 .target = module.find_state(name)->term,
                                 .chooser = Chooser::Unknown});
      return true;
    });
  expand_externs(module);
  for (Procedure& p : module.procedures)
    if (const auto found = changes.find(p.name); found != changes.end()) {
      auto& first = p.blocks.front().statements;
      first.insert(first.begin(), found->second.begin(), found->second.end());
    }
}

/// Every call of the written program gets a copy of it whose places say where it is called:
/// `FILE#LINE:line`, as those of C do.
void place_calls(Module& module) {
  std::vector<Procedure> copies;
  for (Procedure& p : module.procedures) {
    if (p.kind == ProcedureKind::Extern) continue;
    for (Block& b : p.blocks) {
      if (b.end.kind != TerminatorKind::Call) continue;
      const Procedure* callee = module.find_procedure(b.end.name);
      if (!callee || callee->where.file != stand_in_file) continue;
      Procedure copy = *callee;
      copy.name = fmt::format("{}@{}", callee->name, copies.size() + 1);
      if (copy.shown.empty()) copy.shown = callee->name;
      const auto place = [&](Location& where) {
        const std::string mark = where.line > 0 ? fmt::format("#{}", where.line) : "";
        where = {b.end.where.file + mark, b.end.where.line, 0};
      };
      for (Block& one : copy.blocks) {
        for (Statement& s : one.statements) place(s.where);
        place(one.end.where);
        one.end.made = {};
      }
      b.end.name = copy.name;
      copies.push_back(std::move(copy));
    }
  }
  for (Procedure& copy : copies) module.procedures.push_back(std::move(copy));
}

class Replacement {
public:
  Replacement(Module& module, Procedure& body, Term made)
      : module_(module), arena_(*module.arena), body_(body), made_(made) {}

  bool run(const EndStates& end) {
    find_copies();
    if (!only_known_uses() || !always_newest()) return false;
    FreshNames names(module_, body_);
    for (const StateVariable& v : module_.state)
      if (v.record == "component")
        locals_[v.term] = add_local(arena_, body_, names, v.name(), *v.type.value);
    for (Block& b : body_.blocks) replace(b);
    if (!end.may.empty()) watch_ends(end);
    return true;
  }

private:
  /// Before the procedure ends, or makes the next object.
  void watch_ends(const EndStates& end) {
    const std::size_t before = body_.blocks.size();
    for (BlockId b = 0; b < before; ++b) {
      for (std::size_t i = body_.blocks[b].statements.size(); i-- > 0;)
        if (body_.blocks[b].statements[i].target == made_)
          watch(b, i, body_.blocks[b].statements[i].where, end);
    }
    for (BlockId b = 0; b < body_.blocks.size(); ++b) {
      const Terminator& leaves = body_.blocks[b].end;
      const bool returns = leaves.kind == TerminatorKind::Return;
      if (!watched_.contains(b) && (returns || leaves.kind == TerminatorKind::Throw) &&
          !(returns && is_object(leaves.value)))
        watch(b, body_.blocks[b].statements.size(), leaves.where, end);
    }
  }

  /// Statements of a block from the given one on happen only where the object may end.
  void watch(BlockId block, std::size_t statement, Location where, const EndStates& end) {
    const auto first = body_.blocks[block].statements.begin() + static_cast<long>(statement);
    Block rest{{first, body_.blocks[block].statements.end()}, body_.blocks[block].end};
    body_.blocks[block].statements.erase(first, body_.blocks[block].statements.end());
    const Term state = locals_.at(module_.find_state("component.state")->term);
    const std::string file = where.file.substr(0, where.file.find('#'));
    BlockId at = block;
    for (State q = 0; q < end.may.size(); ++q) {
      if (end.may[q]) continue;
      where.file = fmt::format("{}#{}", file, end_line(q));
      const BlockId refused = body_.blocks.size(), next = refused + 1;
      body_.blocks[at].end = {.kind = TerminatorKind::Branch,
                              .value = arena_.eq(state, arena_.integer(q + 1)),
                              .next = refused,
                              .other = next,
                              .where = where};
      body_.blocks.push_back(
          {{}, {.kind = TerminatorKind::Error, .name = java_refusal, .where = where}});
      body_.blocks.emplace_back();
      at = next;
    }
    watched_.insert(at);
    body_.blocks[at] = std::move(rest);
  }

  bool is_object(Term term) const { return term && copies_.contains(term); }

  /// All variables that are never set to anything but the object.
  void find_copies() {
    copies_.insert(made_);
    for (bool more = true; more;) {
      more = false;
      for (const Variable& local : body_.locals) {
        if (local.type.sort->kind != SortKind::Ref || copies_.contains(local.term)) continue;
        std::size_t set = 0, copied = 0;
        for (const Block& b : body_.blocks)
          for (const Statement& s : b.statements)
            if (s.target == local.term) {
              ++set;
              copied += s.kind == StatementKind::Assign && is_object(s.value);
            }
        if (set == 0 || set != copied) continue;
        copies_.insert(local.term);
        more = true;
      }
    }
  }

  bool mentions(Term term) const {
    return std::ranges::any_of(variables(term), [&](Term v) { return is_object(v); });
  }

  bool is_kept(Term map) const {
    const StateVariable* v = map->op == Op::Var ? module_.find_state(map->name) : nullptr;
    return v && v->record == "component";
  }

  /// A map that is kept, with changes.
  bool is_kept_value(Term map) const {
    if (map->op == Op::Store) return is_kept_value(map->args[0]);
    if (map->op == Op::Ite) return is_kept_value(map->args[1]) && is_kept_value(map->args[2]);
    return is_kept(map);
  }

  bool harmless(Term term) const {
    if (is_object(term)) return false;
    if (!mentions(term)) return true;
    if (term->op == Op::Select && is_kept_value(term->args[0]))
      return harmless(term->args[0]) && (is_object(term->args[1]) || harmless(term->args[1]));
    if (term->op == Op::Store && is_kept_value(term->args[0]))
      return harmless(term->args[0]) && (is_object(term->args[1]) || harmless(term->args[1])) &&
             harmless(term->args[2]);
    if (term->op == Op::Eq && term->args[0]->sort->kind == SortKind::Ref) {
      const auto plain = [&](Term side) {
        return is_object(side) || (side->op == Op::RefConst && side->number == 0);
      };
      return plain(term->args[0]) && plain(term->args[1]);
    }
    return std::ranges::all_of(term->args, [&](Term part) { return harmless(part); });
  }

  bool only_known_uses() const {
    for (const Block& b : body_.blocks) {
      for (const Statement& s : b.statements) {
        const bool copy = s.kind == StatementKind::Assign && is_object(s.target);
        if (s.value && !copy && !harmless(s.value)) return false;
      }
      if (b.end.kind == TerminatorKind::Return && is_object(b.end.value)) continue;
      if (b.end.value && !harmless(b.end.value)) return false;
    }
    return true;
  }

  /// Whether a variable that may hold an older object, or none, is never used.
  bool always_newest() const {
    std::vector<std::optional<Variables>> old(body_.blocks.size()); // on entry
    old[0] = copies_;
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId at = work.back();
      work.pop_back();
      Variables now = *old[at];
      const auto uses_old = [&](Term term) {
        return term &&
               std::ranges::any_of(variables(term), [&](Term v) { return now.contains(v); });
      };
      for (const Statement& s : body_.blocks[at].statements) {
        if (s.target == made_) {
          now = copies_;
          now.erase(made_);
        } else if (is_object(s.target)) {
          if (now.contains(s.value))
            now.insert(s.target);
          else
            now.erase(s.target);
        } else if (uses_old(s.value)) {
          return false;
        }
      }
      const Terminator& end = body_.blocks[at].end;
      if (uses_old(end.value)) return false;
      for (const BlockId to : successors(end)) {
        Variables joined = old[to].value_or(Variables{});
        const std::size_t before = joined.size();
        joined.insert(now.begin(), now.end());
        if (old[to] && joined.size() == before) continue;
        old[to] = std::move(joined);
        work.push_back(to);
      }
    }
    return true;
  }

  /// What a map says about the object.
  Term of_object(Term map) {
    if (map->op == Op::Store)
      return is_object(map->args[1]) ? rewritten(map->args[2]) : of_object(map->args[0]);
    if (map->op == Op::Ite)
      return arena_.ite(rewritten(map->args[0]), of_object(map->args[1]), of_object(map->args[2]));
    return locals_.at(map);
  }

  Term rewritten(Term term) {
    if (!term || (!mentions(term) && !speaks_of_kept(term))) return term;
    if (term->op == Op::Select && is_kept_value(term->args[0]) && is_object(term->args[1]))
      return of_object(term->args[0]);
    if (term->op == Op::Store && is_object(term->args[1])) return rewritten(term->args[0]);
    if (term->args.empty()) return term;
    std::vector<Term> parts;
    for (const Term part : term->args) parts.push_back(rewritten(part));
    return arena_.rebuild(term, std::move(parts));
  }

  bool speaks_of_kept(Term term) const {
    return std::ranges::any_of(variables(term), [&](Term v) { return is_kept(v); });
  }

  void replace(Block& b) {
    std::vector<Statement> made;
    for (Statement& s : b.statements) {
      if (s.kind == StatementKind::Assign && is_kept(s.target) && is_kept_value(s.value)) {
        const Term value = of_object(s.value);
        const Term local = locals_.at(s.target);
        Statement other = s;
        other.value = rewritten(s.value);
        if (value != local) {
          s.target = local;
          s.value = value;
          made.push_back(std::move(s));
        }
        if (other.value != other.target) made.push_back(std::move(other));
        continue;
      }
      if (s.value && !is_object(s.value)) s.value = rewritten(s.value);
      made.push_back(std::move(s));
    }
    b.statements = std::move(made);
    if (b.end.value && !is_object(b.end.value)) b.end.value = rewritten(b.end.value);
  }

  Module& module_;
  TermArena& arena_;
  Procedure& body_;
  Term made_;
  Variables copies_;
  std::map<Term, Term, TermById> locals_; // by map
  std::set<BlockId> watched_;
};

/// Whether a call may return a reference that a field holds.
bool returns_held(const Module& module, const Procedure& p) {
  Variables returned;
  bool held = false;
  const auto take = [&](Term value) {
    if (value->op == Op::Var && !module.find_state(value->name))
      returned.insert(value);
    else
      held = held || value->op != Op::RefConst;
  };
  for (const Block& b : p.blocks)
    if (b.end.kind == TerminatorKind::Return && b.end.value &&
        b.end.value->sort->kind == SortKind::Ref)
      take(b.end.value);
  for (std::size_t before = 0; before != returned.size() && !held;) {
    before = returned.size();
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements) {
        if (s.kind != StatementKind::Assign) continue;
        if (returned.contains(s.target)) take(s.value);
        // A new object that a field holds, too.
        if (module.find_state(s.target->name) && !s.target->name.starts_with(kept_prefix))
          for (const Term v : variables(s.value)) held = held || returned.contains(v);
      }
  }
  return held;
}

} // namespace

void forget_given_away(Module& module, bool open_fields) {
  const auto kept = [](const StateVariable& v) { return v.name().starts_with(kept_prefix); };
  const bool given = open_fields || std::ranges::any_of(module.procedures, [&](const Procedure& p) {
                       return p.kind == ProcedureKind::Method && returns_held(module, p);
                     });
  if (!given) return;
  std::vector<Statement> forgotten;
  for (const StateVariable& v : module.state)
    if (kept(v))
      forgotten.push_back(
          {.kind = StatementKind::Havoc, .target = v.term, .chooser = Chooser::Unknown});
  for (Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Method) continue;
    auto& statements = p.blocks[0].statements;
    statements.insert(std::ranges::find_if_not(statements,
                                               [](const Statement& s) {
                                                 return s.kind == StatementKind::Havoc &&
                                                        s.chooser == Chooser::Client;
                                               }),
                      forgotten.begin(), forgotten.end());
  }
}

std::vector<std::string> separate_new_objects(Module& module, WrittenProgram& program,
                                              const EndStates& end) {
  for (State q = 0; q < end.may.size(); ++q)
    program.events[end_line(q)] = {
        ProgramEvent::Kind::Left, end.wanted[q], "", q, std::nullopt, ""};
  place_calls(module);
  mark_handed(module);
  change_unknown(module);
  std::vector<std::string> notes =
      inline_calls(module, {.limits = {.callee_blocks = largest_callee}});
  for (Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Method) continue;
    Variables found;
    std::map<Term, std::size_t, TermById> set;
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements) {
        if (s.target) ++set[s.target];
        if (s.kind == StatementKind::New && s.record == "component") found.insert(s.target);
      }
    for (const Term made : found) {
      const bool replaced =
          set[made] == 1 && !module.find_state(made->name) && Replacement(module, p, made).run(end);
      if (!replaced && !end.may.empty())
        program.open[p.name] = "an object that it makes is not followed to its end";
    }
  }
  return notes;
}

} // namespace tacit
