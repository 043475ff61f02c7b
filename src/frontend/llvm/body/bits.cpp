// Numbers as bits: masks, shifts, and registers that hold several values.
#include <algorithm>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/KnownBits.h>

#include "frontend/llvm/body/function_lowering.h"
#include "program/ir/bit_terms.h"
#include "program/ir/granted.h"

namespace tacit {

namespace {

Integer power(unsigned bits) { return Integer{1} << bits; }

/// A number in which one bit is set, `1 << at`, or all but one of the lowest.
struct OneBit {
  const llvm::Value* at = nullptr;
  unsigned width = 0; // positions from here on are cut off
  bool inverted = false;
  unsigned ones = 0; // inverted: how many of the lowest bits are set but for that one
};

std::optional<OneBit> one_bit(const llvm::Value* value) {
  using Code = llvm::Instruction;
  const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (!made || !made->getType()->isIntegerTy()) return std::nullopt;
  const unsigned bits = made->getType()->getIntegerBitWidth();
  const auto cut = [](std::optional<OneBit> one, unsigned to) {
    if (!one) return one;
    one->width = std::min(one->width, to);
    one->ones = std::min(one->ones, to);
    return one;
  };
  const auto constant = [&](unsigned i) {
    return llvm::dyn_cast<llvm::ConstantInt>(made->getOperand(i));
  };
  switch (made->getOpcode()) {
  case Code::Shl:
    if (!constant(0) || !constant(0)->isOne() || constant(1)) return std::nullopt;
    return OneBit{.at = made->getOperand(1), .width = bits};
  case Code::ZExt: return one_bit(made->getOperand(0));
  case Code::Trunc: return cut(one_bit(made->getOperand(0)), bits);
  case Code::And:
    if (!constant(1) || !constant(1)->getValue().isMask()) return std::nullopt;
    return cut(one_bit(made->getOperand(0)), constant(1)->getValue().countr_one());
  case Code::Xor: {
    if (!constant(1) || !constant(1)->isMinusOne()) return std::nullopt;
    auto one = one_bit(made->getOperand(0));
    if (!one || one->inverted) return std::nullopt;
    one->inverted = true;
    one->ones = bits;
    return one;
  }
  default: return std::nullopt;
  }
}

/// Of `x >> k` nobody wants more than the last bit.
bool is_bit_test(const llvm::Instruction& shifted) {
  return !shifted.use_empty() && std::ranges::all_of(shifted.users(), [](const llvm::User* user) {
    if (const auto* cut = llvm::dyn_cast<llvm::TruncInst>(user))
      return cut->getType()->isIntegerTy(1);
    const auto* masked = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (!masked || masked->getOpcode() != llvm::Instruction::And) return false;
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(masked->getOperand(1));
    return by && by->isOne();
  });
}

} // namespace

/// Whether a register may hold more than one value: it is put together from bits, or a struct came
/// in it.
bool FunctionLowering::is_packed(const llvm::Value* value) const {
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{value};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(at))
      work.insert(work.end(), phi->op_begin(), phi->op_end());
    else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(at))
      work.insert(work.end(), choice->op_begin() + 1, choice->op_end());
    else if (const auto* made = llvm::dyn_cast<llvm::BinaryOperator>(at)) {
      using Code = llvm::Instruction;
      const auto code = made->getOpcode();
      if (code == Code::Or || code == Code::And || code == Code::Xor || made->isShift())
        return true;
    } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
      if (packed_.contains(argument)) return true;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(at)) {
      if (lowering_.declared_result(*call).kind == SourceType::Kind::Object) return true;
    } else if (llvm::isa<llvm::ExtractValueInst>(at) || llvm::isa<llvm::FreezeInst>(at)) {
      return true;
    } else if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(at)) {
      const Target target = resolve_access(read->getPointerOperand(), read);
      const unsigned bits = read->getType()->getIntegerBitWidth();
      if (target.kind == Target::Kind::Stack || target.kind == Target::Kind::Exception ||
          !static_field(read->getPointerOperand(), bits, read))
        return true;
    }
  }
  return false;
}

