// Virtual calls on objects behind pointers: which class an object is of.
//
// The variable `vtable` maps the address of an object to that of its virtual table, which
// constructors in the given code set. A virtual call goes to what stands in that table; for an
// object whose table nobody here has set, any function of the given code at that place will do.
// Parts of objects behind pointers have no entry, and neither has the component itself,
// which is taken to be of its own class (prepare.cpp).
#include "frontend/llvm/body/function_lowering.h"

namespace tacit {

/// The object whose virtual table is at a place, when it has an entry.
Term FunctionLowering::object_with_table(const llvm::Value* pointer) {
  const Target target = resolve(pointer);
  if (target.index) return nullptr;
  switch (target.kind) {
  case Target::Kind::Heap:
    if (target.offset != 0) return nullptr;
    break;
  case Target::Kind::Receiver: {
    const RecordFact* record = lowering_.receiver_record();
    if (!record || (target.offset == 0 && record->polymorphic)) return nullptr;
    break;
  }
  case Target::Kind::Global: break;
  default: return nullptr;
  }
  const Term object = address(target.kind == Target::Kind::Heap ? target.root : pointer);
  return object->sort == arena_.ref_sort() ? object : nullptr;
}

bool FunctionLowering::store_table(const llvm::StoreInst& instruction) {
  const auto table = virtual_table(instruction.getValueOperand(), lowering_.layout());
  if (!table) return false;
  if (const Term object = object_with_table(instruction.getPointerOperand())) {
    const Term map = lowering_.table_map();
    assign(map, arena_.store(map, object, lowering_.table_address(*table)));
  }
  return true;
}

bool FunctionLowering::read_table(const llvm::LoadInst& instruction) {
  if (accessed_type(instruction) != table_pointer) return false;
  const Term object = object_with_table(instruction.getPointerOperand());
  if (!object) return false;
  not_null(object);
  const Term table = local("vtable", {.sort = arena_.ref_sort()});
  assign(table, arena_.select(lowering_.table_map(), object));
  set(instruction, Held{.term = table});
  return true;
}

/// When a virtual call goes to a function: its table says so, or is one that is not known.
Term FunctionLowering::goes_to(const llvm::CallBase& call, const llvm::Function& candidate) {
  const Term any = local("target", {.sort = arena_.bool_sort()});
  havoc(any, Chooser::Unknown);
  const auto virtually = virtual_call(call);
  const auto held = virtually ? held_.find(virtually->table) : held_.end();
  if (held == held_.end() || !held->second.term || held->second.term->sort != arena_.ref_sort())
    return any;
  const Term table = held->second.term;
  std::vector<Term> here, known;
  for (const VirtualTable& one : lowering_.tables()) {
    const Term is = arena_.eq(table, lowering_.table_address(one));
    known.push_back(is);
    if (function_at(one, virtually->slot) == &candidate) here.push_back(is);
  }
  return arena_.disj(arena_.disj(here), arena_.conj(any, arena_.negate(arena_.disj(known))));
}

} // namespace tacit
