// Inlining, callees first: each procedure is made free of calls once, and that body is copied to
// its call sites.
//
// What a copy does at its ends depends on the site: a return assigns the result and goes on behind
// the call, a throw goes to the first handler of the site that covers it or leaves the caller.
// Where a handler catches the failure of an opaque callee a flag is set, shared by all copies
// within one method, so that failures.h can tell the throws that follow from it.
#include "program/reduce/inline.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/should.h"
#include "program/graph/branches.h"
#include "program/graph/call_graph.h"
#include "program/graph/effects.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/observe/failures.h"
#include "program/observe/sites.h"

namespace tacit {

namespace {

/// " at x.c:12", or nothing when the place is not known.
std::string at(Location where) {
  where.column = 0;
  return where.known() ? " at " + to_string(where) : "";
}

bool is_clients(const Statement& statement) {
  return statement.kind == StatementKind::Havoc && statement.chooser == Chooser::Client;
}

/// One copy of a callee without calls at one site of a caller.
class Splice {
public:
  Splice(const Module& module, Procedure& caller, FreshNames& names, const Procedure& callee,
         Term failed)
      : module_(module), arena_(*module.arena), caller_(caller), names_(names), callee_(callee),
        failed_(failed) {}

  /// `again`: the site may be run more than once, so the callee's locals need their defaults each
  /// time. `clients`: what the callee leaves to its client is for the caller's client to choose.
  void at(BlockId block, bool again, bool clients) {
    clients_ = clients;
    site_ = caller_.blocks[block].end;
    first_ = static_cast<BlockId>(caller_.blocks.size());
    enter(caller_.blocks[block], again);
    for (const Block& original : callee_.blocks) caller_.blocks.push_back(copy(original));
    // Handlers of throws add blocks behind the copies.
    for (BlockId i = 0; i < callee_.blocks.size(); ++i) leave(first_ + i);
    auto& entry = caller_.blocks[0].statements;
    entry.insert(entry.begin(), chosen_.begin(), chosen_.end());
  }

private:
  Term rename(Term term) { return term == nullptr ? nullptr : substitute(arena_, term, renamed_); }

  void assign(Block& block, Term target, Term value, const Location& where) {
    block.statements.push_back(
        {.kind = StatementKind::Assign, .target = target, .value = value, .where = where});
  }

  Term local(const Variable& variable) {
    const std::string base = fmt::format("{}.{}", bare_name(callee_.name), variable.name());
    const Term term = add_local(arena_, caller_, names_, base, variable.type);
    renamed_.emplace(variable.term, term);
    return term;
  }

  /// The parameters' new locals are fresh, so assigning one does not disturb the arguments of the
  /// next.
  void enter(Block& block, bool again) {
    should(site_.arguments.size() == callee_.parameters.size(),
           "a call should have fitting arguments");
    for (std::size_t i = 0; i < site_.arguments.size(); ++i)
      assign(block, local(callee_.parameters[i]), site_.arguments[i], site_.where);
    for (const Variable& variable : callee_.locals) {
      const Term target = local(variable);
      if (again) assign(block, target, default_term(arena_, variable.type), site_.where);
    }
    block.end = {.kind = TerminatorKind::Goto,
                 .next = first_,
                 .procedure = site_.procedure,
                 .where = site_.where};
  }

  Block copy(const Block& original) {
    Block made = original;
    for (Statement& statement : made.statements) {
      statement.target = rename(statement.target);
      statement.value = rename(statement.value);
      if (statement.opaque) statement.opaque = at_site(*statement.opaque);
      // Within a call there is no client to choose: what a method leaves to its client, the
      // caller's data decide, and how is not known.
      if (statement.chooser != Chooser::Client) continue;
      if (clients_)
        chosen_.push_back(statement);
      else
        statement.chooser = Chooser::Unknown;
    }
    if (clients_) std::erase_if(made.statements, is_clients);
    made.end.value = rename(made.end.value);
    if (made.end.kind == TerminatorKind::Goto || made.end.kind == TerminatorKind::Branch)
      made.end.next += first_;
    if (made.end.kind == TerminatorKind::Branch) made.end.other += first_;
    if (made.end.procedure.empty()) made.end.procedure = callee_.name;
    return made;
  }

  /// The choice of an opaque callee gets the arguments of the site; within own code they are
  /// renamed. An argument that the callee may have changed since is not kept.
  std::shared_ptr<const OpaqueChoice> at_site(OpaqueChoice choice) {
    if (callee_.kind == ProcedureKind::Extern) {
      choice.arguments = site_.arguments;
      for (Term& argument : choice.arguments)
        for (const Block& block : callee_.blocks)
          for (const Statement& s : block.statements)
            if (argument && s.target && std::ranges::count(variables(argument), s.target) > 0)
              argument = nullptr;
    } else {
      for (Term& argument : choice.arguments) argument = rename(argument);
    }
    return std::make_shared<const OpaqueChoice>(std::move(choice));
  }

