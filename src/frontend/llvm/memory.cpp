// Memory: where pointers point, and what is read and written there.
//
// The receiver's fields, globals and stack objects are variables of their own. Everything else is
// the heap, one map per field (Burstall): two pointers meet only where they name the same field of
// the same record. The address of a variable that is kept in memory breaks that separation; such
// variables are `escaped`, and every access through a pointer may then mean them.
#include <algorithm>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Operator.h>

#include "base/should.h"
#include "frontend/llvm/body_lowering.h"

namespace tacit {

namespace {

unsigned width(const llvm::DataLayout& layout, const llvm::Type* type) {
  return static_cast<unsigned>(layout.getTypeStoreSizeInBits(const_cast<llvm::Type*>(type)));
}

/// The scalars of a type, for objects that are copied as a whole.
void leaves(const llvm::DataLayout& layout, llvm::Type* type, std::int64_t offset,
            std::map<std::pair<std::int64_t, unsigned>, const llvm::Type*>& into) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      leaves(layout, structure->getElementType(i),
             offset + static_cast<std::int64_t>(places->getElementOffset(i)), into);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto step =
        static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()).getFixedValue());
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->getNumElements(), 16); ++i)
      leaves(layout, array->getElementType(), offset + static_cast<std::int64_t>(i) * step, into);
  } else if (type->isIntegerTy() || type->isPointerTy()) {
    into[{offset, width(layout, type)}] = type;
  }
}

bool overlaps(const FieldFact& field, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t size = field.count > 0 ? field.count * field.stride : field.bit_width;
  return field.bit_offset < high && low < field.bit_offset + size;
}

} // namespace

/// Through steps into objects down to where the pointer comes from.
Target BodyLowering::resolve(const llvm::Value* pointer) const {
  Target target;
  const llvm::DataLayout& layout = lowering_.layout();
  const llvm::Value* at = pointer;
  for (int steps = 0; steps < 64; ++steps) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      llvm::APInt fixed(64, 0);
      if (!gep->collectOffset(layout, 64, variable, fixed)) return {.root = at};
      target.offset += fixed.getSExtValue();
      for (const auto& [index, scale] : variable) {
        if (target.index) return {.kind = Target::Kind::Unknown, .root = gep->getPointerOperand()};
        target.index = index;
        target.scale = scale.getSExtValue();
      }
      const llvm::Type* source = gep->getSourceElementType();
      if (source->isStructTy() || !target.pointee || !target.pointee->isStructTy())
        target.pointee = source;
      at = gep->getPointerOperand();
      continue;
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(at)) {
      const llvm::Function* callee = call->getCalledFunction();
      const llvm::StringRef name = callee ? callee->getName() : "";
      if (name.starts_with("llvm.launder.invariant") || name.starts_with("llvm.strip.invariant") ||
          name.starts_with("llvm.threadlocal.address") || name == "__cxa_begin_catch") {
        at = call->getArgOperand(0);
        continue;
      }
      if (name == "__cxa_allocate_exception") {
        target.kind = Target::Kind::Exception;
        target.root = at;
        return target;
      }
    }
    break;
  }
  target.root = at;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
    if (bound_[argument->getArgNo()] == Receiver::Object) {
      target.kind = Target::Kind::Receiver;
      target.offset += receiver_offset_;
    } else
      target.kind = argument->hasStructRetAttr() ? Target::Kind::Exception : Target::Kind::Heap;
  } else if (llvm::isa<llvm::GlobalVariable>(at)) {
    target.kind = Target::Kind::Global;
  } else if (llvm::isa<llvm::AllocaInst>(at)) {
    target.kind = Target::Kind::Stack;
  } else if (llvm::isa<llvm::PHINode>(at) || llvm::isa<llvm::SelectInst>(at)) {
    const auto found = held_.find(at);
    if (found != held_.end() && found->second.thrown)
      target.kind = Target::Kind::Exception;
    else
      target.kind = reaches_place(at) ? Target::Kind::Unknown : Target::Kind::Heap;
  } else if (llvm::isa<llvm::ExtractValueInst>(at)) {
    target.kind = Target::Kind::Exception;
  } else if (llvm::isa<llvm::LoadInst>(at) || llvm::isa<llvm::CallBase>(at)) {
    target.kind = Target::Kind::Heap;
  }
  return target;
}

/// Steps to the first field may have been folded away; the type of the access still names the
/// struct.
Target BodyLowering::resolve_access(const llvm::Value* pointer,
                                    const llvm::Instruction* access) const {
  Target target = resolve(pointer);
  if (target.kind != Target::Kind::Heap || lowering_.record_of(target.pointee) || !access)
    return target;
  const llvm::MDNode* tag = access->getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3) return target;
  const auto* base = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
  const auto* offset = llvm::mdconst::dyn_extract<llvm::ConstantInt>(tag->getOperand(2));
  if (!base || base == tag->getOperand(1) || !offset || base->getNumOperands() == 0 ||
      static_cast<std::int64_t>(offset->getZExtValue()) != target.offset)
    return target;
  const auto* name = llvm::dyn_cast<llvm::MDString>(base->getOperand(0));
  if (!name) return target;
  std::string plain = llvm::demangle(name->getString().str());
  if (constexpr std::string_view prefix = "typeinfo name for "; plain.starts_with(prefix))
    plain.erase(0, prefix.size());
  target.hint = lowering_.record(plain);
  return target;
}

