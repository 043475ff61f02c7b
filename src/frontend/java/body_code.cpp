// Code under construction: statements, locals, and the operand stack.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "base/should.h"
#include "frontend/java/body_code.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {

constexpr std::size_t largest_expression = 40;

std::size_t tree_size(Term term, std::size_t limit) {
  std::size_t size = 1;
  for (const Term a : term->args) {
    if (size >= limit) return limit;
    size += tree_size(a, limit - size);
  }
  return size;
}
} // namespace

BodyCode::BodyCode(Context& context, const Context::Body& what)
    : context_(context), arena_(context.arena), what_(what), key_(what.key) {}

/// Where the method begins, as far as that is known.
Location BodyCode::beginning() const {
  const auto& code = what_.method->code;
  const bool known = code && !code->lines.empty() && code->lines.front().line > 0;
  return {Context::source_of(*what_.owner), known ? code->lines.front().line : 1, 0};
}

BlockId BodyCode::new_block() {
  made_.blocks.emplace_back();
  return static_cast<BlockId>(made_.blocks.size() - 1);
}

void BodyCode::assign(Term target, Term value) {
  emit({.kind = StatementKind::Assign, .target = target, .value = value});
}

void BodyCode::end(Terminator terminator) {
  made_.blocks[current_].end = std::move(terminator);
  dead_ = true;
}

