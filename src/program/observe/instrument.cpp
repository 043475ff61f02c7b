// Each specification is a condition on the exits of methods and constructors: on the exception of a
// throw, the value of a return, or the state at either. An exit whose condition may hold is split
// into `error` and itself. Errors that are in the program already are kept when a specification
// counts them; otherwise the runs that reach them are cut off, by assuming the other side of the
// branch that leads there.
#include "program/observe/instrument.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/should.h"
#include "program/graph/branches.h"
#include "program/graph/call_graph.h"
#include "program/graph/constants.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"
#include "program/observe/decided.h"
#include "program/observe/handed_through.h"
#include "program/observe/no_object.h"
#include "program/observe/return_sites.h"

namespace tacit {

namespace {

std::string at(Location where) {
  where.column = 0;
  return where.known() ? " at " + to_string(where) : "";
}

const std::string& site_procedure(const Procedure& procedure, const Terminator& end) {
  return end.procedure.empty() ? procedure.name : end.procedure;
}

bool counts(const ErrorSpec& spec, const std::string& error) {
  switch (spec.kind) {
  case ErrorSpec::Kind::Assert: return error == "assert";
  case ErrorSpec::Kind::Named: return spec.subject == "*" || error == spec.subject;
  case ErrorSpec::Kind::Reach: return error == "reach:" + spec.subject;
  default: return false;
  }
}

/// Removes the runs that enter a block marked in `dead`.
void cut(TermArena& arena, Procedure& procedure, std::vector<bool> dead) {
  auto& blocks = procedure.blocks;
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId b = 0; b < blocks.size(); ++b) {
      const Terminator& end = blocks[b].end;
      const bool lost = (end.kind == TerminatorKind::Goto && dead[end.next]) ||
                        (end.kind == TerminatorKind::Branch && dead[end.next] && dead[end.other]);
      if (dead[b] || !lost) continue;
      dead[b] = changed = true;
    }
  }
  for (BlockId b = 0; b < blocks.size(); ++b) {
    Terminator& end = blocks[b].end;
    if (dead[b]) {
      // Reached only if this is the entry: a method that always errs.
      blocks[b].statements = {
          {.kind = StatementKind::Assume, .value = arena.falsehood(), .where = end.where}};
      end = {.kind = TerminatorKind::Return, .where = end.where};
      if (procedure.returns) end.value = default_term(arena, *procedure.returns);
    } else if (end.kind == TerminatorKind::Branch && (dead[end.next] || dead[end.other])) {
      assume_branch(arena, blocks[b], dead[end.other]);
    }
  }
}

/// `v < 0`, `v == OPEN`…
struct ReturnTest {
  std::string comparison;
  Term constant = nullptr;

  Term on(TermArena& arena, Term value) const {
    // A number means the enumerators with that number.
    if (value->sort->kind == SortKind::Enum && constant->sort == arena.int_sort())
      value = arena.to_int(value);
    if (comparison == "<") return arena.lt(value, constant);
    if (comparison == "<=") return arena.le(value, constant);
    if (comparison == ">") return arena.gt(value, constant);
    if (comparison == ">=") return arena.ge(value, constant);
    return comparison == "!=" ? arena.ne(value, constant) : arena.eq(value, constant);
  }
};

class Instrumentation {
public:
  Instrumentation(Module& module, const InstrumentOptions& options)
      : module_(module), arena_(*module.arena), options_(options),
        translated_errors_(options.translated_errors), used_(options.aside.size()) {
    for (const Procedure& procedure : module.procedures)
      if (procedure.kind == ProcedureKind::Extern && origin_of(procedure) == Origin::Collaborator)
        collaborators_.insert(procedure.name);
  }

  Result<Instrumented> run(const std::vector<ErrorSpec>& specs) {
    for (const ErrorSpec& spec : specs)
      if (auto known = check_named(spec); !known) return std::unexpected(known.error());
    candidates_ = find_candidates();
    keep_errors(specs);
    const bool codes = std::ranges::any_of(
        specs, [](const ErrorSpec& s) { return s.kind == ErrorSpec::Kind::Returns; });
    for (Procedure& procedure : module_.procedures) {
      if (!codes || !is_root(procedure)) continue;
      split_returns(procedure);
      if (!translated_errors_) mark_handed_through(module_, procedure);
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
      origin_ = i < options_.origins.size() ? options_.origins[i] : nullptr;
      if (auto done = apply(specs[i]); !done) return std::unexpected(done.error());
    }
    for (std::size_t i = 0; i < options_.aside.size(); ++i)
      if (!used_[i]) return not_aside(options_.aside[i]);
    for (Procedure& procedure : module_.procedures) {
      if (!is_root(procedure)) continue;
      if (!options_.origins.empty()) drop_unread(procedure);
      tidy(procedure);
    }
    return Instrumented{std::move(notes_), std::move(unmatched_)};
  }

