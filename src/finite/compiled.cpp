#include "finite/compiled.h"

#include <unordered_map>

#include "base/should.h"
#include "logic/term/print.h"
#include "program/defaults.h"

namespace tacit {

namespace {

constexpr std::size_t max_steps = 1'000'000;        // of one run
constexpr int max_depth = 5'000;                    // choices of one run
constexpr std::size_t max_total_steps = 20'000'000; // of all runs of one call from one state
constexpr std::uint64_t max_choices = 1 << 20;      // values of one input
constexpr std::size_t max_slots = 4096;

/// Scalars needed for a value of a type; 0 when it is not finite in shape.
std::size_t width_of(const Type& type) {
  if (type.sort->kind != SortKind::Map) return 1;
  const auto keys = domain_size(*type.key);
  const std::size_t inner = width_of(*type.value);
  if (!keys || *keys > max_slots || inner == 0) return 0;
  return static_cast<std::size_t>(*keys) * inner;
}

struct Node {
  Op op = Op::BoolConst;
  std::int64_t number = 0; // constants; Var: slot; Wrap: bits
  std::uint32_t first = 0; // children in `children`
  std::uint32_t count = 0;
  const Type* type = nullptr; // of maps
  std::size_t width = 1;
  Sort sort = nullptr;
};

struct Input {
  std::size_t slot = 0;
  const Type* type = nullptr;
  std::uint64_t size = 0;
};

struct CompiledStatement {
  StatementKind kind = StatementKind::Assume;
  std::size_t slot = 0;
  std::size_t width = 1;
  const Type* type = nullptr;
  std::uint32_t value = 0;
  std::uint64_t choices = 0;
};

struct CompiledBlock {
  std::vector<CompiledStatement> statements;
  const Terminator* end = nullptr;
  std::uint32_t condition = 0;
};

} // namespace

class CompiledBody {
public:
  std::vector<Node> nodes;
  std::vector<std::uint32_t> children;
  std::vector<CompiledBlock> blocks;
  std::vector<Input> client; // parameters, then the client's havocs at the entry
  std::vector<bool> cyclic;  // per block: on a cycle
  mutable std::vector<std::size_t> most_visits;
  bool has_cycle = false;
  std::size_t client_statements = 0; // how many statements of block 0 those are
  Frame locals;                      // defaults of what follows the state in a frame
};

/// Compiles one procedure; the only place that knows how types become slots.
class BodyCompiler {
public:
  BodyCompiler(const CompiledComponent& owner, const Procedure& procedure)
      : owner_(owner), module_(owner.component().module()), procedure_(procedure) {}