const RecordFact* BodyLowering::record_at(const Target& target) const {
  if (const RecordFact* found = lowering_.record_of(target.pointee)) return found;
  return target.hint;
}

/// Whether a pointer that is chosen at run time may be the address of a variable.
bool BodyLowering::reaches_place(const llvm::Value* pointer) const {
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{pointer};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    while (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) at = gep->getPointerOperand();
    if (!seen.insert(at).second) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(at)) {
      for (const llvm::Use& use : phi->incoming_values()) work.push_back(use.get());
    } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(at)) {
      work.push_back(choice->getTrueValue());
      work.push_back(choice->getFalseValue());
    } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
      if (bound_[argument->getArgNo()] == Receiver::Object) return true;
    } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
      if (!global->isConstant()) return true;
    } else if (llvm::isa<llvm::AllocaInst>(at)) {
      return true;
    }
  }
  return false;
}

/// A pointer as a value. Taking the address of a variable lets it escape.
Term BodyLowering::address(const llvm::Value* pointer) {
  if (const auto found = held_.find(pointer); found != held_.end() && found->second.term)
    return found->second.term;
  if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return arena_.null();
  if (llvm::isa<llvm::Function>(pointer))
    return lowering_.constant_address(pointer->getName().str());
  const Target target = resolve(pointer);
  const bool start = target.offset == 0 && !target.index;
  switch (target.kind) {
  case Target::Kind::Receiver:
    if (start) return lowering_.receiver_address();
    break;
  case Target::Kind::Global:
    if (start) return lowering_.constant_address(target.root->getName().str());
    break;
  case Target::Kind::Heap:
    if (start && held_.contains(target.root)) return held_[target.root].term;
    break;
  case Target::Kind::Stack:
    if (start) return lowering_.constant_address("local." + name_of(*target.root));
    break;
  default: break;
  }
  const Term made = local("address", {.sort = arena_.ref_sort()});
  havoc(made, Chooser::Unknown);
  if (target.kind != Target::Kind::Unknown) assume_true(arena_.ne(made, arena_.null()));
  return made;
}

/// The address is kept where others may follow it.
void BodyLowering::let_escape(const llvm::Value* pointer) {
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{pointer};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second) continue;
    const Target target = resolve(at);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(target.root))
      for (const llvm::Use& use : phi->incoming_values()) work.push_back(use.get());
    if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(target.root)) {
      work.push_back(choice->getTrueValue());
      work.push_back(choice->getFalseValue());
    }
    if (target.kind == Target::Kind::Stack) stack_[target.root].opaque = true;
    if (target.kind == Target::Kind::Heap && target.offset > 0)
      if (const RecordFact* record = record_at(target))
        lowering_.expose(*record, static_cast<std::uint64_t>(target.offset) * 8);
    if (target.kind != Target::Kind::Receiver && target.kind != Target::Kind::Global) continue;
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
    if (global && global->isConstant()) continue;
    // A pointer to a field reaches that field and, in a nested struct, its neighbours. The receiver
    // as a whole cannot be told from its first field; through its own type it is known by its
    // address (`meets_receiver`).
    const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(target.offset, 0)) * 8;
    const auto outermost = [](const FieldFact& field) {
      return field.path.substr(0, field.path.find('.'));
    };
    const std::vector<FieldFact> fields = fields_of(target);
    std::set<std::string> reached;
    for (const FieldFact& field : fields)
      if (overlaps(field, low, low + 8)) reached.insert(outermost(field));
    for (const FieldFact& field : fields) {
      if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
        continue;
      if (target.kind == Target::Kind::Receiver && !target.index &&
          !reached.contains(outermost(field)))
        continue;
      lowering_.assume("the address of " + field.path + " is kept in memory: what is behind "
                       "pointers of its type may be it");
      lowering_.escape(global, field);
    }
  }
}

std::vector<FieldFact> BodyLowering::fields_of(const Target& target) const {
  if (target.kind == Target::Kind::Receiver)
    return lowering_.receiver_record() ? lowering_.receiver_record()->fields
                                       : std::vector<FieldFact>{};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root)) {
    const GlobalFact* fact = lowering_.global(*global);
    return fact ? fact->fields : std::vector<FieldFact>{};
  }
  if (target.kind == Target::Kind::Heap)
    if (const RecordFact* record = record_at(target)) return record->fields;
  return {};
}

