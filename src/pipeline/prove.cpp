#include "pipeline/prove.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "interface/diff_guarded.h"
#include "pipeline/looked_at.h"
#include "pipeline/make_component.h"
#include "pipeline/recheck.h"
#include "pipeline/synthesise.h"
#include "program/ir/names.h"
#include "program/text/print.h"
#include "synthesis/predicate/prove.h"
#include "synthesis/protocol/given.h"

namespace tacit {
namespace {

constexpr double own_share = 0.6;    // of the time, for an interface of the component's own
constexpr double prover_share = 0.8; // of what is left; the rest is for the second solver

bool returns_values(const Procedure& procedure) {
  return std::ranges::any_of(procedure.blocks, [](const Block& b) {
    return b.end.kind == TerminatorKind::Return && b.end.value && !is_constant(b.end.value);
  });
}

bool client_chooses(const Procedure& procedure) {
  return std::ranges::any_of(procedure.blocks, [](const Block& b) {
    return std::ranges::any_of(b.statements, [](const Statement& s) {
      return s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
    });
  });
}

/// Whether a client passes or sees anything but calls and outcomes.
bool observes_values(const Component& component) {
  return std::ranges::any_of(component.module().procedures, [](const Procedure& p) {
    return !p.parameters.empty() || returns_values(p) || client_chooses(p);
  });
}

/// An automaton without conditions, in the place of another interface of the same component.
Interface unguarded(const Protocol& protocol, const Component& component, const Interface& like) {
  Interface made = like;
  made.calls.clear();
  for (const Call& call : component.calls()) made.calls.push_back({call.name, call.outcomes});
  made.initial.clear();
  made.states.clear();
  made.transitions.clear();
  made.forbidden.clear();
  made.guards.clear();
  made.tracked.clear();
  made.nondeterminism.clear();
  for (std::size_t k = 0; k < component.constructors().size(); ++k)
    if (const State start = protocol.dfa.entries()[k]; start != no_state)
      made.initial.push_back({component.constructors()[k].name, start});
  for (State q = 0; q < protocol.dfa.states(); ++q) {
    made.states.push_back({protocol.allowed(q), ""});
    for (const Letter l : alphabetical_letters(component))
      if (const State to = protocol.dfa.next(q, l); to != no_state)
        made.transitions.push_back({q, component.letter(l).call, component.letter(l).outcome, to});
  }
  return made;
}

/// Evidence of one interface for another whose states are met together with its states. What does
/// not fit is left out: the second solver decides what it proves.
class Transfer {
public:
  Transfer(const Interface& own, const DiffReport& compared) : own_(own) {
    for (const auto& [theirs, ours] : compared.met) {
      pairs_[theirs].push_back(ours);
      theirs_[ours].push_back(theirs);
    }
  }

  void into(Interface& given) const {
    Evidence made;
    made.safe = labels(given, own_.evidence.safe);
    made.permissive = labels(given, own_.evidence.permissive);
    made.unwind = own_.evidence.unwind;
    made.invariants = own_.evidence.invariants;
    made.arguments = own_.evidence.arguments;
    for (State q = 0; q < given.states.size(); ++q) given.states[q].label = made.safe[q];
    if (given.forbidden.empty()) add_refusals(given);
    given.evidence = std::move(made);
    add_nodes(given);
  }

private:
  /// In a state of the given one, the component is where it is in one of the own states.
  std::vector<std::string> labels(const Interface& given,
                                  const std::vector<std::string>& from) const {
    std::vector<std::string> made;
    if (from.empty()) return made;
    for (State q = 0; q < given.states.size(); ++q) {
      std::string text;
      if (const auto met = pairs_.find(q); met != pairs_.end())
        for (const State own : met->second)
          text += (text.empty() ? "" : " || ") +
                  (met->second.size() == 1 ? from[own] : "(" + from[own] + ")");
      made.push_back(text.empty() ? "false" : text);
    }
    return made;
  }

  std::optional<State> only(const std::map<State, std::vector<State>>& in, State state) const {
    const auto found = in.find(state);
    if (found == in.end() || found->second.size() != 1) return std::nullopt;
    return found->second.front();
  }

  void add_refusals(Interface& given) const {
    for (const Refusal& refusal : own_.forbidden) {
      Refusal copy = refusal;
      if (refusal.state) {
        const auto there = only(theirs_, *refusal.state);
        if (!there || given.states[*there].allows[refusal.call]) continue;
        copy.state = there;
      }
      given.forbidden.push_back(std::move(copy));
    }
    std::ranges::stable_sort(given.forbidden, {}, [&](const Refusal& r) {
      return std::tuple(r.state.has_value(), r.state.value_or(0), given.refused_name(r));
    });
  }

