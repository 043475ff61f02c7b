// The reading half of json.h. A first pass checks the syntax of the whole text and notes where each
// field is; then the fields are decoded in the order in which they need each other, whatever their
// order in the file. Nothing is kept besides the text and the result.
//
// A complaint about the contents carries the place in the file and the path in the document. It
// travels as an exception within this file and leaves it as a Diagnostic.
#include <algorithm>
#include <charconv>

#include "interface/consistency.h"
#include "interface/json.h"
#include "interface/json_evidence.h"
#include "interface/order.h"
#include "logic/term/parse.h"
#include "program/text/read.h"

namespace tacit {
namespace {

class ResultReader : public EvidenceReader {
public:
  using EvidenceReader::EvidenceReader;

  Interface document() {
    if (const JsonKind kind = cursor_.kind(); kind != JsonKind::Object)
      complain(fmt::format("a result should be an object, this is {}", to_string(kind)));
    return result(true);
  }

  /// Where an element of a top-level array is, for complaints after reading.
  std::size_t offset_of(std::string_view part, std::size_t index) {
    const auto place = context_.places.find(part);
    if (place == context_.places.end()) return 0;
    JsonCursor cursor(text_, place->second.offset);
    if (cursor.kind() != JsonKind::Array) return place->second.offset;
    cursor.enter();
    for (std::size_t i = 0; cursor.next_element(); ++i) {
      if (i == index) return cursor.offset();
      cursor.skip();
    }
    return place->second.offset;
  }

private:
  /// The outermost result first surveys the whole text, so that no complaint hides a syntax error
  /// behind it.
  Interface result(bool outermost) {
    const std::size_t start = cursor_.offset();
    Context outer = std::exchange(context_, Context{survey(), {}, {}, {}, {}, false, 1});
    if (outermost) cursor_.finish();
    Interface interface;
    field("tacit", start, [&] { version(); });
    field("kind", start, [&] {
      read_into<std::string>(interface.kind, {{"interface", "interface"}, {"epa", "epa"}});
    });
    field("component", start, [&] { component(interface); });
    maybe_field("engine", [&] { read_into(interface.engine); });
    maybe_field("errors", [&] { errors(interface); });
    field("methods", start, [&] { methods(interface); });
    const bool outcomes_given = maybe_field("outcomes", [&] { outcomes(interface); });
    context_.fixed_constructors = maybe_field("constructors", [&] { constructors(interface); });
    second_field("constants", [&] { constants(interface); });
    second_field("tracked", [&] { tracked(interface); });
    maybe_field("omitted", [&] { read_into(interface.omitted); });
    interface.states.reserve(elements("states"));
    field("states", start, [&] { states(interface); });
    interface.transitions.reserve(elements("transitions"));
    field("transitions", start, [&] { transitions(interface, outcomes_given); });
    field("initial", start, [&] { initial(interface); });
    interface.forbidden.reserve(elements("forbidden"));
    field("forbidden", start, [&] { forbidden(interface); });
    if (interface.states.empty()) empty_states(interface);
    field("verdict", start, [&] { verdict(interface.verdict); });
    maybe_field("nondeterminism", [&] { nondeterminism(interface); });
    maybe_field("guards", [&] { guards(interface); });
    second_field("left_out", [&] { left_out(interface); });
    second_field("not_counted", [&] { read_into(interface.not_counted); });
    second_field("never", [&] { never(interface); });
    second_field("aside", [&] { aside(interface); });
    if (outermost) maybe_field("bounds", [&] { bounds(interface); });
    if (outermost) maybe_field("parts", [&] { parts(interface); });
    maybe_field("epa", [&] { about(interface); });
    if (outermost) maybe_field("client", [&] { client(interface); });
    maybe_field("evidence", [&] { evidence(interface, outermost); });
    maybe_field("stats", [&] { stats(interface); });
    if (const auto repeated = first_repeated(interface))
      complain_below(fmt::format("{}[{}]", repeated->part, repeated->index),
                     offset_of(repeated->part, repeated->index), repeated->message);
    sort_parts(interface);

    if (!outermost) context_ = std::move(outer);
    return interface;
  }

