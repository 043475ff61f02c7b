// Floating point numbers: they are copied and compared, nothing else (program/ir/reals.h).
#include "program/ir/reals.h"

#include <algorithm>

#include <llvm/IR/Constants.h>

#include "frontend/llvm/body/function_lowering.h"

namespace tacit {

std::optional<Integer> real_place(const llvm::Constant& constant) {
  const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant);
  if (!number) return std::nullopt;
  llvm::APFloat value = number->getValueAPF();
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return inexact ? std::nullopt : place_of(value.convertToDouble());
}

Held FunctionLowering::real(Term place) {
  return {.term = place, .sign = Sign::Signed, .real = true};
}

Held FunctionLowering::real_constant(const llvm::Constant& constant) {
  if (const auto place = real_place(constant)) return real(arena_.integer(*place));
  lowering_.meet_nan();
  return unknown_real("constant", Chooser::Unknown);
}

void Lowering::meet_nan() {
  if (!has_nan_) strayed_ = true;
  has_nan_ = true;
}

Held FunctionLowering::unknown_real(const std::string& base, Chooser chooser) {
  const Term made = local(base, real_type(arena_.int_sort()));
  havoc(made, chooser);
  return real(made);
}

/// As it is kept. Nothing but zero has the same bits as a number of another kind.
Term FunctionLowering::to_real(const Held& held) {
  const bool zero = held.term && held.term->op == Op::IntConst && held.term->number == 0;
  if (held.term && (held.real || zero)) return held.term;
  return unknown_real("value", Chooser::Unknown).term;
}

Held FunctionLowering::compare_reals(const llvm::FCmpInst& comparison) {
  using Predicate = llvm::CmpInst;
  if (lowering_.has_nan()) {
    lowering_.assume("floating point numbers are not compared where the code names NaN: what "
                     "comparisons give is unknown");
    const Term made = local("compared", {.sort = arena_.bool_sort()});
    havoc(made, Chooser::Unknown);
    return truth(made);
  }
  lowering_.assume("floating point numbers are numbers (not NaN), and followed where they are "
                   "copied and compared");
  const Term a = to_real(value(comparison.getOperand(0)));
  const Term b = to_real(value(comparison.getOperand(1)));
  switch (comparison.getPredicate()) {
  case Predicate::FCMP_OEQ:
  case Predicate::FCMP_UEQ: return truth(arena_.eq(a, b));
  case Predicate::FCMP_ONE:
  case Predicate::FCMP_UNE: return truth(arena_.ne(a, b));
  case Predicate::FCMP_OLT:
  case Predicate::FCMP_ULT: return truth(arena_.lt(a, b));
  case Predicate::FCMP_OLE:
  case Predicate::FCMP_ULE: return truth(arena_.le(a, b));
  case Predicate::FCMP_OGT:
  case Predicate::FCMP_UGT: return truth(arena_.lt(b, a));
  case Predicate::FCMP_OGE:
  case Predicate::FCMP_UGE: return truth(arena_.le(b, a));
  case Predicate::FCMP_ORD:
  case Predicate::FCMP_TRUE: return truth(arena_.truth());
  default: return truth(arena_.falsehood());
  }
}

/// Whether what is read or written here is what is kept there: a number of floating point, or no
/// such.
bool FunctionLowering::same_kind(const Access& found, const llvm::Type* type) const {
  if (type->isFloatingPointTy() && !is_real(type)) return false;
  return std::ranges::all_of(found.cells,
                             [&](const Cell& cell) { return cell.type.is_real == is_real(type); });
}

} // namespace tacit
