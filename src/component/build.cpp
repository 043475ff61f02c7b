// From a module to a component: the passes of `program`, in the one order that makes sense, and the
// assumptions they leave behind.
#include <algorithm>
#include <set>

#include "base/should.h"
#include "component/candidates.h"
#include "component/component.h"
#include "component/outs.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/graph/call_graph.h"
#include "program/graph/postdominators.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"
#include "program/reduce/attach_fields.h"
#include "program/reduce/count.h"
#include "program/reduce/element_fields.h"
#include "program/reduce/flags.h"
#include "program/reduce/focus.h"
#include "program/reduce/handed_fields.h"
#include "program/reduce/inline.h"
#include "program/reduce/localise.h"
#include "program/reduce/nullness.h"
#include "program/reduce/peel.h"
#include "program/reduce/propagate.h"
#include "program/reduce/relevance.h"
#include "program/reduce/slice.h"
#include "program/reduce/unfold.h"
#include "program/reduce/widen.h"
#include "program/reduce/wraps.h"
#include "program/text/externs.h"

namespace tacit {

namespace {

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

} // namespace

class ComponentBuilder {
public:
  ComponentBuilder(const Module& module, const ComponentOptions& options) {
    result_.module_ = clone(module);
    result_.options_ = options;
    order_state();
  }

  Result<Component> run() {
    auto specs = error_specs();
    if (!specs) return std::unexpected(specs.error());
    prepare_integers();
    for (const ErrorSpec& spec : *specs)
      if (spec.kind == ErrorSpec::Kind::Reach) mark_reached(module(), spec.subject);
    assume_externs();
    expand_externs(module());
    if (auto selected = select(); !selected) return std::unexpected(selected.error());
    drop_failed_constructions();
    const std::vector<Term> origins = watch_origins(module(), *specs);
    unfold_recursion(module());
    InlineOptions inlining;
    if (reducible()) {
      inlining.limits.callee_blocks = largest_lowered_callee;
      note(summarise_intricate(module(), relevance(*specs, origins),
                               {.blocks = largest_lowered_callee}));
    }
    note(inline_calls(module(), inlining));
    drop_callees();
    if (reducible()) split_flags(module(), relevance(*specs, origins).state);
    localise_origins(module(), origins);
    if (auto split = letters(); !split) return std::unexpected(split.error());
    if (auto restricted = restrict_arguments(); !restricted)
      return std::unexpected(restricted.error());
    client_state();
    // What a helper answered is known where it was asked: an error is whose failure led to it.
    if (reducible()) thread_jumps(module());
    if (auto done = instrument(*specs, origins); !done) return std::unexpected(done.error());
    default_constructor();
    if (auto finished = outcomes(); !finished) return std::unexpected(finished.error());
    if (options().arguments == Arguments::Guarded) show_outs(module(), result_.calls_);
    if (reducible()) {
      const Results results =
          options().arguments == Arguments::Guarded ? Results::Observed : Results::Dropped;
      localise(module());
      slice(module(), results);
      // Elsewhere addresses of elements get to more places than references do.
      if (!module().conventions.focused && attach_element_fields(module()) > 0)
        slice(module(), results);
      close_counting_loops(module());
      if (module().conventions.focused) {
        // What is behind a focused pointer may be focused in turn.
        do propagate(module());
        while (focus(module()) > 0);
        peel_loops(module(), angelic(), largest_peeled);
        slice(module(), results);
      } else if (focus(module()) > 0) {
        do propagate(module());
        while (focus(module()) > 0);
        slice(module(), results);
      }
      coarsen(module(), options().detail, results);
      close_counting_loops(module());
      // With demonic arguments nobody asks what exactly was handed in.
      if (options().arguments != Arguments::Demonic) choose_handed_fields(module());
      attach_fields(module());
      abstract_nullness(module(), results);
      if (angelic() && module().conventions.focused) remember_before_loops(module());
      if (angelic() && std::ranges::any_of(module().procedures, [](const Procedure& p) {
            return count_back_edges(p) > 0;
          }))
        note({good_calls_end});
    } else {
      close_counting_loops(module());
    }
    number_letters();
    assume_ranges();
    find_unknowns();
    return std::move(result_);
  }

private:
  Module& module() { return result_.module_; }
  const ComponentOptions& options() const { return result_.options_; }

