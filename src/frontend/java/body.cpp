// Rounds, blocks and edges.
#include "frontend/java/body.h"

#include <algorithm>

#include "base/should.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

namespace {
constexpr int max_rounds = 40;
} // namespace

BodyLowering::BodyLowering(Context& context, const Context::Body& what)
    : context_(context), arena_(context.arena), what_(what), key_(what.key) {}

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

/// Where the method begins, as far as that is known.
Location BodyLowering::beginning() const {
  const auto& code = what_.method->code;
  const bool known = code && !code->lines.empty() && code->lines.front().line > 0;
  return {Context::source_of(*what_.owner), known ? code->lines.front().line : 1, 0};
}

/// Own code that is not looked into may throw whatever its class names.
void BodyLowering::add_unknown_throw() {
  context_.declare_exception("java/lang/RuntimeException");
  for (const std::string& thrown : what_.method->throws) context_.declare_exception(thrown);
  std::set<std::string> classes{what_.owner->name};
  if (what_.receiver == not_followed) classes = context_.own_classes();
  for (const std::string& one : classes) {
    const ClassFile* file = context_.pool.find(one);
    for (unsigned i = 0; file && i < file->pool.size(); ++i)
      if (const auto name = file->class_at(i); name && context_.pool.is_throwable(*name))
        context_.declare_exception(*name);
  }
  if (!context_.module.exception_sort) return; // another round follows
  const Term leaves = havoc("leaves", {.sort = arena_.bool_sort()}, Chooser::Unknown);
  const Term thrown = havoc("thrown", context_.exception_type(), Chooser::Unknown);
  const Terminator last = made_.blocks[current_].end;
  made_.blocks[current_].end = {
      .kind = TerminatorKind::Branch, .value = leaves, .next = 1, .other = 2, .where = made_.where};
  made_.blocks.push_back(
      {{}, {.kind = TerminatorKind::Throw, .value = thrown, .where = beginning()}});
  made_.blocks.push_back({{}, last});
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
    take(self, false);
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

// --- code under construction

BlockId BodyLowering::new_block() {
  made_.blocks.emplace_back();
  return static_cast<BlockId>(made_.blocks.size() - 1);
}

void BodyLowering::assign(Term target, Term value) {
  emit({.kind = StatementKind::Assign, .target = target, .value = value});
}

void BodyLowering::end(Terminator terminator) {
  made_.blocks[current_].end = std::move(terminator);
  dead_ = true;
}

std::string BodyLowering::fresh(std::string_view base) {
  std::string wanted;
  for (const char c : base)
    wanted += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ? c : '_';
  if (wanted.empty() || std::isdigit(static_cast<unsigned char>(wanted[0]))) wanted = "v" + wanted;
  const auto taken = [&](const std::string& name) {
    return names_.contains(name) || context_.reserved().contains(name);
  };
  std::string name = wanted;
  if (taken(name))
    for (int& last = names_.try_emplace(wanted, 1).first->second; taken(name);)
      name = fmt::format("{}.{}", wanted, ++last);
  names_.try_emplace(name, 1);
  return name;
}

Term BodyLowering::temporary(std::string_view hint, const Type& type) {
  const Term term = arena_.var(fresh(hint), type.sort);
  made_.locals.push_back({term, type});
  return term;
}

Term BodyLowering::havoc(std::string_view hint, const Type& type, Chooser chooser) {
  const Term term = temporary(hint, type);
  emit({.kind = StatementKind::Havoc, .target = term, .chooser = chooser});
  return term;
}

Term BodyLowering::canonical(bool local, std::size_t index, Kind kind, const std::string& type) {
  const std::string key =
      fmt::format("{}{} {} {}", local ? "l" : "s", index, static_cast<int>(kind),
                  kind == Kind::Enumeration ? type : "");
  if (const auto known = canonical_.find(key); known != canonical_.end()) return known->second;
  std::string name = fmt::format("{}{}", local ? "l" : "s", index);
  if (local)
    for (const LocalEntry& l : code_->locals) {
      if (l.slot != index) continue;
      const auto java = parse_type(l.descriptor);
      if (!java) continue;
      Kind declared = context_.kind_of(*java);
      if (declared == Kind::Reference && kind == Kind::Exception) declared = kind;
      if (declared != kind) continue;
      name = l.name;
      break;
    }
  if (!local && kind == Kind::Exception) name = "e";
  const Type made = kind == Kind::Enumeration ? Type{.sort = context_.enum_sort(type)}
                                              : context_.machine_type(kind);
  const Term term = arena_.var(fresh(name), made.sort);
  made_.locals.push_back({term, made});
  return canonical_[key] = term;
}

Location BodyLowering::here() const {
  Location where{Context::source_of(*what_.owner), 0, 0};
  if (!code_ || instruction_ >= graph_.instructions.size()) return where;
  const std::uint16_t pc = graph_.instructions[instruction_].pc;
  where.line = pc;
  if (code_->lines.empty()) return where;
  where.line = code_->lines.front().line;
  for (const LineEntry& l : code_->lines) {
    if (l.pc > pc) break;
    where.line = l.line;
  }
  return where;
}

void BodyLowering::protect(Term variable) {
  std::map<Term, Term, TermById> saved;
  auto mentions = [&](Term term) {
    for (const Term v : variables(term))
      if (variable ? v == variable : context_.module.find_state(v->name) != nullptr) return true;
    return false;
  };
  auto visit = [&](JavaValue& slot) {
    slot.left = slot.right = nullptr;
    if (!slot.term || is_constant(slot.term) || !mentions(slot.term)) return;
    slot.nonnull |= state_.present.contains(slot.term);
    Term& copy = saved[slot.term];
    if (!copy) {
      Type type = slot.kind == Kind::Enumeration ? Type{.sort = slot.term->sort}
                                                 : context_.machine_type(slot.kind);
      copy = temporary(slot.term->op == Op::Var ? slot.term->name : "t", type);
      assign(copy, slot.term);
    }
    slot.term = copy;
  };
  for (JavaValue& s : state_.stack) visit(s);
  for (std::size_t i = 0; i < state_.locals.size(); ++i)
    if (!never_stored_[i]) visit(state_.locals[i]);
  std::erase_if(state_.present, mentions);
  std::erase_if(state_.refuted, mentions);
}

/// Facts from a branch that was taken.
void BodyLowering::learn(Term condition, bool holds) {
  if (condition->op == Op::Not) return learn(condition->args[0], !holds);
  if (condition->op == (holds ? Op::And : Op::Or)) {
    for (const Term part : condition->args) learn(part, holds);
    return;
  }
  state_.refuted.insert(holds ? arena_.negate(condition) : condition);
  if (!holds && condition->op == Op::Var) state_.present.insert(condition);
  if (holds || condition->op != Op::Eq) return;
  for (const std::size_t null : {0, 1})
    if (condition->args[null] == arena_.null() || condition->args[null] == context_.null_code())
      state_.present.insert(condition->args[1 - null]);
}

/// A local that counts upwards: it is only set to constants that are not negative, and increased.
bool BodyLowering::never_negative(Term index) const {
  constexpr unsigned load = 0x15, store = 0x36, store_0 = 0x3b, increase = 0x84;
  if (instruction_ == 0) return false;
  const auto& list = graph_.instructions;
  const Instruction& before = list[instruction_ - 1];
  const bool short_load = before.op >= 0x1a && before.op <= 0x1d;
  if (before.op != load && !short_load) return false;
  const int local = short_load ? before.op - 0x1a : before.operand;
  if (static_cast<std::size_t>(local) < entry_state_.locals.size() &&
      entry_state_.locals[static_cast<std::size_t>(local)].kind != Kind::Nothing)
    return false;
  if (index->op != Op::Var) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].op == increase && list[i].operand == local && list[i].second < 0) return false;
    const bool short_store = list[i].op >= store_0 && list[i].op < store_0 + 4;
    const bool stores = list[i].op == store
                            ? list[i].operand == local
                            : short_store && static_cast<int>(list[i].op - store_0) == local;
    if (!stores) continue;
    if (i == 0) return false;
    const Instruction& pushed = list[i - 1];
    const bool constant = (pushed.op >= 3 && pushed.op <= 8) ||
                          ((pushed.op == 0x10 || pushed.op == 0x11) && pushed.operand >= 0);
    if (!constant) return false;
  }
  return true;
}