  /// Each is a text, or in version 2 an object that also tells the number of its sites.
  void errors(Interface& interface) {
    array([&](std::size_t) {
      std::string& error = interface.errors.emplace_back();
      if (cursor_.kind() != JsonKind::Object) return read_into(error);
      need_second_version();
      std::optional<std::size_t> sites;
      std::map<std::string, std::size_t> kinds;
      object(required("error", [&] { read_into(error); }),
             optional("sites", [&] { sites = number_of("site", SIZE_MAX); }),
             optional("kinds", [&] {
               table([&](const std::string& kind) { kinds[kind] = number_of("site", SIZE_MAX); });
             }));
      if (!kinds.empty()) interface.error_kinds[error] = std::move(kinds);
      if (sites) interface.error_sites[error] = *sites;
    });
  }

  void constants(Interface& interface) {
    table([&](const std::string& enumeration) {
      auto& values = interface.constants[enumeration];
      table([&](const std::string& name) {
        want(JsonKind::Number);
        const std::size_t at = cursor_.offset();
        const std::string_view digits = cursor_.number();
        const char* end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, values[name]);
        if (read.ec != std::errc() || read.ptr != end)
          complain_at(at, fmt::format("should be a whole number of 64 bits, is {}", digits));
      });
    });
  }

  void tracked(Interface& interface) {
    array([&](std::size_t index) {
      TrackedValue& value = interface.tracked.emplace_back();
      std::size_t at = 0;
      object(required("name",
                      [&] {
                        at = cursor_.offset();
                        read_into(value.name);
                      }),
             required("type", [&] { read_into(value.type); }),
             required("term", [&] { read_into(value.term); }),
             optional("size", [&] { read_into(value.size); }),
             optional("keys", [&] { read_into(value.keys); }),
             optional("shown", [&] { read_into(value.shown); }));
      if (value.name.empty()) complain_at(at, "a tracked value should have a name");
      if (value.name == "result")
        complain_at(at, "a tracked value cannot be called 'result', which is what a call returns");
      if (!context_.tracked.try_emplace(value.name, index).second)
        complain_at(at, fmt::format("tracked value '{}' is listed twice", value.name));
    });
  }

  void left_out(Interface& interface) {
    array([&](std::size_t) {
      LeftOut& out = interface.left_out.emplace_back();
      std::size_t at = 0;
      object(required("call",
                      [&] {
                        at = cursor_.offset();
                        read_into(out.call);
                      }),
             required("reason", [&] { read_into(out.reason); }));
      if (context_.calls.contains(out.call))
        complain_at(at, fmt::format("call '{}' is not left out, it is one of the calls", out.call));
    });
  }

  void client(Interface& interface) {
    ClientClaims& claims = interface.client.emplace();
    object(required("protocol", [&] { read_into(claims.protocol); }), required("follow", [&] {
             array([&](std::size_t) {
               ClientClaim& claim = claims.follow.emplace_back();
               object(required("function", [&] { read_into(claim.function); }),
                      required("call", [&] { read_into(claim.call); }),
                      optional("entered", [&] { read_into(claim.entered); }),
                      required("always", [&] { read_into(claim.always); }));
             });
           }));
  }

  /// It follows from the states, so it is only compared.
  void never(const Interface& interface) {
    const std::size_t at = cursor_.offset();
    std::vector<std::size_t> listed;
    array([&](std::size_t) { listed.push_back(call_named()); });
    std::ranges::sort(listed);
    if (listed != interface.never_allowed())
      complain_at(at, "should list the calls that no state allows");
  }

  void aside(Interface& interface) {
    array([&](std::size_t) {
      SetAside& aside = interface.aside.emplace_back();
      object(required("call",
                      [&] {
                        const std::size_t at = cursor_.offset();
                        read_into(aside.call);
                        if (!context_.constructors.contains(aside.call))
                          name_in(context_.calls, "call", aside.call, at);
                      }),
             required("site", [&] { read_into(aside.site); }),
             required("because", [&] { read_into(aside.because); }),
             required("decided", [&] { read_into(aside.decided); }));
    });
  }