  Result<std::unique_ptr<CompiledBody>> run() {
    auto body = std::make_unique<CompiledBody>();
    body_ = body.get();
    std::size_t next = owner_.slots().size();
    for (const auto* list : {&procedure_.parameters, &procedure_.locals})
      for (const Variable& v : *list) {
        const std::size_t width = width_of(v.type);
        if (width == 0)
          return fail(procedure_.where, "'{}' of type {} has no finite shape", v.name(),
                      to_string(v.type));
        slot_of_[v.term] = next;
        type_of_[v.term] = &v.type;
        push_default(body->locals, v.type);
        next += width;
      }
    for (std::size_t i = 0; i < module_.state.size(); ++i) {
      slot_of_[module_.state[i].term] = owner_.first_slot_[i];
      type_of_[module_.state[i].term] = &module_.state[i].type;
    }
    for (const Variable& p : procedure_.parameters)
      if (auto ok = client_input(p.term); !ok) return std::unexpected(ok.error());
    for (const Statement& s : procedure_.blocks[0].statements) {
      if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Client) break;
      if (auto ok = client_input(s.target); !ok) return std::unexpected(ok.error());
      ++body->client_statements;
    }
    for (const Block& b : procedure_.blocks)
      if (auto ok = block(b); !ok) return std::unexpected(ok.error());
    find_cycles();
    return body;
  }

private:
  static void push_default(Frame& frame, const Type& type) {
    if (type.sort->kind != SortKind::Map) {
      frame.push_back(static_cast<std::int64_t>(default_value(type).number));
      return;
    }
    for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) push_default(frame, *type.value);
  }

  Result<std::uint64_t> choices(Term variable) {
    const Type& type = *type_of_.at(variable);
    const auto size = domain_size(type);
    if (!size)
      return fail(procedure_.where, "'{}' in '{}' can be any {}: not a finite choice",
                  variable->name, procedure_.name, to_string(type));
    if (*size > max_choices)
      return fail(procedure_.where, "'{}' in '{}' has {} values: too many to enumerate",
                  variable->name, procedure_.name, *size);
    return *size;
  }

  Result<void> client_input(Term variable) {
    auto size = choices(variable);
    if (!size) return std::unexpected(size.error());
    body_->client.push_back({slot_of_.at(variable), type_of_.at(variable), *size});
    return {};
  }

  Result<void> block(const Block& b) {
    CompiledBlock out;
    for (const Statement& s : b.statements) {
      CompiledStatement c{.kind = s.kind};
      if (s.kind == StatementKind::New)
        return fail(procedure_.where, "'{}' allocates memory: its states are not finite",
                    procedure_.name);
      if (s.target) {
        c.slot = slot_of_.at(s.target);
        c.type = type_of_.at(s.target);
        c.width = width_of(*c.type);
      }
      if (s.kind == StatementKind::Havoc) {
        auto size = choices(s.target);
        if (!size) return std::unexpected(size.error());
        c.choices = *size;
      }
      if (s.value) {
        auto node = compile(s.value, c.type);
        if (!node) return std::unexpected(node.error());
        c.value = *node;
      }
      out.statements.push_back(c);
    }
    out.end = &b.end;
    if (b.end.kind == TerminatorKind::Branch) {
      auto node = compile(b.end.value, nullptr);
      if (!node) return std::unexpected(node.error());
      out.condition = *node;
    }
    should(b.end.kind != TerminatorKind::Call, "a component's bodies should be free of calls");
    body_->blocks.push_back(std::move(out));
    return {};
  }

  void find_cycles() {
    const auto& blocks = procedure_.blocks;
    body_->cyclic.assign(blocks.size(), false);
    body_->most_visits.assign(blocks.size(), 0);
    for (BlockId b = 0; b < blocks.size(); ++b) {
      std::vector<bool> seen(blocks.size(), false);
      std::vector<BlockId> work = tacit::successors(blocks[b].end);
      while (!work.empty() && !body_->cyclic[b]) {
        const BlockId at = work.back();
        work.pop_back();
        if (at == b) body_->cyclic[b] = body_->has_cycle = true;
        if (seen[at]) continue;
        seen[at] = true;
        for (BlockId s : tacit::successors(blocks[at].end)) work.push_back(s);
      }
    }
  }

  /// The type of a map-valued term; constant maps take it from the context.
  const Type* type_of(Term t, const Type* wanted) {
    switch (t->op) {
    case Op::Var: return type_of_.at(t);
    case Op::Store: return type_of(t->args[0], wanted);
    case Op::Ite: {
      const Type* first = type_of(t->args[1], nullptr);
      return first ? first : type_of(t->args[2], wanted);
    }
    case Op::Select: {
      const Type* map = type_of(t->args[0], nullptr);
      return map ? map->value.get() : nullptr;
    }
    default: return wanted;
    }
  }

  Result<std::uint32_t> compile(Term t, const Type* wanted) {
    Node node{.op = t->op, .number = static_cast<std::int64_t>(t->number), .sort = t->sort};
    if (t->op == Op::IntConst && (t->number > INT64_MAX || t->number < INT64_MIN))
      return fail(procedure_.where, "the number {} is too large for finite exploration",
                  to_string(t->number));
    if (t->sort->kind == SortKind::Map) {
      node.type = type_of(t, wanted);
      if (!node.type)
        return fail(procedure_.where, "cannot tell the type of the map '{}'", to_string(t));
      node.width = width_of(*node.type);
      if (node.width == 0)
        return fail(procedure_.where, "the map '{}' has no finite shape", to_string(t));
    }
    if (t->op == Op::Var) node.number = static_cast<std::int64_t>(slot_of_.at(t));
    std::vector<std::uint32_t> args;
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      const Type* context = nullptr;
      if (t->args[i]->sort->kind == SortKind::Map) {
        context = node.type;
        if (t->op == Op::Eq) context = type_of(t->args[1 - i], type_of(t->args[i], nullptr));
        if (t->op == Op::ConstMap || (t->op == Op::Store && i == 2))
          context = node.type->value.get();
        if (t->op == Op::Select) context = type_of(t->args[i], nullptr);
      }
      auto arg = compile(t->args[i], context);
      if (!arg) return arg;
      args.push_back(*arg);
    }
    node.first = static_cast<std::uint32_t>(body_->children.size());
    node.count = static_cast<std::uint32_t>(args.size());
    body_->children.insert(body_->children.end(), args.begin(), args.end());
    body_->nodes.push_back(node);
    return static_cast<std::uint32_t>(body_->nodes.size() - 1);
  }

  const CompiledComponent& owner_;
  const Module& module_;
  const Procedure& procedure_;
  CompiledBody* body_ = nullptr;
  std::unordered_map<Term, std::size_t> slot_of_;
  std::unordered_map<Term, const Type*> type_of_;
};