  bool reducible() const { return result_.module_.conventions.reducible; }
  static constexpr std::size_t largest_lowered_callee = 600; // blocks
  static constexpr std::size_t largest_peeled = 400;         // blocks
  bool angelic() const { return options().arguments == Arguments::Angelic; }

  /// As the text form lists it: the maps of the records, then the rest. Runs that are written down
  /// give initial values in this order, and are read back with the text.
  void order_state() {
    const auto place = [&](const StateVariable& v) {
      std::size_t at = 0;
      for (const Record& r : module().records)
        for (const auto& [field, type] : r.fields) {
          if (v.record == r.name && v.name() == r.name + "." + field) return at;
          ++at;
        }
      return at;
    };
    std::ranges::stable_sort(module().state, {}, place);
  }

  void note(std::vector<std::string> notes) {
    for (std::string& n : notes)
      if (std::ranges::find(result_.assumptions_, n) == result_.assumptions_.end())
        result_.assumptions_.push_back(std::move(n));
  }

  Result<std::vector<ErrorSpec>> error_specs() {
    std::vector<ErrorSpec> specs;
    for (const std::string& text : options().errors) {
      auto spec = parse_error_spec(text);
      if (!spec) return std::unexpected(spec.error());
      specs.push_back(std::move(*spec));
    }
    result_.errors_ = options().errors;
    if (!specs.empty()) return specs;
    // As far as the module can raise them at all.
    const std::vector<std::string> defaults = default_errors();
    for (const std::string& text : defaults) {
      result_.errors_.push_back(text);
      auto spec = parse_error_spec(text);
      if (!spec) return std::unexpected(spec.error());
      if (spec->kind != ErrorSpec::Kind::Throws || raises(spec->subject))
        specs.push_back(std::move(*spec));
    }
    // An empty list would count every `error`; a program that cannot raise its usual errors has
    // none.
    if (specs.empty() && !defaults.empty()) specs.push_back(*parse_error_spec("assert"));
    if (defaults.empty()) result_.errors_ = {"error:*"};
    return specs;
  }

  /// Those of the conventions; with exceptions to them one for each exception that is raised, the
  /// more special ones first.
  std::vector<std::string> default_errors() {
    constexpr std::string_view throws = "throws:";
    std::vector<std::string> counted, left_out, raised;
    for (const std::string& text : module().conventions.errors)
      (text.starts_with('-') ? left_out : counted).push_back(text);
    if (left_out.empty()) return counted;
    const auto covers = [&](std::string_view spec, const std::string& name) {
      spec.remove_prefix(spec.find(throws) + throws.size());
      return module().exception_is(name, spec);
    };
    for (const std::string& name : raised_exceptions(module())) {
      const auto fits = [&](const std::string& spec) { return covers(spec, name); };
      if (std::ranges::any_of(counted, fits) && std::ranges::none_of(left_out, fits))
        raised.push_back(std::string(throws) + name);
    }
    std::map<std::string, std::ptrdiff_t> below;
    for (const std::string& spec : raised)
      below[spec] = std::ranges::count_if(raised, [&](const std::string& other) {
        return covers(spec, other.substr(throws.size()));
      });
    std::ranges::stable_sort(raised, {}, [&](const std::string& spec) { return below.at(spec); });
    return raised.empty() ? counted : raised;
  }

  bool raises(const std::string& exception) {
    return std::ranges::any_of(module().exceptions, [&](const Exception& e) {
      return exception == "*" || name_matches(exception, e.name);
    });
  }

  void prepare_integers() {
    for (const std::string& a : module().assumptions) result_.assumptions_.push_back(a);
    if (options().integers != Integers::Math) return;
    if (drop_wraps(module())) note({"integers are mathematical: arithmetic does not wrap around"});
    if (widen_counters(module()))
      note({"numbers that are counted or added up do not reach the limits of their types"});
  }

