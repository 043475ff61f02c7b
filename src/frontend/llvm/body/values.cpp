// Registers as terms: constants, arithmetic, casts, comparisons, and the shapes of phis.
#include <algorithm>
#include <tuple>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/KnownBits.h>

#include "base/should.h"
#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/prepare/prepare.h"
#include "frontend/llvm/prepare/truths.h"
#include "program/ir/granted.h"
#include "program/ir/reals.h"

namespace tacit {

namespace {

Integer power(unsigned bits) { return Integer{1} << bits; }

Integer to_integer(const llvm::APInt& value, bool is_signed) {
  return is_signed ? static_cast<Integer>(value.getSExtValue())
                   : static_cast<Integer>(value.getZExtValue());
}

bool is_landing(const llvm::Value* value, std::set<const llvm::Value*>& seen) {
  if (!seen.insert(value).second) return false;
  if (llvm::isa<llvm::LandingPadInst>(value)) return true;
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value))
    return is_landing(part->getAggregateOperand(), seen);
  if (const auto* whole = llvm::dyn_cast<llvm::InsertValueInst>(value))
    return is_landing(whole->getInsertedValueOperand(), seen) ||
           is_landing(whole->getAggregateOperand(), seen);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
    return std::ranges::any_of(phi->incoming_values(),
                               [&](const llvm::Use& use) { return is_landing(use.get(), seen); });
  return false;
}

} // namespace

// Shapes.

void FunctionLowering::find_shapes() {
  std::vector<const llvm::PHINode*> phis;
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) phis.push_back(phi);
      if (const auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&instruction))
        thrown_[pad] = local("thrown", {.sort = module_.exception_sort});
    }
  const Truths truths(
      function_,
      [&](const llvm::LoadInst& read) {
        if (!read.getType()->isIntegerTy(8)) return false;
        const FieldFact* field = static_field(read.getPointerOperand(), 8, &read);
        return field && field->type.kind == SourceType::Kind::Bool;
      },
      [&](const llvm::CallBase& call) { return lowering_.gives_truth(call.getCalledFunction()); });
  // Enumerations flow through phis, forwards from loads and backwards from returns and stores.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto* phi : phis) {
      if (choices_.contains(phi) || !phi->getType()->isIntegerTy()) continue;
      std::string name;
      for (const llvm::Use& use : phi->incoming_values())
        if (const SourceType source = enum_of(use.get()); !source.name.empty()) name = source.name;
      for (const llvm::User* user : phi->users()) {
        if (llvm::isa<llvm::ReturnInst>(user) && returns_.kind == SourceType::Kind::Enumeration)
          name = returns_.name;
        const auto* stored = llvm::dyn_cast<llvm::StoreInst>(user);
        if (stored && stored->getValueOperand() == phi) {
          const FieldFact* field = static_field(stored->getPointerOperand(),
                                                phi->getType()->getIntegerBitWidth(), stored);
          if (field && field->type.kind == SourceType::Kind::Enumeration) name = field->type.name;
        }
        if (choices_.contains(user)) name = choices_.at(user);
      }
      if (name.empty() || !lowering_.enum_sort(name)) continue;
      const bool fits = std::ranges::all_of(
          phi->incoming_values(), [&](const llvm::Use& use) { return fits_enum(use.get(), name); });
      if (!fits) continue;
      choices_[phi] = name;
      changed = true;
    }
  }
  for (const auto* phi : phis) {
    std::set<const llvm::Value*> seen;
    const llvm::Type* type = phi->getType();
    Shape shape = Shape::None;
    if (is_landing(phi, seen))
      shape = Shape::Thrown;
    else if (choices_.contains(phi))
      shape = Shape::Choice;
    else if (truths.contains(phi))
      shape = Shape::Truth;
    else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
      shape = Shape::Number;
    else if (is_real(type))
      shape = Shape::Real;
    else if (type->isPointerTy())
      shape = Shape::Reference;
    shapes_[phi] = shape;
  }
  for (const auto* phi : phis) {
    const Shape shape = shapes_[phi];
    const std::string base = name_of(*phi);
    switch (shape) {
    case Shape::Thrown: {
      phi_locals_[phi] = local(base, {.sort = module_.exception_sort});
      held_[phi] = Held{.thrown = phi_locals_[phi]};
      break;
    }
    case Shape::Truth:
      phi_locals_[phi] = local(base, {.sort = arena_.bool_sort()});
      held_[phi] = truth(phi_locals_[phi]);
      break;
    case Shape::Choice: {
      phi_locals_[phi] = local(base, {.sort = lowering_.enum_sort(choices_[phi])});
      held_[phi] = chosen(phi_locals_[phi], phi->getType()->getIntegerBitWidth());
      break;
    }
    case Shape::Number:
      phi_sign_[phi] = natural_sign(phi);
      phi_locals_[phi] = local(base, {.sort = arena_.int_sort()});
      held_[phi] = number(phi_locals_[phi], phi_sign_[phi]);
      break;
    case Shape::Real:
      phi_locals_[phi] = local(base, real_type(arena_.int_sort()));
      held_[phi] = real(phi_locals_[phi]);
      break;
    case Shape::Reference:
      phi_locals_[phi] = local(base, {.sort = arena_.ref_sort()});
      held_[phi] = Held{.term = phi_locals_[phi]};
      break;
    case Shape::None: break;
    }
  }
}