Term BodyLowering::variable_of(const Target& target, const FieldFact& field) {
  if (target.kind == Target::Kind::Receiver) return lowering_.receiver_field(field);
  if (target.kind == Target::Kind::Global)
    return lowering_.global_field(*llvm::cast<llvm::GlobalVariable>(target.root), field);
  return lowering_.record_field(*record_at(target), field);
}

bool BodyLowering::meets_receiver(const Target& target) const {
  return target.kind == Target::Kind::Heap && lowering_.receiver_record() &&
         record_at(target) == lowering_.receiver_record();
}

const FieldFact* BodyLowering::static_field(const llvm::Value* pointer, unsigned bits,
                                            const llvm::Instruction* access) const {
  const Target target = resolve_access(pointer, access);
  static thread_local std::vector<FieldFact> fields;
  fields = fields_of(target);
  const auto low = static_cast<std::uint64_t>(target.offset) * 8;
  for (const FieldFact& field : fields) {
    if (field.is_bit_field || field.bit_width != bits) continue;
    if (field.count == 0 && !target.index && field.bit_offset == low) return &field;
    if (field.count > 0 && low >= field.bit_offset &&
        low < field.bit_offset + field.count * field.stride &&
        (low - field.bit_offset) % field.stride == 0)
      return &field;
  }
  return nullptr;
}

/// The cells that an access of `bits` bits covers.
BodyLowering::Access BodyLowering::access(const Target& target, unsigned bits) {
  Access found;
  if (target.offset < 0) return found;
  found.low = static_cast<std::uint64_t>(target.offset) * 8;
  found.bits = bits;
  if (target.kind == Target::Kind::Stack) {
    StackObject& object = stack_[target.root];
    if (object.opaque || target.index) return found;
    unsigned covered = 0;
    for (const auto& [place, cell] : object.cells) {
      if (place.first < target.offset ||
          place.first * 8 + static_cast<std::int64_t>(place.second) >
              target.offset * 8 + static_cast<std::int64_t>(bits))
        continue;
      covered += place.second;
      FieldFact fact;
      fact.bit_offset = static_cast<std::uint64_t>(place.first) * 8;
      fact.bit_width = place.second;
      fact.type = cell.type;
      found.cells.push_back(cell);
      found.facts.push_back(std::move(fact));
    }
    found.exact = covered == bits && (found.cells.size() == 1 || no_pointers(found));
    return found;
  }
  std::vector<Term> outer;
  if (target.kind == Target::Kind::Heap) {
    if (!record_at(target)) return found;
    found.heap = address(target.root);
    not_null(found.heap);
    outer.push_back(found.heap);
  }
  const auto put = [&](const FieldFact& field, std::vector<Term> keys) {
    std::vector<Term> all = outer;
    all.insert(all.end(), keys.begin(), keys.end());
    found.cells.push_back({variable_of(target, field), std::move(all), field.type});
    found.facts.push_back(field);
  };
  const auto held = [](const FieldFact& field) {
    return field.type.kind != SourceType::Kind::Object && field.type.kind != SourceType::Kind::Float;
  };
  const std::uint64_t high = found.low + bits;
  const std::vector<FieldFact> fields = fields_of(target);
  for (const FieldFact& field : fields) {
    if (!held(field)) continue;
    if (field.count == 0 && !target.index && !field.is_bit_field && field.bit_offset == found.low &&
        field.bit_width == bits) {
      put(field, {});
      found.exact = true;
      return found;
    }
    if (field.count == 0 || bits != field.bit_width) continue;
    const std::int64_t rest = static_cast<std::int64_t>(found.low) -
                              static_cast<std::int64_t>(field.bit_offset);
    if (rest < 0 || rest % static_cast<std::int64_t>(field.stride) != 0) continue;
    const Integer first = rest / static_cast<std::int64_t>(field.stride);
    if (first >= static_cast<Integer>(field.count)) continue;
    Term key = arena_.integer(first);
    if (target.index) {
      if (target.scale * 8 != static_cast<std::int64_t>(field.stride)) continue;
      const Held& index = value(target.index);
      key = arena_.add(as(index, target.index->getType()->getIntegerBitWidth(), Sign::Signed), key);
      assume_true(arena_.conj(arena_.ge(key, arena_.integer(0)),
                              arena_.lt(key, arena_.integer(static_cast<Integer>(field.count)))));
      lowering_.assume("array indices stay within their arrays");
    }
    put(field, {key});
    found.exact = true;
    return found;
  }
  if (target.index) { // anywhere from here on
    for (const FieldFact& field : fields)
      if (held(field)) put_whole(found, target, field, outer);
    return found;
  }
  bool unit = bits <= 64;
  for (const FieldFact& field : fields) {
    if (!overlaps(field, found.low, high)) continue;
    unit = unit && field.count == 0 && field.bit_offset >= found.low &&
           field.bit_offset + field.bit_width <= high && held(field);
    if (!held(field)) continue;
    if (field.count == 0)
      put(field, {});
    else
      put_whole(found, target, field, outer);
  }
  found.exact = unit && !found.cells.empty() && no_pointers(found);
  return found;
}