namespace {

/// Thrown inside this file only, where returning through every level of evaluation would cost time.
struct EvaluationFailure {
  std::string message;
};

std::size_t key_offset(const Type& map, std::int64_t key) {
  const auto index = scalar_index(*map.key, key);
  if (!index)
    throw EvaluationFailure{fmt::format("the index {} is outside of {}", key, to_string(*map.key))};
  return static_cast<std::size_t>(*index);
}

void write_value(std::int64_t* to, const Type& type, std::uint64_t index) {
  if (type.sort->kind != SortKind::Map) {
    *to = static_cast<std::int64_t>(scalar_value(type, index));
    return;
  }
  const std::uint64_t keys = *domain_size(*type.key), values = *domain_size(*type.value);
  const std::size_t inner = width_of(*type.value);
  for (std::uint64_t k = keys; k-- > 0;) {
    write_value(to + k * inner, *type.value, index % values);
    index /= values;
  }
}

bool in_type(const std::int64_t* from, const Type& type) {
  if (type.sort->kind == SortKind::Int)
    return !(type.low && *from < *type.low) && !(type.high && *from > *type.high);
  if (type.sort->kind != SortKind::Map) return true;
  const std::size_t inner = width_of(*type.value);
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k)
    if (!in_type(from + k * inner, *type.value)) return false;
  return true;
}

} // namespace

/// Enumerates the runs of one body from one state.
class BodyRunner {
public:
  BodyRunner(CompiledComponent& owner, const CompiledBody& body,
             const CompiledComponent::RunVisitor& visit)
      : owner_(owner), body_(body), visit_(visit) {}

  void run(const Frame& state, const std::function<bool()>& argument) {
    const std::size_t n = owner_.slots().size();
    Frame frame(n + body_.locals.size());
    std::copy_n(state.begin(), n, frame.begin());
    std::ranges::copy(body_.locals, frame.begin() + static_cast<std::ptrdiff_t>(n));
    owner_.chosen_.clear();
    arguments(frame, 0, argument);
  }

private:
  /// Returns false to stop.
  bool arguments(const Frame& frame, std::size_t index, const std::function<bool()>& argument) {
    if (index == body_.client.size()) {
      if (!argument()) return false;
      from(frame, 0, body_.client_statements, 0);
      return true;
    }
    const Input& input = body_.client[index];
    Frame copy = frame;
    for (std::uint64_t i = 0; i < input.size; ++i) {
      choose(copy, input.slot, *input.type, i);
      const bool go_on = arguments(copy, index + 1, argument);
      owner_.chosen_.pop_back();
      if (!go_on) return false;
    }
    return true;
  }

