// Out-parameters: a pointer to a scalar that a call only writes through. What it leads to is no
// state of the component, but the client sees what was written there (program/ir/module.h).
#include <algorithm>

#include <llvm/IR/Instructions.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/module/lowering.h"

namespace tacit {

namespace {

/// Written through as a whole in this function and nowhere else; what others do with it would not
/// be seen.
bool is_only_written(const llvm::Argument& argument, unsigned bits) {
  bool written = false;
  for (const llvm::User* user : argument.users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == &argument ||
          !store->getValueOperand()->getType()->isIntegerTy(bits))
        return false;
      written = true;
    } else if (!llvm::isa<llvm::ICmpInst>(user)) {
      return false;
    }
  }
  return written;
}

} // namespace

void FunctionLowering::find_out() {
  if (procedure_.kind != ProcedureKind::Method) return;
  const auto facts = parameter_facts(function_, fact_);
  for (const llvm::Argument& argument : function_.args()) {
    const unsigned i = argument.getArgNo();
    if (!facts[i] || bound_[i] != Receiver::None || !argument.getType()->isPointerTy()) continue;
    const SourceType& pointer = facts[i]->type;
    if (pointer.pointee_const || pointer.pointee.empty()) continue;
    const auto scalar = scalar_named(lowering_.facts(), pointer.pointee);
    if (!scalar || scalar->kind == SourceType::Kind::Pointer ||
        !is_only_written(argument, std::max(scalar->bits, 8u)))
      continue;
    const Type type = lowering_.scalar_type(*scalar);
    // Of two, the one with fewer values tells more.
    if (out_.argument && type.sort->kind == SortKind::Int) continue;
    out_ = {&argument, *scalar, nullptr};
    if (type.sort->kind != SortKind::Int) break;
  }
  if (!out_.argument) return;
  // No variable of the source has such a name.
  const Type type = lowering_.scalar_type(out_.type);
  out_.variable = arena_.var("*" + facts[out_.argument->getArgNo()]->name, type.sort);
  procedure_.locals.push_back({out_.variable, type});
  procedure_.out = out_.variable->name;
  // What is there before is the client's, and may be anything.
  havoc(out_.variable, Chooser::Environment);
}

void FunctionLowering::write_out(const llvm::StoreInst& instruction) {
  if (!out_.argument || instruction.getPointerOperand() != out_.argument) return;
  const auto term = to_cell(value(instruction.getValueOperand()), out_.type);
  if (!term) lowering_.open_enum(out_.type.name);
  assign(out_.variable, *term);
}

} // namespace tacit
