// When class initialisers run (Java Language Specification 12.4).
//
// Those of the component, its superclasses and the objects around it have run before its
// constructor does anything. Any other runs at the first use of its class: a new object, a static
// method, a static field that is no constant. Where nobody can tell when it ran, because it only
// sets static fields of its own class and depends on nothing else, it runs at the start too.
#include <algorithm>

#include "frontend/java/body.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {
constexpr unsigned get_static = 0xb2, put_static = 0xb3, make_object = 0xbb, first_call = 0xb6,
                   last_call = 0xb9;
} // namespace

const Method* Context::initialiser(const std::string& type) {
  const ClassFile* file = is_own(type) ? pool.find(type) : nullptr;
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  return init && init->code ? init : nullptr;
}

/// Whether code that initialises `type` sets only its static fields and depends on no others.
bool Context::keeps_to_itself(const std::string& type, const ClassFile& file, const Method& method,
                              std::set<const Method*>& seen) {
  if (!seen.insert(&method).second) return true;
  if (!method.code) return false;
  const auto graph = decode(*method.code, source_of(file));
  if (!graph) return false;
  const auto harmless = [&](const std::string& other) {
    return other == type || !is_own(other) || !starts_lazily(other);
  };
  return std::ranges::all_of(graph->instructions, [&](const Instruction& i) {
    const auto index = static_cast<unsigned>(i.operand);
    if (i.op == make_object) {
      const auto name = file.class_at(index);
      return name && harmless(*name);
    }
    if (i.op == get_static || i.op == put_static) {
      const auto member = file.member_at(index);
      const auto found =
          member ? pool.find_field(member->owner, member->name) : ClassPool::FoundField{};
      if (!found.field) return member && !is_own(member->owner);
      const std::string& owner = found.owner->name;
      if (owner == type || (!is_own(owner) && i.op == get_static)) return true;
      return i.op == get_static && (found.field->flags & access::is_final) &&
             (found.field->constant || (found.field->flags & access::is_enum));
    }
    if (i.op < first_call || i.op > last_call) return true;
    const auto callee = file.member_at(index);
    if (!callee) return false;
    if (!is_own(callee->owner)) return true;
    const auto found = pool.find_method(callee->owner, callee->name, callee->descriptor);
    if (!found.method || !is_own(found.owner->name)) return true;
    return (!found.method->is(access::is_static) || harmless(found.owner->name)) &&
           keeps_to_itself(type, *found.owner, *found.method, seen);
  });
}

std::vector<std::string> Context::starting_classes() const {
  std::vector<std::string> found;
  for (auto receiver = receivers_.rbegin(); receiver != receivers_.rend(); ++receiver)
    for (auto one = receiver->chain.rbegin(); one != receiver->chain.rend(); ++one)
      if (is_own((*one)->name) && std::ranges::find(found, (*one)->name) == found.end())
        found.push_back((*one)->name);
  return found;
}

bool Context::reaches_others(const std::string& type) {
  const Method* init = initialiser(type);
  std::set<const Method*> seen;
  return init && !keeps_to_itself(type, *pool.find(type), *init, seen);
}

bool Context::starts_lazily(const std::string& type) {
  const auto first = starting_classes();
  if (std::ranges::find(first, type) != first.end()) return false;
  const auto [known, is_new] = lazy_classes_.emplace(type, false);
  if (!is_new) return known->second;
  const Method* init = initialiser(type);
  const ClassFile* file = pool.find(type);
  bool lazy = init && init->code->bytes.size() <= largest_initialiser && reaches_others(type);
  if (!lazy && file && is_own(file->super)) lazy = starts_lazily(file->super);
  return lazy_classes_[type] = lazy;
}

Term Context::initialised(const std::string& type) {
  const JavaStateKey key{JavaStateKey::Kind::Static, 0, type, "initialised~"};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  const Type boolean{.sort = arena.bool_sort()};
  const std::string name = "static." + class_label(type) + ".initialised";
  add_state(name + "~", boolean, default_term(arena, boolean), false);
  module.state.back().shown = name;
  assume(fmt::format("{} is initialised when calls on this object first use it", dotted(type)));
  return state_[key] = module.state.back().term;
}

/// The procedure that runs an initialiser unless it has run.
std::string Context::first_use(const std::string& type) {
  const auto [name, is_new] = made_procedure("first use of " + type, class_label(type) + ".first");
  if (!is_new) return name;
  const ClassFile* file = pool.find(type);
  const Term flag = initialised(type);
  Procedure made;
  made.name = name;
  made.shown = "<clinit>";
  made.kind = ProcedureKind::Internal;
  made.where = {source_of(*file), 1, 0};
  enum : BlockId { Ask, Run, Done, Failed };
  made.blocks.resize(4);
  made.blocks[Ask].end = {
      .kind = TerminatorKind::Branch, .value = flag, .next = Done, .other = Run};
  made.blocks[Run].statements.push_back(
      {.kind = StatementKind::Assign, .target = flag, .value = arena.truth()});
  made.blocks[Done].end = {.kind = TerminatorKind::Return};
  made.blocks[Failed].statements.push_back(
      {.kind = StatementKind::Assume, .value = arena.falsehood()});
  made.blocks[Failed].end = {.kind = TerminatorKind::Return};
  std::vector<std::string> callees;
  if (is_own(file->super) && starts_lazily(file->super)) callees.push_back(first_use(file->super));
  if (const Method* init = initialiser(type))
    callees.push_back(procedure(*file, *init, no_receiver));
  BlockId at = Run;
  for (const std::string& callee : callees) {
    const auto next = static_cast<BlockId>(made.blocks.size());
    made.blocks.emplace_back();
    Terminator call{.kind = TerminatorKind::Call, .next = next, .name = callee};
    call.where = made.where;
    call.handlers.push_back({.exception = "*", .target = Failed});
    made.blocks[at].end = std::move(call);
    at = next;
  }
  made.blocks[at].end = {.kind = TerminatorKind::Goto, .next = Done};
  tidy(made);
  module.procedures.push_back(std::move(made));
  assume("class initialisers succeed");
  return name;
}

/// A use of a class that initialises it.
void BodyLowering::use_class(const std::string& type) {
  if (!context_.is_own(type) || !context_.follow_calls || dead_) return;
  if (context_.pool.is_subtype(what_.owner->name, type)) return; // has begun
  if (!context_.starts_lazily(type)) return;
  emit_call(context_.first_use(type), {}, JavaType{'V', ""}, false, false, "first");
}

} // namespace tacit::java