/// Whether a value is surely an enumerator; what comes from another phi is checked there.
bool FunctionLowering::fits_enum(const llvm::Value* value, const std::string& name) const {
  if (llvm::isa<llvm::UndefValue>(value) || llvm::isa<llvm::PHINode>(value) ||
      enum_of(value).name == name)
    return true;
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
    return fits_enum(choice->getTrueValue(), name) && fits_enum(choice->getFalseValue(), name);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  const auto& values = lowering_.facts().enums.at(name).values;
  return number && std::ranges::any_of(values, [&](const auto& entry) {
           const Integer apart = Integer{entry.second} - number->getSExtValue();
           return apart % power(number->getBitWidth()) == 0;
         });
}

/// How a number that is merged from several places is best read: as most of its sources and uses
/// read it. The choice costs nothing but terms.
Sign FunctionLowering::natural_sign(const llvm::PHINode* phi) const {
  int for_unsigned = 0, for_signed = 0;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{phi};
  while (!work.empty()) {
    const llvm::Value* next = work.back();
    work.pop_back();
    if (!seen.insert(next).second || seen.size() > 64) continue;
    if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(next)) {
      for_signed += fixed->isNegative() ? 4 : 0;
      continue;
    }
    if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(next)) {
      const FieldFact* field =
          read->getType()->isIntegerTy()
              ? static_field(read->getPointerOperand(), read->getType()->getIntegerBitWidth(), read)
              : nullptr;
      if (field && field->type.kind == SourceType::Kind::Number)
        (field->type.is_signed ? for_signed : for_unsigned) += 4;
      continue;
    }
    if (const auto found = held_.find(next); found != held_.end())
      (found->second.sign == Sign::Unsigned ? for_unsigned : for_signed) += 1;
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(next)) {
      work.push_back(operation->getOperand(0));
      work.push_back(operation->getOperand(1));
      continue;
    }
    const auto* other = llvm::dyn_cast<llvm::PHINode>(next);
    if (!other) continue;
    for (const llvm::Use& use : other->incoming_values()) work.push_back(use.get());
    for (const llvm::User* user : other->users()) {
      if (llvm::isa<llvm::ZExtInst>(user)) for_unsigned += 2;
      if (llvm::isa<llvm::SExtInst>(user)) for_signed += 2;
      if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user)) {
        for_unsigned += comparison->isUnsigned() ? 2 : 0;
        for_signed += comparison->isSigned() ? 2 : 0;
      }
      if (llvm::isa<llvm::ReturnInst>(user)) (returns_.is_signed ? for_signed : for_unsigned) += 4;
      if (llvm::isa<llvm::SExtInst>(user)) for_signed += 2;
    }
  }
  return for_unsigned > for_signed ? Sign::Unsigned : Sign::Signed;
}

FunctionLowering::Shape FunctionLowering::shape_of(const llvm::Value* value) const {
  if (const auto found = shapes_.find(value); found != shapes_.end()) return found->second;
  const llvm::Type* type = value->getType();
  if (type->isIntegerTy(1)) return Shape::Truth;
  if (type->isPointerTy()) return Shape::Reference;
  if (is_real(type)) return Shape::Real;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) return Shape::Number;
  return Shape::None;
}

SourceType FunctionLowering::enum_of(const llvm::Value* value) const {
  if (const auto found = choices_.find(value); found != choices_.end())
    return {.kind = SourceType::Kind::Enumeration, .name = found->second};
  if (const auto found = held_.find(value); found != held_.end() && found->second.choice)
    for (const auto& [name, fact] : lowering_.facts().enums)
      if (lowering_.enum_sort(name) == found->second.choice->sort)
        return {.kind = SourceType::Kind::Enumeration, .name = name};
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) {
    const SourceType declared = lowering_.declared_result(*call);
    return declared.kind == SourceType::Kind::Enumeration && lowering_.enum_sort(declared.name)
               ? declared
               : SourceType{};
  }
  if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(value)) {
    if (!read->getType()->isIntegerTy()) return {};
    const FieldFact* field =
        static_field(read->getPointerOperand(), read->getType()->getIntegerBitWidth(), read);
    if (field && field->type.kind == SourceType::Kind::Enumeration) return field->type;
  }
  return {};
}

// Values.

const Held& FunctionLowering::value(const llvm::Value* value) {
  if (const auto found = held_.find(value); found != held_.end()) return found->second;
  if (const auto* fixed = llvm::dyn_cast<llvm::Constant>(value);
      fixed && !value->getType()->isPointerTy())
    return held_[value] = constant(*fixed);
  if (value->getType()->isPointerTy()) {
    Held made{.term = address(value)};
    // Addresses are made where they are used: they may be havocked locals.
    return scratch_.emplace_back(std::move(made));
  }
  return scratch_.emplace_back(unknown(value->getType(), name_of(*value)));
}