  void component(Interface& interface) {
    object(required("name", [&] { read_into(interface.component_name); }),
           optional("language", [&] { read_into(interface.language); }),
           optional("sources", [&] { read_into(interface.sources); }),
           optional("hash", [&] { read_into(interface.hash); }),
           optional("tir", [&] { read_into(interface.tir); }),
           optional("options", [&] { options(interface.options, interface.serial); }));
  }

  void options(ComponentOptions& options, bool& serial) {
    object(optional("methods", [&] { read_into(options.methods); }),
           optional("constructors", [&] { read_into(options.constructors); }),
           optional("errors", [&] { read_into(options.errors); }),
           optional("letters", [&] { read_into(options.letters); }),
           optional("assumes", [&] { read_into(options.assumes); }),
           optional("rejects", [&] { read_into(options.rejects); }),
           optional("blind", [&] { read_into(options.blind); }),
           optional("aside", [&] { read_into(options.aside); }),
           optional("arguments",
                    [&] {
                      read_into<Arguments>(options.arguments, {{"demonic", Arguments::Demonic},
                                                               {"angelic", Arguments::Angelic},
                                                               {"guarded", Arguments::Guarded}});
                    }),
           optional("integers",
                    [&] {
                      read_into<Integers>(options.integers, {{"math", Integers::Math},
                                                             {"machine", Integers::Machine}});
                    }),
           optional("translated_errors", [&] { read_into(options.translated_errors); }),
           optional("detail",
                    [&] {
                      read_into<Detail>(options.detail, {{"all", Detail::All},
                                                         {"slice", Detail::Slice},
                                                         {"guards", Detail::Guards},
                                                         {"flags", Detail::Flags}});
                    }),
           optional("serial", [&] { read_into(serial); }));
  }

  void methods(Interface& interface) {
    distinct_names("call", context_.calls);
    for (std::string& name : in_order(context_.calls))
      interface.calls.push_back({std::move(name), {}});
    context_.outcomes.resize(context_.calls.size());
  }

  void outcomes(Interface& interface) {
    const std::size_t start = cursor_.offset();
    table([&](const std::string& key) {
      const std::size_t at = cursor_.offset();
      const std::size_t call = name_in(context_.calls, "call", key, at);
      distinct_names("outcome", context_.outcomes[call]);
      if (context_.outcomes[call].empty()) complain_at(at, "there should be at least one outcome");
      interface.calls[call].outcomes = in_order(context_.outcomes[call]);
    });
    for (const InterfaceCall& call : interface.calls)
      if (call.outcomes.empty())
        complain_at(start, fmt::format("the outcomes of call '{}' are missing", call.name));
  }

  void constructors(Interface& interface) {
    distinct_names("constructor", context_.constructors);
    interface.constructors = in_order(context_.constructors);
  }

  /// Files without a list of constructors name them where they occur.
  std::size_t constructor(Interface& interface, const std::string& name, std::size_t at) {
    if (context_.fixed_constructors) return name_in(context_.constructors, "constructor", name, at);
    const auto [found, added] =
        context_.constructors.try_emplace(name, context_.constructors.size());
    if (added) interface.constructors.push_back(name);
    return found->second;
  }

  void states(Interface& interface) {
    array([&](std::size_t index) {
      if (index >= no_state) complain("there are too many states");
      InterfaceState& state = interface.states.emplace_back();
      state.allows.resize(interface.calls.size());
      object(required("id",
                      [&] {
                        want(JsonKind::Number);
                        const std::size_t at = cursor_.offset();
                        if (const auto id = cursor_.number(); id != std::to_string(index))
                          complain_at(
                              at,
                              fmt::format("should be {}, as states are numbered in order, is {}",
                                          index, id));
                      }),
             required("allows", [&] { allows(state.allows); }),
             optional("label", [&] { read_into(state.label); }));
    });
  }