/// `for (x : array)`: the array and its length are put into locals that nobody else sets, `load
/// array, arraylength, store length`. The current instruction loads an element of such an array.
std::optional<std::size_t> BodyLowering::length_local() const {
  constexpr unsigned array_length = 0xbe;
  const auto& list = graph_.instructions;
  // Which local an instruction loads or stores: opcodes with an operand, and the short ones.
  const auto local = [&](std::size_t at, unsigned with_operand, unsigned first) {
    if (at >= list.size()) return -1;
    if (list[at].op == with_operand) return static_cast<int>(list[at].operand);
    return list[at].op >= first && list[at].op < first + 4 ? static_cast<int>(list[at].op - first)
                                                           : -1;
  };
  const auto loads = [&](std::size_t at) { return local(at, 0x19, 0x2a); };
  const auto stores_array = [&](std::size_t at) { return local(at, 0x3a, 0x4b); };
  const auto stores_number = [&](std::size_t at) { return local(at, 0x36, 0x3b); };
  if (instruction_ < 2) return std::nullopt;
  const int array = loads(instruction_ - 2);
  int length = -1;
  const auto pair = [&](std::size_t at) {
    return at + 2 < list.size() && loads(at) == array && list[at + 1].op == array_length
               ? stores_number(at + 2)
               : -1;
  };
  for (std::size_t i = 0; array >= 0 && i < list.size(); ++i) {
    if (stores_array(i) != array) continue;
    const int found = pair(i + 1);
    if (found < 0 || (length >= 0 && found != length)) return std::nullopt;
    length = found;
  }
  if (length < 0) return std::nullopt;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].op == 0x84 && list[i].operand == length) return std::nullopt;
    if (stores_number(i) == length && (i < 3 || stores_array(i - 3) != array || pair(i - 2) < 0))
      return std::nullopt;
  }
  return static_cast<std::size_t>(length);
}