  /// Nobody returns from it.
  static bool stops(const Procedure& p) {
    return !p.blocks.empty() && !p.blocks[0].statements.empty() &&
           p.blocks[0].statements[0].kind == StatementKind::Assume &&
           is_false(p.blocks[0].statements[0].value);
  }

  void assume_externs() {
    std::set<std::string> called;
    for (const Procedure& p : module().procedures)
      for (const Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Call) called.insert(b.end.name);
    for (const Procedure& p : module().procedures)
      if (p.kind == ProcedureKind::Extern && called.contains(p.name)) {
        const bool says_more = !p.blocks.empty() || !p.ensures.empty();
        if (stops(p)) {
          note({fmt::format("runs that end in {} are left out, unless reach:{} is an error", p.name,
                            p.name)});
          continue;
        }
        note({fmt::format("opaque callee {} {} and does not call back", p.name,
                          says_more ? "behaves as its contract says"
                                    : "writes only what it is handed, whatever it returns,")});
      }
  }

  /// The procedures of one kind that the patterns take, in declaration order; all when there are no
  /// patterns.
  Result<std::vector<std::string>>
  chosen(ProcedureKind kind, const std::vector<std::string>& patterns, std::string_view option) {
    std::vector<std::string> known, taken;
    for (const Procedure& p : module().procedures)
      if (p.kind == kind) known.push_back(p.name);
    for (const Procedure& p : module().procedures)
      for (const std::string& pattern : patterns)
        if (p.kind == kind && pattern == p.name + "()" && !p.parameters.empty())
          return fail("{}: '{}' takes arguments; it is spelled without parentheses", option,
                      p.name);
    for (const std::string& pattern : patterns)
      if (std::ranges::none_of(known, [&](const std::string& n) { return takes_call(pattern, n); }))
        return fail("{}: '{}' has no {} '{}'{}", option, module().name,
                    kind == ProcedureKind::Method ? "method" : "constructor", pattern,
                    suggestion(pattern, known));
    for (const std::string& n : known)
      if (patterns.empty() ||
          std::ranges::any_of(patterns, [&](const std::string& p) { return takes_call(p, n); }))
        taken.push_back(n);
    return taken;
  }

  /// Methods and constructors that are not chosen are callees at most.
  Result<void> select() {
    auto methods = chosen(ProcedureKind::Method, options().methods, "--methods");
    if (!methods) return std::unexpected(methods.error());
    auto constructors = chosen(ProcedureKind::Constructor, options().constructors, "--constructor");
    if (!constructors) return std::unexpected(constructors.error());
    if (methods->empty()) return fail("the component '{}' has no methods", module().name);
    for (Procedure& p : module().procedures) {
      const bool is_method = p.kind == ProcedureKind::Method;
      if (!is_method && p.kind != ProcedureKind::Constructor) continue;
      const auto& taken = is_method ? *methods : *constructors;
      if (std::ranges::find(taken, p.name) == taken.end()) p.kind = ProcedureKind::Internal;
    }
    return {};
  }

  /// Calls have been inlined, so nothing else is needed but whose choices are in them.
  void drop_callees() {
    for (const Procedure& p : module().procedures)
      if (p.kind == ProcedureKind::Extern) externs_.push_back(p);
    std::erase_if(module().procedures, [](const Procedure& p) { return !is_root(p); });
  }

  /// What bears on the protocol, beside what methods return and throw.
  RelevanceOptions relevance(const std::vector<ErrorSpec>& specs,
                             const std::vector<Term>& origins) {
    RelevanceOptions relevant;
    for (const Term flag : origins)
      if (flag != nullptr) relevant.state.insert(flag->name);
    relevant.errors = std::ranges::any_of(specs, [](const ErrorSpec& s) {
      return s.kind == ErrorSpec::Kind::Assert || s.kind == ErrorSpec::Kind::Named ||
             s.kind == ErrorSpec::Kind::Reach;
    });
    // What is said of the state, by whatever part of its name.
    std::vector<std::string> said = options().letters;
    said.insert(said.end(), options().assumes.begin(), options().assumes.end());
    for (const ErrorSpec& spec : specs)
      if (spec.kind == ErrorSpec::Kind::InState) said.push_back(spec.condition);
    for (const StateVariable& v : module().state) {
      const std::string last = v.name().substr(v.name().rfind('.') + 1);
      if (std::ranges::any_of(said, [&](const std::string& text) { return text.contains(last); }))
        relevant.state.insert(v.name());
    }
    return relevant;
  }