  void allows(std::vector<bool>& allows) {
    array([&](std::size_t) {
      const std::size_t at = cursor_.offset();
      const std::string_view name = text_view();
      const std::size_t call = name_in(context_.calls, "call", name, at);
      if (allows[call]) complain_at(at, fmt::format("call '{}' is listed twice", name));
      allows[call] = true;
    });
  }

  void transitions(Interface& interface, bool outcomes_given) {
    std::string outcome;
    std::size_t at_outcome = 0;
    array([&](std::size_t) {
      InterfaceTransition& t = interface.transitions.emplace_back();
      object(required("from", [&] { t.from = state_number(interface); }),
             required("call",
                      [&] {
                        const std::size_t at = cursor_.offset();
                        t.call = name_in(context_.calls, "call", text_view(), at);
                      }),
             required("outcome",
                      [&] {
                        at_outcome = cursor_.offset();
                        outcome = text_view();
                      }),
             required("to", [&] { t.to = state_number(interface); }),
             optional("when", [&] { when(t.when); }), optional("set", [&] { set(t.set); }),
             optional("example", [&] { example(t.example.emplace(), &t.before); }),
             optional("run", [&] { example(t.run.emplace(), nullptr); }),
             optional("certainty", [&] { certainty(t.uncertain); }),
             optional("invariant", [&] { invariant_mark(t.may_break); }));
      t.outcome = outcome_of(interface.calls[t.call], context_.outcomes[t.call], outcome,
                             outcomes_given, at_outcome);
    });
    for (InterfaceCall& call : interface.calls)
      if (call.outcomes.empty()) call.outcomes = {"any"};
  }

  std::size_t outcome_of(InterfaceCall& call, Names& known, const std::string& outcome, bool given,
                         std::size_t at) {
    if (const auto found = known.find(outcome); found != known.end()) return found->second;
    if (given) {
      complain_below("outcome", at,
                     fmt::format("call '{}' has no outcome '{}'{}", call.name, outcome,
                                 suggestion(outcome, call.outcomes)));
    }
    known.emplace(outcome, call.outcomes.size());
    call.outcomes.push_back(outcome);
    return call.outcomes.size() - 1;
  }

  void example(Example& example, std::map<std::string, std::string>* before) {
    object(optional("before",
                    [&] {
                      if (before)
                        read_into(*before);
                      else
                        cursor_.skip();
                    }),
           optional("initial", [&] { read_into(example.initial); }),
           optional("constructor", [&] { read_into(example.constructor); }),
           optional("constructor_inputs", [&] { read_into(example.constructor_inputs); }),
           required("steps", [&] {
             array([&](std::size_t) {
               ExampleStep& step = example.steps.emplace_back();
               object(required("call", [&] { read_into(step.call); }),
                      required("inputs", [&] { read_into(step.inputs); }),
                      required("outcome", [&] { read_into(step.outcome); }),
                      optional("after", [&] { read_into(step.after); }));
             });
           }));
  }