Term BodyLowering::out_of_bounds(Term index, Term length) {
  const Term above = arena_.ge(index, length), below = arena_.lt(index, arena_.integer(0));
  if (const auto local = length_local(); local && *local < state_.locals.size())
    if (const Term known = state_.locals[*local].term;
        known && state_.refuted.contains(arena_.ge(index, known)) && never_negative(index))
      return arena_.falsehood();
  if (!state_.refuted.contains(above)) return arena_.disj(below, above);
  if (never_negative(index) || state_.refuted.contains(below)) return arena_.falsehood();
  return below;
}

Term BodyLowering::is_null(JavaValue& slot) {
  if (slot.absent && !slot.nonnull)
    return state_.present.contains(slot.absent) ? arena_.falsehood() : slot.absent;
  if (slot.code && !slot.nonnull && slot.lazy != 0)
    return state_.present.contains(slot.code) ? arena_.falsehood()
                                              : arena_.eq(slot.code, context_.null_code());
  if (slot.nonnull || slot.receiver >= 0 || slot.lazy != 0 || slot.kind == Kind::Exception)
    return arena_.falsehood();
  if (slot.kind == Kind::Enumeration) return arena_.eq(slot.term, context_.enum_null(slot.type));
  const Term term = slot.held ? context_.held_reference(*slot.held) : reference(slot);
  return state_.present.contains(term) ? arena_.falsehood() : arena_.eq(term, arena_.null());
}

void BodyLowering::set_state(Term variable, Term value) {
  protect(variable);
  forget_monitors(variable);
  assign(variable, value);
}

// --- edges

void BodyLowering::jump(std::uint32_t target) {
  flow(target, state_);
  dead_ = true;
}

void BodyLowering::branch(Term condition, std::uint32_t then, std::uint32_t otherwise) {
  if (is_true(condition)) return jump(then);
  if (is_false(condition)) return jump(otherwise);
  const BlockId yes = new_block(), no = new_block();
  end({.kind = TerminatorKind::Branch, .value = condition, .next = yes, .other = no});
  const State before = state_;
  current_ = yes;
  learn(condition, true);
  flow(then, State(state_));
  state_ = before;
  current_ = no;
  learn(condition, false);
  flow(otherwise, State(state_));
  dead_ = true;
}

