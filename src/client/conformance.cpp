#include "client/conformance.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "client/entering.h"
#include "client/found_objects.h"
#include "client/traced_run.h"
#include "frontend/llvm/lower.h"
#include "pipeline/synthesise.h"

namespace tacit {

namespace {

/// A place of the lowered program: in the client, and the line of the written program if that was
/// being executed.
struct Place {
  Location client;
  std::optional<int> line;
};

Place place_of(const Location& where) {
  Place place{where, std::nullopt};
  const auto mark = where.file.rfind('#');
  if (mark == std::string::npos) return place;
  place.line = std::atoi(where.file.c_str() + mark + 1);
  place.client.file = where.file.substr(0, mark);
  return place;
}

bool is_written(const Location& where) { return where.file.starts_with(stand_in_file); }

void collect(const Procedure& p, std::set<Term, TermById>& read,
             std::set<Term, TermById>& written) {
  const auto reads = [&](Term term) {
    if (!term) return;
    for (const Term v : variables(term)) read.insert(v);
  };
  for (const Block& b : p.blocks) {
    for (const Statement& s : b.statements) {
      reads(s.value);
      if (s.target) written.insert(s.target);
    }
    reads(b.end.value);
    for (const Term argument : b.end.arguments) reads(argument);
    if (b.end.result) written.insert(b.end.result);
  }
}

/// The procedure that is not looked into, as an assumption says; empty: any. Nothing for other
/// assumptions.
std::optional<std::string> summarised(const std::string& text) {
  constexpr std::string_view recursive = "recursive call of ", large = " is too large to be looked",
                             made = "functions made by lambda expressions ";
  if (const auto at = text.find(large); at != std::string::npos) return text.substr(0, at);
  if (text.starts_with(recursive)) {
    const std::string name = text.substr(recursive.size());
    return name.substr(0, std::min(name.find(" at "), name.find(" is summarised")));
  }
  if (!text.starts_with(made)) return std::nullopt;
  const std::string rest = text.substr(made.size());
  return rest.starts_with("in ") ? rest.substr(3, rest.find(" are not run") - 3) : "";
}

class ClientJudge {
public:
  ClientJudge(const Interface& interface, const WrittenProgram& program, const Module& module,
              const ConformanceOptions& options)
      : interface_(interface), program_(program), module_(module), options_(options) {}

  Result<ClientReport> run() {
    report_.full = interface_.verdict.full == Claim::Proved;
    for (const std::string& text : module_.assumptions) assume(text);
    std::vector<std::string> all;
    for (const ClientFunction& f : program_.functions)
      for (const EntryPoint& e : f.entries)
        if (!module_.find_procedure(e.call))
          entries_[e.call].reason = "it was not lowered";
        else if (const std::string reason = not_looked_into(e.call); !reason.empty())
          entries_[e.call].reason = reason;
        else if (const std::string same = may_be_one(e); !same.empty())
          entries_[e.call].reason = same;
        else if (options_.proofs || reaches_refusal(e.call))
          all.push_back(e.call);
    // What depends on what others leave behind is judged together with them.
    const std::set<Term, TermById> shared = shared_state();
    // Also what is never refused changes what others find.
    std::vector<std::string> together;
    bool refused = false;
    for (const Procedure& p : module_.procedures) {
      if (p.kind != ProcedureKind::Method) continue;
      const bool judged = std::ranges::find(all, p.name) != all.end();
      if (options_.methods || depends_on(p.name, shared)) {
        together.push_back(p.name);
        refused |= judged;
      } else if (judged) {
        if (auto done = synthesise_for({p.name}); !done) return std::unexpected(done.error());
      }
    }
    if (refused)
      if (auto done = synthesise_for(together); !done) return std::unexpected(done.error());
    // What can be refused nothing needs no proof.
    std::erase_if(entries_, [&](const auto& one) {
      return one.second.verdict == Conformance::Unknown && one.second.tried &&
             !reaches_refusal(one.first);
    });
    for (const ClientFunction& f : program_.functions) report_.functions.push_back(judge(f));
    if (!options_.constructors.empty())
      if (auto done = judge_constructors(); !done) return std::unexpected(done.error());
    claim();
    std::ranges::stable_sort(report_.functions, {}, &FunctionVerdict::where);
    return std::move(report_);
  }

private:
  struct EntryVerdict {
    Conformance verdict = Conformance::Unknown;
    std::string reason;
    bool sometimes = false; // Follows: in some states of the client only
    bool tried = false;     // a proof was looked for
    std::optional<TracedRun> run;
    std::vector<std::string> before; // calls of other functions of the client that led there
  };