Held FunctionLowering::constant(const llvm::Constant& constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      number && number->getOpcode() == llvm::Instruction::PtrToInt)
    let_escape(number->getOperand(0));
  const llvm::Type* type = constant.getType();
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (type->isIntegerTy(1)) return truth(arena_.boolean(integer->isOne()));
    if (type->getIntegerBitWidth() > 64) return unknown(type, "wide");
    const Integer value = integer->getSExtValue();
    Held made = number(arena_.integer(value), value < 0 ? Sign::Signed : Sign::Either);
    if (value == 0 || value == 1) made.truth = arena_.boolean(value == 1);
    return made;
  }
  if (is_real(type)) return real_constant(constant);
  if (type->isIntegerTy() && llvm::isa<llvm::UndefValue>(constant))
    return unknown(type, "undefined");
  return unknown(type, "constant");
}

Held FunctionLowering::unknown(const llvm::Type* type, const std::string& base, Chooser chooser) {
  if (type->isIntegerTy(1)) {
    const Term made = local(base, {.sort = arena_.bool_sort()});
    havoc(made, chooser);
    return truth(made);
  }
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) {
    const unsigned bits = type->getIntegerBitWidth();
    const Term made = local(
        base, {.sort = arena_.int_sort(), .low = -power(bits - 1), .high = power(bits - 1) - 1});
    havoc(made, chooser);
    return number(made, Sign::Signed);
  }
  if (type->isPointerTy()) {
    const Term made = local(base, {.sort = arena_.ref_sort()});
    havoc(made, chooser);
    return Held{.term = made};
  }
  if (is_real(type)) return unknown_real(base, chooser);
  return {};
}

void FunctionLowering::set(const llvm::Instruction& instruction, Held held) {
  held_[&instruction] = std::move(held);
}

Held FunctionLowering::number(Term term, Sign sign) const {
  return Held{.term = term, .sign = sign};
}

Held FunctionLowering::truth(Term term) const {
  return Held{.term = arena_.ite(term, arena_.integer(1), arena_.integer(0)), .truth = term};
}

Term FunctionLowering::as(const Held& held, unsigned bits, Sign sign) {
  if (held.composite) return collapse(held, bits, sign);
  if (!held.term || held.term->sort != arena_.int_sort()) { // bits of what is not followed
    const Term any = local("bits", lowering_.scalar_type({.kind = SourceType::Kind::Number,
                                                          .bits = bits,
                                                          .is_signed = sign != Sign::Unsigned}));
    havoc(any, Chooser::Unknown);
    return any;
  }
  if (held.sign == Sign::Either || sign == Sign::Either || held.sign == sign) return held.term;
  // What was cut to that many bits is cut to them in the other reading.
  const bool is_unsigned = sign == Sign::Unsigned;
  if (held.term->op == Op::Wrap && held.term->number == Integer(is_unsigned ? -1 : 1) * bits)
    return arena_.wrap(static_cast<int>(bits), !is_unsigned, held.term->args[0]);
  if (is_unsigned)
    return arena_.ite(arena_.lt(held.term, arena_.integer(0)),
                      arena_.add(held.term, arena_.integer(power(bits))), held.term);
  return arena_.ite(arena_.ge(held.term, arena_.integer(power(bits - 1))),
                    arena_.sub(held.term, arena_.integer(power(bits))), held.term);
}

Term FunctionLowering::as_truth(const Held& held) {
  if (held.truth) return held.truth;
  if (held.composite) {
    if (held.parts.empty()) return arena_.falsehood();
    std::vector<Term> set;
    for (const Held::Part& part : held.parts)
      set.push_back(arena_.negate(same(part.term, arena_.integer(0))));
    return arena_.disj(std::move(set));
  }
  if (held.term && held.term->sort == arena_.bool_sort()) return held.term;
  if (!held.term || held.term->sort != arena_.int_sort())
    return unknown(llvm::Type::getInt1Ty(function_.getContext()), "unclear").truth;
  return arena_.negate(same(held.term, arena_.integer(0)));
}

Term FunctionLowering::equal(const Held& a, const Held& b, unsigned bits) {
  if (const auto choice = compare_choice(a, b, llvm::CmpInst::ICMP_EQ, bits)) return choice->truth;
  if (a.truth && b.truth) return arena_.eq(a.truth, b.truth);
  const bool either =
      a.sign == Sign::Unsigned || b.sign == Sign::Unsigned || a.composite || b.composite;
  const Sign sign = either ? Sign::Unsigned : Sign::Signed;
  return same(as(a, bits, sign), as(b, bits, sign));
}

std::optional<Held> FunctionLowering::compare_choice(const Held& a, const Held& b,
                                                     llvm::CmpInst::Predicate predicate,
                                                     unsigned bits) {
  if (!a.choice && !b.choice) return std::nullopt;
  const Sort sort = a.choice ? a.choice->sort : b.choice->sort;
  const auto as_choice = [&](const Held& held) -> Term {
    if (held.choice) return held.choice->sort == sort ? held.choice : nullptr;
    if (!held.term || held.term->op != Op::IntConst) return nullptr;
    return enumerator(sort, held.term->number, bits);
  };
  const Term left = as_choice(a), right = as_choice(b);
  if (!left || !right) {
    // A number that no enumerator has.
    const Held& other = left ? b : a;
    if (!other.term || other.term->op != Op::IntConst || other.choice) return std::nullopt;
    if (predicate == llvm::CmpInst::ICMP_EQ) return truth(arena_.falsehood());
    if (predicate == llvm::CmpInst::ICMP_NE) return truth(arena_.truth());
    return std::nullopt;
  }
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ: return truth(arena_.eq(left, right));
  case llvm::CmpInst::ICMP_NE: return truth(arena_.ne(left, right));
  default: return std::nullopt;
  }
}

