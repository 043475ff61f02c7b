#include <algorithm>
#include <map>

#include "base/should.h"
#include "finite/compiled_body.h"
#include "finite/shape.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

constexpr std::size_t max_steps = 1'000'000;        // of one run
constexpr std::size_t max_total_steps = 20'000'000; // of all runs of one call from one state
constexpr std::size_t max_depth = 10'000;           // choices of one run

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

class BodyRunner {
public:
  BodyRunner(const CompiledBody& body, const CompiledComponent::RunVisitor& visit,
             ChosenInputs& chosen)
      : body_(body), visit_(visit), chosen_(chosen) {}

  void run(const Frame& state, const std::function<bool()>& argument) {
    Frame frame(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(body_.state_slots));
    frame.insert(frame.end(), body_.locals.begin(), body_.locals.end());
    chosen_.clear();
    arguments(frame, 0, argument);
  }

private:
  /// Returns false to stop.
  bool arguments(const Frame& frame, std::size_t index, const std::function<bool()>& argument) {
    if (index == body_.client.size()) {
      if (!argument()) return false;
      met_.clear();
      from(frame, 0, body_.client_statements, 0);
      return true;
    }
    const CompiledInput& input = body_.client[index];
    Frame copy = frame;
    for (std::uint64_t i = 0; i < input.size; ++i) {
      choose(copy, input.slot, *input.type, i);
      const bool go_on = arguments(copy, index + 1, argument);
      chosen_.pop_back();
      if (!go_on) return false;
    }
    return true;
  }

  void choose(Frame& frame, std::size_t slot, const Type& type, std::uint64_t index) {
    write_value(frame.data() + slot, type, index);
    const auto first = frame.begin() + static_cast<std::ptrdiff_t>(slot);
    chosen_.emplace_back(&type, Frame(first, first + static_cast<std::ptrdiff_t>(width_of(type))));
  }

  void from(const Frame& start, std::uint32_t block, std::size_t statement, std::size_t steps) {
    if (++depth_ > max_depth)
      throw EvaluationFailure{fmt::format("a run makes more than {} choices", max_depth)};
    Frame frame = start;
    const std::vector<std::size_t> visits_before = visits_;
    const std::size_t path_before = path_.size();
    run_on(frame, block, statement, steps);
    visits_ = visits_before;
    for (; path_.size() > path_before; path_.pop_back()) *path_.back() = Met::Before;
    --depth_;
  }

  enum class Met { OnTheWay, Before };

  /// Whether a run that comes to the block like this has nothing new to show. One that has come
  /// back to where it was is left; so are, once bounds do not matter, those that come to where
  /// others have been.
  bool nothing_new(const Frame& frame, std::uint32_t block) {
    Frame key = frame;
    key.push_back(block);
    const auto [at, fresh] = met_.try_emplace(std::move(key), Met::OnTheWay);
    if (fresh) {
      path_.push_back(&at->second);
      return false;
    }
    if (at->second == Met::OnTheWay) return body_.endless = true;
    return body_.endless;
  }

  void run_on(Frame& frame, std::uint32_t block, std::size_t statement, std::size_t steps) {
    while (true) {
      const CompiledBlock& b = body_.blocks[block];
      if (body_.has_cycle && statement == 0 && body_.cyclic[block]) {
        if (body_.chooses_in_cycle && nothing_new(frame, block)) return;
        visits_.resize(body_.blocks.size(), 0);
        body_.most_visits[block] = std::max(body_.most_visits[block], ++visits_[block]);
      }
      for (; statement < b.statements.size(); ++statement) {
        const CompiledStatement& s = b.statements[statement];
        if (s.kind == StatementKind::Havoc) {
          for (std::uint64_t i = 0; i < s.choices; ++i) {
            choose(frame, s.slot, *s.type, i);
            from(frame, block, statement + 1, steps);
            chosen_.pop_back();
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

  const CompiledNode& arg(const CompiledNode& n, std::uint32_t i) const {
    return body_.nodes[body_.children[n.first + i]];
  }
  std::uint32_t arg_index(const CompiledNode& n, std::uint32_t i) const {
    return body_.children[n.first + i];
  }
  std::int64_t scalar(std::uint32_t index, const Frame& f) const {
    return scalar(body_.nodes[index], f);
  }

  std::int64_t order(const CompiledNode& n, const Frame& f) const {
    const std::int64_t v = scalar(n, f);
    if (n.sort->kind != SortKind::Enum) return v;
    return static_cast<std::int64_t>(n.sort->decl->values[static_cast<std::size_t>(v)].value);
  }

  /// By reference: the value is computed while the flag is, in the same call's arguments.
  static std::int64_t checked(bool overflow, const std::int64_t& value) {
    if (overflow) throw EvaluationFailure{"a number is too large for finite exploration"};
    return value;
  }

  std::int64_t scalar(const CompiledNode& n, const Frame& f) const {
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
      const CompiledNode& m = arg(n, 0);
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
    const CompiledNode& n = body_.nodes[index];
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
      const CompiledNode& m = arg(n, 0);
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

  const CompiledBody& body_;
  const CompiledComponent::RunVisitor& visit_;
  ChosenInputs& chosen_;
  std::size_t total_steps_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::size_t> visits_; // of blocks on cycles, in the current run
  std::map<Frame, Met> met_;        // with the block at the end; where choices lie in a cycle
  std::vector<Met*> path_;
};

} // namespace

std::optional<std::string> run_body(const CompiledBody& body, const Frame& state,
                                    const std::function<bool()>& argument,
                                    const CompiledComponent::RunVisitor& visit,
                                    ChosenInputs& chosen) {
  try {
    BodyRunner(body, visit, chosen).run(state, argument);
  } catch (const EvaluationFailure& failure) {
    return failure.message;
  }
  return std::nullopt;
}

} // namespace tacit
