// Edges between blocks: what is known where paths join, exceptions, and what branches teach.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/body_code.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

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

/// Own code that is not looked into may throw whatever its class names.
void BodyCode::add_unknown_throw() {
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

/// Facts from a branch that was taken.
void BodyCode::learn(Term condition, bool holds) {
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
bool BodyCode::never_negative(Term index) const {
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
std::optional<std::size_t> BodyCode::length_local() const {
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

Term BodyCode::out_of_bounds(Term index, Term length) {
  const Term above = arena_.ge(index, length), below = arena_.lt(index, arena_.integer(0));
  if (const auto local = length_local(); local && *local < state_.locals.size())
    if (const Term known = state_.locals[*local].term;
        known && state_.refuted.contains(arena_.ge(index, known)) && never_negative(index))
      return arena_.falsehood();
  if (!state_.refuted.contains(above)) return arena_.disj(below, above);
  if (never_negative(index) || state_.refuted.contains(below)) return arena_.falsehood();
  return below;
}

void BodyCode::jump(std::uint32_t target) {
  flow(target, state_);
  dead_ = true;
}

void BodyCode::branch(Term condition, std::uint32_t then, std::uint32_t otherwise) {
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

bool BodyCode::merge(JavaValue& into, const JavaValue& from) {
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

/// From the end of `current_`, which stays open, into a block.
void BodyCode::flow(std::uint32_t target, const State& from) {
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

void BodyCode::null_check(JavaValue& object) {
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

void BodyCode::throw_if(Term condition, const std::string& exception) {
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
void BodyCode::raise(Term exception, const std::string& type, bool exact) {
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

void BodyCode::enter_handler(std::uint32_t handler, JavaValue exception) {
  State state = state_;
  state.stack.assign(1, std::move(exception));
  flow(graph_.handler_block[handler], state);
}

} // namespace tacit::java