  void about(Interface& interface) {
    EpaAbout& about = interface.epa.emplace();
    object(
        required("successors",
                 [&] {
                   read_into<bool>(about.reachable,
                                   {{"of the invariant", false}, {"of reachable states", true}});
                 }),
        required("invariant", [&] { read_into(about.invariant); }),
        required("invariant_from", [&] { read_into(about.invariant_from); }),
        optional("invariants", [&] { read_into(about.invariants); }),
        optional("facts", [&] { read_into(about.facts); }),
        optional("unconfirmed", [&] { read_into(about.unconfirmed); }),
        optional("open",
                 [&] {
                   array([&](std::size_t) {
                     auto& [state, call] = about.open.emplace_back();
                     object(required("state", [&] { state = state_number(interface); }),
                            required("call", [&] { call = call_named(); }));
                   });
                 }),
        optional("open_starts", [&] { read_into(about.open_starts); }),
        required(
            "requires",
            [&] {
              array([&](std::size_t) {
                EpaAbout::Clause& clause = about.clauses.emplace_back();
                object(required("call", [&] { clause.call = call_named(); }),
                       optional("clause", [&] { read_into(clause.requires_text); }),
                       required("enabled", [&] { read_into(clause.enabled); }),
                       optional("surely", [&] { read_into(clause.surely); }),
                       optional("contents",
                                [&] { read_into<bool>(clause.any_contents, {{"any", true}}); }),
                       optional("taken",
                                [&] { read_into<bool>(clause.loops_end, {{"from above", true}}); }),
                       required("from", [&] { read_into(clause.from); }),
                       required("splitting", [&] { read_into(clause.splitting); }),
                       optional("choices", [&] { read_into(clause.choices); }));
              });
            }),
        required("findings", [&] {
          array([&](std::size_t) {
            EpaAbout::Remark& remark = about.findings.emplace_back();
            object(required("kind", [&] { read_into(remark.kind); }),
                   required("text", [&] { read_into(remark.text); }),
                   required("calls", [&] { read_into(remark.calls); }), required("states", [&] {
                     array([&](std::size_t) { remark.states.push_back(state_number(interface)); });
                   }));
          });
        }));
    // Older files do not say what was left open: anything may have been.
    if (!interface.verdict.details.contains("epa") || !about.open.empty() ||
        !about.open_starts.empty())
      return;
    about.open_starts = interface.constructor_names();
    for (State q = 0; q < interface.states.size(); ++q)
      for (std::size_t call = 0; call < interface.calls.size(); ++call)
        if (interface.states[q].allows[call]) about.open.emplace_back(q, call);
  }

  /// A constructor may be listed again when conditions tell its entries apart.
  void initial(Interface& interface) {
    std::map<std::string, bool>
        always; // constructors that were listed, and whether with no condition
    array([&](std::size_t) {
      InitialState& start = interface.initial.emplace_back();
      std::size_t at = 0;
      object(required("constructor",
                      [&] {
                        at = cursor_.offset();
                        start.constructor = text();
                        constructor(interface, start.constructor, at);
                      }),
             required("state", [&] { start.state = state_number(interface); }),
             optional("when", [&] { when(start.when); }), optional("set", [&] { set(start.set); }),
             optional("certainty", [&] { certainty(start.uncertain); }),
             optional("invariant", [&] { invariant_mark(start.may_break); }),
             optional("example", [&] { example(start.example.emplace(), nullptr); }));
      const auto [listed, first] = always.try_emplace(start.constructor, start.when.empty());
      if (!first && (listed->second || start.when.empty()) && interface.kind == "interface")
        complain_at(at, fmt::format("constructor '{}' is listed twice", start.constructor));
    });
  }

  void certainty(bool& uncertain) {
    read_into<bool>(uncertain, {{"certain", false}, {"uncertain", true}});
  }
  void invariant_mark(bool& may_break) {
    read_into<bool>(may_break, {{"kept", false}, {"may break", true}});
  }

  void forbidden(Interface& interface) {
    Names letters;
    for (std::size_t call = 0; call < interface.calls.size(); ++call)
      for (const std::string& outcome : interface.calls[call].outcomes)
        letters.try_emplace(interface.calls[call].name + ":" + outcome, call);
    std::string name;
    std::size_t at_name = 0;
    array([&](std::size_t) {
      Refusal& refusal = interface.forbidden.emplace_back();
      object(required("state",
                      [&] {
                        if (cursor_.kind() == JsonKind::Null)
                          cursor_.null();
                        else
                          refusal.state = state_number(interface);
                      }),
             required("call",
                      [&] {
                        at_name = cursor_.offset();
                        name = text_view();
                      }),
             required("error", [&] { read_into(refusal.error); }),
             required("at", [&] { read_into(refusal.at); }),
             required("word", [&] { word(interface, letters, refusal.word); }),
             optional("run", [&] { example(refusal.run.emplace(), nullptr); }),
             optional("needs", [&] { needs(refusal.needs); }),
             optional("raised", [&] { read_into(refusal.raised); }),
             optional("called_at", [&] { read_into(refusal.called_at); }),
             optional("through", [&] { read_into(refusal.through); }));
      path_.push_back({"call", std::nullopt});
      refusal.call = refusal.state ? name_in(context_.calls, "call", name, at_name)
                                   : constructor(interface, name, at_name);
      path_.pop_back();
    });
  }