std::string BodyCode::fresh(std::string_view base) {
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

Term BodyCode::temporary(std::string_view hint, const Type& type) {
  const Term term = arena_.var(fresh(hint), type.sort);
  made_.locals.push_back({term, type});
  return term;
}

Term BodyCode::havoc(std::string_view hint, const Type& type, Chooser chooser) {
  const Term term = temporary(hint, type);
  emit({.kind = StatementKind::Havoc, .target = term, .chooser = chooser});
  return term;
}

Term BodyCode::canonical(bool local, std::size_t index, Kind kind, const std::string& type) {
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

Location BodyCode::here() const {
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

void BodyCode::protect(Term variable) {
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

Term BodyCode::is_null(JavaValue& slot) {
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

void BodyCode::set_state(Term variable, Term value) {
  protect(variable);
  forget_monitors(variable);
  assign(variable, value);
}

std::set<std::string> BodyCode::caught_here() const {
  std::set<std::string> types;
  if (code_)
    for (const std::uint32_t h : graph_.blocks[block_].handlers)
      if (!code_->handlers[h].type.empty()) types.insert(code_->handlers[h].type);
  const auto around = context_.discovered.caught.find(key_);
  if (around != context_.discovered.caught.end())
    types.insert(around->second.begin(), around->second.end());
  const auto& asked = context_.discovered.told_apart;
  types.insert(asked.begin(), asked.end());
  return types;
}

/// What a callee throws may reach every handler around this call and around those of this method.
void BodyCode::hand_on_caught(const std::string& key) {
  for (const std::string& type : caught_here())
    context_.again |= context_.discovered.caught[key].insert(type).second;
}

Term BodyCode::unknown_object(std::string_view hint) {
  // An assumption would end runs; whatever nobody chooses has to be there.
  context_.need_record("Object");
  const Term some = temporary(hint, {.sort = arena_.ref_sort()});
  emit({.kind = StatementKind::New, .target = some, .record = "Object"});
  const Term other = havoc("other", {.sort = arena_.ref_sort()}, Chooser::Unknown);
  assign(some, arena_.ite(arena_.eq(other, arena_.null()), some, other));
  return some;
}

/// What a text that says this answers to all that is asked of texts.
Term BodyCode::answers(Term text, const std::string& content) {
  std::vector<Term> all;
  const auto asked = context_.discovered.text_questions;
  for (const std::string& question : asked) {
    const auto changed = changed_text(content, question);
    const auto known = changed ? context_.string_number(*changed) : text_fact(content, question);
    if (!known) continue;
    const Term answer = arena_.select(context_.string_fact(question), text);
    all.push_back(arena_.eq(answer, answer->sort == arena_.bool_sort() ? arena_.boolean(*known != 0)
                                                                       : arena_.integer(*known)));
  }
  return arena_.conj(std::move(all));
}

void BodyCode::wrong(const std::string& what) {
  if (problem_.empty()) problem_ = what;
  dead_ = true;
}

void BodyCode::approximate(const std::string& what) { approximations_.insert(what); }

void BodyCode::push(JavaValue slot) {
  if (state_.stack.size() > 70000) return wrong("the stack overflows");
  if (slot.term && slot.kind != Kind::Nothing) slot.term = small(slot.term, slot.kind);
  state_.stack.push_back(std::move(slot));
}

void BodyCode::push(Kind kind, Term term) { push(JavaValue{.kind = kind, .term = term}); }

JavaValue BodyCode::pop() {
  if (state_.stack.empty()) {
    wrong("the stack is empty where a value is needed");
    return {.kind = Kind::Int, .term = arena_.integer(0)};
  }
  JavaValue slot = std::move(state_.stack.back());
  state_.stack.pop_back();
  return slot;
}

JavaValue BodyCode::pop(Kind kind) {
  JavaValue slot = pop();
  const bool referring = slot.kind == Kind::Reference || slot.kind == Kind::Exception ||
                         slot.kind == Kind::Enumeration;
  if (slot.kind == kind || (kind == Kind::Reference && referring)) return slot;
  wrong("a value of another kind is needed");
  return kind == Kind::Reference ? JavaValue{.kind = kind, .term = arena_.null(), .type = "null"}
                                 : JavaValue{.kind = kind, .term = arena_.integer(0)};
}

/// A large expression gets a name, so that what is printed stays short.
Term BodyCode::small(Term term, Kind kind) {
  if (term->args.empty() || tree_size(term, largest_expression) < largest_expression) return term;
  if (kind == Kind::Enumeration || kind == Kind::Exception || kind == Kind::Nothing) return term;
  const Term copy = temporary("t", context_.machine_type(kind));
  assign(copy, term);
  return copy;
}

Term BodyCode::reference(JavaValue& slot) {
  if (slot.kind == Kind::Exception) {
    // An exception as an object: some reference, of which nothing is known but that it is there.
    const Term made = havoc("object", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume, .value = arena_.ne(made, arena_.null())});
    return made;
  }
  if (slot.kind == Kind::Enumeration) {
    const Term made = havoc("object", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made, arena_.null()),
                             arena_.eq(slot.term, context_.enum_null(slot.type)))});
    return made;
  }
  if (slot.receiver >= 0) return context_.receiver_term(static_cast<std::size_t>(slot.receiver));
  if (slot.held) { // this round's result is thrown away
    context_.leak(*slot.held->of);
    return context_.held_reference(*slot.held);
  }
  if (slot.term) return slot.term;
  should(slot.lazy != 0, "a value should have a term");
  if (slot.function && !at_once_)
    context_.again |= context_.discovered.kept_functions.insert(*slot.function).second;
  const int lazy = slot.lazy;
  Term made = nullptr;
  if (slot.text) {
    // Which object a constant is does not matter, see identity().
    made = havoc("text", {.sort = arena_.ref_sort()}, Chooser::Environment);
    emit({.kind = StatementKind::Assume,
          .value = arena_.conj(std::vector<Term>{
              arena_.ne(made, arena_.null()),
              arena_.eq(arena_.select(context_.string_text(), made), arena_.integer(*slot.text)),
              answers(made, context_.string_content(*slot.text))})});
  } else if (slot.code) {
    // A text of which more is asked than what it says may not be chosen: what else it is follows.
    const bool text = slot.type == "java/lang/String";
    const bool more = text && !context_.discovered.text_questions.empty();
    made = havoc(text ? "text" : "box", {.sort = arena_.ref_sort()},
                 more ? Chooser::Unknown : Chooser::Environment);
    const Term absent = is_null(slot), is = arena_.eq(made, arena_.null());
    const Term value = arena_.select(text ? context_.string_text() : context_.boxed_value(), made);
    emit({.kind = StatementKind::Assume,
          .value = arena_.conj(arena_.eq(is, absent),
                               arena_.disj(absent, arena_.eq(value, slot.code)))});
  } else if (slot.table) {
    bool changes = false;
    for (const auto& [when, table] : slot.table->cases) changes |= table->ever_changes();
    if (changes && !slot.table->field.empty()) context_.leak_table(slot.table->field);
    const Term absent = is_null(slot);
    made = havoc("table", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made, arena_.null()), absent)});
  } else if (slot.type == "java/lang/String") {
    made = unknown_object("text");
  } else {
    context_.need_record("Object");
    made = temporary("object", {.sort = arena_.ref_sort()});
    emit({.kind = StatementKind::New, .target = made, .record = "Object"});
  }
  auto settle = [&](JavaValue& s) {
    if (s.lazy != lazy) return;
    s.term = made;
    s.lazy = 0;
    s.text.reset();
    s.derived.reset();
    s.nonnull = s.nonnull || (!s.code && !s.table);
    s.code = nullptr;
    s.table.reset();
  };
  settle(slot);
  for (JavaValue& s : state_.stack) settle(s);
  for (JavaValue& s : state_.locals) settle(s);
  return made;
}