Term FunctionLowering::odd(Term term) {
  return arena_.ne(arena_.mod(term, arena_.integer(2)), arena_.integer(0));
}

/// `x & constant`, by runs of ones: each is (x / 2^low) mod 2^width, shifted back.
Held FunctionLowering::mask(const Held& held, unsigned bits, const llvm::APInt& constant) {
  if (held.truth) return constant[0] ? held : number(arena_.integer(0), Sign::Either);
  if (held.composite) {
    Held cut = held;
    bool whole = true;
    std::erase_if(cut.parts, [&](const Held::Part& part) {
      const llvm::APInt covered = constant.lshr(part.low).zextOrTrunc(64);
      const llvm::APInt full = llvm::APInt::getLowBitsSet(64, part.width);
      if ((covered & full) == 0) return true;
      if ((covered & full) != full) whole = false;
      return false;
    });
    if (whole) return cut;
  }
  const Term x = as(held, bits, Sign::Unsigned);
  Term sum = arena_.integer(0);
  for (unsigned low = 0; low < bits;) {
    if (!constant[low]) {
      ++low;
      continue;
    }
    unsigned high = low;
    while (high < bits && constant[high]) ++high;
    Term run = arena_.div(x, arena_.integer(power(low)));
    if (high < bits) run = arena_.mod(run, arena_.integer(power(high - low)));
    sum = arena_.add(sum, arena_.mul(run, arena_.integer(power(low))));
    low = high;
  }
  return number(sum, constant.isNegative() ? Sign::Unsigned : Sign::Either);
}

/// A shift by a variable of few values, or of a constant: one case for each distance.
std::optional<Held> FunctionLowering::shift(const llvm::BinaryOperator& instruction) {
  const llvm::Value *shifted = instruction.getOperand(0), *distance = instruction.getOperand(1);
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const unsigned active = active_bits(distance);
  const bool fixed = llvm::isa<llvm::ConstantInt>(shifted);
  if (llvm::isa<llvm::ConstantInt>(distance)) return std::nullopt;
  const bool left = instruction.getOpcode() == llvm::Instruction::Shl;
  const bool is_test = !left && !fixed && is_bit_test(instruction);
  if (active > 3 && !fixed && !is_test) return std::nullopt;
  const auto most = active < 7 ? std::min<Integer>(power(active), bits) : Integer{bits};
  const Held by = value(distance), held = value(shifted);
  const Term steps = as(by, bits, Sign::Unsigned);
  if (active >= 7 || power(active) > most) {
    emit(granted(arena_.lt(steps, arena_.integer(most))));
    lowering_.assume("nothing is shifted by its width or more");
  }
  if (is_test)
    return truth(bit_at(arena_, as(held, bits, Sign::Unsigned), steps, static_cast<int>(most)));
  const bool with_sign = instruction.getOpcode() == llvm::Instruction::AShr;
  // To the left, any reading will do: it is cut to its width in the end.
  const Sign reading = with_sign ? Sign::Signed : Sign::Unsigned;
  const Term x = left && held.term ? held.term : as(held, bits, reading);
  const bool is_unsigned = left && (held.sign == Sign::Unsigned || held.composite);
  Term all = nullptr;
  for (Integer k = most; k-- > 0;) {
    const Term by_k = arena_.integer(power(static_cast<unsigned>(k)));
    Term one = left ? arena_.wrap(static_cast<int>(bits), !is_unsigned, arena_.mul(x, by_k))
                    : arena_.div(x, by_k);
    if (with_sign)
      one = arena_.ite(arena_.lt(x, arena_.integer(0)),
                       arena_.neg(arena_.div(
                           arena_.add(arena_.neg(x), arena_.sub(by_k, arena_.integer(1))), by_k)),
                       one);
    all = all ? arena_.ite(arena_.eq(steps, arena_.integer(k)), one, all) : one;
  }
  if (left) return number(all, is_unsigned ? Sign::Unsigned : Sign::Signed);
  return number(all, reading);
}

