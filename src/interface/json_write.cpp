// The writing half of json.h. The order of fields is fixed, and each state, transition, refusal and
// label has a line of its own, so that equal results are equal files and two results compare line
// by line.
#include <sstream>

#include "base/should.h"
#include "interface/json.h"

#include "interface/json_emitter.h"
#include <algorithm>

namespace tacit {
namespace {

using Layout = JsonEmitter::Layout;

class ResultWriter {
public:
  explicit ResultWriter(JsonEmitter& json) : json_(json) {}

  /// The interface before pruning is about the same component, so its text is not repeated.
  void result(const Interface& interface, bool nested) {
    json_.begin_object(Layout::Rows);
    const bool second_version = needs_second_version(interface);
    json_.key("tacit"), json_.number(std::uint64_t{second_version ? 2u : 1u});
    field("kind", interface.kind);
    component(interface, nested);
    field("engine", interface.engine);
    errors(interface);
    alphabet(interface);
    if (second_version) guarded_parts(interface);
    automaton(interface);
    forbidden(interface);
    verdict(interface.verdict);
    if (!interface.nondeterminism.empty()) nondeterminism(interface);
    if (!interface.guards.empty()) guards(interface);
    if (interface.permissive_bound) bounds(interface);
    if (!interface.parts.empty()) parts(interface);
    if (interface.epa) about(interface, *interface.epa);
    if (interface.client) client(*interface.client);
    evidence(interface);
    stats(interface);
    field("omitted", interface.omitted);
    json_.end_object();
  }

private:
  static bool needs_second_version(const Interface& interface) {
    return interface.guarded() || !interface.error_sites.empty() || !interface.constants.empty() ||
           !interface.left_out.empty() || !interface.not_counted.empty() ||
           !interface.aside.empty() || !interface.options.aside.empty();
  }

  void field(std::string_view name, std::string_view value) { json_.key(name), json_.text(value); }

  void field(std::string_view name, const std::vector<std::string>& values,
             Layout layout = Layout::Line) {
    json_.key(name);
    json_.begin_array(layout);
    for (const std::string& value : values) json_.text(value);
    json_.end_array();
  }

  void field(std::string_view name, const std::map<std::string, std::string>& values) {
    json_.key(name);
    json_.begin_object();
    for (const auto& [key, value] : values) field(key, value);
    json_.end_object();
  }

  template <class Keys>
  void field(std::string_view name, const std::map<Keys, std::size_t>& values) {
    json_.key(name);
    json_.begin_object();
    for (const auto& [key, value] : values) {
      if constexpr (std::is_same_v<Keys, std::string>)
        json_.key(key);
      else
        json_.key(std::to_string(key));
      json_.number(std::uint64_t{value});
    }
    json_.end_object();
  }

  void arguments(const Evidence& evidence) {
    json_.key("arguments");
    json_.begin_object(Layout::Rows);
    for (const auto& [call, tried] : evidence.arguments) {
      json_.key(call);
      json_.begin_array();
      for (const auto& one : tried) {
        json_.begin_object();
        for (const auto& [name, term] : one) field(name, term);
        json_.end_object();
      }
      json_.end_array();
    }
    json_.end_object();
  }

  void component(const Interface& interface, bool nested) {
    json_.key("component");
    json_.begin_object(Layout::Rows);
    field("name", interface.component_name);
    field("language", interface.language);
    field("sources", interface.sources);
    if (!interface.hash.empty()) field("hash", interface.hash);
    if (!nested) field("tir", interface.tir);
    const ComponentOptions& options = interface.options;
    json_.key("options");
    json_.begin_object();
    field("methods", options.methods);
    field("constructors", options.constructors);
    field("errors", options.errors);
    field("letters", options.letters);
    field("assumes", options.assumes);
    field("rejects", options.rejects);
    field("blind", options.blind);
    if (!options.aside.empty()) field("aside", options.aside);
    if (!options.results.empty()) field("results", options.results);
    if (options.responses) json_.key("responses"), json_.boolean(true);
    field("arguments", options.arguments == Arguments::Demonic   ? "demonic"
                       : options.arguments == Arguments::Angelic ? "angelic"
                                                                 : "guarded");
    field("integers", options.integers == Integers::Math ? "math" : "machine");
    json_.key("translated_errors"), json_.boolean(options.translated_errors);
    if (options.detail != Detail::All)
      field("detail", options.detail == Detail::Flags    ? "flags"
                      : options.detail == Detail::Guards ? "guards"
                                                         : "slice");
    json_.key("serial"), json_.boolean(interface.serial);
    json_.end_object();
    json_.end_object();
  }