  void leave(BlockId id) {
    Block& block = caller_.blocks[id];
    should(block.end.kind != TerminatorKind::Call, "an inlined body should be free of calls");
    if (block.end.kind == TerminatorKind::Return) {
      if (site_.result != nullptr) {
        assign(block, site_.result, block.end.value, block.end.where);
        if (callee_.kind == ProcedureKind::Extern && block.end.environment)
          block.statements.back().opaque = std::make_shared<const OpaqueChoice>(
              OpaqueChoice{.callee = callee_.name, .shown = callee_.shown_name(), .result = true});
      }
      go_to(block, site_.next);
    } else if (block.end.kind == TerminatorKind::Throw) {
      if (callee_.kind == ProcedureKind::Extern && !block.end.environment) blame_caller(block.end);
      route(id);
    }
  }

  /// What an extern raises is the caller's error, at the line of the call.
  void blame_caller(Terminator& end) const {
    end.procedure = site_.procedure;
    end.where = site_.where;
  }

  /// When each handler of the site is the one that catches. Handlers that catch nothing are left
  /// out.
  std::vector<std::pair<const Handler*, Term>> catches(Term exception, bool& all_caught) const {
    std::vector<std::vector<Term>> cases(site_.handlers.size());
    all_caught = true;
    for (std::size_t e = 0; e < module_.exceptions.size(); ++e) {
      const auto covers = [&](const Handler& h) {
        return module_.exception_is(module_.exceptions[e].name, h.exception);
      };
      const auto handler = std::ranges::find_if(site_.handlers, covers);
      const Term same = arena_.eq(exception, arena_.enumerator(module_.exception_sort, e));
      if (handler == site_.handlers.end())
        all_caught &= is_false(same);
      else
        cases[static_cast<std::size_t>(handler - site_.handlers.begin())].push_back(same);
    }
    std::vector<std::pair<const Handler*, Term>> found;
    for (std::size_t h = 0; h < cases.size(); ++h)
      if (const Term when = arena_.disj(cases[h]); !is_false(when))
        found.emplace_back(&site_.handlers[h], when);
    return found;
  }

  /// The throw at the end of a block becomes a chain of branches into the handlers; what none
  /// covers is thrown on.
  void route(BlockId id) {
    const Terminator thrown = caller_.blocks[id].end;
    bool all_caught = false;
    const auto handlers = catches(thrown.value, all_caught);
    for (std::size_t h = 0; h < handlers.size(); ++h) {
      const auto& [handler, when] = handlers[h];
      if (all_caught && h + 1 == handlers.size())
        return enter_handler(caller_.blocks[id], thrown, *handler);
      const BlockId caught = branch_to(caller_, id, when, thrown, thrown);
      enter_handler(caller_.blocks[caught], thrown, *handler);
      id = caught + 1;
    }
  }

  void enter_handler(Block& block, const Terminator& thrown, const Handler& handler) {
    if (handler.binder != nullptr) assign(block, handler.binder, thrown.value, thrown.site());
    if (thrown.environment && failed_ != nullptr)
      assign(block, failed_, arena_.truth(), thrown.where);
    go_to(block, handler.target);
  }

  const Module& module_;
  TermArena& arena_;
  Procedure& caller_;
  FreshNames& names_;
  const Procedure& callee_;
  Term failed_;
  bool clients_ = false;
  std::vector<Statement> chosen_; // by the caller's client
  Terminator site_;
  BlockId first_ = 0;
  Substitution renamed_;
};

class Inliner {
public:
  Inliner(Module& module, const InlineOptions& options)
      : module_(module), options_(options), graph_(call_graph(module)),
        expanded_(module.procedures.size()) {
    for (std::size_t i = 0; i < module.procedures.size(); ++i)
      index_.emplace(module.procedures[i].name, i);
    if (options.track_failures) failed_ = flag();
  }

  std::vector<std::string> run() {
    const auto wanted = needed();
    for (const auto& component : graph_.bottom_up)
      for (const std::size_t member : component)
        if (wanted[member]) expanded_[member] = expand(module_.procedures[member]);
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      if (!is_root(module_.procedures[i])) continue;
      find_sites(*expanded_[i]);
      if (failed_ != nullptr) {
        mark_translated(*module_.arena, *expanded_[i], failed_);
        tidy(*expanded_[i]);
      }
      module_.procedures[i] = std::move(*expanded_[i]);
    }
    return std::move(notes_);
  }

private:
  /// A name that no procedure uses, because every copy keeps it.
  Term flag() const {
    Procedure everything;
    for (const Procedure& procedure : module_.procedures)
      for (const auto* list : {&procedure.parameters, &procedure.locals})
        everything.locals.insert(everything.locals.end(), list->begin(), list->end());
    return module_.arena->var(FreshNames(module_, everything).take("failed"),
                              module_.arena->bool_sort());
  }