JavaValue BodyCode::object(const std::string& type) {
  return {.kind = Kind::Reference,
          .lazy = next_lazy_++,
          .type = type,
          .nonnull = true,
          .homemade = true};
}

JavaValue BodyCode::converted(JavaValue slot, Kind kind, const std::string& type) {
  if (slot.kind == kind && (kind != Kind::Enumeration || slot.type == type)) return slot;
  if (kind == Kind::Reference) {
    JavaValue made{.kind = kind, .nonnull = slot.nonnull};
    made.term = reference(slot);
    return made;
  }
  if (kind == Kind::Enumeration &&
      (slot.kind == Kind::Reference || slot.kind == Kind::Enumeration)) {
    JavaValue made{.kind = kind, .type = type};
    if (slot.kind == Kind::Reference && slot.type == "null") {
      made.term = context_.enum_null(type);
      return made;
    }
    const Term is_null =
        slot.kind == Kind::Enumeration       ? arena_.eq(slot.term, context_.enum_null(slot.type))
        : slot.nonnull || slot.receiver >= 0 ? arena_.falsehood()
                                             : arena_.eq(reference(slot), arena_.null());
    made.term = havoc("value", {.sort = context_.enum_sort(type)},
                      slot.opaque ? Chooser::Environment : Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made.term, context_.enum_null(type)), is_null)});
    return made;
  }
  if (kind == Kind::Exception && slot.kind == Kind::Reference) {
    JavaValue made{.kind = kind, .type = "java/lang/Throwable", .nonnull = true};
    made.term = havoc("thrown", context_.exception_type(), Chooser::Unknown);
    return made;
  }
  wrong("a value of another kind is needed");
  return slot;
}

JavaValue BodyCode::loaded(const JavaType& type, Term term) {
  JavaValue slot{.kind = context_.kind_of(type), .term = term};
  if (type.letter == 'Z') slot.term = arena_.ite(term, arena_.integer(1), arena_.integer(0));
  if (type.is_reference()) slot.type = type.name;
  return slot;
}

void BodyCode::havoc_into(Term local) {
  emit({.kind = StatementKind::Havoc, .target = local, .chooser = Chooser::Unknown});
}

/// After a variable (or with null: any field that is not final) may have changed.
void BodyCode::forget_monitors(Term changed) {
  const auto stays = [&](Term variable) {
    for (const Receiver& receiver : context_.receivers())
      for (const ClassFile* one : receiver.chain)
        for (const Field& field : one->fields)
          if ((field.flags & access::is_final) && variable->name == receiver.prefix + field.name)
            return true;
    return false;
  };
  for (Monitor& monitor : state_.monitors)
    if (monitor.reference && std::ranges::any_of(variables(monitor.reference), [&](Term v) {
          return changed ? v == changed : context_.module.find_state(v->name) && !stays(v);
        }))
      monitor = {};
}

} // namespace tacit::java