/// Whether two pointers to known objects, not null, lead to different places: within different
/// objects, as an address past the end of one may be that of another.
bool FunctionLowering::are_apart(const llvm::Value* left, const llvm::Value* right) const {
  const auto place = [&](const llvm::Value* pointer) -> std::optional<PointsTo::Place> {
    const Target target = resolve(pointer);
    if (target.index || target.offset < 0) return std::nullopt;
    std::uint64_t size = 0;
    if (target.kind == Target::Kind::Receiver && lowering_.receiver_record() &&
        llvm::isa<llvm::Argument>(target.root))
      size = lowering_.receiver_record()->bits / 8;
    else if (const auto* local = llvm::dyn_cast_or_null<llvm::AllocaInst>(target.root);
             local && !local->isArrayAllocation())
      size = lowering_.layout().getTypeAllocSize(local->getAllocatedType()).getFixedValue();
    else if (const auto* global = llvm::dyn_cast_or_null<llvm::GlobalVariable>(target.root);
             global && !global->hasAtLeastLocalUnnamedAddr() && !global->isDeclaration())
      size = lowering_.layout().getTypeAllocSize(global->getValueType()).getFixedValue();
    if (static_cast<std::uint64_t>(target.offset) >= size) return std::nullopt;
    const PointsTo::Places places = lowering_.points_to().at(pointer);
    if (places.size() != 1 || !places.begin()->exact()) return std::nullopt;
    return *places.begin();
  };
  const auto a = place(left), b = place(right);
  return a && b && (a->object != b->object || a->low != b->low);
}

/// The two numbers whose order `a <=> b` tells by -1, 0 and 1.
static std::optional<std::pair<Term, Term>> three_way(Term term) {
  const auto is = [](Term one, Integer number) {
    return one->op == Op::IntConst && one->number == number;
  };
  if (term->op != Op::Ite || !is(term->args[1], 0)) return std::nullopt;
  const Term same = term->args[0], rest = term->args[2];
  if (rest->op != Op::Ite || !is(rest->args[1], -1) || !is(rest->args[2], 1)) return std::nullopt;
  const Term less = rest->args[0];
  if (same->op != Op::Eq || less->op != Op::Lt) return std::nullopt;
  const Term a = less->args[0], b = less->args[1];
  const bool fits =
      (same->args[0] == a && same->args[1] == b) || (same->args[0] == b && same->args[1] == a);
  return fits ? std::optional(std::pair(a, b)) : std::nullopt;
}

Held FunctionLowering::compare(const llvm::ICmpInst& instruction) {
  using llvm::CmpInst;
  const llvm::Value *left = instruction.getOperand(0), *right = instruction.getOperand(1);
  const CmpInst::Predicate predicate = instruction.getPredicate();
  const bool equality = instruction.isEquality();
  if (left->getType()->isPointerTy()) {
    if (!equality) {
      lowering_.assume("the order of addresses is not known", where(instruction));
      return unknown(instruction.getType(), name_of(instruction));
    }
    const auto place = [&](const llvm::Value* pointer) {
      const llvm::Value* root = resolve(pointer).root;
      // A pointer that was kept may lead to one place only, and be null all the same.
      if (const auto* argument = llvm::dyn_cast<llvm::Argument>(root))
        return bound_[argument->getArgNo()] == Receiver::Object;
      const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(root);
      return global ? !global->hasExternalWeakLinkage() : llvm::isa<llvm::AllocaInst>(root);
    };
    const bool null_left = llvm::isa<llvm::ConstantPointerNull>(left),
               null_right = llvm::isa<llvm::ConstantPointerNull>(right);
    if ((null_left && place(right)) || (null_right && place(left)))
      return truth(arena_.boolean(predicate == CmpInst::ICMP_NE));
    if (are_apart(left, right)) return truth(arena_.boolean(predicate == CmpInst::ICMP_NE));
    const Term same = arena_.eq(address(left), address(right));
    return truth(predicate == CmpInst::ICMP_EQ ? same : arena_.negate(same));
  }
  const Held a = value(left), b = value(right);
  if (a.thrown || b.thrown) {
    const auto* id = llvm::dyn_cast<llvm::CallInst>(a.thrown ? right : left);
    const Term thrown = a.thrown ? a.thrown : b.thrown;
    if (equality && id && id->arg_size() == 1) {
      const Term is =
          lowering_.is_exception(thrown, lowering_.exception_name(id->getArgOperand(0)));
      return truth(predicate == CmpInst::ICMP_EQ ? is : arena_.negate(is));
    }
    return unknown(instruction.getType(), name_of(instruction));
  }
  if (!left->getType()->isIntegerTy() || left->getType()->getIntegerBitWidth() > 64)
    return unknown(instruction.getType(), name_of(instruction));
  const unsigned bits = left->getType()->getIntegerBitWidth();
  if (const auto choice = compare_choice(a, b, predicate, bits)) return *choice;
  if (equality) {
    const Term same = equal(a, b, bits);
    return truth(predicate == CmpInst::ICMP_EQ ? same : arena_.negate(same));
  }
  if (bits == 1) return unknown(instruction.getType(), name_of(instruction));
  const Sign sign = instruction.isSigned() ? Sign::Signed : Sign::Unsigned;
  Term x = as(a, bits, sign), y = as(b, bits, sign);
  // What `<=>` says is compared with 0: the numbers themselves are.
  if (const auto sides = three_way(x); sides && y == arena_.integer(0)) std::tie(x, y) = *sides;
  switch (instruction.getPredicate()) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT: return truth(arena_.lt(x, y));
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE: return truth(arena_.le(x, y));
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT: return truth(arena_.gt(x, y));
  default: return truth(arena_.ge(x, y));
  }
}