  /// What speaks of the written program alone is nobody's business.
  void assume(const std::string& text) {
    if (!text.contains("tacit_") && !text.contains(stand_in_file) &&
        std::ranges::find(report_.assumptions, text) == report_.assumptions.end())
      report_.assumptions.push_back(text);
  }

  std::set<std::string> reached(const std::string& root) const {
    std::set<std::string> found = reached_from(module_, root);
    if (const auto ran = program_.ran.find(root); ran != program_.ran.end())
      found.insert(ran->second.begin(), ran->second.end());
    return found;
  }

  /// State that starts as something and is changed. What starts as anything needs no care.
  std::set<Term, TermById> shared_state() const {
    std::set<Term, TermById> read, written, shared;
    for (const Procedure& p : module_.procedures) {
      collect(p, read, written);
      for (const std::string& name : p.writes)
        if (const StateVariable* v = module_.find_state(name)) written.insert(v->term);
    }
    for (const StateVariable& v : module_.state)
      if (v.initial && written.contains(v.term)) shared.insert(v.term);
    return shared;
  }

  bool depends_on(const std::string& root, const std::set<Term, TermById>& shared) const {
    std::set<Term, TermById> read, written;
    for (const std::string& name : reached(root))
      if (const Procedure* p = module_.find_procedure(name)) {
        collect(*p, read, written);
        for (const Term v : p->ensures) read.insert(v);
      }
    read.merge(written);
    return std::ranges::any_of(shared, [&](Term v) { return read.contains(v); });
  }

  /// Whether it may run into a refusal at all.
  bool reaches_refusal(const std::string& root) const {
    const auto raises = [&](const std::string& name) {
      const Procedure* p = module_.find_procedure(name);
      return options_.error == "reach:" + name ||
             (p && std::ranges::any_of(p->blocks, [&](const Block& b) {
                return b.end.kind == TerminatorKind::Error ||
                       (b.end.kind == TerminatorKind::Throw &&
                        options_.error.starts_with("throws:"));
              }));
    };
    return std::ranges::any_of(reached(root), raises);
  }

  /// A function of the client as its source calls it.
  std::string shown(const std::string& name) const {
    for (const ClientFunction& f : program_.functions)
      for (const EntryPoint& e : f.entries)
        if (e.call == name) return f.shown;
    return name;
  }

  /// Whether a procedure runs another one, by its name or the one that the source gives it; what
  /// nobody knows everybody runs.
  bool runs(const std::string& root, const std::string& name) const {
    if (!is_known(name)) return true;
    return std::ranges::any_of(reached(root), [&](const std::string& one) {
      const Procedure* p = module_.find_procedure(one);
      return one == name || (p && p->shown_name() == name);
    });
  }

  bool said_before(const std::string& text) const {
    return std::ranges::find(module_.assumptions, text) != module_.assumptions.end();
  }

  /// Whether somebody is known to run a procedure, or not to.
  bool is_known(const std::string& name) const {
    return module_.find_procedure(name) ||
           std::ranges::any_of(module_.procedures,
                               [&](const Procedure& p) { return p.shown_name() == name; }) ||
           std::ranges::any_of(program_.ran,
                               [&](const auto& one) { return one.second.contains(name); });
  }

  /// Callees of which only effects are kept hide what they are refused.
  std::string not_looked_into(const std::string& root) const {
    if (const auto open = program_.open.find(root); open != program_.open.end())
      return open->second;
    for (const std::string& text : module_.assumptions)
      if (const auto name = summarised(text); name && runs(root, *name)) return text;
    for (const std::string& name : reached(root)) {
      const Procedure* p = module_.find_procedure(name);
      if (!p || !reaches_refusal(name)) continue;
      for (const Block& b : p->blocks)
        if (b.end.kind == TerminatorKind::Call && reached(b.end.name).contains(name))
          return fmt::format("{} is recursive", shown(p->shown_name()));
    }
    return "";
  }