bool BodyLowering::merge(JavaValue& into, const JavaValue& from) {
  const JavaValue before = into;
  if (into.kind != from.kind) {
    const bool first_null = into.kind == Kind::Reference && into.type == "null";
    const bool second_null = from.kind == Kind::Reference && from.type == "null";
    auto referring = [](Kind k) {
      return k == Kind::Reference || k == Kind::Exception || k == Kind::Enumeration;
    };
    if (first_null && from.kind == Kind::Enumeration) {
      into.kind = from.kind;
      into.type = from.type;
    } else if (second_null && into.kind == Kind::Enumeration) {
    } else if (referring(into.kind) && referring(from.kind)) {
      into.kind = Kind::Reference;
      into.type.clear();
    } else {
      into = JavaValue{};
    }
  } else if (into.type != from.type) {
    if (into.kind == Kind::Reference) {
      if (into.type == "null")
        into.type = from.type;
      else if (from.type != "null")
        into.type.clear();
    } else if (into.kind == Kind::Exception) {
      into.type = "java/lang/Throwable";
    } else if (into.kind == Kind::Enumeration) {
      into.kind = Kind::Reference;
      into.type.clear();
    }
  }
  if (into.kind == Kind::Nothing) into = JavaValue{};
  if (into.receiver != from.receiver) into.receiver = -1;
  if (into.held != from.held) into.held.reset();
  into.element = into.element && from.element;
  into.brought = into.brought || from.brought;
  into.entry = into.entry || from.entry;
  into.foreign = (into.foreign || before.type == "null") && (from.foreign || from.type == "null");
  into.nonnull = into.nonnull && from.nonnull;
  into.truth = into.truth && from.truth;
  into.homemade =
      (into.homemade || before.type == "null") && (from.homemade || from.type == "null");
  into.narrow =
      into.narrow || from.narrow ||
      (into.exact && from.exact && into.kind == Kind::Reference && before.type != from.type);
  into.exact = into.exact && from.exact &&
               (into.kind == Kind::Exception || into.type.starts_with("[")) &&
               into.type == before.type && into.type == from.type;
  return into.kind != before.kind || into.type != before.type || into.receiver != before.receiver ||
         into.held != before.held || into.element != before.element ||
         into.nonnull != before.nonnull || into.exact != before.exact ||
         into.narrow != before.narrow || into.homemade != before.homemade ||
         into.foreign != before.foreign || into.truth != before.truth || into.entry != before.entry;
}

namespace {
/// What is known of a slot whatever the path.
JavaValue summary_of(const JavaValue& slot) {
  return {.kind = slot.kind,
          .receiver = slot.receiver,
          .type = slot.type,
          .nonnull = slot.nonnull,
          .exact = slot.exact,
          .homemade = slot.homemade,
          .narrow = slot.narrow,
          .truth = slot.truth || (slot.term && is_zero_or_one(slot.term)),
          .held = slot.held,
          .brought = slot.brought,
          .foreign = slot.foreign,
          .element = slot.element,
          .entry = slot.entry};
}
} // namespace