Held FunctionLowering::cast(const llvm::CastInst& instruction) {
  const llvm::Type *from = instruction.getSrcTy(), *to = instruction.getDestTy();
  const Held held = value(instruction.getOperand(0));
  if (!from->isIntegerTy() || !to->isIntegerTy() || from->getIntegerBitWidth() > 64 ||
      to->getIntegerBitWidth() > 64) {
    if (held.thrown) return Held{.thrown = held.thrown};
    if (is_real(from) && llvm::isa<llvm::FPExtInst>(instruction)) return held;
    if (!is_real(from) && !is_real(to) &&
        (llvm::isa<llvm::BitCastInst>(instruction) ||
         llvm::isa<llvm::AddrSpaceCastInst>(instruction)))
      return held;
    if (from->isPointerTy()) let_escape(instruction.getOperand(0));
    lowering_.assume("not understood: " + std::string(instruction.getOpcodeName()),
                     where(instruction));
    return unknown(to, name_of(instruction));
  }
  const unsigned bits = from->getIntegerBitWidth(), wanted = to->getIntegerBitWidth();
  if (llvm::isa<llvm::ZExtInst>(instruction)) {
    if (bits == 1) return truth(as_truth(held));
    if (held.truth || held.composite) return held;
    if (held.choice && fits(held.choice->sort, bits, false)) return chosen(held.choice, wanted);
    return number(as(held, bits, Sign::Unsigned), Sign::Either);
  }
  if (llvm::isa<llvm::SExtInst>(instruction)) {
    if (bits == 1)
      return number(arena_.ite(as_truth(held), arena_.integer(-1), arena_.integer(0)),
                    Sign::Signed);
    if (held.truth) return held;
    if (held.choice && fits(held.choice->sort, bits, true)) return chosen(held.choice, wanted);
    return number(as(held, bits, Sign::Signed), Sign::Signed);
  }
  // Truncation.
  if (wanted == 1) {
    if (held.truth) return truth(held.truth);
    if (held.composite) {
      for (const Held::Part& part : held.parts)
        if (part.low == 0)
          return truth(part.width == 1 || part.term->op == Op::Ite
                           ? arena_.negate(same(part.term, arena_.integer(0)))
                           : odd(part_bits(part)));
      return truth(arena_.falsehood());
    }
    return truth(odd(as(held, bits, Sign::Unsigned)));
  }
  if (held.truth) return held;
  if (held.choice &&
      (fits(held.choice->sort, wanted, true) || fits(held.choice->sort, wanted, false)))
    return chosen(held.choice, wanted);
  if (held.composite) {
    Held cut = held;
    std::erase_if(cut.parts, [&](const Held::Part& part) { return part.low >= wanted; });
    if (std::ranges::none_of(cut.parts,
                             [&](const Held::Part& p) { return p.low + p.width > wanted; })) {
      // One value that fills it is that value, however it is to be read.
      if (cut.parts.size() == 1 && cut.parts[0].low == 0 && cut.parts[0].width == wanted)
        return number(cut.parts[0].term, cut.parts[0].is_signed ? Sign::Signed : Sign::Unsigned);
      return cut;
    }
    Held low = mask(number(collapse(held, bits, Sign::Unsigned), Sign::Unsigned), bits,
                    llvm::APInt::getLowBitsSet(bits, wanted));
    low.sign = Sign::Unsigned; // at its new width
    return low;
  }
  // Several values in one register, as small structs are passed: what is cut off was never meant.
  if (is_packed(instruction.getOperand(0))) {
    Held low = mask(held, bits, llvm::APInt::getLowBitsSet(bits, wanted));
    low.sign = Sign::Unsigned;
    return low;
  }
  const Sign sign = held.sign == Sign::Unsigned ? Sign::Unsigned : Sign::Signed;
  return number(arena_.wrap(static_cast<int>(wanted), sign == Sign::Signed, held.term), sign);
}