  /// Methods, constructors, and what will be copied into them; recursive callees are never copied.
  std::vector<bool> needed() const {
    std::vector<bool> found(module_.procedures.size(), false);
    std::vector<std::size_t> work;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (is_root(module_.procedures[i])) work.push_back(i);
    for (const std::size_t root : work) found[root] = true;
    while (!work.empty()) {
      const std::size_t caller = work.back();
      work.pop_back();
      for (const std::size_t callee : graph_.callees[caller]) {
        if (found[callee] || graph_.recursive[callee]) continue;
        found[callee] = true;
        work.push_back(callee);
      }
    }
    return found;
  }

  Procedure expand(const Procedure& original) {
    Procedure made = original;
    for (Block& block : made.blocks)
      if (block.end.procedure.empty()) block.end.procedure = made.name;
    FreshNames names(module_, made);
    const auto again = blocks_in_cycles(made);
    std::vector<bool> opaque(again.size(), false); // something runs there that is not known
    for (BlockId b = 0; b < again.size(); ++b) {
      if (made.blocks[b].end.kind != TerminatorKind::Call) continue;
      Procedure storage;
      const Procedure& callee = body_for(made, made.blocks[b].end, storage);
      const bool clients = !again[b] && !again[0] && clients_choice(made, b, opaque);
      opaque[b] = calls_extern(index_.at(made.blocks[b].end.name));
      Splice(module_, made, names, callee, failed_).at(b, again[b], clients);
    }
    tidy(made);
    return made;
  }

  bool calls_extern(std::size_t procedure) {
    auto [at, fresh] = calls_extern_.try_emplace(procedure, false);
    if (!fresh) return at->second;
    bool found =
        module_.procedures[procedure].kind == ProcedureKind::Extern || graph_.recursive[procedure];
    for (const std::size_t callee : graph_.callees[procedure])
      found = found || calls_extern(callee);
    return calls_extern_[procedure] = found;
  }

  /// Whether what the callee at the site leaves to its client is chosen by the client of the
  /// caller: the caller hands its own arguments on, and nothing has happened to them.
  bool clients_choice(const Procedure& caller, BlockId site,
                      const std::vector<bool>& opaque) const {
    if (std::ranges::any_of(caller.blocks[0].statements, is_clients)) return false;
    std::vector<std::vector<BlockId>> before(caller.blocks.size());
    std::vector<Term> written;
    for (BlockId b = 0; b < caller.blocks.size(); ++b) {
      const Block& block = caller.blocks[b];
      for (const BlockId next : successors(block.end)) before[next].push_back(b);
      for (const Statement& s : block.statements) written.push_back(s.target);
      written.push_back(block.end.result);
      for (const Handler& h : block.end.handlers) written.push_back(h.binder);
    }
    for (const Term argument : caller.blocks[site].end.arguments) {
      if (argument->sort != module_.arena->ref_sort()) continue;
      if (std::ranges::find(caller.parameters, argument, &Variable::term) ==
              caller.parameters.end() ||
          std::ranges::count(written, argument) > 0)
        return false;
    }
    std::vector<bool> seen(caller.blocks.size(), false);
    std::vector<BlockId> work{site};
    seen[site] = true;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      const Block& block = caller.blocks[b];
      if ((b < opaque.size() && opaque[b]) ||
          (b != site && block.end.kind == TerminatorKind::Call) ||
          std::ranges::any_of(block.statements, [](const Statement& s) {
            return s.kind == StatementKind::Havoc && s.chooser != Chooser::Client;
          }))
        return false;
      for (const BlockId previous : before[b])
        if (!seen[previous]) {
          seen[previous] = true;
          work.push_back(previous);
        }
    }
    return true;
  }

  /// The body to copy: the callee's own or, put into `storage`, its summary.
  const Procedure& body_for(const Procedure& caller, const Terminator& site, Procedure& storage) {
    const std::size_t callee = index_.at(site.name);
    if (graph_.recursive[callee]) {
      note(fmt::format("recursive call of {}{} is summarised by its effects", site.name,
                       at(site.where)));
      return storage = summarise(callee);
    }
    const Procedure& body = *expanded_[callee];
    should(!body.blocks.empty(), "an extern should have a body before its calls are inlined");
    if (caller.blocks.size() + body.blocks.size() <= options_.limits.blocks &&
        body.blocks.size() <= options_.limits.callee_blocks)
      return body;
    note(fmt::format("{} is too large to be looked into{}; summarised by its effects", site.name,
                     at(site.where)));
    return storage = summarise(callee);
  }

  Procedure summarise(std::size_t callee) {
    if (effects_.empty()) effects_ = effects(module_);
    return summary(module_, module_.procedures[callee], effects_[callee]);
  }

  void note(std::string text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
  }

  Module& module_;
  const InlineOptions& options_;
  CallGraph graph_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::optional<Procedure>> expanded_;
  std::vector<Effects> effects_;
  std::unordered_map<std::size_t, bool> calls_extern_;
  std::vector<std::string> notes_;
  Term failed_ = nullptr;
};

} // namespace

std::vector<std::string> inline_calls(Module& module, const InlineOptions& options) {
  return Inliner(module, options).run();
}

} // namespace tacit