/// One cell and nothing but it.
bool BodyLowering::whole(const Access& found, unsigned bits) {
  return found.cells.size() == 1 && !found.facts[0].is_bit_field &&
         found.facts[0].bit_width == bits;
}

bool BodyLowering::no_pointers(const Access& found) {
  return std::ranges::none_of(found.facts, [](const FieldFact& field) {
    return field.type.kind == SourceType::Kind::Pointer;
  });
}

/// A variable as a whole, for effects that are not followed.
void BodyLowering::put_whole(Access& found, const Target& target, const FieldFact& field,
                             const std::vector<Term>& outer) {
  found.cells.push_back({variable_of(target, field), outer, field.type});
  found.facts.push_back(field);
}

Term BodyLowering::read_cell(const Cell& cell) {
  Term term = cell.variable;
  for (const Term key : cell.keys) term = arena_.select(term, key);
  return term;
}

void BodyLowering::write_cell(const Cell& cell, Term value) {
  if (cell.keys.empty() && cell.variable == value) return;
  if (cell.keys.empty()) return assign(cell.variable, value);
  if (cell.keys.size() == 1)
    return assign(cell.variable, arena_.store(cell.variable, cell.keys[0], value));
  const Term inner = arena_.select(cell.variable, cell.keys[0]);
  assign(cell.variable,
         arena_.store(cell.variable, cell.keys[0], arena_.store(inner, cell.keys[1], value)));
}

bool BodyLowering::may_be_escaped(const Target& target, const llvm::Type* type) const {
  if (target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) return false;
  const bool typed = target.kind == Target::Kind::Heap && record_at(target);
  return std::ranges::any_of(lowering_.escaped(), [&](const auto& entry) {
    const FieldFact& field = entry.second;
    // Through a struct's type only parts of structs are reached.
    if (typed && field.path.find('.') == std::string::npos) return false;
    return type->isPointerTy() == (field.type.kind == SourceType::Kind::Pointer);
  });
}

Held BodyLowering::read(const llvm::Value* pointer, const llvm::Type* type,
                        const std::string& base) {
  const unsigned bits = width(lowering_.layout(), type);
  const Target target = resolve_access(pointer, at_);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
      global && global->isConstant() && global->hasInitializer())
    if (const auto known = read_constant(*global, target, type, base)) return *known;
  if (type->isFloatingPointTy() || type->isVectorTy() || type->isAggregateType()) {
    lowering_.assume("floating point numbers and whole structs in registers are not followed");
    return {};
  }
  if (target.kind == Target::Kind::Exception) return unknown(type, base, Chooser::Environment);
  const Access found = access(target, bits);
  const bool raw = target.kind == Target::Kind::Heap && found.exact &&
                   lowering_.raw_written(*record_at(target), found.facts[0]);
  if (!found.exact || raw || may_be_escaped(target, type)) {
    if (target.kind == Target::Kind::Global && fields_of(target).empty())
      return unknown(type, base, Chooser::Environment);
    if (target.kind != Target::Kind::Stack) lowering_.assume("memory that is not followed is read", where(*at_));
    return unknown(type, base);
  }
  return read_access(found, target, base);
}

Held BodyLowering::read_access(const Access& found, const Target& target,
                               const std::string& base) {
  if (whole(found, found.bits)) {
    const Cell& cell = found.cells[0];
    const FieldFact& field = found.facts[0];
    Type local_type = cell.type.kind == SourceType::Kind::Void
                          ? Type{.sort = cell.variable->sort}
                          : lowering_.scalar_type(cell.type);
    const std::string name = field.path.empty() ? base : field.path;
    Term term = read_cell(cell);
    if (meets_receiver(target))
      term = arena_.ite(arena_.eq(found.heap, lowering_.receiver_address()),
                        read_cell({lowering_.receiver_field(field),
                                   {cell.keys.begin() + 1, cell.keys.end()},
                                   cell.type}),
                        term);
    const Term copy = local(name, local_type);
    assign(copy, term);
    return from_cell(cell, copy);
  }
  Held unit;
  unit.composite = true;
  for (std::size_t i = 0; i < found.cells.size(); ++i) {
    const FieldFact& field = found.facts[i];
    const Term copy =
        local(field.path.empty() ? base : field.path, lowering_.scalar_type(field.type));
    assign(copy, read_cell(found.cells[i]));
    const Held held = from_cell(found.cells[i], copy);
    unit.parts.push_back({held.term, static_cast<unsigned>(field.bit_offset - found.low),
                          field.bit_width, field.type.is_signed && !held.truth && !held.choice});
  }
  return unit;
}