Held FunctionLowering::arithmetic(const llvm::BinaryOperator& instruction) {
  using Code = llvm::Instruction;
  const llvm::Type* type = instruction.getType();
  const auto give_up = [&](const char* why) {
    lowering_.assume(std::string("not followed: ") + why, where(instruction));
    return unknown(type, name_of(instruction));
  };
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) {
    lowering_.assume("floating point numbers and vectors are not followed");
    return unknown(type, name_of(instruction));
  }
  const unsigned bits = type->getIntegerBitWidth();
  const Held a = value(instruction.getOperand(0)), b = value(instruction.getOperand(1));
  const auto opcode = instruction.getOpcode();
  if (bits == 1) {
    const Term x = as_truth(a), y = as_truth(b);
    switch (opcode) {
    case Code::And:
    case Code::Mul: return truth(arena_.conj(x, y));
    case Code::Or: return truth(arena_.disj(x, y));
    case Code::Xor:
    case Code::Add:
    case Code::Sub: return truth(arena_.ne(x, y));
    default: return give_up("arithmetic on a single bit");
    }
  }
  const bool is_unsigned = !instruction.hasMetadata(signed_arithmetic) &&
                           (a.sign == Sign::Unsigned || b.sign == Sign::Unsigned);
  const Sign sign = is_unsigned ? Sign::Unsigned : Sign::Signed;
  const auto wrapped = [&](Term term) {
    if (instruction.hasMetadata(signed_arithmetic) && lowering_.overflow_ends()) {
      const Integer limit = power(bits - 1);
      emit(granted(arena_.conj(arena_.le(arena_.integer(-limit), term),
                               arena_.lt(term, arena_.integer(limit)))));
      lowering_.assume("signed arithmetic does not overflow, which is undefined");
      return number(term, sign);
    }
    return number(arena_.wrap(static_cast<int>(bits), !is_unsigned, term), sign);
  };
  const auto plain = [&](const Held& held) {
    return held.composite ? collapse(held, bits, Sign::Unsigned) : held.term;
  };
  const auto* right = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  const auto* left = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(0));
  switch (opcode) {
  case Code::Add: return wrapped(arena_.add(plain(a), plain(b)));
  case Code::Sub: return wrapped(arena_.sub(plain(a), plain(b)));
  case Code::Mul: return wrapped(arena_.mul(plain(a), plain(b)));
  case Code::SDiv:
  case Code::UDiv:
  case Code::SRem:
  case Code::URem: {
    const bool with_sign = opcode == Code::SDiv || opcode == Code::SRem;
    const Sign reading = with_sign ? Sign::Signed : Sign::Unsigned;
    const Term x = as(a, bits, reading), y = as(b, bits, reading);
    if (!right) {
      emit(granted(arena_.ne(y, arena_.integer(0))));
      lowering_.assume("nothing is divided by zero");
    }
    if (opcode == Code::SDiv || opcode == Code::UDiv) return number(arena_.div(x, y), reading);
    return number(arena_.mod(x, y), reading);
  }
  case Code::Shl: {
    if (!right || right->getValue().uge(bits)) {
      if (const auto shifted = shift(instruction)) return *shifted;
      return give_up("a shift by a variable");
    }
    const auto k = static_cast<unsigned>(right->getZExtValue());
    const unsigned width = active_bits(instruction.getOperand(0));
    if (a.composite || width + k <= bits) {
      Held moved = a.composite ? a : part(a, bits, width);
      for (Held::Part& one : moved.parts) one.low += k;
      std::erase_if(moved.parts, [&](const Held::Part& one) { return one.low >= bits; });
      if (std::ranges::none_of(moved.parts,
                               [&](const Held::Part& p) { return p.low + p.width > bits; }))
        return moved;
    }
    return wrapped(arena_.mul(plain(a), arena_.integer(power(k))));
  }
  case Code::LShr: {
    if (!right || right->getValue().uge(bits)) {
      if (const auto shifted = shift(instruction)) return *shifted;
      return give_up("a shift by a variable");
    }
    const auto k = static_cast<unsigned>(right->getZExtValue());
    if (a.composite) {
      Held moved = a;
      std::erase_if(moved.parts, [&](const Held::Part& p) { return p.low + p.width <= k; });
      if (std::ranges::all_of(moved.parts, [&](const Held::Part& p) { return p.low >= k; })) {
        for (Held::Part& one : moved.parts) one.low -= k;
        return moved;
      }
    }
    return number(arena_.div(as(a, bits, Sign::Unsigned), arena_.integer(power(k))),
                  k > 0 ? Sign::Either : Sign::Unsigned);
  }
  case Code::AShr: {
    if (!right || right->getValue().uge(bits)) {
      if (const auto shifted = shift(instruction)) return *shifted;
      return give_up("a shift by a variable");
    }
    const auto k = static_cast<unsigned>(right->getZExtValue());
    if (a.composite)
      for (const Held::Part& one : a.parts)
        if (one.low == k && one.low + one.width == bits)
          return number(as(number(one.term, one.is_signed ? Sign::Signed : Sign::Unsigned),
                           one.width, Sign::Signed),
                        Sign::Signed);
    const Term x = as(a, bits, Sign::Signed), m = arena_.integer(power(k));
    const Term below =
        arena_.neg(arena_.div(arena_.add(arena_.neg(x), arena_.integer(power(k) - 1)), m));
    return number(arena_.ite(arena_.lt(x, arena_.integer(0)), below, arena_.div(x, m)),
                  Sign::Signed);
  }
  case Code::And: {
    if (right) return mask(a, bits, right->getValue());
    if (left) return mask(b, bits, left->getValue());
    if (a.truth && b.truth) return truth(arena_.conj(a.truth, b.truth));
    return bits_of_both(instruction);
  }
  case Code::Or: {
    if (a.truth && b.truth) return truth(arena_.disj(a.truth, b.truth));
    if (!right && !left &&
        llvm::haveNoCommonBitsSet(instruction.getOperand(0), instruction.getOperand(1),
                                  llvm::SimplifyQuery(lowering_.layout()))) {
      const Held x = a.composite ? a : part(a, bits, active_bits(instruction.getOperand(0)));
      const Held y = b.composite ? b : part(b, bits, active_bits(instruction.getOperand(1)));
      Held both = x;
      both.parts.insert(both.parts.end(), y.parts.begin(), y.parts.end());
      bool clean = true;
      for (std::size_t i = 0; i < both.parts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          clean = clean && (both.parts[i].low >= both.parts[j].low + both.parts[j].width ||
                            both.parts[j].low >= both.parts[i].low + both.parts[i].width);
      if (clean) return both;
      return number(arena_.add(as(a, bits, Sign::Unsigned), as(b, bits, Sign::Unsigned)),
                    Sign::Unsigned);
    }
    if (right || left) {
      const Held& x = right ? a : b;
      const llvm::APInt& c = (right ? right : left)->getValue();
      const unsigned width = active_bits(instruction.getOperand(right ? 0 : 1));
      const bool apart = !x.composite && width < bits && c.countr_zero() >= width;
      if (const auto parts = set_bits(apart ? part(x, bits, width) : x, c)) return *parts;
      const Term bits_in = as(mask(x, bits, c), bits, Sign::Unsigned);
      return number(
          arena_.sub(arena_.add(as(x, bits, Sign::Unsigned), arena_.integer(to_integer(c, false))),
                     bits_in),
          Sign::Unsigned);
    }
    return bits_of_both(instruction);
  }
  case Code::Xor: {
    if (a.truth && b.truth) return truth(arena_.ne(a.truth, b.truth));
    if (right || left) {
      const Held& x = right ? a : b;
      const llvm::APInt& c = (right ? right : left)->getValue();
      if (c.isAllOnes() && x.sign != Sign::Unsigned && !x.composite)
        return number(arena_.sub(arena_.integer(-1), x.term), Sign::Signed);
      const Term both = as(mask(x, bits, c), bits, Sign::Unsigned);
      return number(
          arena_.sub(arena_.add(as(x, bits, Sign::Unsigned), arena_.integer(to_integer(c, false))),
                     arena_.mul(both, arena_.integer(2))),
          Sign::Unsigned);
    }
    if (const auto few = few_bits(instruction)) return *few;
    return give_up("bits of two variables");
  }
  default: return give_up(instruction.getOpcodeName());
  }
}

