// When class initialisers run (Java Language Specification 12.4).
//
// Those of the component, its superclasses and the objects around it have run before its
// constructor does anything. Any other runs at the first use of its class: a new object, a static
// method, a static field that is no constant. Where nobody can tell when it ran, because it only
// sets static fields of its own class and depends on nothing else, it runs at the start too.
//
// One that may throw by itself runs at the first use as well: whoever comes first gets an
// ExceptionInInitializerError, everybody later a NoClassDefFoundError. That others do not fail whom
// an initialiser calls is assumed, and listed.
#include <algorithm>
#include <array>

#include "frontend/java/procedures.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {
constexpr unsigned get_static = 0xb2, put_static = 0xb3, make_object = 0xbb, first_call = 0xb6,
                   last_call = 0xb9, throws = 0xbf, first_load = 0x2e, last_load = 0x35,
                   first_constant = 0x02, last_constant = 0x14, check_cast = 0xc0;

/// Divisions by what is no constant, elements of arrays, casts. A null that somebody uses is seen
/// in lowered code only.
bool may_trap(const std::vector<Instruction>& code, std::size_t at) {
  constexpr std::array<unsigned, 4> divisions{0x6c, 0x6d, 0x70, 0x71};
  const unsigned op = code[at].op;
  if (std::ranges::find(divisions, op) != divisions.end())
    return at == 0 || code[at - 1].op < first_constant || code[at - 1].op > last_constant;
  return op == throws || op == check_cast || (op >= first_load && op <= last_load);
}

/// The initialisers of an installed library are known to succeed.
bool is_installed(const std::string& type) {
  return type.starts_with("java/") || type.starts_with("javax/") || type.starts_with("jdk/") ||
         type.starts_with("sun/") || type.starts_with("com/sun/");
}

/// Blocks that are reached without an exception: what a handler throws on is somebody else's.
template <typename Blocks, typename Next>
std::vector<bool> reached_plainly(const Blocks& blocks, const Next& next) {
  std::vector<bool> reached(blocks.size());
  std::vector<std::size_t> work{0};
  while (!work.empty()) {
    const std::size_t at = work.back();
    work.pop_back();
    if (at >= blocks.size() || reached[at]) continue;
    reached[at] = true;
    for (const std::size_t after : next(blocks[at])) work.push_back(after);
  }
  return reached;
}

std::vector<std::size_t> plain_successors(const Block& block) {
  switch (block.end.kind) {
  case TerminatorKind::Branch: return {block.end.next, block.end.other};
  case TerminatorKind::Goto:
  case TerminatorKind::Call: return {block.end.next};
  default: return {};
  }
}
} // namespace

const Method* Procedures::initialiser(const std::string& type) {
  const ClassFile* file = is_own(type) ? pool.find(type) : nullptr;
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  return init && init->code ? init : nullptr;
}