  /// Where states correspond one to one.
  void add_nodes(Interface& given) const {
    if (own_.evidence.must.empty()) return;
    std::map<std::size_t, std::size_t> transitions; // own index -> given index
    for (std::size_t i = 0; i < own_.transitions.size(); ++i) {
      const InterfaceTransition& t = own_.transitions[i];
      const auto from = only(theirs_, t.from), to = only(theirs_, t.to);
      if (!from || !to) return;
      for (std::size_t j = 0; j < given.transitions.size(); ++j) {
        const InterfaceTransition& u = given.transitions[j];
        if (u.from == *from && u.to == *to && u.call == t.call && u.when == t.when &&
            given.calls[u.call].outcomes[u.outcome] == own_.calls[t.call].outcomes[t.outcome])
          transitions[i] = j;
      }
      if (!transitions.contains(i)) return;
    }
    std::map<std::size_t, std::size_t> refusals;
    for (const auto& [index, node] : own_.evidence.refusal_must) {
      const Refusal& refusal = own_.forbidden[index];
      for (std::size_t j = 0; j < given.forbidden.size(); ++j)
        if (refusal.state && given.forbidden[j].call == refusal.call &&
            given.forbidden[j].state == only(theirs_, *refusal.state))
          refusals[j] = node;
    }
    given.evidence.refusal_must = std::move(refusals);
    given.evidence.must = own_.evidence.must;
    for (MustNode& node : given.evidence.must) {
      node.state = *only(theirs_, node.state);
      for (MustNode::Incoming& incoming : node.incoming)
        incoming.transition = transitions.at(incoming.transition);
    }
  }

  const Interface& own_;
  std::map<State, std::vector<State>> pairs_, theirs_; // given -> own, own -> given
};

class ProveRun {
public:
  ProveRun(const Module& module, const ProveRequest& request, Budget& budget)
      : module_(module), request_(request), budget_(budget), options_(request.component) {}

  Result<ProveAnswer> run() {
    if (auto done = begin(); !done) return std::unexpected(done.error());
    if (options_.arguments != Arguments::Guarded) return by_letters(component_, {});
    if (!observes_values(*component_) && !(request_.result && request_.result->guarded()))
      return by_letters(std::make_shared<const Component>(component_->read_as(Arguments::Demonic)),
                        {});
    return by_own();
  }

private:
  void phase(const std::string& text) const {
    if (request_.phase) request_.phase(text);
  }

  /// The component, if the protocol speaks of no other one.
  Result<void> begin() {
    auto built = make_component(module_, options_);
    if (!built) return std::unexpected(built.error());
    component_ = std::make_shared<const Component>(std::move(*built));
    SpokenOf spoken = spoken_of(request_.given, *component_);
    if (!spoken.unknown.empty())
      return fail("the protocol names what the component does not have: {}",
                  fmt::join(spoken.unknown, ", "));
    answer_.not_spoken = std::move(spoken.not_spoken);
    if (auto nothing = nothing_to_prove(*component_, module_)) return std::unexpected(*nothing);
    return {};
  }

  // ---- whole calls

  Result<ProveAnswer> by_letters(const std::shared_ptr<const Component>& component,
                                 const std::shared_ptr<const Interface>& seed) {
    phase("proving the protocol");
    SynthesisOptions options;
    options.story = request_.story;
    options.seed = seed;
    Budget share(budget_.share(prover_share));
    auto found = prove_given(*component, determinised(request_.given, *component), options, share);
    budget_.count_queries(share.queries());
    if (!found) return std::unexpected(found.error());
    answer_.open = found->open;
    if (found->objection) answer_.objection = shown(*found->objection, *component);
    if (found->synthesis) {
      Interface result = std::move(found->synthesis->interface);
      if (seed) result.aside = seed->aside;
      finish(std::move(result), *component);
    }
    return std::move(answer_);
  }

  static ShownObjection shown(const Objection& objection, const Component& component) {
    const Trace& word = objection.word;
    ShownObjection made;
    made.constructor = component.constructors()[word.constructor].name;
    for (const std::size_t l : word.letters) {
      const CallOutcome letter = component.letter(l);
      const Call& call = component.calls()[letter.call];
      made.word.push_back(call.outcomes.size() > 1 ? component.letter_name(l) : call.name);
    }
    if (word.call) made.word.push_back(component.calls()[*word.call].name);
    made.safe = objection.kind == Objection::Kind::Errs;
    made.problem = made.safe ? "errs, and it is allowed"
                   : objection.kind == Objection::Kind::Unforeseen
                       ? "can happen, and no way leads on"
                       : "cannot err, and it is refused";
    made.shortest = objection.shortest;
    made.run = objection.run;
    made.error = objection.error;
    made.at = objection.at;
    return made;
  }

  // ---- guarded arguments