/// Equality that sees through what was a Boolean: `(b ? 1 : 0) == 0` is `!b`.
/// A number that is read with the other sign and compared with a constant: the number itself, and
/// what it has to be.
static std::optional<std::pair<Term, Term>> before_reading(TermArena& arena, Term read,
                                                           Term constant) {
  if (read->op != Op::Ite || constant->op != Op::IntConst) return std::nullopt;
  const Term number = read->args[2];
  if (number->op == Op::IntConst) return std::nullopt;
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    const Integer all = power(bits), half = power(bits - 1), wanted = constant->number;
    const bool is_signed = read->args[0] == arena.ge(number, arena.integer(half)) &&
                           read->args[1] == arena.sub(number, arena.integer(all));
    const bool is_unsigned = read->args[0] == arena.lt(number, arena.integer(0)) &&
                             read->args[1] == arena.add(number, arena.integer(all));
    if (is_signed && wanted >= -half && wanted < half)
      return std::pair{number, arena.integer(wanted < 0 ? wanted + all : wanted)};
    if (is_unsigned && wanted >= 0 && wanted < all)
      return std::pair{number, arena.integer(wanted >= half ? wanted - all : wanted)};
  }
  return std::nullopt;
}

Term FunctionLowering::same(Term a, Term b) {
  if (is_constant(a)) std::swap(a, b);
  // One of the two is a constant at each step, so that it does not grow.
  const auto is_chain = [](const auto& self, Term t) -> bool {
    if (is_constant(t)) return true;
    if (t->op != Op::Ite) return false;
    if (is_constant(t->args[1])) return self(self, t->args[2]);
    return is_constant(t->args[2]) && self(self, t->args[1]);
  };
  if (a->op == Op::Ite && is_constant(b) && is_chain(is_chain, a))
    return arena_.ite(a->args[0], same(a->args[1], b), same(a->args[2], b));
  if (const auto sides = before_reading(arena_, a, b))
    return arena_.eq(sides->first, sides->second);
  return arena_.eq(a, b);
}