  /// Objects that an entry keeps apart although they may be one: those that it is handed lie in
  /// places of their own, and so do globals; both may be found in memory, too.
  std::string may_be_one(const EntryPoint& entry) const {
    const Touched touched = touched_objects(module_, reached(entry.call));
    const bool handed = std::ranges::any_of(
        entry.entered, [](const Entered& one) { return one.kind != Entered::Kind::Null; });
    if (touched.in_memory.size() > 1) return "objects that it finds in memory may be one";
    if (handed && !touched.in_memory.empty())
      return "an object that it is handed may be one that it finds in memory";
    if (!handed && touched.in_memory.empty()) return "";
    for (const std::string& global : touched.globals) {
      const std::string root = global.substr(0, global.find('.'));
      if (program_.named_by_others.contains(root) || module_.find_state("address." + root) ||
          module_.find_state(global + ".lent"))
        return fmt::format("an object that it is handed or finds in memory may be {}", root);
    }
    return "";
  }

  Result<void> synthesise_for(const std::vector<std::string>& calls) {
    SynthesisRequest request;
    request.component.methods = calls;
    request.component.errors = {options_.error};
    request.component.arguments = Arguments::Demonic;
    request.component.integers = Integers::Machine;
    request.needs = false;
    Budget budget(BudgetLimits{.seconds = options_.seconds});
    request.nothing = true;
    auto answer = synthesise(module_, request, budget);
    if (!answer) return std::unexpected(answer.error());
    tried_ = true;
    if (answer->interface.verdict.safe == Claim::Proved)
      for (const InitialState& initial : answer->interface.initial)
        made_.insert(initial.constructor);
    // A callee of which only effects are kept hides what it is refused.
    for (const std::string& text : answer->interface.verdict.assumptions) {
      assume(text);
      if (const auto name = summarised(text); name && !said_before(text))
        for (const std::string& call : calls)
          if (runs(call, *name)) entries_[call] = {.reason = text};
    }
    report_.queries += static_cast<std::size_t>(answer->interface.stats.count("queries"));
    for (const std::string& call : calls)
      if (!entries_.contains(call)) entries_[call] = settle(*answer, call);
    // Where a call is refused that may be right, nobody looked at what comes after it.
    const Interface& found = answer->interface;
    const bool refused = std::ranges::any_of(found.states, [](const InterfaceState& state) {
      return std::ranges::find(state.allows, false) != state.allows.end();
    });
    if (options_.proofs && found.verdict.safe == Claim::Proved) report_.proofs.push_back(found);
    if (found.verdict.permissive == Claim::Proved || !refused || calls.size() < 2) return {};
    // What is kept of objects matters to those only who find some.
    std::set<Term, TermById> shared = shared_state();
    std::erase_if(shared, [](Term v) {
      return v->name.starts_with("component.") || v->name.starts_with("tacit_object.");
    });
    for (const std::string& call : calls)
      if (entries_[call].verdict == Conformance::Follows && depends_on(call, shared))
        entries_[call].sometimes = true;
    return {};
  }

  /// A constructor that may be refused makes nothing safe: where something is, all follow.
  Result<void> judge_constructors() {
    std::vector<const Procedure*> open;
    for (const Procedure& p : module_.procedures)
      if (p.kind == ProcedureKind::Constructor && reaches_refusal(p.name)) open.push_back(&p);
    const auto settled = [&](const Procedure* p) {
      return made_.contains(p->name) && not_looked_into(p->name).empty();
    };
    const auto any = std::ranges::find(module_.procedures, ProcedureKind::Method, &Procedure::kind);
    if (!std::ranges::all_of(open, settled) && any != module_.procedures.end() && !tried_)
      if (auto done = synthesise_for({any->name}); !done) return done;
    std::erase_if(open, settled);
    for (const Procedure* p : open) {
      const std::string reason = not_looked_into(p->name);
      report_.functions.push_back(
          {.function = options_.constructors + p->shown_name(),
           .where = p->where,
           .reason = reason.empty() ? "the constructor is not proved to follow" : reason});
    }
    return {};
  }