  Result<void> instrument(const std::vector<ErrorSpec>& specs, const std::vector<Term>& origins) {
    InstrumentOptions how{
        .translated_errors = options().translated_errors, .aside = {}, .origins = origins};
    for (const std::string& text : options().aside) {
      auto aside = parse_aside(text);
      if (!aside) return std::unexpected(aside.error());
      how.aside.push_back(std::move(*aside));
    }
    auto& procedures = module().procedures;
    procedures.insert(procedures.end(), externs_.begin(), externs_.end());
    auto done = instrument_errors(module(), specs, how);
    if (!done) return std::unexpected(done.error());
    std::erase_if(procedures, [](const Procedure& p) { return !is_root(p); });
    note(std::move(done->notes));
    if (!options().errors.empty()) result_.unmatched_ = std::move(done->unmatched);
    return {};
  }

  Result<void> letters() {
    std::vector<LetterSpec> specs;
    for (const std::string& text : options().letters) {
      auto spec = parse_letter_spec(text);
      if (!spec) return std::unexpected(spec.error());
      specs.push_back(std::move(*spec));
    }
    auto conditions = split_letters(module(), specs);
    if (!conditions) return std::unexpected(conditions.error());
    result_.letter_conditions_ = std::move(*conditions);
    return {};
  }

  /// `--assume 'connect: port > 0'`: prepended to the bodies it names.
  Result<void> restrict_arguments() {
    for (const std::string& text : options().assumes) {
      const auto colon = text.find(": ");
      const auto cut = colon == std::string::npos ? text.rfind(':') : colon;
      if (cut == std::string::npos) return fail("--assume '{}': expected 'call: condition'", text);
      const std::string pattern = trim(text.substr(0, cut)), condition = trim(text.substr(cut + 1));
      bool found = false;
      std::vector<std::string> known;
      for (Procedure& p : module().procedures) {
        known.push_back(p.name);
        if (!takes_call(pattern, p.name)) continue;
        found = true;
        auto term = parse_expression(condition, "--assume", *module().arena,
                                     ModuleScope(module(), &p), module().arena->bool_sort());
        if (!term) return std::unexpected(term.error());
        prepend(p, {.kind = StatementKind::Assume, .value = *term});
      }
      if (!found)
        return fail("--assume '{}': there is no call '{}'{}", text, pattern,
                    suggestion(pattern, known));
      note({"assumed of the arguments of " + pattern + ": " + condition});
    }
    return {};
  }

  /// At the start of a body, behind the client's choices and what it may have changed.
  static void prepend(Procedure& p, Statement statement) {
    ensure_entry(p);
    auto& statements = p.blocks[0].statements;
    const auto at = std::ranges::find_if(
        statements, [](const Statement& s) { return s.kind != StatementKind::Havoc; });
    statements.insert(at, std::move(statement));
  }

  /// Fields the client may write between calls are arguments of the next call.
  void client_state() {
    for (Procedure& p : module().procedures) {
      ensure_entry(p);
      for (auto v = module().state.rbegin(); v != module().state.rend(); ++v)
        if (v->client)
          p.blocks[0].statements.insert(
              p.blocks[0].statements.begin(),
              {.kind = StatementKind::Havoc, .target = v->term, .chooser = Chooser::Client});
    }
  }

  /// Gives the body an entry block without predecessors.
  static void ensure_entry(Procedure& p) {
    bool looped = false;
    for (const Block& b : p.blocks)
      for (BlockId s : successors(b.end)) looped = looped || s == 0;
    if (!looped) return;
    Block entry{{}, {.kind = TerminatorKind::Goto, .next = 1}};
    for (Block& b : p.blocks) {
      ++b.end.next;
      ++b.end.other;
      for (Handler& h : b.end.handlers) ++h.target;
    }
    p.blocks.insert(p.blocks.begin(), std::move(entry));
  }