/// Tables that nobody writes.
std::optional<Held> BodyLowering::read_constant(const llvm::GlobalVariable& global,
                                                const Target& target, const llvm::Type* type,
                                                const std::string& base) {
  auto* whole = const_cast<llvm::Constant*>(global.getInitializer());
  auto* wanted = const_cast<llvm::Type*>(type);
  const auto at = [&](std::int64_t offset) -> const llvm::Constant* {
    return llvm::ConstantFoldLoadFromConst(whole, wanted,
                                           llvm::APInt(64, static_cast<std::uint64_t>(offset)),
                                           lowering_.layout());
  };
  if (!target.index) {
    const llvm::Constant* found = at(target.offset);
    if (!found) return std::nullopt;
    if (found->getType()->isPointerTy()) return Held{.term = address(found)};
    return constant(*found);
  }
  const auto size = static_cast<std::int64_t>(
      lowering_.layout().getTypeAllocSize(global.getValueType()).getFixedValue());
  if (target.scale <= 0 || size / target.scale > 64 || !type->isIntegerTy()) return std::nullopt;
  const Term index = as(value(target.index), target.index->getType()->getIntegerBitWidth(),
                        Sign::Signed);
  std::optional<Held> all;
  for (std::int64_t i = size / target.scale - 1; i >= 0; --i) {
    const std::int64_t offset = target.offset + i * target.scale;
    if (offset < 0 || offset >= size) continue;
    const llvm::Constant* found = at(offset);
    if (!found || llvm::isa<llvm::UndefValue>(found)) return std::nullopt;
    const Held one = constant(*found);
    all = all ? choose(arena_.eq(index, arena_.integer(i)), one, *all, type) : one;
  }
  if (all) lowering_.assume("array indices stay within their arrays");
  (void)base;
  return all;
}

void BodyLowering::store(const llvm::StoreInst& instruction) {
  const llvm::Value* stored = instruction.getValueOperand();
  const Target target = resolve(instruction.getPointerOperand());
  if (target.kind == Target::Kind::Exception) return;
  if (stored->getType()->isPointerTy()) {
    // The virtual table is no data.
    if (const Target to = resolve(stored);
        to.kind == Target::Kind::Global && to.root->getName().starts_with("_ZTV"))
      return;
    let_escape(stored);
  }
  write(instruction.getPointerOperand(), stored->getType(), value(stored));
}

void BodyLowering::write(const llvm::Value* pointer, const llvm::Type* type, const Held& stored) {
  const Held held = stored; // the map it came from may grow
  const unsigned bits = width(lowering_.layout(), type);
  const Target target = resolve_access(pointer, at_);
  if (target.kind == Target::Kind::Exception) return;
  if (may_be_escaped(target, type)) forget_escaped();
  if (target.kind == Target::Kind::Unknown) {
    lowering_.assume("it is not known what is written", where(*at_));
    return forget_reached(pointer);
  }
  const Access found = access(target, bits);
  if (!found.exact || type->isFloatingPointTy() || type->isAggregateType() || type->isVectorTy()) {
    if (target.kind == Target::Kind::Heap && !record_at(target)) {
      lowering_.assume("memory behind pointers to scalars is not followed");
      if (!llvm::isa<llvm::Argument>(target.root) && !type->isFloatingPointTy())
        lowering_.write_raw(bits, type->isPointerTy());
    }
    for (const Cell& cell : found.cells) forget_cell(cell, Chooser::Unknown);
    if (!found.cells.empty())
      lowering_.assume("a write that does not fit the fields is not followed", where(*at_));
    if (target.kind == Target::Kind::Stack && !target.index)
      for (auto& [place, cell] : stack_[target.root].cells)
        if (place.first * 8 < target.offset * 8 + bits &&
            target.offset * 8 < place.first * 8 + static_cast<std::int64_t>(place.second))
          havoc(cell.variable, Chooser::Unknown);
    return;
  }
  if (whole(found, bits)) {
    const Cell& cell = found.cells[0];
    auto term = to_cell(held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    if (meets_receiver(target)) {
      const Cell same{lowering_.receiver_field(found.facts[0]),
                      {cell.keys.begin() + 1, cell.keys.end()},
                      cell.type};
      write_cell(same, arena_.ite(arena_.eq(found.heap, lowering_.receiver_address()), *term,
                                  read_cell(same)));
    }
    return write_cell(cell, *term);
  }
  for (std::size_t i = 0; i < found.cells.size(); ++i) {
    const FieldFact& field = found.facts[i];
    const auto low = static_cast<unsigned>(field.bit_offset - found.low);
    write_cell(found.cells[i], bits_of(held, bits, low, field));
  }
}

/// The bits of a unit that belong to one bit-field.
Term BodyLowering::bits_of(const Held& held, unsigned bits, unsigned low, const FieldFact& field) {
  Held one;
  const Held::Part* exact = nullptr;
  bool others = false;
  if (held.composite)
    for (const Held::Part& part : held.parts) {
      if (part.low >= low + field.bit_width || low >= part.low + part.width) continue;
      if (part.low == low && part.width <= field.bit_width && !exact)
        exact = &part;
      else
        others = true;
    }
  if (held.composite && !others) {
    one = exact ? number(exact->term, exact->is_signed ? Sign::Signed : Sign::Unsigned)
                : constant(*llvm::ConstantInt::get(llvm::Type::getInt32Ty(function_.getContext()), 0));
    if (exact && exact->width < field.bit_width) one.sign = Sign::Either;
  } else {
    const Term all = as(held, bits, Sign::Unsigned);
    one = number(arena_.mod(arena_.div(all, arena_.integer(Integer{1} << low)),
                            arena_.integer(Integer{1} << field.bit_width)),
                 Sign::Unsigned);
  }
  // What was a Boolean or an enumerator before it was put into bits is found again.
  if (one.term->op == Op::Ite && field.type.kind == SourceType::Kind::Bool &&
      one.term->args[1] == arena_.integer(1) && one.term->args[2] == arena_.integer(0))
    return one.term->args[0];
  auto term = to_cell(one, field.type);
  if (!term) lowering_.open_enum(field.type.name);
  return *term;
}

void BodyLowering::forget_cell(const Cell& cell, Chooser chooser) {
  if (cell.keys.empty()) return havoc(cell.variable, chooser);
  const Variable* known = nullptr;
  for (const StateVariable& v : module_.state)
    if (v.term == cell.variable) known = &v;
  should(known != nullptr, "a map should be a state variable");
  if (!known->type.value) return havoc(cell.variable, chooser);
  const Term fresh = local("forgotten", *known->type.value);
  havoc(fresh, chooser);
  assign(cell.variable, arena_.store(cell.variable, cell.keys[0], fresh));
}

void BodyLowering::forget_escaped() {
  for (const auto& [variable, field] : lowering_.escaped()) havoc(variable, Chooser::Unknown);
}

/// Everything that a pointer chosen at run time may mean.
void BodyLowering::forget_reached(const llvm::Value* pointer) {
  forget_escaped();
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{pointer};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    while (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) at = gep->getPointerOperand();
    if (!seen.insert(at).second) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(at)) {
      for (const llvm::Use& use : phi->incoming_values()) work.push_back(use.get());
    } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(at)) {
      work.push_back(choice->getTrueValue());
      work.push_back(choice->getFalseValue());
    } else {
      forget(at, 0, Chooser::Unknown, nullptr);
    }
  }
}