  static EntryVerdict settle(const SynthesisAnswer& answer, const std::string& name) {
    const Interface& found = answer.interface;
    EntryVerdict verdict;
    verdict.tried = true;
    const auto detail = [&](const char* claim) {
      const auto text = found.verdict.details.find(claim);
      return text == found.verdict.details.end() ? std::string("no proof was found") : text->second;
    };
    const auto call = found.find_call(name);
    if (!call) {
      verdict.reason = "it was not looked at";
      return verdict;
    }
    if (found.verdict.safe != Claim::Proved) {
      verdict.reason = detail("safe");
      return verdict;
    }
    std::size_t allowed = 0;
    for (const InterfaceState& state : found.states) allowed += state.allows[*call];
    if (allowed == found.states.size() && !found.states.empty()) {
      verdict.verdict = Conformance::Follows;
      return verdict;
    }
    if (allowed > 0) {
      verdict.verdict = Conformance::Follows;
      verdict.sometimes = true;
      return verdict;
    }
    for (const Refusal& refusal : found.forbidden) {
      if (refusal.call != *call || !refusal.state) continue;
      verdict.run = trace_refusal(*answer.component, found, refusal);
      if (!verdict.run) continue;
      // What is hidden does not matter to what is proved to happen whatever it is.
      if (!verdict.run->unknown ||
          (verdict.run->hidden && found.verdict.permissive == Claim::Proved)) {
        verdict.verdict = Conformance::Violates;
        verdict.before = refusal.word;
        if (!verdict.before.empty()) verdict.before.pop_back();
        return verdict;
      }
    }
    if (verdict.run && verdict.run->unknown) {
      const Place place = place_of(*verdict.run->unknown);
      const std::string at =
          place.client.known() && !is_written(place.client) ? " at " + to_string(place.client) : "";
      verdict.reason =
          verdict.run->unknown_from.empty() || verdict.run->unknown_from.starts_with("tacit_")
              ? fmt::format("an object is not followed{}", at)
              : fmt::format("{} may change an object{}", verdict.run->unknown_from, at);
    } else {
      verdict.reason = detail("permissive");
    }
    return verdict;
  }

  static bool with_null(const EntryPoint& entry) {
    return std::ranges::any_of(entry.entered,
                               [](const Entered& one) { return one.kind == Entered::Kind::Null; });
  }

  std::string how_entered(const EntryPoint& entry, const ClientFunction& function) const {
    if (entry.found)
      return fmt::format("every {} that it comes by is in state {}", interface_.component_name,
                         *entry.found);
    const std::string handed = to_string(entry.entered, function.objects);
    return handed.empty() ? handed : "it is handed " + handed;
  }

  FunctionVerdict judge(const ClientFunction& function) {
    FunctionVerdict made{.function = function.shown, .where = function.where};
    std::vector<const EntryPoint*> good;
    const EntryPoint* bad = nullptr;
    bool sometimes = false, open = false;
    for (const EntryPoint& entry : function.entries) {
      const auto found = entries_.find(entry.call);
      // What reaches no refusal needs no proof.
      if (found == entries_.end() || found->second.verdict == Conformance::Follows) {
        good.push_back(&entry);
        sometimes |= found != entries_.end() && found->second.sometimes;
      } else if (found->second.verdict == Conformance::Violates) {
        if (!bad) bad = &entry;
      } else {
        open |= !with_null(entry);
        if (made.reason.empty()) made.reason = found->second.reason;
      }
    }
    // What is right for null alone is right for nothing that matters.
    if (good.size() < function.entries.size() &&
        std::ranges::all_of(good, [&](const EntryPoint* entry) { return with_null(*entry); }))
      good.clear();
    if (!good.empty()) {
      made.verdict = Conformance::Follows;
      made.reason.clear();
      if (good.size() < function.entries.size()) {
        std::vector<std::string> texts;
        for (const EntryPoint* entry : good) texts.push_back(how_entered(*entry, function));
        made.when = fmt::format("{}", fmt::join(texts, ", or "));
      }
      if (sometimes)
        made.when += fmt::format("{}the functions of the client are called in an order that suits",
                                 made.when.empty() ? "" : ", and ");
    } else if (bad && !open && bad->found) {
      // Those that are found may be in different states, and each in one that is right.
      made.reason = "it finds objects in memory, and not all of them may be in one state";
    } else if (bad && !open) {
      made.verdict = Conformance::Violates;
      made.reason.clear();
      explain(made, *entries_[bad->call].run);
      made.handed = how_entered(*bad, function);
    }
    return made;
  }