  void needs(std::vector<OpaqueNeed>& all) {
    array([&](std::size_t) {
      OpaqueNeed& need = all.emplace_back();
      object(required("step", [&] { need.step = number_of("step", SIZE_MAX); }),
             required("call", [&] { read_into(need.call); }),
             required("callee", [&] { read_into(need.callee); }),
             required("behaviour", [&] { read_into(need.behaviour); }),
             optional("arguments", [&] { read_into(need.arguments); }),
             required("only", [&] { read_into(need.only); }));
    });
  }

  /// A word may begin with the constructor's name.
  void word(const Interface& interface, const Names& letters, std::vector<std::string>& word) {
    array([&](std::size_t index) {
      const std::size_t at = cursor_.offset();
      const std::string& letter = word.emplace_back(text_view());
      if (context_.calls.contains(letter) || letters.contains(letter)) return;
      if (index == 0 && (context_.constructors.contains(letter) || !context_.fixed_constructors))
        return;
      const auto parsed = parse_letter(interface, letter);
      if (!parsed && !concrete(letter)) complain_at(at, parsed.error().message);
    });
  }

  /// When no constructor can be used there are no states; otherwise somebody lost them.
  void empty_states(const Interface& interface) {
    if (interface.initial.empty() && !interface.constructors.empty()) return;
    complain_below("states", context_.places.find("states")->second.offset,
                   "there should be a state, unless there are constructors and none can be used");
  }

  void verdict(Verdict& verdict) {
    const auto claim = [&](Claim& value) {
      read_into<Claim>(value, {{"proved", Claim::Proved},
                               {"refuted", Claim::Refuted},
                               {"bounded", Claim::Bounded},
                               {"unknown", Claim::Unknown}});
    };
    object(required("safe", [&] { claim(verdict.safe); }),
           required("permissive", [&] { claim(verdict.permissive); }),
           required("full", [&] { claim(verdict.full); }),
           optional("minimal", [&] { read_into(verdict.minimal); }),
           optional("details", [&] { read_into(verdict.details); }),
           optional("assumptions", [&] { read_into(verdict.assumptions); }));
  }

  void nondeterminism(Interface& interface) {
    array([&](std::size_t) {
      Disagreement& found = interface.nondeterminism.emplace_back();
      object(required("state", [&] { found.state = state_number(interface); }),
             required("call", [&] { found.call = call_named(); }),
             required("word", [&] { read_into(found.word); }),
             required("errs", [&] { example(found.errs, nullptr); }),
             required("works", [&] { example(found.works, nullptr); }));
    });
  }

  void guards(Interface& interface) {
    array([&](std::size_t) {
      ArgumentGuard& guard = interface.guards.emplace_back();
      object(required("state", [&] { guard.state = state_number(interface); }),
             required("call", [&] { guard.call = call_named(); }),
             optional("condition", [&] { read_into(guard.condition); }),
             optional("when", [&] { when(guard.condition); }));
      if (guard.condition.empty()) complain("the field 'when' is missing");
    });
  }

  void parts(Interface& interface) {
    array([&](std::size_t) {
      InterfacePart& part = interface.parts.emplace_back();
      object(required("name", [&] { read_into(part.name); }),
             optional("fields", [&] { read_into(part.fields); }), required("interface", [&] {
               part.interface = result(false);
               part.interface.tir = interface.tir;
             }));
    });
  }

  void bounds(Interface& interface) {
    object(
        required("permissive",
                 [&] { interface.permissive_bound = std::make_shared<Interface>(result(false)); }),
        optional("word", [&] { read_into(interface.open_word); }));
  }