/// The object behind a pointer, from its offset on. Variables of the module go to `writes` when it
/// is given.
void BodyLowering::forget(const llvm::Value* pointer, std::uint64_t bytes, Chooser chooser,
                          std::set<std::string>* writes) {
  const Target target = resolve(pointer);
  if (target.kind == Target::Kind::Unknown) {
    if (target.root != pointer || reaches_place(pointer)) forget_reached(target.root);
    return;
  }
  if (target.kind == Target::Kind::Stack) {
    for (auto& [place, cell] : stack_[target.root].cells) havoc(cell.variable, chooser);
    return;
  }
  if (target.kind == Target::Kind::Exception) return;
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
  if (global && global->isConstant()) return;
  const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(target.offset, 0)) * 8;
  const std::uint64_t high = bytes > 0 ? low + bytes * 8 : UINT64_MAX;
  for (const FieldFact& field : fields_of(target)) {
    if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
      continue;
    if (!target.index && !overlaps(field, low, high)) continue;
    const Term variable = variable_of(target, field);
    if (writes)
      writes->insert(variable->name);
    else if (target.kind == Target::Kind::Heap)
      forget_cell({variable, {address(target.root)}, field.type}, chooser);
    else
      havoc(variable, chooser);
  }
}

void BodyLowering::not_null(Term reference) {
  if (!known_not_null_.insert(reference).second) return;
  if (lowering_.is_address(reference)) return;
  lowering_.assume("pointers that are followed are valid");
  assume_true(arena_.ne(reference, arena_.null()));
}

// Blocks of memory.

void BodyLowering::fill_memory(const llvm::MemSetInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const auto* fill = llvm::dyn_cast<llvm::ConstantInt>(instruction.getValue());
  const Target target = resolve(instruction.getDest());
  if (!size || !fill || !fill->isZero() || target.index) {
    if (target.kind != Target::Kind::Exception)
      lowering_.assume("memset is not followed", where(instruction));
    if (may_be_escaped(target, fill ? fill->getType() : instruction.getType())) forget_escaped();
    return forget(instruction.getDest(), size ? size->getZExtValue() : 0, Chooser::Unknown, nullptr);
  }
  zero(target, size->getZExtValue());
}