/// From the end of `current_`, which stays open, into a block.
void BodyLowering::flow(std::uint32_t target, const State& from) {
  if (graph_.predecessors[target] == 1) {
    inherited_[target] = from;
    made_.blocks[current_].end = {.kind = TerminatorKind::Goto, .next = entry_[target]};
    return;
  }
  State state = from;
  // Parameters that nobody assigns mean the same wherever paths join.
  const auto stays = [&](Term term) {
    for (std::size_t i = 0; i < entry_state_.locals.size(); ++i)
      if (never_stored_[i] && entry_state_.locals[i].term == term) return true;
    return false;
  };
  std::erase_if(state.present, [&](Term term) { return !stays(term); });
  state.refuted.clear();
  for (std::size_t i = 0; i < state.locals.size(); ++i)
    if (!graph_.live[target][i] || never_stored_[i]) state.locals[i] = JavaValue{};
  if (!frames_[target]) {
    frames_[target].emplace();
    frames_[target]->called = state.called;
    frames_[target]->monitors = state.monitors;
    frames_[target]->assigned = state.assigned;
    frames_[target]->present = state.present;
    for (const JavaValue& s : state.stack) frames_[target]->stack.push_back(summary_of(s));
    for (const JavaValue& s : state.locals) frames_[target]->locals.push_back(summary_of(s));
    changed_ |= passed_[target];
  } else {
    State& frame = *frames_[target];
    changed_ |= state.called && !frame.called;
    frame.called |= state.called;
    changed_ |= std::erase_if(frame.assigned, [&](const std::string& field) {
                  return !state.assigned.contains(field);
                }) > 0;
    changed_ |=
        std::erase_if(frame.present, [&](Term term) { return !state.present.contains(term); }) > 0;
    if (frame.monitors != state.monitors) {
      const auto lost = std::erase_if(frame.monitors, [&](const Monitor& m) {
        return std::ranges::find(state.monitors, m) == state.monitors.end();
      });
      changed_ |= lost > 0;
    }
    if (frame.stack.size() != state.stack.size())
      return wrong("the stack has different depths where paths join");
    for (std::size_t i = 0; i < frame.stack.size(); ++i)
      changed_ |= merge(frame.stack[i], summary_of(state.stack[i]));
    for (std::size_t i = 0; i < frame.locals.size(); ++i)
      changed_ |= merge(frame.locals[i], summary_of(state.locals[i]));
  }
  // All variables at once: what one assignment changes another may still read.
  state_ = state;
  std::vector<std::pair<Term, Term>> moves;
  auto move = [&](bool local, std::size_t i, const JavaValue& frame, JavaValue& value) {
    if (frame.kind == Kind::Nothing || frame.receiver >= 0 || frame.held ||
        (frame.kind == Kind::Exception && frame.exact))
      return;
    JavaValue given = converted(value, frame.kind, frame.type);
    const Term term = frame.kind == Kind::Reference && !given.term ? reference(given) : given.term;
    const Term variable = canonical(local, i, frame.kind, frame.type);
    if (term && term != variable) moves.emplace_back(variable, term);
  };
  for (std::size_t i = 0; i < state_.stack.size(); ++i)
    move(false, i, frames_[target]->stack[i], state_.stack[i]);
  for (std::size_t i = 0; i < state_.locals.size(); ++i)
    move(true, i, frames_[target]->locals[i], state_.locals[i]);
  if (!problem_.empty()) return;
  std::set<Term, TermById> targets;
  for (const auto& [variable, value] : moves) targets.insert(variable);
  for (auto& [variable, value] : moves) {
    const auto read = variables(value);
    if (std::ranges::none_of(read, [&](Term v) { return v != variable && targets.contains(v); }))
      continue;
    const Variable* like = made_.find_local(variable->name);
    const Term copy = temporary("t", like->type);
    assign(copy, value);
    value = copy;
  }
  for (const auto& [variable, value] : moves) assign(variable, value);
  made_.blocks[current_].end = {.kind = TerminatorKind::Goto, .next = entry_[target]};
}

void BodyLowering::null_check(JavaValue& object) {
  const Term absent = is_null(object);
  if (is_false(absent)) return;
  throw_if(absent, "java/lang/NullPointerException");
  object.nonnull = true;
  for (auto* list : {&state_.stack, &state_.locals})
    for (JavaValue& s : *list)
      if ((s.term && s.term == object.term) || (s.lazy != 0 && s.lazy == object.lazy) ||
          (s.absent && s.absent == object.absent))
        s.nonnull = true;
}

void BodyLowering::throw_if(Term condition, const std::string& exception) {
  if (is_false(condition) || dead_) return;
  const BlockId bad = new_block(), good = new_block();
  made_.blocks[current_].end = {
      .kind = TerminatorKind::Branch, .value = condition, .next = bad, .other = good};
  const State before = state_;
  current_ = bad;
  raise(context_.exception(exception), exception, true);
  state_ = before;
  current_ = good;
  dead_ = false;
  learn(condition, false);
}

/// `exception` leaves the current instruction: to the handlers that cover it, and out of the
/// method.
void BodyLowering::raise(Term exception, const std::string& type, bool exact) {
  ClassPool& pool = context_.pool;
  for (const std::uint32_t h : graph_.blocks[block_].handlers) {
    const std::string& caught = code_->handlers[h].type;
    JavaValue slot{
        .kind = Kind::Exception, .term = exception, .type = type, .nonnull = true, .exact = exact};
    if (caught.empty() || pool.is_subtype(type, caught)) {
      enter_handler(h, slot);
      dead_ = true;
      return;
    }
    if (exact || !pool.is_subtype(caught, type)) continue;
    const Term is = context_.is_exception(exception, caught);
    const BlockId yes = new_block(), no = new_block();
    made_.blocks[current_].end = {
        .kind = TerminatorKind::Branch, .value = is, .next = yes, .other = no};
    const State before = state_;
    current_ = yes;
    slot.type = caught;
    enter_handler(h, slot);
    state_ = before;
    current_ = no;
  }
  end({.kind = TerminatorKind::Throw, .value = exception, .where = here()});
}

void BodyLowering::enter_handler(std::uint32_t handler, JavaValue exception) {
  State state = state_;
  state.stack.assign(1, std::move(exception));
  flow(graph_.handler_block[handler], state);
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
