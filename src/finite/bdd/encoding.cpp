#include "finite/bdd/encoding.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/should.h"
#include "program/graph/call_graph.h"

namespace tacit {
namespace {

constexpr std::size_t narrow = 3;                            // bits
constexpr std::size_t planned_rounds = 4;                    // of a havoc in a loop
constexpr std::uint64_t max_values = std::uint64_t{1} << 60; // of a scalar

std::size_t bits_for(std::uint64_t size) {
  return size <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(size - 1));
}

const Type& type_of(const Component& component, const Procedure& p, Term variable) {
  for (const auto* list : {&p.parameters, &p.locals})
    for (const Variable& v : *list)
      if (v.term == variable) return v.type;
  const auto index = component.module().state_index(variable);
  should(index.has_value(), "a variable should be a parameter, a local or state");
  return component.module().state[*index].type;
}

} // namespace

Result<std::unique_ptr<Encoding>> Encoding::create(const Component& component,
                                                   std::shared_ptr<BddSession> session) {
  std::unique_ptr<Encoding> made(new Encoding(component, std::move(session)));
  auto slots = state_slots(component);
  if (!slots) return std::unexpected(slots.error());
  made->slots_ = std::move(*slots);
  for (const Slot& slot : made->slots_)
    if (slot.size == 0 || slot.size > max_values) {
      const StateVariable& v = component.module().state[slot.variable];
      return fail("the state variable '{}' of type {} has no finite range of at most 2^60 values",
                  v.name(), to_string(v.type));
    }
  if (auto ok = made->plan_choices(); !ok) return std::unexpected(ok.error());
  made->lay_out();
  made->valid_states_ = Bdd(true);
  for (std::size_t i = made->slots_.size(); i-- > 0;) made->valid_states_ &= made->valid_slot(i);
  return made;
}

/// Bodies take columns in descending order of width, so that the pool is as wide as the widest body
/// at each rank.
Result<void> Encoding::plan_choices() {
  const auto& procedures = component_.module().procedures;
  planned_.resize(procedures.size());
  extra_used_.assign(procedures.size(), 0);
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    const Procedure& p = procedures[i];
    struct Request {
      std::size_t bits = 0;
      std::size_t* column = nullptr;
    };
    std::vector<Request> requests;
    auto plan = [&](ChoicePlace place, Term variable, std::size_t rounds) -> Result<void> {
      const Type& type = type_of(component_, p, variable);
      auto unfit = [&] {
        return fail(p.where,
                    "'{}' in '{}' can be any {}: not a finite choice of at most 2^60 values",
                    variable->name, p.name, to_string(type));
      };
      if (width_of(type) == 0) return unfit();
      const auto scalars = scalars_of(type);
      auto& columns = planned_[i][place];
      columns.assign(rounds, std::vector<std::size_t>(scalars.size()));
      for (auto& round : columns)
        for (std::size_t s = 0; s < scalars.size(); ++s) {
          const auto size = domain_size(*scalars[s]);
          if (!size || *size > max_values) return unfit();
          requests.push_back({bits_for(*size), &round[s]});
        }
      return {};
    };
    const std::vector<bool> cyclic = blocks_in_cycles(p);
    for (std::size_t k = 0; k < p.parameters.size(); ++k)
      if (auto ok = plan({ChoicePlace::parameters, k}, p.parameters[k].term, 1); !ok) return ok;
    for (BlockId b = 0; b < p.blocks.size(); ++b)
      for (std::size_t k = 0; k < p.blocks[b].statements.size(); ++k)
        if (const Statement& s = p.blocks[b].statements[k]; s.kind == StatementKind::Havoc)
          if (auto ok = plan({b, k}, s.target, cyclic[b] ? planned_rounds : 1); !ok) return ok;
    std::ranges::stable_sort(requests, std::greater<>(), &Request::bits);
    for (std::size_t k = 0; k < requests.size(); ++k) {
      *requests[k].column = k;
      if (column_width_.size() <= k) column_width_.push_back(0);
      column_width_[k] = std::max(column_width_[k], requests[k].bits);
    }
  }
  return {};
}

void Encoding::lay_out() {
  std::size_t used = 0, widest = 0;
  std::vector<std::size_t> wide_slots, stacked_slots, wide_columns;
  std::vector<std::size_t> elements(component_.module().state.size(), 0);
  for (const Slot& slot : slots_) ++elements[slot.variable];
  current_.resize(slots_.size());
  next_.resize(slots_.size());
  column_.resize(column_width_.size());
  auto place = [&](std::size_t i) {
    for (std::size_t b = current_[i].size(); b-- > 0;) {
      current_[i][b] = used++;
      next_[i][b] = used++;
    }
  };
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t bits = bits_for(slots_[i].size);
    current_[i].resize(bits);
    next_[i].resize(bits);
    if (bits <= narrow) {
      place(i);
    } else if (elements[slots_[i].variable] > slots_[i].size) {
      stacked_slots.push_back(i);
    } else {
      wide_slots.push_back(i);
      widest = std::max(widest, bits);
    }
  }
  for (std::size_t i = 0; i < column_.size(); ++i) {
    column_[i].resize(column_width_[i]);
    if (column_width_[i] > narrow) {
      wide_columns.push_back(i);
      widest = std::max(widest, column_width_[i]);
      continue;
    }
    for (std::size_t b = column_width_[i]; b-- > 0;) column_[i][b] = used++;
  }
  for (std::size_t b = widest; b-- > 0;) {
    for (std::size_t i : wide_slots)
      if (b < current_[i].size()) {
        current_[i][b] = used++;
        next_[i][b] = used++;
      }
    for (std::size_t i : wide_columns)
      if (b < column_[i].size()) column_[i][b] = used++;
  }
  for (std::size_t i : stacked_slots) place(i);
  planned_bits_ = used;
  session_->need_variables(used);
}