void BodyLowering::zero(const Target& target, std::uint64_t bytes) {
  const auto low = static_cast<std::uint64_t>(target.offset) * 8;
  const Held nothing = number(arena_.integer(0), Sign::Either);
  const auto set_zero = [&](const Cell& cell) {
    Held held = nothing;
    held.truth = arena_.falsehood();
    if (cell.type.kind == SourceType::Kind::Pointer) held = Held{.term = arena_.null()};
    const auto term = to_cell(held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    write_cell(cell, *term);
  };
  if (target.kind == Target::Kind::Stack) {
    for (auto& [place, cell] : stack_[target.root].cells)
      if (place.first >= target.offset &&
          place.first + place.second / 8 <= target.offset + static_cast<std::int64_t>(bytes))
        set_zero(cell);
    return;
  }
  std::vector<Term> outer;
  const std::vector<FieldFact> fields = fields_of(target);
  if (target.kind == Target::Kind::Heap && !fields.empty()) {
    outer.push_back(address(target.root));
    not_null(outer[0]);
  }
  for (const FieldFact& field : fields) {
    if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float ||
        !overlaps(field, low, low + bytes * 8))
      continue;
    const Term variable = variable_of(target, field);
    if (field.count > 0) {
      const Type type = lowering_.field_type(field);
      const auto element = to_cell(
          field.type.kind == SourceType::Kind::Pointer ? Held{.term = arena_.null()} : nothing,
          field.type);
      if (!element) lowering_.open_enum(field.type.name);
      const bool all = low <= field.bit_offset &&
                       field.bit_offset + field.count * field.stride <= low + bytes * 8;
      if (!all)
        forget_cell({variable, outer, field.type}, Chooser::Unknown);
      else
        write_cell({variable, outer, field.type}, arena_.const_map(type.sort, *element));
      continue;
    }
    set_zero({variable, outer, field.type});
  }
}

void BodyLowering::copy_memory(const llvm::MemTransferInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const Target to = resolve(instruction.getDest()), from = resolve(instruction.getSource());
  if (to.kind == Target::Kind::Exception) return;
  const auto give_up = [&] {
    if (may_be_escaped(to, instruction.getType())) forget_escaped();
    if (to.kind == Target::Kind::Unknown) return forget_reached(instruction.getDest());
    forget(instruction.getDest(), size ? size->getZExtValue() : 0, Chooser::Unknown, nullptr);
  };
  if (!size || to.index || from.index || to.kind == Target::Kind::Unknown) return give_up();
  // Field by field, as the target lays them out; what the source does not hold is not known.
  const std::uint64_t bytes = size->getZExtValue();
  std::vector<std::pair<Cell, std::optional<Held>>> moves;
  const auto from_source = [&](std::int64_t offset, unsigned bits) -> std::optional<Held> {
    Target source = from;
    source.offset = from.offset + (offset - to.offset);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(from.root);
        global && global->isConstant() && global->hasInitializer()) {
      const llvm::Type* type = llvm::Type::getIntNTy(function_.getContext(), bits);
      return read_constant(*global, source, type, "copied");
    }
    if (source.kind == Target::Kind::Unknown || source.kind == Target::Kind::Exception)
      return std::nullopt;
    const Access found = access(source, bits);
    if (!found.exact || may_be_escaped(source, instruction.getType())) return std::nullopt;
    return read_access(found, source, "copied");
  };
  if (to.kind == Target::Kind::Stack) {
    for (auto& [place, cell] : stack_[to.root].cells)
      if (place.first >= to.offset && place.first < to.offset + static_cast<std::int64_t>(bytes))
        moves.emplace_back(cell, from_source(place.first, place.second));
  } else {
    const auto low = static_cast<std::uint64_t>(to.offset) * 8;
    std::vector<Term> outer;
    const std::vector<FieldFact> fields = fields_of(to);
    if (to.kind == Target::Kind::Heap && !fields.empty()) {
      outer.push_back(address(to.root));
      not_null(outer[0]);
    }
    for (const FieldFact& field : fields) {
      if (field.type.kind == SourceType::Kind::Object ||
          field.type.kind == SourceType::Kind::Float || !overlaps(field, low, low + bytes * 8))
        continue;
      Cell cell{variable_of(to, field), outer, field.type};
      std::optional<Held> held;
      if (field.count == 0 && !field.is_bit_field)
        held = from_source(static_cast<std::int64_t>(field.bit_offset / 8), field.bit_width);
      moves.emplace_back(std::move(cell), held);
    }
  }
  for (const auto& [cell, held] : moves) {
    const bool is_reference = held && held->term && held->term->sort->kind == SortKind::Ref;
    const bool fits = held && (held->term || held->composite) &&
                      is_reference == (cell.type.kind == SourceType::Kind::Pointer);
    if (!fits) {
      forget_cell(cell, Chooser::Unknown);
      continue;
    }
    const auto term = to_cell(*held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    write_cell(cell, *term);
  }
}