  void evidence(Interface& interface, bool outermost) {
    Evidence& evidence = interface.evidence;
    const std::size_t start = cursor_.offset();
    object(
        optional("omitted", [&] { read_into(evidence.omitted); }),
        optional("labels",
                 [&] {
                   object(optional("safe", [&] { labels(interface, evidence.safe); }),
                          optional("permissive", [&] { labels(interface, evidence.permissive); }));
                 }),
        optional("must", [&] { must(interface, evidence.must); }),
        optional("refusal_must",
                 [&] { must_table("refusal", interface.forbidden.size(), evidence.refusal_must); }),
        optional("transition_must",
                 [&] {
                   must_table("transition", interface.transitions.size(), evidence.transition_must);
                 }),
        optional("outcome_must", [&] { outcome_must(interface, evidence); }),
        optional("unwind",
                 [&] {
                   table([&](const std::string& key) {
                     evidence.unwind[key] = number_of("bound", SIZE_MAX);
                   });
                 }),
        optional("invariants", [&] { read_into(evidence.invariants); }),
        optional("arguments",
                 [&] {
                   table([&](const std::string& call) {
                     auto& tried = evidence.arguments[call];
                     array([&](std::size_t) { read_into(tried.emplace_back()); });
                   });
                 }),
        optional("before_pruning", [&] {
          if (!outermost) complain("the interface before pruning should not have been pruned");
          before_pruning(interface);
        }));
    check_must_nodes("refusal_must", evidence.refusal_must, evidence.must.size(), start);
    check_must_nodes("transition_must", evidence.transition_must, evidence.must.size(), start);
    for (const auto& [place, node] : evidence.outcome_must)
      if (node >= evidence.must.size())
        complain_below("outcome_must", start, fmt::format("must-node {} does not exist", node));
  }

  void before_pruning(Interface& interface) {
    auto nested = std::make_shared<Interface>(result(false));
    nested->tir = interface.tir;
    interface.before_pruning = std::move(nested);
  }

  /// Figures of other kinds are somebody else's.
  void stats(Interface& interface) {
    table([&](const std::string& key) {
      const JsonKind kind = cursor_.kind();
      if (key == "predicates") {
        read_into(interface.predicates);
      } else if (kind == JsonKind::String) {
        interface.stats.set(key, text());
      } else if (kind == JsonKind::Number) {
        const std::string_view digits = cursor_.number();
        const char* end = digits.data() + digits.size();
        std::int64_t whole = 0;
        double real = 0;
        if (const auto read = std::from_chars(digits.data(), end, whole);
            read.ec == std::errc() && read.ptr == end)
          interface.stats.set(key, whole);
        else if (std::from_chars(digits.data(), end, real).ec == std::errc())
          interface.stats.set(key, real);
      } else {
        cursor_.skip();
      }
    });
  }
};

Location location_of(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  const auto line = std::ranges::count(before, '\n') + 1;
  return {file, static_cast<int>(line), static_cast<int>(before.size() - line_start + 1)};
}

} // namespace

Result<Interface> read_interface(std::string_view text, const std::string& file,
                                 std::vector<std::string>* inconsistencies) {
  ResultReader reader(text);
  try {
    Interface interface = reader.document();
    std::vector<Contradiction> found = contradictions(interface);
    if (interface.before_pruning)
      for (const Contradiction& inner : contradictions(*interface.before_pruning))
        found.push_back({"evidence.before_pruning." + inner.part, inner.index, inner.message});
    if (inconsistencies) {
      for (const Contradiction& contradiction : found)
        inconsistencies->push_back(to_string(contradiction));
    } else if (!found.empty()) {
      Diagnostic diagnostic{
          location_of(text, reader.offset_of(found.front().part, found.front().index), file),
          to_string(found.front()),
          {}};
      if (found.size() > 1)
        diagnostic.notes.push_back(fmt::format("{} contradictions in all", found.size()));
      return std::unexpected(std::move(diagnostic));
    }
    return interface;
  } catch (const JsonError& error) {
    return fail(location_of(text, error.offset, file), "{}", error.message);
  }
}

Result<Component> component_of(const Interface& interface) {
  if (interface.tir.empty())
    return fail("the result does not carry the text of component '{}'", interface.component_name);
  const std::string file =
      interface.sources.size() == 1 ? interface.sources.front() : interface.component_name + ".tir";
  const auto module = read_module(interface.tir, file);
  if (!module) return std::unexpected(module.error());
  return build_component(*module, interface.options);
}

} // namespace tacit