  /// Writes into each proof what it is one of.
  void claim() {
    for (Interface& proof : report_.proofs) {
      ClientClaims& claims = proof.client.emplace();
      claims.protocol = interface_.component_name;
      for (const ClientFunction& function : program_.functions)
        for (const EntryPoint& entry : function.entries) {
          const auto found = entries_.find(entry.call);
          if (!proof.find_call(entry.call) || found == entries_.end() ||
              found->second.verdict != Conformance::Follows)
            continue;
          claims.follow.push_back({.function = function.shown,
                                   .call = entry.call,
                                   .entered = how_entered(entry, function),
                                   .always = !found->second.sometimes});
        }
    }
    std::erase_if(report_.proofs, [](const Interface& p) { return p.client->follow.empty(); });
  }

  void explain(FunctionVerdict& made, const TracedRun& run) const {
    std::size_t change = 0;
    for (std::size_t i = 0; i < run.places.size(); ++i) {
      const Place place = place_of(run.places[i]);
      if (!place.client.known() || is_written(place.client)) continue;
      if (made.path.empty() || made.path.back().where != place.client)
        made.path.push_back({place.client, {}});
      for (; change < run.states.size() && run.states[change].first <= i; ++change)
        made.path.back().events.push_back(
            {.kind = ProgramEvent::Kind::Step, .to = run.states[change].second});
      if (!place.line) continue;
      const auto event = program_.events.find(*place.line);
      if (event == program_.events.end() || event->second.kind == ProgramEvent::Kind::Refused ||
          event->second.kind == ProgramEvent::Kind::Unmade)
        continue;
      auto& events = made.path.back().events;
      // First the choice is met, then what came of it.
      if (!events.empty() && events.back().call == event->second.call &&
          events.back().from == event->second.from && !events.back().to)
        events.pop_back();
      if (events.empty() || events.back().call != event->second.call ||
          events.back().from != event->second.from)
        events.push_back(event->second);
    }
    const Place end = place_of(run.end);
    made.at = end.client.known() ? end.client : made.where;
    if (!end.line) return;
    if (const auto event = program_.events.find(*end.line); event != program_.events.end())
      made.refused = event->second;
    const auto call = interface_.find_call(made.refused.call);
    if (!call || !made.refused.from) return;
    if (const Refusal* refusal = interface_.find_refusal(*made.refused.from, *call)) {
      made.error = refusal->at.empty() ? refusal->error : refusal->error + " at " + refusal->at;
      made.word = refusal->word;
    }
  }

  const Interface& interface_;
  const WrittenProgram& program_;
  const Module& module_;
  const ConformanceOptions& options_;
  ClientReport report_;
  std::map<std::string, EntryVerdict> entries_;
  std::set<std::string> made_; // constructors that are never refused
  bool tried_ = false;         // whether anything has been judged
};

} // namespace

std::set<std::string> reached_from(const Module& module, const std::string& root) {
  std::set<std::string> seen{root};
  std::vector<std::string> work{root};
  while (!work.empty()) {
    const Procedure* p = module.find_procedure(work.back());
    work.pop_back();
    if (!p) continue;
    for (const Block& b : p->blocks)
      if (b.end.kind == TerminatorKind::Call && seen.insert(b.end.name).second)
        work.push_back(b.end.name);
  }
  return seen;
}

Result<ClientReport> judge_client(const Interface& interface, const WrittenProgram& program,
                                  const Module& module, const ConformanceOptions& options) {
  return ClientJudge(interface, program, module, options).run();
}

void improve(FunctionVerdict& verdict, const FunctionVerdict& other) {
  if (verdict.verdict == Conformance::Unknown && other.verdict != Conformance::Unknown)
    verdict = other;
}

} // namespace tacit