  void choose(Frame& frame, std::size_t slot, const Type& type, std::uint64_t index) {
    write_value(frame.data() + slot, type, index);
    const auto first = frame.begin() + static_cast<std::ptrdiff_t>(slot);
    owner_.chosen_.emplace_back(&type,
                                Frame(first, first + static_cast<std::ptrdiff_t>(width_of(type))));
  }

  void from(const Frame& start, std::uint32_t block, std::size_t statement, std::size_t steps) {
    if (++depth_ > max_depth) throw EvaluationFailure{"a run makes too many choices"};
    Frame frame = start;
    const std::vector<std::size_t> visits_before = visits_;
    const std::size_t path_before = path_.size();
    run_on(frame, block, statement, steps);
    visits_ = visits_before;
    path_.resize(path_before);
    --depth_;
  }

  /// A run that comes back to where it was can do so for ever. Asked only in runs with several
  /// choices.
  bool comes_back(std::uint32_t block, const Frame& frame) {
    constexpr int first_asked = 3;
    if (depth_ < first_asked) return false;
    for (const auto& [before, then] : path_)
      if (before == block && then == frame) return true;
    path_.emplace_back(block, frame);
    return false;
  }

  void run_on(Frame& frame, std::uint32_t block, std::size_t statement, std::size_t steps) {
    while (true) {
      const CompiledBlock& b = body_.blocks[block];
      if (body_.has_cycle && statement == 0 && body_.cyclic[block]) {
        if (comes_back(block, frame)) throw EvaluationFailure{"a loop has no bound"};
        visits_.resize(body_.blocks.size(), 0);
        body_.most_visits[block] = std::max(body_.most_visits[block], ++visits_[block]);
      }
      for (; statement < b.statements.size(); ++statement) {
        const CompiledStatement& s = b.statements[statement];
        if (s.kind == StatementKind::Havoc) {
          for (std::uint64_t i = 0; i < s.choices; ++i) {
            choose(frame, s.slot, *s.type, i);
            from(frame, block, statement + 1, steps);
            owner_.chosen_.pop_back();
          }
          return;
        }
        if (s.kind == StatementKind::Assume) {
          if (!scalar(s.value, frame)) return;
        } else if (s.width == 1 && s.type->sort->kind != SortKind::Map) {
          const std::int64_t value = scalar(s.value, frame);
          if (!in_type(&value, *s.type)) return;
          frame[s.slot] = value;
        } else {
          const auto value = map(s.value, frame);
          if (!in_type(value.data(), *s.type)) return;
          std::ranges::copy(value, frame.begin() + static_cast<std::ptrdiff_t>(s.slot));
        }
      }
      if (++total_steps_ > max_total_steps)
        throw EvaluationFailure{"there are too many runs to enumerate"};
      if (++steps > max_steps) throw EvaluationFailure{"a run does not end within a million steps"};
      switch (b.end->kind) {
      case TerminatorKind::Goto: block = b.end->next; break;
      case TerminatorKind::Branch:
        block = scalar(b.condition, frame) ? b.end->next : b.end->other;
        break;
      case TerminatorKind::Error: return visit_({.error = true, .end = b.end}, frame);
      default:
        return visit_({.rejecting = b.end->rejecting,
                       .outcome = static_cast<std::size_t>(b.end->outcome),
                       .end = b.end},
                      frame);
      }
      statement = 0;
    }
  }