  void errors(const Interface& interface) {
    if (interface.error_sites.empty()) return field("errors", interface.errors);
    json_.key("errors");
    json_.begin_array(Layout::Rows);
    for (const std::string& error : interface.errors) {
      const auto sites = interface.error_sites.find(error);
      if (sites == interface.error_sites.end()) {
        json_.text(error);
        continue;
      }
      json_.begin_object();
      field("error", error);
      json_.key("sites"), json_.number(std::uint64_t{sites->second});
      if (const auto kinds = interface.error_kinds.find(error);
          kinds != interface.error_kinds.end()) {
        json_.key("kinds");
        json_.begin_object();
        for (const auto& [kind, count] : kinds->second)
          json_.key(kind), json_.number(std::uint64_t{count});
        json_.end_object();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  /// What only version 2 has, besides conditions and updates.
  void guarded_parts(const Interface& interface) {
    if (!interface.constants.empty()) constants(interface);
    if (!interface.tracked.empty()) tracked(interface.tracked);
    if (!interface.left_out.empty()) {
      json_.key("left_out");
      json_.begin_array(Layout::Rows);
      for (const LeftOut& out : interface.left_out) {
        json_.begin_object();
        field("call", out.call);
        field("reason", out.reason);
        json_.end_object();
      }
      json_.end_array();
    }
    if (!interface.not_counted.empty()) field("not_counted", interface.not_counted);
    if (const auto never = interface.never_allowed(); !never.empty()) {
      json_.key("never");
      json_.begin_array();
      for (const std::size_t call : never) json_.text(interface.calls[call].name);
      json_.end_array();
    }
    if (!interface.aside.empty()) {
      json_.key("aside");
      json_.begin_array(Layout::Rows);
      for (const SetAside& aside : interface.aside) {
        json_.begin_object();
        field("call", aside.call);
        field("site", aside.site);
        field("because", aside.because);
        json_.key("decided"), json_.boolean(aside.decided);
        json_.end_object();
      }
      json_.end_array();
    }
  }

  void client(const ClientClaims& claims) {
    json_.key("client");
    json_.begin_object();
    field("protocol", claims.protocol);
    json_.key("follow");
    json_.begin_array(Layout::Rows);
    for (const ClientClaim& claim : claims.follow) {
      json_.begin_object();
      field("function", claim.function);
      field("call", claim.call);
      if (!claim.entered.empty()) field("entered", claim.entered);
      json_.key("always"), json_.boolean(claim.always);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

  void constants(const Interface& interface) {
    json_.key("constants");
    json_.begin_object(Layout::Rows);
    for (const auto& [name, values] : interface.constants) {
      json_.key(name);
      json_.begin_object();
      for (const auto& [constant, value] : values)
        json_.key(constant), json_.number(std::int64_t{value});
      json_.end_object();
    }
    json_.end_object();
  }

  void tracked(const std::vector<TrackedValue>& values) {
    json_.key("tracked");
    json_.begin_array(Layout::Rows);
    for (const TrackedValue& value : values) {
      json_.begin_object();
      field("name", value.name);
      field("type", value.type);
      field("term", value.term);
      if (!value.size.empty()) field("size", value.size);
      if (!value.keys.empty()) field("keys", value.keys);
      if (!value.shown.empty()) field("shown", value.shown);
      json_.end_object();
    }
    json_.end_array();
  }

  void condition(const std::string& when, const TrackedUpdate& set) {
    if (!when.empty()) field("when", when);
    if (!set.empty()) field("set", set);
  }

  void alphabet(const Interface& interface) {
    json_.key("methods");
    json_.begin_array();
    for (const InterfaceCall& call : interface.calls) json_.text(call.name);
    json_.end_array();
    json_.key("outcomes");
    json_.begin_object();
    for (const InterfaceCall& call : interface.calls) field(call.name, call.outcomes);
    json_.end_object();
    field("constructors", interface.constructors);
  }

  void automaton(const Interface& interface) {
    json_.key("initial");
    json_.begin_array(Layout::Rows);
    for (const InitialState& start : interface.initial) {
      json_.begin_object();
      field("constructor", start.constructor);
      state_field("state", start.state);
      condition(start.when, start.set);
      if (interface.kind == "epa") {
        field("certainty", start.uncertain ? "uncertain" : "certain");
        field("invariant", start.may_break ? "may break" : "kept");
      }
      if (start.example) example("example", *start.example, nullptr);
      json_.end_object();
    }
    json_.end_array();

    json_.key("states");
    json_.begin_array(Layout::Rows);
    for (std::size_t id = 0; id < interface.states.size(); ++id) {
      const InterfaceState& state = interface.states[id];
      should(state.allows.size() == interface.calls.size(),
             "a state should allow or refuse each call");
      json_.begin_object();
      state_field("id", static_cast<State>(id));
      json_.key("allows");
      json_.begin_array();
      for (std::size_t call = 0; call < interface.calls.size(); ++call)
        if (state.allows[call]) json_.text(interface.calls[call].name);
      json_.end_array();
      field("label", state.label);
      json_.end_object();
    }
    json_.end_array();

    json_.key("transitions");
    json_.begin_array(Layout::Rows);
    for (const InterfaceTransition& t : interface.transitions) {
      const InterfaceCall& call = interface.calls.at(t.call);
      json_.begin_object();
      state_field("from", t.from);
      field("call", call.name);
      field("outcome", call.outcomes.at(t.outcome));
      state_field("to", t.to);
      condition(t.when, t.set);
      if (interface.kind == "epa") {
        field("certainty", t.uncertain ? "uncertain" : "certain");
        field("invariant", t.may_break ? "may break" : "kept");
      }
      if (t.example) example("example", *t.example, &t.before);
      if (t.run) example("run", *t.run, nullptr);
      json_.end_object();
    }
    json_.end_array();
  }

  void forbidden(const Interface& interface) {
    json_.key("forbidden");
    json_.begin_array(Layout::Rows);
    for (const Refusal& refusal : interface.forbidden) {
      json_.begin_object();
      json_.key("state");
      if (refusal.state)
        json_.number(std::uint64_t{*refusal.state});
      else
        json_.null();
      field("call", interface.refused_name(refusal));
      field("error", refusal.error);
      field("at", refusal.at);
      field("word", refusal.word);
      if (refusal.run) example("run", *refusal.run, nullptr);
      if (!refusal.needs.empty()) needs(refusal);
      if (!refusal.raised.empty()) field("raised", refusal.raised);
      if (!refusal.called_at.empty()) {
        field("called_at", refusal.called_at);
        field("through", refusal.through);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void needs(const Refusal& refusal) {
    json_.key("needs");
    json_.begin_array();
    for (const OpaqueNeed& need : refusal.needs) {
      json_.begin_object();
      json_.key("step");
      json_.number(std::uint64_t{need.step});
      field("call", need.call);
      field("callee", need.callee);
      field("behaviour", need.behaviour);
      if (!need.arguments.empty()) field("arguments", need.arguments);
      json_.key("only");
      json_.boolean(need.only);
      json_.end_object();
    }
    json_.end_array();
  }

  void example(std::string_view name, const Example& example,
               const std::map<std::string, std::string>* before) {
    json_.key(name);
    json_.begin_object();
    if (before) field("before", *before);
    if (!example.initial.empty()) field("initial", example.initial);
    if (!example.constructor.empty()) field("constructor", example.constructor);
    if (!example.constructor_inputs.empty())
      field("constructor_inputs", example.constructor_inputs);
    json_.key("steps");
    json_.begin_array();
    for (const ExampleStep& step : example.steps) {
      json_.begin_object();
      field("call", step.call);
      field("inputs", step.inputs);
      field("outcome", step.outcome);
      if (!step.after.empty()) field("after", step.after);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

  void nondeterminism(const Interface& interface) {
    json_.key("nondeterminism");
    json_.begin_array(Layout::Rows);
    for (const Disagreement& found : interface.nondeterminism) {
      json_.begin_object();
      state_field("state", found.state);
      field("call", interface.calls.at(found.call).name);
      field("word", found.word);
      example("errs", found.errs, nullptr);
      example("works", found.works, nullptr);
      json_.end_object();
    }
    json_.end_array();
  }

  void guards(const Interface& interface) {
    json_.key("guards");
    json_.begin_array(Layout::Rows);
    for (const ArgumentGuard& guard : interface.guards) {
      json_.begin_object();
      state_field("state", guard.state);
      field("call", interface.calls.at(guard.call).name);
      field(interface.options.arguments == Arguments::Guarded ? "when" : "condition",
            guard.condition);
      json_.end_object();
    }
    json_.end_array();
  }

  void parts(const Interface& interface) {
    json_.key("parts");
    json_.begin_array(Layout::Rows);
    for (const InterfacePart& part : interface.parts) {
      json_.begin_object(Layout::Rows);
      field("name", part.name);
      field("fields", part.fields);
      json_.key("interface");
      result(part.interface, true);
      json_.end_object();
    }
    json_.end_array();
  }

  void about(const Interface& interface, const EpaAbout& about) {
    json_.key("epa");
    json_.begin_object(Layout::Rows);
    field("successors", about.reachable ? "of reachable states" : "of the invariant");
    field("invariant", about.invariant);
    field("invariant_from", about.invariant_from);
    if (!about.invariants.empty()) field("invariants", about.invariants);
    if (!about.facts.empty()) field("facts", about.facts);
    json_.key("requires");
    json_.begin_array(Layout::Rows);
    for (const EpaAbout::Clause& clause : about.clauses) {
      json_.begin_object();
      field("call", interface.calls.at(clause.call).name);
      if (!clause.requires_text.empty()) field("clause", clause.requires_text);
      field("enabled", clause.enabled);
      if (!clause.surely.empty()) field("surely", clause.surely);
      if (clause.any_contents) field("contents", "any");
      if (clause.loops_end) field("taken", "from above");
      field("from", clause.from);
      field("splitting", clause.splitting);
      if (!clause.choices.empty()) field("choices", clause.choices);
      json_.end_object();
    }
    json_.end_array();
    json_.key("findings");
    json_.begin_array(Layout::Rows);
    for (const EpaAbout::Remark& remark : about.findings) {
      json_.begin_object();
      field("kind", remark.kind);
      field("text", remark.text);
      field("calls", remark.calls);
      json_.key("states");
      json_.begin_array();
      for (State q : remark.states) json_.number(std::uint64_t{q});
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
    if (!about.open.empty()) {
      json_.key("open");
      json_.begin_array(Layout::Rows);
      for (const auto& [state, call] : about.open) {
        json_.begin_object();
        json_.key("state");
        json_.number(std::uint64_t{state});
        field("call", interface.calls.at(call).name);
        json_.end_object();
      }
      json_.end_array();
    }
    if (!about.open_starts.empty()) field("open_starts", about.open_starts);
    if (!about.unconfirmed.empty()) field("unconfirmed", about.unconfirmed);
    json_.end_object();
  }

  /// The two automata that the wanted one lies between.
  void bounds(const Interface& interface) {
    json_.key("bounds");
    json_.begin_object(Layout::Rows);
    json_.key("safe");
    json_.begin_object(Layout::Rows);
    automaton(interface);
    json_.end_object();
    json_.key("permissive");
    result(*interface.permissive_bound, true);
    field("word", interface.open_word);
    json_.end_object();
  }

  void verdict(const Verdict& verdict) {
    json_.key("verdict");
    json_.begin_object(Layout::Rows);
    field("safe", to_string(verdict.safe));
    field("permissive", to_string(verdict.permissive));
    field("full", to_string(verdict.full));
    json_.key("minimal"), json_.boolean(verdict.minimal);
    field("details", verdict.details);
    field("assumptions", verdict.assumptions, Layout::Rows);
    json_.end_object();
  }

  void evidence(const Interface& interface) {
    const Evidence& evidence = interface.evidence;
    json_.key("evidence");
    json_.begin_object(Layout::Rows);
    if (evidence.omitted) json_.key("omitted"), json_.boolean(true);
    // The labels that the states show are the safe ones, unless others are given.
    const bool own_safe =
        !std::ranges::equal(evidence.safe, interface.states, {}, {}, &InterfaceState::label);
    if ((own_safe && !evidence.safe.empty()) || !evidence.permissive.empty()) {
      json_.key("labels");
      json_.begin_object(Layout::Rows);
      if (own_safe && !evidence.safe.empty()) field("safe", evidence.safe, Layout::Rows);
      if (!evidence.permissive.empty()) field("permissive", evidence.permissive, Layout::Rows);
      json_.end_object();
    }
    if (!evidence.must.empty()) must(evidence.must);
    if (!evidence.refusal_must.empty()) field("refusal_must", evidence.refusal_must);
    if (!evidence.transition_must.empty()) field("transition_must", evidence.transition_must);
    if (!evidence.outcome_must.empty()) outcome_must(evidence);
    if (!evidence.unwind.empty()) field("unwind", evidence.unwind);
    if (!evidence.followed.empty()) field("followed", evidence.followed);
    if (!evidence.invariants.empty()) field("invariants", evidence.invariants);
    if (!evidence.arguments.empty()) arguments(evidence);
    if (interface.before_pruning) {
      json_.key("before_pruning");
      result(*interface.before_pruning, true);
    }
    json_.end_object();
  }

  void must(const std::vector<MustNode>& nodes) {
    json_.key("must");
    json_.begin_array(Layout::Rows);
    for (const MustNode& node : nodes) {
      json_.begin_object();
      state_field("state", node.state);
      field("predicate", node.predicate);
      json_.key("incoming");
      json_.begin_array();
      for (const MustNode::Incoming& incoming : node.incoming) {
        json_.begin_object();
        json_.key("transition"), json_.number(std::uint64_t{incoming.transition});
        json_.key("source");
        if (incoming.source)
          json_.number(std::uint64_t{*incoming.source});
        else
          json_.null();
        if (incoming.outcome) field("outcome", *incoming.outcome);
        json_.end_object();
      }
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
  }

  void outcome_must(const Evidence& evidence) {
    json_.key("outcome_must");
    json_.begin_array(Layout::Rows);
    for (const auto& [place, node] : evidence.outcome_must) {
      json_.begin_object();
      json_.key("transition"), json_.number(std::uint64_t{place.first});
      field("outcome", place.second);
      json_.key("node"), json_.number(std::uint64_t{node});
      json_.end_object();
    }
    json_.end_array();
  }

  /// `seconds`, `queries` and `predicates` are always there, and in front.
  void stats(const Interface& interface) {
    json_.key("stats");
    json_.begin_object();
    json_.key("seconds");
    figure(interface.stats.find("seconds"), 0.0);
    json_.key("queries");
    figure(interface.stats.find("queries"), std::int64_t{0});
    field("predicates", interface.predicates);
    for (const Statistics::Entry& entry : interface.stats) {
      if (entry.key == "seconds" || entry.key == "queries") continue;
      json_.key(entry.key == "predicates" ? "predicate_count" : entry.key);
      figure(&entry.value, std::int64_t{0});
    }
    json_.end_object();
  }

  void figure(const Statistics::Value* found, const Statistics::Value& otherwise) {
    const Statistics::Value& value = found ? *found : otherwise;
    if (const auto* number = std::get_if<std::int64_t>(&value))
      json_.number(*number);
    else if (const auto* real = std::get_if<double>(&value))
      json_.real(*real);
    else
      json_.text(std::get<std::string>(value));
  }

  void state_field(std::string_view name, State state) {
    json_.key(name), json_.number(std::uint64_t{state});
  }

  JsonEmitter& json_;
};

} // namespace

void write_interface(std::ostream& out, const Interface& interface) {
  JsonEmitter json(out);
  ResultWriter(json).result(interface, false);
  json.newline();
}

std::string to_json(const Interface& interface) {
  std::ostringstream out;
  write_interface(out, interface);
  return std::move(out).str();
}

} // namespace tacit