  /// Constructors whose type does not fit are passed over.
  Result<Term> returned(const ErrorSpec& spec, Term value) const {
    const auto test = parse_return_test(spec, value->sort);
    if (!test) return std::unexpected(test.error());
    return test->on(arena_, value);
  }

  bool block_constructors(const ErrorSpec& spec) {
    bool any = false;
    for (Procedure& procedure : module_.procedures) {
      if (procedure.kind != ProcedureKind::Constructor || !procedure.returns) continue;
      if (!spec.concerns(procedure.name)) continue;
      const auto test = parse_return_test(spec, procedure.returns->sort);
      if (!test) continue;
      for (Block& block : procedure.blocks) {
        if (block.end.kind != TerminatorKind::Return || block.end.value == nullptr) continue;
        const Term when = test->on(arena_, block.end.value);
        if (is_false(when)) continue;
        any = true;
        block.statements.push_back({.kind = StatementKind::Assume,
                                    .value = arena_.negate(when),
                                    .where = block.end.where});
      }
    }
    return any;
  }

private:
  using Done = Result<bool>; // the value means nothing

  void note(std::string text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
  }

  /// Errors may stand in any procedure: a method that calls it may have been left out.
  Done check_named(const ErrorSpec& spec) const {
    if (spec.kind != ErrorSpec::Kind::Named || spec.subject == "*") return true;
    std::vector<std::string> known;
    for (const Procedure& procedure : module_.procedures)
      for (const Block& block : procedure.blocks)
        if (block.end.kind == TerminatorKind::Error) known.push_back(block.end.name);
    if (std::ranges::find(known, spec.subject) != known.end()) return true;
    return fail("'{}': the program has no error '{}'{}", spec.text, spec.subject,
                suggestion(spec.subject, known));
  }

  /// "assert at x.c:12", "throws:E at X.java:3": what could count in methods and constructors.
  std::vector<std::string> find_candidates() const {
    std::set<std::string> found;
    for (const Procedure& procedure : module_.procedures) {
      if (!is_root(procedure)) continue;
      for (const Block& block : procedure.blocks) {
        const Terminator& end = block.end;
        if (end.kind == TerminatorKind::Error)
          found.insert(end.name + at(end.site()));
        else if (end.kind == TerminatorKind::Throw && !end.environment && end.value)
          found.insert("throws:" +
                       (end.value->op == Op::EnumConst
                            ? module_.exceptions[static_cast<std::size_t>(end.value->number)].name
                            : "*") +
                       at(end.site()));
      }
    }
    return {found.begin(), found.end()};
  }

  void unmatched(const ErrorSpec& spec) {
    constexpr std::size_t most = 12; // what a message can hold
    std::vector<std::string> shown = candidates_;
    if (shown.size() > most) shown.resize(most);
    unmatched_.push_back(fmt::format(
        "'{}': nothing in '{}' can err like that; candidates: {}{}", spec.text, module_.name,
        shown.empty() ? "none" : fmt::format("{}", fmt::join(shown, ", ")),
        candidates_.size() > most ? fmt::format(" and {} more", candidates_.size() - most) : ""));
  }

  std::unexpected<Diagnostic> not_aside(const AsideSite& aside) const {
    return fail("'{}@{}': the call does not err there; candidates: {}", aside.call, aside.site,
                candidates_.empty() ? "none" : fmt::format("{}", fmt::join(candidates_, ", ")));
  }

  /// Whether an error of this place does not count for the call.
  bool set_aside(const Procedure& procedure, const Terminator& end) {
    bool found = false;
    for (std::size_t i = 0; i < options_.aside.size(); ++i) {
      const AsideSite& aside = options_.aside[i];
      const bool same = aside.call == procedure.name || aside.call == bare_name(procedure.name);
      if (!same || !at_site(module_, aside.site, site_procedure(procedure, end), end.site()))
        continue;
      used_[i] = found = true;
    }
    return found;
  }

