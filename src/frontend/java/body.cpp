// Rounds, blocks and edges.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/body.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

namespace {
constexpr int max_rounds = 40;
} // namespace

Result<Procedure> BodyLowering::run() {
  const Location where{Context::source_of(*what_.owner)};
  const std::string name = dotted(what_.owner->name) + "." + what_.method->name;
  const auto signature = parse_signature(what_.method->descriptor);
  if (!signature)
    return fail(where, "{} has the malformed descriptor '{}'", name, what_.method->descriptor);
  signature_ = *signature;
  if (!what_.method->code || what_.receiver == not_followed) {
    set_up();
    if (what_.receiver == not_followed && dispatch_body()) return std::move(made_);
    unsupported_ = what_.receiver == not_followed ? "several bodies" : "no code";
    set_up();
    return opaque_body();
  }
  code_ = &*what_.method->code;
  auto graph = decode(*code_, where.file);
  if (!graph) return std::unexpected(graph.error());
  graph_ = std::move(*graph);
  note_limits();
  frames_.assign(graph_.blocks.size(), std::nullopt);
  for (int i = 0; i < max_rounds; ++i) {
    changed_ = false;
    set_up();
    if (problem_.empty()) round();
    if (!problem_.empty()) return fail(Location{where.file, here().line}, "{}: {}", name, problem_);
    if (!unsupported_.empty()) {
      set_up();
      return opaque_body();
    }
    if (!changed_) {
      remember_entry_choices();
      tidy(made_);
      return std::move(made_);
    }
  }
  unsupported_ = "control flow that does not settle";
  set_up();
  return opaque_body();
}

/// Any effect: every state variable may change, anything may be returned or thrown.
Procedure BodyLowering::opaque_body() {
  made_.blocks.assign(1, {});
  current_ = 0;
  made_.locals.clear();
  names_.clear();
  for (const Variable& p : made_.parameters) names_.try_emplace(p.name(), 1);
  context_.assume(
      fmt::format("{} is not looked into ({}): it may do anything", made_.name, unsupported_));
  Terminator last{.kind = TerminatorKind::Return, .where = made_.where};
  if (made_.returns) last.value = havoc("value", *made_.returns, Chooser::Unknown);
  made_.blocks[current_].end = last;
  add_unknown_throw();
  return std::move(made_);
}

/// Locals that the code never assigns: parameters that stay what they were.
void BodyLowering::find_never_stored(std::size_t locals) {
  never_stored_.assign(locals, true);
  for (const Instruction& i : graph_.instructions) {
    int slot = -1;
    if (i.op >= 0x36 && i.op <= 0x3a) slot = i.operand;
    if (i.op >= 0x3b && i.op <= 0x4e) slot = (i.op - 0x3b) % 4;
    if (i.op == 0x84) slot = i.operand;
    if (slot >= 0 && static_cast<std::size_t>(slot) < locals)
      never_stored_[static_cast<std::size_t>(slot)] = false;
    // A wide value also takes the slot behind it.
    const bool wide_value = i.op == 0x37 || i.op == 0x39 || (i.op >= 0x3f && i.op <= 0x42) ||
                            (i.op >= 0x47 && i.op <= 0x4a);
    if (wide_value && static_cast<std::size_t>(slot) + 1 < locals)
      never_stored_[static_cast<std::size_t>(slot) + 1] = false;
  }
}

/// The object that the method runs on.
JavaValue BodyLowering::own_object() {
  JavaValue self{.kind = Kind::Reference, .type = what_.owner->name, .nonnull = true};
  if (what_.receiver == by_reference || what_.receiver == not_followed) {
    const ClassFile& seen = what_.seen_as ? *what_.seen_as : *what_.owner;
    const std::string name = fresh("object"), constants = context_.enumeration_of(seen);
    const bool throwable = context_.pool.is_throwable(seen.name);
    const Sort sort = throwable           ? context_.exception_type().sort
                      : constants.empty() ? arena_.ref_sort()
                                          : context_.enum_sort(constants);
    self.term = arena_.var(name, sort);
    if (!constants.empty()) {
      self.kind = Kind::Enumeration;
      self.type = constants;
    }
    if (throwable) self.kind = Kind::Exception;
    made_.parameters.push_back({self.term, {.sort = sort}});
  } else {
    self.receiver = what_.receiver;
  }
  return self;
}