Held FunctionLowering::choose(Term condition, const Held& a, const Held& b,
                              const llvm::Type* type) {
  if (is_true(condition)) return a;
  if (is_false(condition)) return b;
  if (a.thrown && b.thrown) return Held{.thrown = arena_.ite(condition, a.thrown, b.thrown)};
  if (a.truth && b.truth) return truth(arena_.ite(condition, a.truth, b.truth));
  if (type->isPointerTy() && a.term && b.term)
    return Held{.term = arena_.ite(condition, a.term, b.term)};
  if (type->isIntegerTy(1)) return truth(arena_.ite(condition, as_truth(a), as_truth(b)));
  if (is_real(type)) {
    const Term x = to_real(a), y = to_real(b);
    return real(arena_.ite(condition, x, y));
  }
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return unknown(type, "chosen");
  const unsigned bits = type->getIntegerBitWidth();
  const auto choice = [&](const Held& held, Sort sort) -> Term {
    if (held.choice) return held.choice->sort == sort ? held.choice : nullptr;
    if (held.term && held.term->op == Op::IntConst)
      return enumerator(sort, held.term->number, bits);
    return nullptr;
  };
  if (a.choice || b.choice) {
    const Sort sort = (a.choice ? a.choice : b.choice)->sort;
    const Term x = choice(a, sort), y = choice(b, sort);
    if (x && y) {
      const Term made = arena_.ite(condition, x, y);
      return chosen(made, bits);
    }
  }
  const bool is_unsigned = a.sign == Sign::Unsigned || b.sign == Sign::Unsigned;
  const Sign sign = is_unsigned ? Sign::Unsigned : Sign::Signed;
  return number(arena_.ite(condition, as(a, bits, sign), as(b, bits, sign)), sign);
}

// Between memory and registers.

Held FunctionLowering::from_cell(const Cell& cell, Term term) {
  if (cell.type.is_real) return real(term);
  switch (term->sort->kind) {
  case SortKind::Bool: return truth(term);
  case SortKind::Enum: return chosen(term, cell.type.bits > 0 ? cell.type.bits : 32);
  case SortKind::Int: return number(term, cell.type.is_signed ? Sign::Signed : Sign::Unsigned);
  default: return Held{.term = term};
  }
}

/// The enumerator that a number of so many bits is; null when there is none.
Term FunctionLowering::enumerator(Sort sort, Integer number, unsigned bits) {
  const auto& values = sort->decl->values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((values[i].value - number) % power(bits > 0 ? bits : 64) == 0)
      return arena_.enumerator(sort, i);
  return nullptr;
}

/// Whether all enumerators are numbers of so many bits.
bool FunctionLowering::fits(Sort sort, unsigned bits, bool is_signed) {
  const Integer low = is_signed ? -power(bits - 1) : 0, high = power(is_signed ? bits - 1 : bits);
  return std::ranges::all_of(sort->decl->values, [&](const Enumerator& one) {
    return low <= one.value && one.value < high;
  });
}

Held FunctionLowering::chosen(Term term, unsigned bits) {
  const bool with_sign = fits(term->sort, bits, true), without = fits(term->sort, bits, false);
  const Sign sign = with_sign && without ? Sign::Either : without ? Sign::Unsigned : Sign::Signed;
  return Held{.term = arena_.to_int(term), .sign = sign, .choice = term};
}

/// Nothing when the value may be no enumerator of the type.
std::optional<Term> FunctionLowering::to_cell(const Held& held, const SourceType& type) {
  using Kind = SourceType::Kind;
  if (type.kind == Kind::Bool) return as_truth(held);
  if (type.kind == Kind::Pointer) {
    if (held.term && held.term->sort == arena_.ref_sort()) return held.term;
    const Term made = local("pointer", {.sort = arena_.ref_sort()});
    havoc(made, Chooser::Unknown);
    return made;
  }
  if (type.kind == Kind::Enumeration)
    if (const Sort sort = lowering_.enum_sort(type.name))
      return to_choice(held.choice ? held.choice : held.term, sort, type.bits);
  if (type.is_real) return to_real(held);
  if (held.real || (!held.composite && (!held.term || held.term->sort != arena_.int_sort()))) {
    const Term made = local("value", {.sort = arena_.int_sort()});
    havoc(made, Chooser::Unknown);
    return made;
  }
  return as(held, type.bits, type.is_signed ? Sign::Signed : Sign::Unsigned);
}

std::optional<Term> FunctionLowering::to_choice(Term term, Sort sort, unsigned bits) {
  if (!term) return std::nullopt;
  if (term->sort == sort) return term;
  if (term->op == Op::ToInt && term->args[0]->sort == sort) return term->args[0];
  if (term->op == Op::IntConst)
    if (const Term known = enumerator(sort, term->number, bits)) return known;
  if (term->op == Op::Ite && term->sort == arena_.int_sort()) {
    const auto a = to_choice(term->args[1], sort, bits), b = to_choice(term->args[2], sort, bits);
    if (a && b) return arena_.ite(term->args[0], *a, *b);
  }
  return std::nullopt;
}

} // namespace tacit