  void default_constructor() {
    for (const Procedure& p : module().procedures)
      if (p.kind == ProcedureKind::Constructor) return;
    Procedure p;
    p.name = module().name;
    p.kind = ProcedureKind::Constructor;
    p.blocks.push_back({{}, {.kind = TerminatorKind::Return}});
    module().procedures.push_back(std::move(p));
  }

  bool is_blind(const std::string& call) const {
    return std::ranges::any_of(
        options().blind, [&](const std::string& pattern) { return takes_call(pattern, call); });
  }

  /// What `--reject` names is an outcome that the component has, whether somebody looks at it or
  /// not; so calls are split for it first and made blind afterwards.
  Result<void> outcomes() {
    for (std::size_t i = 0; i < module().procedures.size(); ++i) {
      Procedure& p = module().procedures[i];
      const bool constructor = p.kind == ProcedureKind::Constructor;
      Call call{p.name, i, {}, !constructor && is_blind(p.name)};
      call.outcomes =
          split_outcomes(module(), p, {.blind = call.blind && options().rejects.empty()});
      should(!call.outcomes.empty(), "every call should have an outcome");
      (constructor ? result_.constructors_ : result_.calls_).push_back(std::move(call));
    }
    for (const std::string& pattern : options().blind)
      if (std::ranges::none_of(result_.calls_,
                               [&](const Call& c) { return takes_call(pattern, c.name); }))
        return fail("--blind: there is no call '{}'", pattern);
    std::ranges::sort(result_.constructors_, {}, &Call::name);
    if (auto marked = mark_rejections(); !marked) return marked;
    for (Call& call : result_.calls_)
      if (call.blind) look_away(call);
    return {};
  }

  void look_away(Call& call) {
    call.outcomes = {"any"};
    for (Block& b : module().procedures[call.procedure].blocks)
      if (b.end.outcome >= 0) b.end.outcome = 0;
  }

  /// A constructor that ends in what `--reject` names has made no object.
  void drop_failed_constructions() {
    for (const std::string& reject : options().rejects) {
      auto spec = parse_error_spec(as_spec(reject));
      if (!spec || !block_failed_constructors(module(), *spec)) continue;
      failed_.insert(reject);
      note({fmt::format("there is no object after a constructor that ends in '{}'", reject)});
    }
  }

  /// `returns=-2` and `call:returns=-2` as `--error` has them.
  static std::string as_spec(std::string text) {
    if (const std::size_t at = text.find("returns="); at != std::string::npos)
      text[at + std::string_view("returns").size()] = ':';
    if (const std::size_t at = text.find(":returns:"); at != std::string::npos) text[at] = '=';
    return text;
  }

  /// Angelic reading: which exits mean that the arguments were refused.
  /// `returns=-2`, `returns:-2` or, by the name of a constant, `returns:BZ_PARAM_ERROR`.
  bool means(std::string text, const std::string& outcome) {
    if (text == outcome) return true;
    constexpr std::string_view returned = "returns=";
    if (text.starts_with("returns:")) text.replace(0, returned.size(), returned);
    if (text == outcome) return true;
    if (!text.starts_with(returned)) return false;
    for (const Sort sort : module().enums)
      for (const Enumerator& value : sort->decl->values)
        if (text.substr(returned.size()) == value.name)
          return outcome == std::string(returned) + to_string(value.value);
    return false;
  }

  Result<void> mark_rejections() {
    std::vector<std::string> unused = options().rejects;
    for (auto* list : {&result_.calls_, &result_.constructors_})
      for (const Call& call : *list)
        for (Block& b : module().procedures[call.procedure].blocks) {
          if (b.end.kind == TerminatorKind::Throw && !b.end.environment) b.end.rejecting = true;
          if ((b.end.kind != TerminatorKind::Return && b.end.kind != TerminatorKind::Throw) ||
              b.end.outcome < 0)
            continue;
          const std::string& outcome = call.outcomes[static_cast<std::size_t>(b.end.outcome)];
          for (const std::string& reject : options().rejects)
            if (means(reject, outcome) || (reject.starts_with(call.name + ":") &&
                                           means(reject.substr(call.name.size() + 1), outcome))) {
              b.end.rejecting = true;
              std::erase(unused, reject);
            }
        }
    std::erase_if(unused, [&](const std::string& reject) { return failed_.contains(reject); });
    if (!unused.empty()) return fail("--reject: no call has the outcome '{}'", unused.front());
    return {};
  }