void BodyLowering::update_atomic(const llvm::AtomicRMWInst& instruction) {
  using Rmw = llvm::AtomicRMWInst;
  const Held old = read(instruction.getPointerOperand(), instruction.getType(), name_of(instruction));
  const Held by = value(instruction.getValOperand());
  held_[&instruction] = old;
  const unsigned bits =
      instruction.getType()->isIntegerTy() ? instruction.getType()->getIntegerBitWidth() : 64;
  Held made;
  switch (instruction.getOperation()) {
  case Rmw::Xchg: made = by; break;
  case Rmw::Add:
  case Rmw::Sub: {
    const bool is_unsigned = old.sign == Sign::Unsigned;
    const Term a = as(old, bits, old.sign), b = as(by, bits, by.sign);
    made = number(arena_.wrap(static_cast<int>(bits), !is_unsigned,
                              instruction.getOperation() == Rmw::Add ? arena_.add(a, b)
                                                                    : arena_.sub(a, b)),
                  is_unsigned ? Sign::Unsigned : Sign::Signed);
    break;
  }
  default: made = unknown(instruction.getType(), name_of(instruction));
  }
  write(instruction.getPointerOperand(), instruction.getType(), made);
}

void BodyLowering::exchange_atomic(const llvm::AtomicCmpXchgInst& instruction) {
  const llvm::Type* type = instruction.getNewValOperand()->getType();
  const Held old = read(instruction.getPointerOperand(), type, name_of(instruction));
  const Held expected = value(instruction.getCompareOperand());
  const Held fresh = value(instruction.getNewValOperand());
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
  const Term same = type->isPointerTy() ? arena_.eq(old.term, expected.term)
                                        : equal(old, expected, bits);
  Term done = same;
  if (instruction.isWeak()) { // may fail for no reason
    const Term luck = local("luck", {.sort = arena_.bool_sort()});
    havoc(luck, Chooser::Environment);
    done = arena_.conj(same, luck);
  }
  write(instruction.getPointerOperand(), type, choose(done, fresh, old, type));
  pairs_[&instruction] = {old, truth(done)};
}

// Stack objects.

void BodyLowering::find_stack() {
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      const auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!object) continue;
      StackObject& known = stack_[object];
      std::map<std::pair<std::int64_t, unsigned>, const llvm::Type*> uses;
      std::vector<std::pair<const llvm::Value*, std::int64_t>> work{{object, 0}};
      bool copied = false;
      while (!work.empty()) {
        const auto [at, offset] = work.back();
        work.pop_back();
        for (const llvm::User* user : at->users()) {
          const llvm::Type* type = nullptr;
          if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user)) {
            llvm::APInt step(64, 0);
            if (gep->accumulateConstantOffset(lowering_.layout(), step))
              work.emplace_back(user, offset + step.getSExtValue());
            else
              known.opaque = true;
          } else if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(user)) {
            type = read->getType();
          } else if (const auto* written = llvm::dyn_cast<llvm::StoreInst>(user)) {
            if (written->getValueOperand() == at)
              known.opaque = true;
            else
              type = written->getValueOperand()->getType();
          } else if (llvm::isa<llvm::AtomicRMWInst>(user) ||
                     llvm::isa<llvm::AtomicCmpXchgInst>(user) || llvm::isa<llvm::PHINode>(user) ||
                     llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::PtrToIntInst>(user)) {
            known.opaque = true;
          }
          copied = copied || llvm::isa<llvm::MemIntrinsic>(user);
          if (type) uses[{offset, width(lowering_.layout(), type)}] = type;
        }
      }
      if (copied && object->getAllocatedType()->isStructTy())
        leaves(lowering_.layout(), object->getAllocatedType(), 0, uses);
      if (known.opaque) continue;
      // Accesses may nest or overlap: the object is cut wherever one of them starts or ends.
      std::set<std::int64_t> cuts;
      for (const auto& [place, type] : uses) {
        cuts.insert(place.first);
        cuts.insert(place.first + static_cast<std::int64_t>(place.second / 8));
      }
      for (auto start = cuts.begin(); start != cuts.end() && std::next(start) != cuts.end(); ++start) {
        const std::int64_t low = *start, high = *std::next(start);
        const auto bits = static_cast<unsigned>((high - low) * 8);
        bool used = false, pointer = false, number = false;
        for (const auto& [place, type] : uses) {
          const std::int64_t end = place.first + static_cast<std::int64_t>(place.second / 8);
          if (place.first >= high || low >= end) continue;
          used = true;
          (type->isPointerTy() ? pointer : number) = true;
          if (type->isPointerTy() && (place.first != low || end != high)) known.opaque = true;
          if (!type->isPointerTy() && !type->isIntegerTy()) known.opaque = true;
        }
        if (pointer && number) known.opaque = true;
        if (!used || bits > 64 || known.opaque) continue;
        const SourceType source =
            pointer ? SourceType{.kind = SourceType::Kind::Pointer, .bits = 64}
                    : SourceType{.kind = SourceType::Kind::Number, .bits = bits, .is_signed = true};
        const Type plain{.sort = pointer ? arena_.ref_sort() : arena_.int_sort()};
        known.cells[{low, bits}] = {local(name_of(*object), plain), {}, source};
      }
    }
}

} // namespace tacit