void BodyLowering::set_up() {
  made_ = {};
  made_.name = what_.name;
  made_.shown = what_.shown;
  made_.kind = what_.kind;
  made_.where = {Context::source_of(*what_.owner), 0, 0};
  names_.clear();
  canonical_.clear();
  new_objects_.clear();
  entry_choices_.clear();
  argument_fields_.clear();
  inherited_.assign(graph_.blocks.size(), std::nullopt);
  entry_.clear();
  next_lazy_ = 1;
  const std::size_t locals = code_ ? code_->max_locals : 0;
  find_never_stored(locals);
  entry_state_ = {};
  entry_state_.locals.resize(locals);
  std::size_t at = 0;
  auto take = [&](JavaValue slot, bool wide) {
    if (code_) {
      if (at >= locals) return wrong("parameters do not fit the locals");
      entry_state_.locals[at] = std::move(slot);
    }
    at += wide ? 2 : 1;
  };
  auto name_of = [&](std::size_t slot, std::string fallback) {
    if (code_)
      for (const LocalEntry& l : code_->locals)
        if (l.slot == slot && l.pc == 0) return l.name;
    return fallback;
  };
  if (what_.receiver != no_receiver) {
    take(own_object(), false);
  }
  std::optional<std::size_t> outer;
  if (what_.method->name == "<init>" && what_.receiver >= 0)
    outer = context_.outer_parameter(static_cast<std::size_t>(what_.receiver), *what_.owner,
                                     signature_);
  for (std::size_t i = 0; i < signature_.parameters.size(); ++i) {
    const JavaType& java = signature_.parameters[i];
    if (i == 0 && outer) {
      take({.kind = Kind::Reference,
            .receiver = static_cast<int>(*outer),
            .type = java.name,
            .nonnull = true},
           false);
      continue;
    }
    const Type type = context_.type_of(java);
    const std::string name = name_of(at, fmt::format("p{}", i + 1));
    const Term term = arena_.var(fresh(name), type.sort);
    made_.parameters.push_back({term, type});
    if (term->name != name) made_.parameters.back().shown = name;
    JavaValue slot = loaded(java, term);
    slot.parameter = static_cast<int>(i);
    slot.foreign =
        what_.kind != ProcedureKind::Internal || context_.is_foreign(Context::place_of(key_, i));
    take(std::move(slot), java.is_wide());
  }
  passed_tests_.clear();
  const auto tests = context_.discovered.type_tests.find(
      Context::procedure_key(*what_.owner, *what_.method, what_.receiver));
  if (what_.kind == ProcedureKind::Internal && tests != context_.discovered.type_tests.end())
    for (const auto& [index, type] : tests->second) {
      const Type boolean{.sort = arena_.bool_sort()};
      const Term flag = arena_.var(
          fresh(fmt::format("p{}_is_{}", index + 1, class_type(type).simple())), boolean.sort);
      made_.parameters.push_back({flag, boolean});
      entry_choices_.emplace_back(TypeTest{index, type}, flag);
      passed_tests_.insert({index, type});
    }
  if (signature_.result.letter != 'V') {
    made_.returns = context_.returns_exception(*what_.owner, *what_.method) &&
                            what_.kind == ProcedureKind::Internal
                        ? context_.exception_type()
                        : context_.type_of(signature_.result);
  }
}

void BodyLowering::round() {
  made_.blocks.assign(1, {});
  current_ = 0;
  dead_ = false;
  entry_.assign(graph_.blocks.size(), 0);
  passed_.assign(graph_.blocks.size(), false);
  iterators_.clear();
  for (const std::uint32_t b : graph_.order) entry_[b] = new_block();
  // The entry may be the target of a jump: then it is a join like any other.
  state_ = entry_state_;
  block_ = 0;
  jump(0);
  for (const std::uint32_t b : graph_.order) {
    lower_block(b);
    if (!problem_.empty() || !unsupported_.empty()) return;
  }
}

void BodyLowering::lower_block(std::uint32_t b) {
  if (inherited_[b]) {
    state_ = *inherited_[b];
  } else if (frames_[b]) {
    state_ = *frames_[b];
    for (std::size_t i = 0; i < state_.stack.size(); ++i) {
      JavaValue& s = state_.stack[i];
      if (s.kind == Kind::Exception && s.exact) s.term = context_.exception(s.type);
      if (s.kind != Kind::Nothing && s.receiver < 0 && !s.held &&
          !(s.kind == Kind::Exception && s.exact))
        s.term = canonical(false, i, s.kind, s.type);
    }
    for (std::size_t i = 0; i < state_.locals.size(); ++i) {
      JavaValue& s = state_.locals[i];
      if (s.kind == Kind::Exception && s.exact) s.term = context_.exception(s.type);
      if (never_stored_[i])
        s = entry_state_.locals[i];
      else if (s.kind != Kind::Nothing && s.receiver < 0 && !s.held &&
               !(s.kind == Kind::Exception && s.exact))
        s.term = canonical(true, i, s.kind, s.type);
    }
  } else {
    passed_[b] = true;
    return; // not entered, as far as is known in this round
  }
  block_ = b;
  passed_[b] = true;
  current_ = entry_[b];
  dead_ = false;
  const CodeBlock& block = graph_.blocks[b];
  for (instruction_ = block.first; instruction_ < block.end && !dead_; ++instruction_) {
    step(graph_.instructions[instruction_]);
    if (!problem_.empty() || !unsupported_.empty()) return;
  }
  instruction_ = block.end - 1;
  if (dead_) return;
  if (block.successors.size() != 1) return wrong("control runs off the end of the code");
  jump(block.successors[0]);
}

/// Which class an argument has is the client's choice, made once per call.
void BodyLowering::remember_entry_choices() {
  if (entry_choices_.empty() && argument_fields_.empty()) return;
  const bool root = what_.kind != ProcedureKind::Internal;
  std::vector<Statement> first;
  for (const auto& [key, field] : argument_fields_)
    first.push_back({.kind = StatementKind::Havoc,
                     .target = field,
                     .chooser = root ? Chooser::Client : Chooser::Unknown});
  for (const auto& [test, flag] : entry_choices_)
    if (!passed_tests_.contains(test))
      first.push_back({.kind = StatementKind::Havoc,
                       .target = flag,
                       .chooser = root ? Chooser::Client : Chooser::Unknown});
  for (const auto& [a, first_flag] : entry_choices_)
    for (const auto& [b, second_flag] : entry_choices_) {
      if (passed_tests_.contains(a)) continue;
      if (first_flag != second_flag && a.parameter == b.parameter &&
          context_.pool.is_subtype(a.type, b.type))
        first.push_back(
            {.kind = StatementKind::Assume, .value = arena_.implies(first_flag, second_flag)});
    }
  auto& statements = made_.blocks[0].statements;
  statements.insert(statements.begin(), first.begin(), first.end());
}

} // namespace tacit::java