  void number_letters() {
    for (std::size_t c = 0; c < result_.calls_.size(); ++c) {
      result_.first_letter_.push_back(result_.letters_.size());
      for (std::size_t o = 0; o < result_.calls_[c].outcomes.size(); ++o)
        result_.letters_.push_back({c, o});
    }
  }

  const Type* declared(const Procedure& p, Term value) const {
    if (value->op == Op::Select) {
      const Type* map = declared(p, value->args[0]);
      return map ? map->value.get() : nullptr;
    }
    if (value->op != Op::Var) return nullptr;
    if (const Variable* v = p.find_local(value->name)) return &v->type;
    const auto index = result_.module_.state_index(value);
    return index ? &result_.module_.state[*index].type : nullptr;
  }

  static bool within(const Type& inner, const Type& outer) {
    if (outer.value) return inner.value && within(*inner.value, *outer.value);
    return (!outer.low || (inner.low && *inner.low >= *outer.low)) &&
           (!outer.high || (inner.high && *inner.high <= *outer.high));
  }

  static bool has_range(const Type& type) {
    return type.ranged() || (type.value && has_range(*type.value));
  }

  /// Whether an assignment keeps its variable's range, and that of its elements, whatever happens:
  /// constants inside it, and variables whose own range is inside it.
  bool keeps_range(const Procedure& p, const Type& type, Term value) const {
    if (!has_range(type)) return true;
    switch (value->op) {
    case Op::IntConst: return contains(type, Value(value->number));
    case Op::ConstMap: return keeps_range(p, *type.value, value->args[0]);
    case Op::Store:
      return keeps_range(p, type, value->args[0]) && keeps_range(p, *type.value, value->args[2]);
    case Op::Ite:
      return keeps_range(p, type, value->args[1]) && keeps_range(p, type, value->args[2]);
    default: {
      const Type* known = declared(p, value);
      return known != nullptr && within(*known, type);
    }
    }
  }

  void assume_ranges() {
    for (const Procedure& p : module().procedures)
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements) {
          if (s.kind != StatementKind::Assign) continue;
          const Variable* local = p.find_local(s.target->name);
          const auto index = module().state_index(s.target);
          const Type& type = local ? local->type : module().state[*index].type;
          if (!keeps_range(p, type, s.value))
            return note({"values stay within the ranges of their variables (no overflow)"});
        }
  }

  void find_unknowns() {
    for (const Procedure& p : module().procedures)
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements)
          if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown)
            result_.has_unknowns_ = true;
  }

  Component result_;
  std::set<std::string> failed_;   // rejections that constructors end in
  std::vector<Procedure> externs_; // that were inlined
};

Result<Component> build_component(const Module& module, const ComponentOptions& options) {
  return ComponentBuilder(module, options).run();
}

std::string Component::letter_name(std::size_t index) const {
  const CallOutcome l = letters_[index];
  return calls_[l.call].name + ":" + calls_[l.call].outcomes[l.outcome];
}

std::vector<ErrorSite> Component::error_sites(const Call& call) const {
  std::vector<ErrorSite> sites;
  for (const Block& b : body(call).blocks)
    if (b.end.kind == TerminatorKind::Error)
      sites.push_back(
          {b.end.name, b.end.site(), b.end.procedure.empty() ? body(call).name : b.end.procedure});
  return sites;
}

std::optional<std::size_t> Component::find_call(std::string_view name) const {
  for (std::size_t i = 0; i < calls_.size(); ++i)
    if (calls_[i].name == name) return i;
  return std::nullopt;
}

} // namespace tacit