/// One of the two is 0 or 1, so that only the last bit of the other matters.
std::optional<Held> FunctionLowering::with_truth(const llvm::BinaryOperator& instruction) {
  const Held first = value(instruction.getOperand(0)), second = value(instruction.getOperand(1));
  if (!first.truth && !second.truth) return std::nullopt;
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const Term flag = first.truth ? first.truth : second.truth;
  const Term x = as(first.truth ? second : first, bits, Sign::Unsigned);
  const Term one = arena_.integer(1), last = arena_.mod(x, arena_.integer(2));
  const Term set = arena_.sub(arena_.add(x, one), last);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::And:
    return number(arena_.ite(flag, last, arena_.integer(0)), Sign::Either);
  case llvm::Instruction::Or: return number(arena_.ite(flag, set, x), Sign::Unsigned);
  case llvm::Instruction::Xor:
    return number(arena_.ite(flag, arena_.sub(set, last), x), Sign::Unsigned);
  default: return std::nullopt;
  }
}

/// `x & (1 << k)`, `x & ~(1 << k)`, `x | (1 << k)` and `x ^ (1 << k)`.
std::optional<Held> FunctionLowering::single_bit(const llvm::BinaryOperator& instruction) {
  const auto opcode = instruction.getOpcode();
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  auto one = one_bit(instruction.getOperand(1));
  const llvm::Value* other = instruction.getOperand(one ? 0 : 1);
  if (!one) one = one_bit(instruction.getOperand(0));
  const bool is_and = opcode == llvm::Instruction::And;
  if (!one || (one->inverted && !is_and)) return std::nullopt;
  const unsigned active = active_bits(other), position = active_bits(one->at);
  if (one->inverted && active > one->ones) return std::nullopt;
  unsigned count = one->width;
  if (is_and) count = std::min(count, active);
  if (position < 6) count = std::min(count, 1U << position);
  if (const auto* cut = instruction.hasOneUse()
                            ? llvm::dyn_cast<llvm::TruncInst>(*instruction.user_begin())
                            : nullptr)
    count = std::min(count, cut->getType()->getIntegerBitWidth());
  if (count < 2) return std::nullopt;
  const int cases = static_cast<int>(count);
  const Term x = as(value(other), bits, Sign::Unsigned);
  const Term k = as(value(one->at), one->at->getType()->getIntegerBitWidth(), Sign::Unsigned);
  const Term there = bit_at(arena_, x, k, cases), below = power_below(arena_, k, cases);
  const Term with = arena_.add(x, power_at(arena_, k, cases)), without = arena_.sub(x, below);
  unsigned width = std::max(active, count);
  Term made = nullptr;
  if (is_and) {
    width = one->inverted ? active : count;
    made =
        one->inverted ? arena_.ite(there, without, x) : arena_.ite(there, below, arena_.integer(0));
  } else {
    made = arena_.ite(there, opcode == llvm::Instruction::Or ? x : without, with);
  }
  if (width == bits) return number(made, Sign::Unsigned);
  return part(number(made, Sign::Either), bits, width);
}

/// `x & y`, `x | y` and `x ^ y` bit by bit, where there are few that may be set.
std::optional<Held> FunctionLowering::few_bits(const llvm::BinaryOperator& instruction) {
  if (const auto bit = with_truth(instruction)) return bit;
  if (const auto bit = single_bit(instruction)) return bit;
  constexpr unsigned most = 8;
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const auto opcode = instruction.getOpcode();
  const unsigned a = active_bits(instruction.getOperand(0)),
                 b = active_bits(instruction.getOperand(1));
  const unsigned count = opcode == llvm::Instruction::And ? std::min(a, b) : std::max(a, b);
  if (count > most) return std::nullopt;
  const Held first = value(instruction.getOperand(0)), second = value(instruction.getOperand(1));
  const Term x = as(first, bits, Sign::Unsigned), y = as(second, bits, Sign::Unsigned);
  Term sum = arena_.integer(0);
  for (unsigned i = 0; i < count; ++i) {
    const Term in_x = odd(arena_.div(x, arena_.integer(power(i)))),
               in_y = odd(arena_.div(y, arena_.integer(power(i))));
    const Term set = opcode == llvm::Instruction::And  ? arena_.conj(in_x, in_y)
                     : opcode == llvm::Instruction::Or ? arena_.disj(in_x, in_y)
                                                       : arena_.ne(in_x, in_y);
    sum = arena_.add(sum, arena_.ite(set, arena_.integer(power(i)), arena_.integer(0)));
  }
  return number(sum, count < bits ? Sign::Either : Sign::Unsigned);
}