  const Node& arg(const Node& n, std::uint32_t i) const {
    return body_.nodes[body_.children[n.first + i]];
  }
  std::uint32_t arg_index(const Node& n, std::uint32_t i) const {
    return body_.children[n.first + i];
  }
  std::int64_t scalar(std::uint32_t index, const Frame& f) const {
    return scalar(body_.nodes[index], f);
  }

  std::int64_t order(const Node& n, const Frame& f) const {
    const std::int64_t v = scalar(n, f);
    if (n.sort->kind != SortKind::Enum) return v;
    return static_cast<std::int64_t>(n.sort->decl->values[static_cast<std::size_t>(v)].value);
  }

  /// By reference: the value is computed while the flag is, in the same call's arguments.
  static std::int64_t checked(bool overflow, const std::int64_t& value) {
    if (overflow) throw EvaluationFailure{"a number is too large for finite exploration"};
    return value;
  }

  std::int64_t scalar(const Node& n, const Frame& f) const {
    std::int64_t r = 0;
    switch (n.op) {
    case Op::BoolConst:
    case Op::IntConst:
    case Op::EnumConst:
    case Op::RefConst: return n.number;
    case Op::Var: return f[static_cast<std::size_t>(n.number)];
    case Op::Not: return !scalar(arg(n, 0), f);
    case Op::And:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (!scalar(arg(n, i), f)) return 0;
      return 1;
    case Op::Or:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (scalar(arg(n, i), f)) return 1;
      return 0;
    case Op::Ite: return scalar(arg(n, 0), f) ? scalar(arg(n, 1), f) : scalar(arg(n, 2), f);
    case Op::Eq:
      if (arg(n, 0).sort->kind == SortKind::Map)
        return map(arg_index(n, 0), f) == map(arg_index(n, 1), f);
      return scalar(arg(n, 0), f) == scalar(arg(n, 1), f);
    case Op::Lt: return order(arg(n, 0), f) < order(arg(n, 1), f);
    case Op::Le: return order(arg(n, 0), f) <= order(arg(n, 1), f);
    case Op::Add:
      return checked(__builtin_add_overflow(scalar(arg(n, 0), f), scalar(arg(n, 1), f), &r), r);
    case Op::Sub:
      return checked(__builtin_sub_overflow(scalar(arg(n, 0), f), scalar(arg(n, 1), f), &r), r);
    case Op::Mul:
      return checked(__builtin_mul_overflow(scalar(arg(n, 0), f), scalar(arg(n, 1), f), &r), r);
    case Op::Neg:
      return checked(__builtin_sub_overflow(std::int64_t{0}, scalar(arg(n, 0), f), &r), r);
    case Op::Div:
    case Op::Mod: {
      const std::int64_t a = scalar(arg(n, 0), f), b = scalar(arg(n, 1), f);
      if (b == 0) return 0;
      if (b == -1)
        return n.op == Op::Mod ? 0 : checked(__builtin_sub_overflow(std::int64_t{0}, a, &r), r);
      return n.op == Op::Div ? a / b : a % b;
    }
    case Op::Wrap: {
      const bool is_signed = n.number < 0;
      const Integer wrapped = wrap_integer(
          scalar(arg(n, 0), f), static_cast<int>(is_signed ? -n.number : n.number), is_signed);
      r = static_cast<std::int64_t>(wrapped);
      return checked(wrapped > INT64_MAX, r);
    }
    case Op::ToInt: return order(arg(n, 0), f);
    case Op::Select: {
      const Node& m = arg(n, 0);
      const std::size_t offset = key_offset(*m.type, scalar(arg(n, 1), f));
      if (m.op == Op::Var) return f[static_cast<std::size_t>(m.number) + offset];
      return map(arg_index(n, 0), f)[offset];
    }
    case Op::Store:
    case Op::ConstMap: break;
    }
    should_not_be_reached("a map should not be evaluated as a scalar");
  }