  /// Flags of origins that nothing reads any more.
  static void drop_unread(Procedure& procedure) {
    for (bool changed = true; changed;) {
      changed = false;
      std::set<Term, TermById> read;
      const auto add = [&](Term term) {
        if (term != nullptr)
          for (Term variable : variables(term)) read.insert(variable);
      };
      for (const Block& block : procedure.blocks) {
        for (const Statement& s : block.statements) add(s.value);
        add(block.end.value);
      }
      if (const Variable* out = procedure.out_variable()) add(out->term);
      for (std::size_t i = procedure.locals.size(); i-- > 0;) {
        const Term local = procedure.locals[i].term;
        if (local->sort->kind != SortKind::Bool || read.contains(local)) continue;
        for (Block& block : procedure.blocks)
          std::erase_if(block.statements, [&](const Statement& s) { return s.target == local; });
        procedure.locals.erase(procedure.locals.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
      }
    }
  }

  void keep_errors(const std::vector<ErrorSpec>& specs) {
    std::vector<bool> met(specs.size(), false);
    for (Procedure& procedure : module_.procedures) {
      if (!is_root(procedure)) continue;
      std::vector<bool> dead(procedure.blocks.size(), false);
      for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
        const Terminator& end = procedure.blocks[b].end;
        if (end.kind != TerminatorKind::Error) continue;
        bool counting = specs.empty() || end.name == used_after_free || end.name == no_object;
        for (std::size_t i = 0; i < specs.size(); ++i)
          if (counts(specs[i], end.name)) counting = met[i] = true;
        if (counting) {
          dead[b] = set_aside(procedure, end);
          continue;
        }
        dead[b] = true;
        note(fmt::format("error '{}'{} in {} does not count; runs that reach it are left out",
                         end.name, at(end.site()), site_procedure(procedure, end)));
      }
      cut(arena_, procedure, std::move(dead));
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const ErrorSpec::Kind kind = specs[i].kind;
      if (met[i] || (kind != ErrorSpec::Kind::Reach && kind != ErrorSpec::Kind::Assert &&
                     kind != ErrorSpec::Kind::Named))
        continue;
      unmatched(specs[i]);
      if (kind == ErrorSpec::Kind::Reach)
        note(fmt::format("'{}': no method or constructor calls it", specs[i].text));
    }
  }

  Done apply(const ErrorSpec& spec) {
    switch (spec.kind) {
    case ErrorSpec::Kind::Throws: return apply_throws(spec);
    case ErrorSpec::Kind::Returns: return apply_returns(spec);
    case ErrorSpec::Kind::InState: return apply_state(spec);
    default: return true;
    }
  }

  /// Whether none of the values that may be handed out satisfies the condition.
  bool never(Term when, const Terminator& exit, const PossibleConstants& values) {
    return !values.other && std::ranges::all_of(values.constants, [&](Term value) {
      return is_false(substitute(arena_, when, {{exit.value, value}}));
    });
  }

  /// Whether all of them do.
  bool always(Term when, const Terminator& exit, const PossibleConstants& values) {
    return !values.other && !values.constants.empty() &&
           std::ranges::all_of(values.constants, [&](Term value) {
             return is_true(substitute(arena_, when, {{exit.value, value}}));
           });
  }