  Result<ProveAnswer> by_own() {
    phase("an interface of the component's own");
    SynthesisRequest own;
    own.component = options_;
    own.sources = request_.sources;
    own.story = request_.story;
    Budget share(budget_.share(own_share));
    auto answer = synthesise(module_, own, share);
    budget_.count_queries(share.queries());
    if (!answer) return std::unexpected(answer.error());
    const Interface& mine = answer->interface;
    const bool given_guards = request_.result && request_.result->guarded();
    if (!mine.guarded() && !given_guards)
      return by_letters(answer->component, std::make_shared<const Interface>(mine));
    const Component& component = *answer->component;
    Interface given = request_.result
                          ? taken_over(*request_.result, mine)
                          : unguarded(determinised(request_.given, component), component, mine);
    const DiffReport compared = diff_guarded(given, mine);
    std::string in_doubt;
    if ((answer_.objection = difference(compared, mine, component, in_doubt)))
      return std::move(answer_);
    if (mine.verdict.safe != Claim::Proved) {
      answer_.open = fmt::format("no difference was found, but what it was compared with is not "
                                 "proved itself: {}",
                                 reason(mine));
      return std::move(answer_);
    }
    Transfer(mine, compared).into(given);
    given.verdict = {};
    given.verdict.assumptions = mine.verdict.assumptions;
    given.verdict.safe = Claim::Proved;
    given.verdict.permissive = mine.verdict.permissive;
    if (mine.verdict.permissive != Claim::Proved)
      given.verdict.details["permissive"] = reason(mine);
    given.verdict.details["full"] = "nobody asked";
    finish(std::move(given), component);
    if (!answer_.proved() && !in_doubt.empty()) answer_.open = in_doubt;
    return std::move(answer_);
  }

  static std::string reason(const Interface& interface) {
    for (const char* claim : {"safe", "permissive"})
      if (const auto found = interface.verdict.details.find(claim);
          found != interface.verdict.details.end())
        return found->second;
    return "something stayed open";
  }

  /// What the given result says, on the component that it is compared on.
  static Interface taken_over(const Interface& given, const Interface& mine) {
    Interface made = given;
    made.options = mine.options;
    made.tir = mine.tir;
    made.aside = mine.aside;
    made.permissive_bound.reset();
    made.open_word.clear();
    made.parts.clear();
    return made;
  }

  /// Whether it happens whenever these calls are made: nothing that comes of one of them was chosen
  /// in the comparison, which knows values near those of conditions and not those of the component.
  static bool surely_happens(const std::vector<std::string>& word, const Component& component) {
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      const auto call = std::ranges::find_if(component.calls(), [&](const Call& one) {
        return bare_name(one.name) == bare_name(word[i]) &&
               (one.outcomes.size() > 1 || returns_values(component.body(one)));
      });
      if (call != component.calls().end()) return false;
    }
    return true;
  }

  /// The shortest concrete word on which they differ, that happens, and on which the own one is
  /// known to be right. `in_doubt` tells of another one.
  static std::optional<ShownObjection> difference(const DiffReport& compared, const Interface& mine,
                                                  const Component& component,
                                                  std::string& in_doubt) {
    const bool errs = mine.verdict.permissive == Claim::Proved,
               works = mine.verdict.safe == Claim::Proved;
    std::optional<ShownObjection> best;
    const auto offer = [&](bool allowed, ShownObjection made) {
      if (!(allowed ? works : errs)) return;
      made.safe = !allowed;
      made.problem = allowed ? "cannot err, and it is refused" : "errs, and it is allowed";
      if (!surely_happens(made.word, component))
        in_doubt = fmt::format("if {} · {} can happen, its last call {}", made.constructor,
                               fmt::join(made.word, " · "), made.problem);
      else if (!best || made.word.size() < best->word.size())
        best = std::move(made);
    };
    for (const ConstructorChange& change : compared.constructors)
      offer(
          change.allowed_now,
          {.constructor = change.constructor, .word = {}, .error = change.error, .at = change.at});
    for (const CallChange& change : compared.calls) {
      ShownObjection made{.constructor = change.constructor, .word = change.word};
      if (!change.allowed_now) {
        made.error = change.error;
        made.at = change.at;
      }
      offer(change.allowed_now, std::move(made));
    }
    return best;
  }

  // ----

  void finish(Interface result, const Component& component) {
    tell_what_was_looked_at(result, component, module_);
    result.engine = "prove";
    result.sources = request_.sources;
    result.tir = print_module(module_);
    result.stats.set("seconds", budget_.seconds_spent());
    result.stats.set("queries", budget_.queries());
    phase("checking the evidence with the second solver");
    Budget checking(BudgetLimits{.seconds = budget_.seconds_left().transform([](double left) {
      return std::max(least_checking_seconds, left);
    })});
    answer_.check = recheck(result, component, checking);
    leave_undecided_open(result);
    if (result.verdict.safe != Claim::Proved) answer_.open = reason(result);
    answer_.interface = std::move(result);
  }

  const Module& module_;
  const ProveRequest& request_;
  Budget& budget_;
  ComponentOptions options_;
  std::shared_ptr<const Component> component_;
  ProveAnswer answer_;
};

} // namespace

Result<ProveAnswer> prove(const Module& module, const ProveRequest& request, Budget& budget) {
  return ProveRun(module, request, budget).run();
}

} // namespace tacit