  Frame map(std::uint32_t index, const Frame& f) const {
    const Node& n = body_.nodes[index];
    switch (n.op) {
    case Op::Var: {
      const auto first = f.begin() + static_cast<std::ptrdiff_t>(n.number);
      return Frame(first, first + static_cast<std::ptrdiff_t>(n.width));
    }
    case Op::Ite: return map(arg_index(n, scalar(arg(n, 0), f) ? 1 : 2), f);
    case Op::ConstMap: {
      const Frame element = any(arg_index(n, 0), f);
      Frame all;
      while (all.size() < n.width) all.insert(all.end(), element.begin(), element.end());
      return all;
    }
    case Op::Store: {
      Frame all = map(arg_index(n, 0), f);
      const Frame element = any(arg_index(n, 2), f);
      std::ranges::copy(
          element, all.begin() + static_cast<std::ptrdiff_t>(
                                     key_offset(*n.type, scalar(arg(n, 1), f)) * element.size()));
      return all;
    }
    case Op::Select: {
      const Node& m = arg(n, 0);
      const std::size_t offset = key_offset(*m.type, scalar(arg(n, 1), f)) * n.width;
      const Frame all = map(arg_index(n, 0), f);
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(offset);
      return Frame(first, first + static_cast<std::ptrdiff_t>(n.width));
    }
    default: break;
    }
    should_not_be_reached("a map should have one of five forms");
  }

  Frame any(std::uint32_t index, const Frame& f) const {
    if (body_.nodes[index].sort->kind == SortKind::Map) return map(index, f);
    return {scalar(index, f)};
  }

  CompiledComponent& owner_;
  const CompiledBody& body_;
  const CompiledComponent::RunVisitor& visit_;
  std::size_t total_steps_ = 0;
  std::vector<std::size_t> visits_;                   // of blocks on cycles, in the current run
  std::vector<std::pair<std::uint32_t, Frame>> path_; // where it was, as far as it was asked
  int depth_ = 0;                                     // choices
};

CompiledComponent::CompiledComponent(const Component& component) : component_(component) {}
CompiledComponent::~CompiledComponent() = default;

namespace {

void add_slots(std::vector<Slot>& slots, std::size_t variable, const Type& type,
               std::vector<Integer>& key) {
  if (type.sort->kind == SortKind::Map) {
    for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) {
      key.push_back(scalar_value(*type.key, k));
      add_slots(slots, variable, *type.value, key);
      key.pop_back();
    }
    return;
  }
  const auto size = domain_size(type);
  Slot slot{.variable = variable, .size = size.value_or(0), .key = key};
  if (size && type.sort->kind == SortKind::Int) slot.low = static_cast<std::int64_t>(*type.low);
  slots.push_back(std::move(slot));
}

Value read_value(const std::int64_t*& at, const Type& type) {
  if (type.sort->kind != SortKind::Map) return Value(*at++);
  Value map = const_map(default_value(*type.value));
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k)
    map = store(map, Value(scalar_value(*type.key, k)), read_value(at, *type.value));
  return map;
}

void write_value(std::int64_t*& at, const Type& type, const Value& value) {
  if (type.sort->kind != SortKind::Map) {
    *at++ = static_cast<std::int64_t>(value.number);
    return;
  }
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k)
    write_value(at, *type.value, select(value, Value(scalar_value(*type.key, k))));
}

} // namespace

Result<void> CompiledComponent::layout() {
  const Module& module = component_.module();
  for (std::size_t i = 0; i < module.state.size(); ++i) {
    const StateVariable& v = module.state[i];
    if (width_of(v.type) == 0 || v.type.sort->kind == SortKind::Ref)
      return fail("the state variable '{}' of type {} has no finite shape", v.name(),
                  to_string(v.type));
    if (v.type.sort->kind == SortKind::Int &&
        ((v.type.low && *v.type.low < INT64_MIN) || (v.type.high && *v.type.high > INT64_MAX)))
      return fail("the range of the state variable '{}' is too large for finite exploration",
                  v.name());
    first_slot_.push_back(slots_.size());
    std::vector<Integer> key;
    add_slots(slots_, i, v.type, key);
    if (slots_.size() > max_slots) return fail("the state has more than {} scalars", max_slots);
  }
  return {};
}