  /// Exits that surely err, and whether they are taken is up to a collaborator: outcomes.
  void leave_translated(Procedure& procedure, std::vector<std::pair<BlockId, Term>>& exits) const {
    std::set<BlockId> erring;
    for (const auto& [b, when] : exits)
      if (is_true(when)) erring.insert(b);
    if (erring.empty()) return;
    // What nobody knows is no one's failure; an allocation that fails is the environment's.
    const DecidedBy decides(procedure, [&](const Statement& s) {
      if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Environment) return false;
      return s.opaque ? collaborators_.contains(s.opaque->callee) : !s.from.empty();
    });
    std::erase_if(exits, [&](const auto& exit) {
      if (!is_true(exit.second) || !decides.whether_run(exit.first, erring)) return false;
      return procedure.blocks[exit.first].end.environment = true;
    });
  }

  /// `condition` maps an exit to when it is an error, or to null for "never". Returns whether any
  /// exit may be one.
  template <class Condition>
  bool split_exits(const ErrorSpec& spec, Procedure& procedure, Condition condition) {
    std::vector<std::pair<BlockId, Term>> found;
    bool any = false;
    const ConstantFinder constants(arena_, procedure);
    for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
      const Terminator& exit = procedure.blocks[b].end;
      if (exit.kind != TerminatorKind::Return && exit.kind != TerminatorKind::Throw) continue;
      const Term when = condition(exit);
      if (when == nullptr || is_false(when)) continue;
      if (set_aside(procedure, exit)) {
        any = true;
        continue;
      }
      const auto values = exit.value ? constants.at_end(b, exit.value) : PossibleConstants{};
      if (exit.value && !is_true(when) && never(when, exit, values)) continue;
      found.emplace_back(b, exit.value && always(when, exit, values) ? arena_.truth() : when);
    }
    if (spec.kind != ErrorSpec::Kind::InState && !translated_errors_)
      leave_translated(procedure, found);
    for (const auto& [b, when] : found) {
      const Terminator exit = procedure.blocks[b].end;
      Terminator error{.kind = TerminatorKind::Error,
                       .name = spec.text,
                       .procedure = exit.procedure,
                       .where = exit.where,
                       .made = exit.made};
      if (is_true(when)) {
        procedure.blocks[b].end = std::move(error);
        continue;
      }
      branch_to(procedure, b, when, std::move(error), exit);
    }
    return any || !found.empty();
  }

  /// The exceptions that a type on the command line means, subtypes included, by index.
  /// Only what own code throws counts, so that is what could be meant.
  std::unexpected<Diagnostic> not_thrown(const ErrorSpec& spec) const {
    std::set<std::string> thrown;
    for (const Procedure& procedure : module_.procedures)
      for (const Block& block : procedure.blocks) {
        const Terminator& end = block.end;
        if (end.kind == TerminatorKind::Throw && !end.environment && end.value &&
            end.value->op == Op::EnumConst)
          thrown.insert(module_.exceptions[static_cast<std::size_t>(end.value->number)].name);
      }
    return fail("'{}': no code of '{}' itself throws '{}'; it throws {} (what other classes throw "
                "counts with --own PATTERN)",
                spec.text, module_.name, spec.subject,
                thrown.empty() ? "nothing" : fmt::format("{}", fmt::join(thrown, ", ")));
  }

  Result<std::vector<std::size_t>> resolve_exception(const ErrorSpec& spec) const {
    const auto names = [&] {
      std::vector<std::string> all;
      for (const Exception& exception : module_.exceptions) all.push_back(exception.name);
      return all;
    }();
    std::vector<std::string> roots;
    if (spec.subject == "*" || module_.find_exception(spec.subject))
      roots = {spec.subject};
    else
      std::ranges::copy_if(names, std::back_inserter(roots), [&](const std::string& name) {
        return name_matches(spec.subject, name);
      });
    if (roots.empty() && module_.conventions.open_exceptions) return not_thrown(spec);
    if (roots.empty())
      return fail("'{}': the program has no exception '{}'; it has {}", spec.text, spec.subject,
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    std::vector<std::size_t> found;
    for (std::size_t e = 0; e < names.size(); ++e)
      if (std::ranges::any_of(
              roots, [&](const std::string& r) { return module_.exception_is(names[e], r); }))
        found.push_back(e);
    return found;
  }

  Done apply_throws(const ErrorSpec& spec) {
    const auto exceptions = resolve_exception(spec);
    if (!exceptions) return std::unexpected(exceptions.error());
    bool any = false;
    for (Procedure& procedure : module_.procedures) {
      if (!is_root(procedure)) continue;
      any |= split_exits(spec, procedure, [&](const Terminator& exit) -> Term {
        if (exit.kind != TerminatorKind::Throw || (exit.environment && !translated_errors_))
          return nullptr;
        if (origin_ == nullptr &&
            !at_site(module_, spec.site, site_procedure(procedure, exit), exit.where) &&
            !at_site(module_, spec.site, site_procedure(procedure, exit), exit.site()))
          return nullptr;
        const Term thrown = is_one_of(exit.value, *exceptions);
        return origin_ == nullptr ? thrown : arena_.conj(thrown, origin_at(procedure, exit));
      });
    }
    if (!any) unmatched(spec);
    return true;
  }

  /// Whether the exception that leaves here comes from the spec's site; often the block says so.
  Term origin_at(const Procedure& procedure, const Terminator& exit) {
    for (const Block& block : procedure.blocks) {
      if (&block.end != &exit) continue;
      for (auto s = block.statements.rbegin(); s != block.statements.rend(); ++s)
        if (s->target == origin_)
          return s->kind == StatementKind::Assign && is_constant(s->value) ? s->value : origin_;
    }
    return origin_;
  }

  Term is_one_of(Term exception, const std::vector<std::size_t>& wanted) {
    if (wanted.size() == module_.exceptions.size()) return arena_.truth();
    std::vector<Term> cases;
    for (const std::size_t e : wanted)
      cases.push_back(arena_.eq(exception, arena_.enumerator(module_.exception_sort, e)));
    return arena_.disj(std::move(cases));
  }

  /// A constant of the sort; for integers also an enumerator, which stands for its value.
  Result<Term> parse_constant(const std::string& text, Sort sort) const {
    const ModuleScope scope(module_);
    auto term = parse_expression(text, "", arena_, scope, sort);
    const bool qualified = text.find_first_of(":.$") != std::string::npos;
    if (!term && !qualified && sort == arena_.int_sort())
      if (const Term enumerator = scope.enumerator(text, nullptr)) term = arena_.to_int(enumerator);
    if (!term)
      if (const Term enumerator = qualified_enumerator(scope, text, sort)) term = enumerator;
    if (term && !is_constant(*term)) return fail("'{}' is not a constant", text);
    return term;
  }

  /// `crypto::Status::BadState`, `com.acme.Session$Result.LOCKED`, as the source has them.
  Term qualified_enumerator(const ModuleScope& scope, const std::string& text, Sort sort) const {
    const std::size_t last = text.find_last_of(":.$");
    if (last == std::string::npos) return nullptr;
    const Sort wanted = sort->kind == SortKind::Enum ? sort : nullptr;
    const Term found = scope.enumerator(text.substr(last + 1), wanted);
    if (found == nullptr) return nullptr;
    const std::string type = with_dots(text.substr(0, text.find_last_not_of(":.$", last) + 1));
    const std::string known = with_dots(found->sort->decl->name);
    if (!name_matches(type, known) && !name_matches(known, type)) return nullptr;
    if (sort != arena_.int_sort()) return found->sort == sort ? found : nullptr;
    // Numbers are not meant by the enumerators of a type that methods return.
    return is_returned(found->sort) ? nullptr : arena_.to_int(found);
  }

  bool is_returned(Sort enumeration) const {
    return std::ranges::any_of(module_.procedures, [&](const Procedure& procedure) {
      return procedure.kind == ProcedureKind::Method && procedure.returns &&
             procedure.returns->sort == enumeration;
    });
  }

  Result<ReturnTest> parse_return_test(const ErrorSpec& spec, Sort sort) const {
    ReturnTest test{.comparison = "=="};
    std::string rest = spec.condition;
    for (const std::string_view symbol : std::array{"<=", ">=", "==", "!=", "<", ">"}) {
      if (!rest.starts_with(symbol)) continue;
      test.comparison = symbol;
      rest.erase(0, symbol.size());
      break;
    }
    const bool ordered = sort->kind == SortKind::Int || sort->kind == SortKind::Enum;
    if (!ordered && test.comparison != "==" && test.comparison != "!=")
      return fail("'{}': values of type {} are not ordered", spec.text, to_string(sort));
    auto constant = parse_constant(rest, sort);
    if (!constant && sort->kind == SortKind::Enum && parse_integer(rest))
      constant = parse_constant(rest, arena_.int_sort());
    if (!constant) return fail("'{}': {}", spec.text, constant.error().message);
    test.constant = *constant;
    return test;
  }

  /// A count is no error code because it equals an enumerator of the type that others return.
  bool is_mere_number(const ErrorSpec& spec, const Procedure& procedure) const {
    if (!spec.method.empty() || procedure.returns->sort != arena_.int_sort()) return false;
    const std::size_t name = spec.condition.find_first_not_of("<>=!");
    if (name == std::string::npos) return false;
    const Term meant = ModuleScope(module_).enumerator(spec.condition.substr(name), nullptr);
    return meant != nullptr && !meant->sort->decl->numbers && is_returned(meant->sort);
  }

  /// A constructor that failed because of a collaborator, or at a place that does not count, has
  /// made no object: the word ends there.
  void end_failed(Procedure& constructor, const ReturnTest& test) {
    for (Block& block : constructor.blocks) {
      if (block.end.kind != TerminatorKind::Return || !block.end.value ||
          !((block.end.environment && !translated_errors_) || set_aside(constructor, block.end)))
        continue;
      const Term when = test.on(arena_, block.end.value);
      if (!is_false(when))
        block.statements.push_back({.kind = StatementKind::Assume,
                                    .value = arena_.negate(when),
                                    .where = block.end.where});
    }
  }

  /// Without a method, those whose type does not fit are passed over as long as one fits.
  /// Constructors that return an error code are refused like other calls.
  Done apply_returns(const ErrorSpec& spec) {
    std::optional<Diagnostic> misfit;
    bool fits = false, any = false;
    for (Procedure& procedure : module_.procedures) {
      if (!is_root(procedure) || !procedure.returns) continue;
      if (!spec.concerns(procedure.name) || is_mere_number(spec, procedure)) continue;
      const auto test = parse_return_test(spec, procedure.returns->sort);
      if (!test) {
        if (!misfit) misfit = test.error();
        continue;
      }
      fits = true;
      if (procedure.kind == ProcedureKind::Constructor) end_failed(procedure, *test);
      any |= split_exits(spec, procedure, [&](const Terminator& exit) -> Term {
        if (exit.kind != TerminatorKind::Return || exit.value == nullptr) return nullptr;
        if (exit.environment && !translated_errors_) return nullptr;
        return test->on(arena_, exit.value);
      });
    }
    if (fits && !any) unmatched(spec);
    if (fits) return true;
    if (misfit) return std::unexpected(*misfit);
    if (spec.method.empty()) return fail("'{}': no method returns a value", spec.text);
    return fail("'{}': there is no method '{}' that returns a value{}", spec.text, spec.method,
                suggestion(spec.method, method_names()));
  }

  std::vector<std::string> method_names() const {
    std::vector<std::string> names;
    for (const Procedure& procedure : module_.procedures)
      if (procedure.kind == ProcedureKind::Method) names.push_back(procedure.name);
    return names;
  }

  Done apply_state(const ErrorSpec& spec) {
    const auto condition =
        parse_expression(spec.condition, "", arena_, ModuleScope(module_), arena_.bool_sort());
    if (!condition) return fail("'{}': {}", spec.text, condition.error().message);
    for (Procedure& procedure : module_.procedures)
      if (is_root(procedure))
        split_exits(spec, procedure, [&](const Terminator&) { return *condition; });
    return true;
  }

  Module& module_;
  TermArena& arena_;
  const InstrumentOptions& options_;
  bool translated_errors_;
  std::set<std::string> collaborators_; // externs
  std::vector<bool> used_;              // per site to set aside
  Term origin_ = nullptr;               // of the spec at hand
  std::vector<std::string> notes_, unmatched_, candidates_;
};

} // namespace

std::size_t mark_reached(Module& module, const std::string& function) {
  std::size_t calls = 0;
  for (Procedure& procedure : module.procedures) {
    if (procedure.kind == ProcedureKind::Extern) continue;
    for (Block& block : procedure.blocks) {
      if (block.end.kind != TerminatorKind::Call || !name_matches(function, block.end.name))
        continue;
      block.end = {.kind = TerminatorKind::Error,
                   .name = "reach:" + function,
                   .procedure = block.end.procedure,
                   .where = block.end.where};
      ++calls;
    }
    // What came after those calls may have lost its only way in.
    tidy(procedure);
  }
  return calls;
}

Result<Instrumented> instrument_errors(Module& module, const std::vector<ErrorSpec>& specs,
                                       const InstrumentOptions& options) {
  return Instrumentation(module, options).run(specs);
}

Result<Term> returned_error(const Module& module, const ErrorSpec& spec, Term value) {
  Module copy = clone(module);
  return Instrumentation(copy, {}).returned(spec, value);
}

bool block_failed_constructors(Module& module, const ErrorSpec& spec) {
  return spec.kind == ErrorSpec::Kind::Returns &&
         Instrumentation(module, {}).block_constructors(spec);
}

} // namespace tacit