/// What is certain of `x | y` and `x & y`: between the larger one and the sum, and at most the
/// smaller one. So flags of zero and one that are collected in a number keep their meaning.
Held FunctionLowering::bits_of_both(const llvm::BinaryOperator& instruction) {
  if (const auto few = few_bits(instruction)) return *few;
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  lowering_.assume("of bits of two variables only the size is followed", where(instruction));
  const Held first = value(instruction.getOperand(0)), second = value(instruction.getOperand(1));
  const Term x = as(first, bits, Sign::Unsigned), y = as(second, bits, Sign::Unsigned);
  const Term both =
      local(name_of(instruction),
            {.sort = arena_.int_sort(), .low = Integer{0}, .high = (Integer{1} << bits) - 1});
  havoc(both, Chooser::Unknown);
  // Nobody can choose it, so every value has to mean something.
  if (instruction.getOpcode() == llvm::Instruction::Or)
    assign(both, arena_.ite(arena_.conj({arena_.le(x, both), arena_.le(y, both),
                                         arena_.le(both, arena_.add(x, y))}),
                            both, arena_.ite(arena_.le(x, y), y, x)));
  else
    assign(both, arena_.ite(arena_.conj(arena_.le(both, x), arena_.le(both, y)), both,
                            arena_.integer(0)));
  return number(both, Sign::Unsigned);
}

/// `x | constant` part by part.
std::optional<Held> FunctionLowering::set_bits(const Held& held, const llvm::APInt& constant) {
  if (!held.composite) return std::nullopt;
  Held made = held;
  llvm::APInt rest = constant;
  for (Held::Part& part : made.parts) {
    const llvm::APInt full =
        llvm::APInt::getBitsSet(constant.getBitWidth(), part.low, part.low + part.width);
    if ((constant & full).isZero()) continue;
    const bool is_truth = part.term->op == Op::Ite && (constant & full).popcount() == 1 &&
                          constant[part.low]; // a byte that is 0 or 1
    if ((constant & full) != full && !is_truth) return std::nullopt;
    part.term = is_truth ? arena_.integer(1) : arena_.integer(power(part.width) - 1);
    part.is_signed = false;
    rest &= ~full;
  }
  for (unsigned low = 0; low < rest.getBitWidth();) {
    if (!rest[low]) {
      ++low;
      continue;
    }
    unsigned high = low;
    while (high < rest.getBitWidth() && rest[high]) ++high;
    made.parts.push_back({arena_.integer(power(high - low) - 1), low, high - low, false});
    low = high;
  }
  return made;
}

unsigned FunctionLowering::active_bits(const llvm::Value* value) const {
  return llvm::computeKnownBits(value, lowering_.layout()).countMaxActiveBits();
}

/// A number as one part of `width` bits.
Held FunctionLowering::part(const Held& held, unsigned bits, unsigned width) {
  Held made;
  made.composite = true;
  if (width > 0) made.parts.push_back({as(held, bits, Sign::Unsigned), 0, width, false});
  return made;
}

Term FunctionLowering::part_bits(const Held::Part& part) {
  if (!part.is_signed) return part.term;
  return arena_.ite(arena_.lt(part.term, arena_.integer(0)),
                    arena_.add(part.term, arena_.integer(power(part.width))), part.term);
}

Term FunctionLowering::collapse(const Held& held, unsigned bits, Sign sign) {
  Term sum = arena_.integer(0);
  for (const Held::Part& part : held.parts)
    sum = arena_.add(sum, arena_.mul(part_bits(part), arena_.integer(power(part.low))));
  const bool small = std::ranges::all_of(
      held.parts, [&](const Held::Part& part) { return part.low + part.width < bits; });
  return as(number(sum, small ? Sign::Either : Sign::Unsigned), bits, sign);
}

} // namespace tacit