/// Whether code that initialises `type` sets only its static fields and depends on no others.
bool Procedures::keeps_to_itself(const std::string& type, const ClassFile& file,
                                 const Method& method, std::set<const Method*>& seen) {
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

/// Whether code of a method, or own code that it calls, has a `throw` or what throws by itself.
bool Procedures::has_throw(const ClassFile& file, const Method& method,
                           std::set<const Method*>& seen) {
  if (!method.code || !seen.insert(&method).second) return false;
  const auto graph = decode(*method.code, source_of(file));
  if (!graph) return true;
  const auto reached = reached_plainly(graph->blocks, [](const CodeBlock& block) {
    return std::vector<std::size_t>(block.successors.begin(), block.successors.end());
  });
  for (std::size_t i = 0; i < graph->instructions.size(); ++i) {
    const Instruction& one = graph->instructions[i];
    if (!reached[graph->block_of[i]]) continue;
    if (may_trap(graph->instructions, i)) return true;
    if (one.op < first_call || one.op > last_call) continue;
    const auto callee = file.member_at(static_cast<unsigned>(one.operand));
    const auto found = callee && is_own(callee->owner)
                           ? pool.find_method(callee->owner, callee->name, callee->descriptor)
                           : ClassPool::Found{};
    if (found.method && is_own(found.owner->name) && has_throw(*found.owner, *found.method, seen))
      return true;
  }
  return false;
}

bool Procedures::may_fail(const std::string& type) {
  if (is_installed(type)) return false;
  if (discovered.failing.contains(type)) return true;
  const Method* init = initialiser(type);
  std::set<const Method*> seen;
  return init && has_throw(*pool.find(type), *init, seen);
}

/// What instructions throw by themselves, and nobody catches, is seen in lowered code only.
void Procedures::note_failing(const std::string& type, const std::string& procedure) {
  if (is_installed(type) || discovered.failing.contains(type)) return;
  std::set<std::string> seen{procedure};
  std::vector<std::string> work{procedure};
  while (!work.empty()) {
    const Procedure* p = module.find_procedure(work.back());
    work.pop_back();
    if (!p || p->kind == ProcedureKind::Extern) continue;
    const auto reached = reached_plainly(p->blocks, plain_successors);
    for (std::size_t b = 0; b < p->blocks.size(); ++b) {
      const Terminator& end = p->blocks[b].end;
      if (!reached[b]) continue;
      if (end.kind == TerminatorKind::Throw) {
        discovered.failing.insert(type);
        again = true;
        return;
      }
      if (end.kind == TerminatorKind::Call && seen.insert(end.name).second)
        work.push_back(end.name);
    }
  }
}

std::vector<std::string> Procedures::starting_classes() const {
  std::vector<std::string> found;
  for (auto receiver = receivers_.rbegin(); receiver != receivers_.rend(); ++receiver)
    for (auto one = receiver->chain.rbegin(); one != receiver->chain.rend(); ++one)
      if (is_own((*one)->name) && std::ranges::find(found, (*one)->name) == found.end())
        found.push_back((*one)->name);
  return found;
}

bool Procedures::reaches_others(const std::string& type) {
  const Method* init = initialiser(type);
  std::set<const Method*> seen;
  return init && !keeps_to_itself(type, *pool.find(type), *init, seen);
}

bool Procedures::starts_lazily(const std::string& type) {
  const auto first = starting_classes();
  if (std::ranges::find(first, type) != first.end()) return false;
  const auto [known, is_new] = lazy_classes_.emplace(type, false);
  if (!is_new) return known->second;
  const Method* init = initialiser(type);
  const ClassFile* file = pool.find(type);
  bool lazy = init && init->code->bytes.size() <= largest_initialiser &&
              (reaches_others(type) || may_fail(type));
  if (!lazy && file && is_own(file->super)) lazy = starts_lazily(file->super);
  return lazy_classes_[type] = lazy;
}

Term Procedures::initialised(const std::string& type, const std::string& what) {
  const JavaStateKey key{JavaStateKey::Kind::Static, 0, type, what + "~"};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  const Type boolean{.sort = arena.bool_sort()};
  const std::string name = "static." + class_label(type) + "." + what;
  add_state(name + "~", boolean, default_term(arena, boolean), false);
  module.state.back().shown = name;
  assume(fmt::format("{} is initialised when calls on this object first use it", dotted(type)));
  return state_[key] = module.state.back().term;
}

/// The procedure that runs an initialiser unless it has run.
std::string Procedures::first_use(const std::string& type) {
  const auto [name, is_new] = made_procedure("first use of " + type, class_label(type) + ".first");
  if (!is_new) return name;
  const ClassFile* file = pool.find(type);
  const Term flag = initialised(type);
  const Method* init = initialiser(type);
  const bool known_line = init && !init->code->lines.empty();
  Procedure made;
  made.name = name;
  made.shown = "<clinit>";
  made.kind = ProcedureKind::Internal;
  made.where = {source_of(*file), known_line ? init->code->lines.front().line : 1, 0};
  enum : BlockId { Ask, Run, Done, Failed };
  made.blocks.resize(4);
  made.blocks[Ask].end = {
      .kind = TerminatorKind::Branch, .value = flag, .next = Done, .other = Run};
  made.blocks[Run].statements.push_back(
      {.kind = StatementKind::Assign, .target = flag, .value = arena.truth()});
  made.blocks[Done].end = {.kind = TerminatorKind::Return};
  const std::string super = is_own(file->super) && starts_lazily(file->super) ? file->super : "";
  std::vector<Handler> handlers;
  if (may_fail(type) || (!super.empty() && may_fail(super))) {
    handlers = fail_first_use(type, made, Done, Failed);
  } else {
    assume("class initialisers succeed");
    made.blocks[Failed].statements.push_back(
        {.kind = StatementKind::Assume, .value = arena.falsehood()});
    made.blocks[Failed].end = {.kind = TerminatorKind::Return};
    handlers.push_back({.exception = "*", .target = Failed});
  }
  std::vector<std::string> callees;
  if (!super.empty()) callees.push_back(first_use(super));
  if (init) callees.push_back(procedure(*file, *init, no_receiver));
  if (init) initialisers_[type] = callees.back();
  BlockId at = Run;
  for (const std::string& callee : callees) {
    const auto next = static_cast<BlockId>(made.blocks.size());
    made.blocks.emplace_back();
    Terminator call{.kind = TerminatorKind::Call, .next = next, .name = callee};
    call.where = made.where;
    call.handlers = handlers;
    made.blocks[at].end = std::move(call);
    at = next;
  }
  made.blocks[at].end = {.kind = TerminatorKind::Goto, .next = Done};
  tidy(made);
  module.procedures.push_back(std::move(made));
  return name;
}

/// What becomes of a class whose initialiser fails: errors leave as they are, exceptions as an
/// ExceptionInInitializerError, and nobody can use the class any more.
std::vector<Handler> Procedures::fail_first_use(const std::string& type, Procedure& made,
                                                BlockId done, BlockId failed) {
  const Term flag = initialised(type, "failed");
  const auto add = [&](Block block) {
    made.blocks.push_back(std::move(block));
    return static_cast<BlockId>(made.blocks.size() - 1);
  };
  const auto thrown = [&](Term value) {
    return Terminator{.kind = TerminatorKind::Throw, .value = value, .where = made.where};
  };
  const Statement fails{.kind = StatementKind::Assign, .target = flag, .value = arena.truth()};
  made.blocks[failed] = {{fails}, thrown(exception("java/lang/ExceptionInInitializerError"))};
  const BlockId returns = add({{}, {.kind = TerminatorKind::Return}});
  const BlockId unusable = add({{}, thrown(exception("java/lang/NoClassDefFoundError"))});
  made.blocks[done].end = {
      .kind = TerminatorKind::Branch, .value = flag, .next = unusable, .other = returns};
  const Type type_of_error = exception_type();
  const Term error = arena.var("error", type_of_error.sort);
  made.locals.push_back({error, type_of_error});
  return {
      {.exception = "java.lang.Error", .binder = error, .target = add({{fails}, thrown(error)})},
      {.exception = "*", .target = failed}};
}

} // namespace tacit::java