Result<std::unique_ptr<CompiledComponent>> CompiledComponent::compile(const Component& component) {
  std::unique_ptr<CompiledComponent> made(new CompiledComponent(component));
  if (auto ok = made->layout(); !ok) return std::unexpected(ok.error());
  for (const Procedure& p : component.module().procedures) {
    auto body = BodyCompiler(*made, p).run();
    if (!body) return std::unexpected(body.error());
    made->bodies_.push_back(std::move(*body));
  }
  for (const StateVariable& v : component.module().state)
    if (!v.initial && !domain_size(v.type))
      return fail("the state variable '{}' has no initial value and no finite type", v.name());
  return made;
}

Result<void> CompiledComponent::for_each_initial(const InitialVisitor& visit) const {
  const Module& module = component_.module();
  Frame frame(slots_.size());
  std::vector<Value> inputs;
  std::vector<std::size_t> open;
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < module.state.size(); ++i) {
    const StateVariable& v = module.state[i];
    if (!v.initial) {
      open.push_back(i);
      const std::uint64_t size = *domain_size(v.type);
      if (size > (std::uint64_t{1} << 24) / total)
        return fail("there are too many initial values of '{}'", v.name());
      total *= size;
      continue;
    }
    const auto value = evaluate(v.initial, [](Term) { return Value(0); });
    if (!value) return std::unexpected(value.error());
    std::int64_t* at = frame.data() + first_slot_[i];
    write_value(at, v.type, *value);
  }
  std::function<void(std::size_t)> choose = [&](std::size_t k) {
    if (k == open.size()) return visit(frame, inputs);
    const StateVariable& v = module.state[open[k]];
    for (std::uint64_t i = 0; i < *domain_size(v.type); ++i) {
      inputs.push_back(domain_value(v.type, i));
      std::int64_t* at = frame.data() + first_slot_[open[k]];
      write_value(at, v.type, inputs.back());
      choose(k + 1);
      inputs.pop_back();
    }
  };
  choose(0);
  return {};
}

Result<void> CompiledComponent::for_each_run(std::size_t procedure, const Frame& state,
                                             const std::function<bool()>& argument,
                                             const RunVisitor& visit) {
  try {
    BodyRunner(*this, *bodies_[procedure], visit).run(state, argument);
  } catch (const EvaluationFailure& failure) {
    return fail(component_.module().procedures[procedure].where, "in '{}' from {}: {}",
                component_.module().procedures[procedure].name, describe(state), failure.message);
  }
  return {};
}

std::vector<Value> CompiledComponent::inputs() const {
  std::vector<Value> values;
  for (const auto& [type, scalars] : chosen_) {
    const std::int64_t* at = scalars.data();
    values.push_back(read_value(at, *type));
  }
  return values;
}

std::map<std::string, std::size_t> CompiledComponent::loop_bounds() const {
  std::map<std::string, std::size_t> bounds;
  const auto& procedures = component_.module().procedures;
  for (std::size_t p = 0; p < procedures.size(); ++p)
    for (std::size_t b = 0; b < bodies_[p]->cyclic.size(); ++b)
      if (bodies_[p]->cyclic[b])
        bounds[procedures[p].name + "/" + std::to_string(b)] = bodies_[p]->most_visits[b];
  return bounds;
}

ConcreteState CompiledComponent::concrete(const Frame& state) const {
  ConcreteState result;
  const std::int64_t* at = state.data();
  for (const StateVariable& v : component_.module().state)
    result.values.push_back(read_value(at, v.type));
  return result;
}

std::string CompiledComponent::describe(const Frame& state) const {
  return to_string(component_.module(), concrete(state));
}

} // namespace tacit