std::vector<Bits> Encoding::choice(std::size_t procedure, ChoicePlace place, std::size_t visit,
                                   const Type& type) {
  const auto scalars = scalars_of(type);
  const auto& planned = planned_[procedure].at(place);
  std::vector<Bits> result;
  for (std::size_t s = 0; s < scalars.size(); ++s) {
    const std::size_t bits = bits_for(*domain_size(*scalars[s]));
    Bits taken;
    if (visit < planned.size()) {
      const Bits& column = column_[planned[visit][s]];
      taken.assign(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(bits));
    } else {
      std::size_t& extra = extra_used_[procedure];
      for (std::size_t b = 0; b < bits; ++b) taken.push_back(planned_bits_ + extra + bits - 1 - b);
      extra += bits;
      session_->need_variables(planned_bits_ + extra);
    }
    result.push_back(std::move(taken));
  }
  return result;
}

Bdd Encoding::below(const Bits& bits, std::uint64_t size) {
  if (size == 0) return Bdd(false);
  if (bits_for(size) > bits.size() || std::has_single_bit(size)) return Bdd(true);
  Bdd fits(true);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Bdd zero = Bdd::literal(bits[i], false);
    fits = (((size - 1) >> i) & 1) != 0 ? zero | fits : zero & fits;
  }
  return fits;
}

Number Encoding::number(const Bits& bits, Integer low) {
  std::vector<Bdd> natural;
  for (std::size_t b : bits) natural.push_back(Bdd::variable(b));
  Number code = Number::from_natural(std::move(natural));
  return low == 0 ? code : add(code, Number::constant(low));
}

Bdd Encoding::code_is(const Bits& bits, std::uint64_t code) {
  std::vector<std::pair<std::size_t, bool>> literals;
  for (std::size_t i = 0; i < bits.size(); ++i)
    literals.emplace_back(bits[i], ((code >> i) & 1) != 0);
  std::ranges::sort(literals, std::greater<>());
  Bdd all(true);
  for (const auto& [variable, value] : literals) all &= Bdd::literal(variable, value);
  return all;
}

Bdd Encoding::state(const Codes& codes) const {
  std::vector<std::pair<std::size_t, bool>> literals;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    for (std::size_t i = 0; i < current_[s].size(); ++i)
      literals.emplace_back(current_[s][i], ((codes[s] >> i) & 1) != 0);
  std::ranges::sort(literals, std::greater<>());
  Bdd all(true);
  for (const auto& [variable, value] : literals) all &= Bdd::literal(variable, value);
  return all;
}

Encoding::Codes Encoding::least(const Bdd& states) const {
  Bits order;
  for (const Bits& bits : current_) order.insert(order.end(), bits.rbegin(), bits.rend());
  const std::vector<bool> values = least_assignment(states, order);
  Codes codes;
  for (const Bits& bits : current_) {
    std::uint64_t code = 0;
    for (std::size_t i = bits.size(); i-- > 0;) code = code * 2 + (values[bits[i]] ? 1 : 0);
    codes.push_back(code);
  }
  return codes;
}

ConcreteState Encoding::concrete(const Codes& codes) const {
  ConcreteState result;
  std::size_t at = 0;
  for (const StateVariable& v : component_.module().state) {
    std::vector<Integer> scalars(width_of(v.type));
    for (Integer& scalar : scalars) {
      scalar = Integer{slots_[at].low} + static_cast<Integer>(codes[at]);
      ++at;
    }
    result.values.push_back(value_of(v.type, scalars));
  }
  return result;
}

Encoding::Codes Encoding::codes(const ConcreteState& state) const {
  Codes codes;
  for (std::size_t i = 0; i < state.values.size(); ++i)
    for (Integer scalar : scalars_of(component_.module().state[i].type, state.values[i]))
      codes.push_back(static_cast<std::uint64_t>(scalar - slots_[codes.size()].low));
  return codes;
}

void Encoding::assign(const Codes& codes, std::vector<bool>& assignment) const {
  for (std::size_t s = 0; s < slots_.size(); ++s)
    for (std::size_t i = 0; i < current_[s].size(); ++i) {
      if (assignment.size() <= current_[s][i]) assignment.resize(current_[s][i] + 1, false);
      assignment[current_[s][i]] = ((codes[s] >> i) & 1) != 0;
    }
}

bool holds(const Bdd& diagram, const std::vector<bool>& assignment) {
  Bdd at = diagram;
  while (!at.is_constant())
    at = at.top() < assignment.size() && assignment[at.top()] ? at.high() : at.low();
  return at.is_true();
}

std::vector<bool> least_assignment(Bdd set, const Bits& order) {
  const Bits occurring = support(set);
  std::size_t most = 0;
  for (const Bits* list : {&order, &occurring})
    for (std::size_t v : *list) most = std::max(most, v + 1);
  std::vector<bool> values(most, false), occurs(most, false);
  for (std::size_t v : occurring) occurs[v] = true;
  for (std::size_t v : order) {
    if (!occurs[v]) continue;
    Bdd zero = cofactor(set, Bdd::literal(v, false));
    values[v] = zero.is_false();
    set = values[v] ? cofactor(set, Bdd::literal(v, true)) : std::move(zero);
  }
  return values;
}

} // namespace tacit
