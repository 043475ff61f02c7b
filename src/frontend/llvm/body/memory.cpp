// Memory: where pointers point, and what is read and written there.
//
// The receiver's fields, globals and stack objects are variables of their own. Everything else is
// the heap, one map per field (Burstall): two pointers meet only where they name the same field of
// the same record. The address of a variable that is kept in memory breaks that separation; such
// variables are `escaped`, and every access through a pointer may then mean them.
#include <algorithm>

#include <llvm/ADT/MapVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "base/should.h"
#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/places.h"
#include "frontend/llvm/prepare/steps.h"
#include "frontend/llvm/prepare/virtual_tables.h"
#include "program/ir/granted.h"

namespace tacit {

namespace {

unsigned width(const llvm::DataLayout& layout, const llvm::Type* type) {
  return static_cast<unsigned>(layout.getTypeStoreSizeInBits(const_cast<llvm::Type*>(type)));
}

/// The variable that says whether a static local has been initialised.
bool is_guard(const llvm::Value& global) { return global.getName().starts_with("_ZGV"); }

} // namespace

/// How far behind an access with a variable index the next element of a field starts, where both
/// go in equal steps: the same for each of the index's values.
std::optional<std::uint64_t> FunctionLowering::in_step(const Target& target, const FieldFact& field,
                                                       std::uint64_t low) {
  if (field.count == 0 || field.stride == 0 || target.scale <= 0 ||
      static_cast<std::uint64_t>(target.scale) * 8 != field.stride)
    return std::nullopt;
  return (field.bit_offset % field.stride + field.stride - low % field.stride) % field.stride;
}

/// The element of a field that starts `behind` bits after an access with a variable index.
Term FunctionLowering::element_at(const Target& target, const FieldFact& field, std::uint64_t low,
                                  std::uint64_t behind) {
  const auto first =
      (static_cast<std::int64_t>(low + behind) - static_cast<std::int64_t>(field.bit_offset)) /
      static_cast<std::int64_t>(field.stride);
  const Held& index = value(target.index);
  const Term key =
      arena_.add(as(index, target.index->getType()->getIntegerBitWidth(), Sign::Signed),
                 arena_.integer(first));
  const auto count = static_cast<Integer>(field.count);
  const Term inside =
      arena_.conj(arena_.ge(key, arena_.integer(0)), arena_.lt(key, arena_.integer(count)));
  if (!is_true(inside)) emit(granted(inside));
  lowering_.assume("array indices stay within their arrays");
  return key;
}

/// Whether an access from `low` on may touch a field.
bool FunctionLowering::may_reach(const Target& target, const FieldFact& field, std::uint64_t low,
                                 std::uint64_t high) {
  if (!target.index && !target.within) return overlaps(field, low, high);
  // A step from element to element does not leave the padding, nor the other fields, of a struct.
  if (high != UINT64_MAX && target.index)
    if (const auto step = in_step(target, field, low))
      if (*step >= high - low && field.stride - *step >= element_bits(field)) return false;
  if (!target.within || target.within->first < 0) return true;
  return overlaps(field, static_cast<std::uint64_t>(target.within->first) * 8,
                  static_cast<std::uint64_t>(target.within->second) * 8);
}

/// The array that the first index of a step that is no constant moves in, as bytes from the start
/// of the step. Null when that is the step's own start: then it is what lies there.
static std::optional<std::pair<std::int64_t, std::int64_t>>
array_of(const llvm::GEPOperator& step, const llvm::DataLayout& layout) {
  std::int64_t offset = 0;
  const llvm::Type* container = nullptr;
  for (auto at = llvm::gep_type_begin(step), end = llvm::gep_type_end(step); at != end; ++at) {
    const auto bytes = constant_step(at, layout);
    if (!bytes) {
      if (!container) return std::nullopt;
      const auto size = layout.getTypeAllocSize(const_cast<llvm::Type*>(container));
      return std::pair(offset, offset + static_cast<std::int64_t>(size.getFixedValue()));
    }
    offset += *bytes;
    container = at.getIndexedType();
  }
  return std::nullopt;
}

/// Through steps into objects down to where the pointer comes from.
Target FunctionLowering::resolve(const llvm::Value* pointer) const {
  Target target;
  const llvm::DataLayout& layout = lowering_.layout();
  const llvm::Value* at = pointer;
  bool several = false, open = false;
  for (int steps = 0; steps < 64; ++steps) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      llvm::APInt fixed(64, 0);
      if (!gep->collectOffset(layout, 64, variable, fixed)) return {.root = at};
      // An index that stands alone moves in the array that the step before it leads to.
      if (open && variable.empty() && gep->getResultElementType()->isArrayTy()) {
        const auto size = layout.getTypeAllocSize(gep->getResultElementType()).getFixedValue();
        target.within = {0, static_cast<std::int64_t>(size)};
      }
      if (target.within) {
        target.within->first += fixed.getSExtValue();
        target.within->second += fixed.getSExtValue();
      }
      open = false;
      if (!variable.empty()) {
        target.within = array_of(*gep, layout);
        open = !target.within;
      }
      target.offset += fixed.getSExtValue();
      for (const auto& [index, scale] : variable) {
        if (target.index) several = true;
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
  if (several && !target.within)
    return {.kind = Target::Kind::Unknown, .root = at, .index = target.index};
  if (several) target.scale = 0;
  target.root = at;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
    if (bound_[argument->getArgNo()] == Receiver::Object) {
      target.kind = Target::Kind::Receiver;
      target.offset += receiver_offset_;
    } else
      target.kind = argument->hasStructRetAttr() ? Target::Kind::Exception : Target::Kind::Heap;
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
    target.kind = Target::Kind::Global;
    if (lowering_.on_heap(*global)) {
      target.kind = Target::Kind::Heap;
      target.pointee = global->getValueType();
    }
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
  if (target.kind == Target::Kind::Heap)
    if (const auto element = element_call(at)) {
      target.kind = Target::Kind::Element;
      target.offset -= element->shift;
      return target;
    }
  // Back from where it was kept to the object itself.
  if (target.kind == Target::Kind::Heap && lowering_.receiver_record())
    if (const auto place = lowering_.points_to().only(at);
        place && lowering_.points_to().kind(place->object) == PointsTo::Kind::Receiver) {
      target.kind = Target::Kind::Receiver;
      target.offset += place->low;
    }
  return target;
}

/// Steps to the first field may have been folded away; the type of the access still names the
/// struct.
Target FunctionLowering::resolve_access(const llvm::Value* pointer,
                                        const llvm::Instruction* access) const {
  Target target = resolve(pointer);
  if (target.kind != Target::Kind::Heap || lowering_.record_of(target.pointee) || !access)
    return target;
  target.hint = lowering_.record_of_access(*access, target.offset);
  return target;
}

/// The struct that a pointer is declared to point to, where it comes from.
const RecordFact* FunctionLowering::declared_record(const llvm::Value* root) const {
  if (const auto known = declared_.find(root); known != declared_.end()) return known->second;
  declared_[root] = nullptr; // on the way
  const RecordFact* found = nullptr;
  for (const SourceType& type : source_types(root)) {
    const RecordFact* record = lowering_.record(type.name);
    if (!record || (found && found != record)) {
      found = nullptr;
      break;
    }
    found = record;
  }
  declared_[root] = found;
  return found;
}

/// By the steps into the object and the type of the access; else as other code sees it, or as it is
/// declared.
const RecordFact* FunctionLowering::record_at(const Target& target) const {
  if (const RecordFact* found = lowering_.record_of(target.pointee)) return found;
  if (target.hint || target.kind != Target::Kind::Heap) return target.hint;
  if (const RecordFact* seen = lowering_.views().record_at(lowering_.points_to().at(target.root)))
    return seen;
  return declared_record(target.root);
}

bool FunctionLowering::strays(const Target& target) const {
  return target.kind == Target::Kind::Heap &&
         lowering_.views().strays(lowering_.points_to().at(target.root), record_at(target));
}

/// What is written where other code sees something else.
void FunctionLowering::note_write(const Target& target, std::uint64_t bytes) {
  if (target.kind == Target::Kind::Unknown && target.root) {
    // An object that may be behind a pointer is followed better there: that comes first.
    for (const llvm::Value* at : sources_of(target.root))
      if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at))
        lowering_.put_on_heap(*global);
    return lowering_.write_astray(lowering_.points_to().at(target.root), nullptr, INT64_MIN / 4,
                                  INT64_MAX / 4);
  }
  if (!strays(target)) return;
  const bool anywhere = target.index || bytes == 0;
  lowering_.write_astray(lowering_.points_to().at(target.root), record_at(target),
                         anywhere ? INT64_MIN / 4 : target.offset,
                         anywhere ? INT64_MAX / 4
                                  : target.offset + static_cast<std::int64_t>(bytes));
}

/// Whether other code may have written what is found there, as something else.
bool FunctionLowering::is_astray(const Target& target, const Access& found) const {
  if (target.kind != Target::Kind::Heap) return false;
  return strays(target) || std::ranges::any_of(found.facts, [&](const FieldFact& field) {
           return lowering_.views().overwritten(*record_at(target), field);
         });
}

/// Whether a pointer from memory may lead to variables that are not on the heap. Clients may hand
/// in the object itself, or what they were given.
bool FunctionLowering::may_be_variable(const Target& target) const {
  const PointsTo::Places places = lowering_.points_to().at(target.root);
  return places.empty() || std::ranges::any_of(places, [&](const PointsTo::Place& place) {
           const PointsTo::Kind kind = lowering_.points_to().kind(place.object);
           if (kind == PointsTo::Kind::Global)
             return !lowering_.on_heap(
                 *llvm::cast<llvm::GlobalVariable>(lowering_.points_to().site(place.object)));
           return kind != PointsTo::Kind::Heap && kind != PointsTo::Kind::Function;
         });
}

/// What a pointer that is chosen at run time may be computed from: through steps into objects,
/// merges and selections. In the order in which they are met, each once.
std::vector<const llvm::Value*> FunctionLowering::sources_of(const llvm::Value* pointer) {
  std::vector<const llvm::Value*> found;
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
      found.push_back(at);
    }
  }
  return found;
}

/// Whether a pointer that is chosen at run time may be the address of a variable.
bool FunctionLowering::reaches_place(const llvm::Value* pointer) const {
  for (const llvm::Value* at : sources_of(pointer)) {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
      if (bound_[argument->getArgNo()] == Receiver::Object) return true;
    } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
      if (!global->isConstant() && !lowering_.on_heap(*global)) return true;
    } else if (llvm::isa<llvm::AllocaInst>(at)) {
      return true;
    }
  }
  return false;
}

/// A pointer as a value. Taking the address of a variable lets it escape.
Term FunctionLowering::address(const llvm::Value* pointer) {
  // A number may have been read where a pointer is meant.
  const auto is_reference = [&](Term term) { return term && term->sort == arena_.ref_sort(); };
  if (const auto found = held_.find(pointer);
      found != held_.end() && is_reference(found->second.term))
    return found->second.term;
  if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return arena_.null();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(pointer))
    return lowering_.global_address(*function);
  const Target target = resolve(pointer);
  const bool start = target.offset == 0 && !target.index;
  switch (target.kind) {
  case Target::Kind::Receiver:
    if (start) return lowering_.receiver_address();
    if (!target.index) return lowering_.part_address(target.offset);
    break;
  case Target::Kind::Global:
    if (const auto table = virtual_table(pointer, lowering_.layout()))
      return lowering_.table_address(*table);
    if (!target.index)
      return lowering_.global_address(*llvm::cast<llvm::GlobalValue>(target.root), target.offset);
    break;
  case Target::Kind::Heap:
    if (start && held_.contains(target.root) && is_reference(held_[target.root].term))
      return held_[target.root].term;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root); start && global)
      return lowering_.global_address(*global);
    break;
  case Target::Kind::Stack:
    if (start) return lowering_.local_address(name_of(*target.root));
    break;
  default: break;
  }
  const Term made = local_address();
  havoc(made, Chooser::Unknown);
  if (target.kind != Target::Kind::Unknown) assume_true(arena_.ne(made, arena_.null()));
  return made;
}

/// The address is kept where others may follow it.
void FunctionLowering::let_escape(const llvm::Value* pointer) {
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
    if (target.kind == Target::Kind::Element) lose_element(target.root);
    if (target.kind != Target::Kind::Receiver && target.kind != Target::Kind::Global) continue;
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
    if (global && global->isConstant()) {
      lowering_.put_on_heap(*global);
      continue;
    }
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
      lowering_.assume("the address of " + field.path +
                       " is kept in memory: what is behind "
                       "pointers of its type may be it");
      lowering_.escape(global, field);
    }
  }
}

std::vector<FieldFact> FunctionLowering::fields_of(const Target& target) const {
  if (target.kind == Target::Kind::Receiver)
    return lowering_.receiver_record() ? lowering_.receiver_record()->fields
                                       : std::vector<FieldFact>{};
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
  if (global && target.kind != Target::Kind::Heap) {
    const GlobalFact* fact = lowering_.global(*global);
    return fact ? fact->fields : std::vector<FieldFact>{};
  }
  if (target.kind == Target::Kind::Element) return element_call(target.root)->of->fields;
  if (target.kind == Target::Kind::Heap)
    if (const RecordFact* record = record_at(target)) return record->fields;
  return {};
}

Term FunctionLowering::variable_of(const Target& target, const FieldFact& field) {
  if (target.kind == Target::Kind::Receiver) return lowering_.receiver_field(field);
  if (target.kind == Target::Kind::Global)
    return lowering_.global_field(*llvm::cast<llvm::GlobalVariable>(target.root), field);
  if (target.kind == Target::Kind::Element)
    return element_variable(*element_call(target.root), field);
  return lowering_.record_field(*record_at(target), field);
}

/// The field of the receiver that a field of an object is when the object is the receiver, or
/// starts it; null when it cannot be.
const FieldFact* FunctionLowering::receiver_twin(const Target& target,
                                                 const FieldFact& field) const {
  const RecordFact* receiver = lowering_.receiver_record();
  if (target.kind != Target::Kind::Heap || !receiver || !may_be_variable(target)) return nullptr;
  for (const FieldFact& twin : receiver->fields)
    if (twin.owner == field.owner && twin.owner_path == field.owner_path &&
        twin.bit_offset == field.bit_offset)
      return &twin;
  return nullptr;
}

const FieldFact* FunctionLowering::static_field(const llvm::Value* pointer, unsigned bits,
                                                const llvm::Instruction* access) const {
  const Target target = resolve_access(pointer, access);
  static thread_local std::vector<FieldFact> fields;
  fields = fields_of(target);
  if (target.index && target.scale == 0) return nullptr;
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
FunctionLowering::Access FunctionLowering::access(const Target& target, unsigned bits) {
  Access found;
  if (target.offset < 0) return found;
  found.low = static_cast<std::uint64_t>(target.offset) * 8;
  found.bits = bits;
  if (target.kind == Target::Kind::Stack) {
    StackObject& object = stack_[target.root];
    if (object.opaque || target.index) return found;
    unsigned covered = 0;
    for (const auto& [place, cell] : object.cells) {
      if (place.first < target.offset || place.first * 8 + static_cast<std::int64_t>(place.second) >
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
  note_stray_elements(target);
  if (target.kind == Target::Kind::Element) {
    if (element_call(target.root)->of->keyed() && !found_element(target)) return found;
    outer.push_back(element_key(target));
  }
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
    return field.type.kind != SourceType::Kind::Object &&
           field.type.kind != SourceType::Kind::Float;
  };
  const std::uint64_t high = found.low + bits;
  const std::vector<FieldFact> fields = fields_of(target);
  for (const FieldFact& field : fields) {
    // Fields without values here take their bits all the same.
    if (field.type.kind == SourceType::Kind::Object) continue;
    if (field.count == 0 && !target.index && !field.is_bit_field && field.bit_offset == found.low &&
        field.bit_width == bits) {
      if (!held(field)) return found;
      put(field, {});
      found.exact = true;
      return found;
    }
    if (field.count == 0 || bits != field.bit_width) continue;
    const std::int64_t rest =
        static_cast<std::int64_t>(found.low) - static_cast<std::int64_t>(field.bit_offset);
    if (rest < 0 || rest % static_cast<std::int64_t>(field.stride) != 0) continue;
    const Integer first = rest / static_cast<std::int64_t>(field.stride);
    if (first >= static_cast<Integer>(field.count)) continue;
    Term key = arena_.integer(first);
    if (target.index) {
      if (target.scale * 8 != static_cast<std::int64_t>(field.stride)) continue;
      key = element_at(target, field, found.low, 0);
    }
    if (!held(field)) return found;
    put(field, {key});
    found.exact = true;
    return found;
  }
  if (target.index) { // several fields of an element; else anywhere from here on, or in the array
    bool unit = bits <= 64;
    for (const FieldFact& field : fields) {
      if (!may_reach(target, field, found.low, high)) continue;
      const auto behind = in_step(target, field, found.low);
      unit = unit && held(field) && behind && *behind + element_bits(field) <= bits &&
             found.low + *behind >= field.bit_offset &&
             found.low + *behind < field.bit_offset + field.count * field.stride;
    }
    for (const FieldFact& field : fields) {
      if (!held(field) || !may_reach(target, field, found.low, high)) continue;
      if (!unit) {
        put_whole(found, target, field, outer);
        continue;
      }
      const std::uint64_t behind = *in_step(target, field, found.low);
      put(field, {element_at(target, field, found.low, behind)});
      found.facts.back().bit_offset = found.low + behind;
    }
    found.exact = unit && !found.cells.empty() && no_pointers(found);
    if (target.within) lowering_.assume("array indices stay within their arrays");
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
bool FunctionLowering::whole(const Access& found, unsigned bits) {
  return found.cells.size() == 1 && !found.facts[0].is_bit_field &&
         found.facts[0].bit_width == bits;
}

bool FunctionLowering::no_pointers(const Access& found) {
  return std::ranges::none_of(found.facts, [](const FieldFact& field) {
    return field.type.kind == SourceType::Kind::Pointer;
  });
}

/// A variable as a whole, for effects that are not followed.
void FunctionLowering::put_whole(Access& found, const Target& target, const FieldFact& field,
                                 const std::vector<Term>& outer) {
  found.cells.push_back({variable_of(target, field), outer, field.type});
  found.facts.push_back(field);
}

Term FunctionLowering::read_cell(const Cell& cell) {
  Term term = cell.variable;
  for (const Term key : cell.keys) term = arena_.select(term, key);
  return term;
}

void FunctionLowering::write_cell(const Cell& cell, Term value) {
  if (cell.keys.empty() && cell.variable == value) return;
  if (cell.keys.empty()) return assign(cell.variable, value);
  if (cell.keys.size() == 1)
    return assign(cell.variable, arena_.store(cell.variable, cell.keys[0], value));
  const Term inner = arena_.select(cell.variable, cell.keys[0]);
  assign(cell.variable,
         arena_.store(cell.variable, cell.keys[0], arena_.store(inner, cell.keys[1], value)));
}

bool FunctionLowering::may_be_escaped(const Target& target, const llvm::Type* type) const {
  if (target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) return false;
  if (target.kind == Target::Kind::Heap && !may_be_variable(target)) return false;
  const bool typed = type && target.kind == Target::Kind::Heap && record_at(target);
  return std::ranges::any_of(lowering_.escaped(), [&](const auto& entry) {
    const FieldFact& field = entry.second;
    // Through a struct's type only parts of structs are reached.
    if (typed && field.path.find('.') == std::string::npos) return false;
    return !type || type->isPointerTy() == (field.type.kind == SourceType::Kind::Pointer);
  });
}

/// Whether the one who calls chooses what is read: memory behind an argument that nobody writes and
/// that is looked at here only, once. Two looks would have to see the same.
bool FunctionLowering::client_says(const llvm::Value* pointer) const {
  if (procedure_.kind != ProcedureKind::Method && procedure_.kind != ProcedureKind::Constructor)
    return false;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer);
  const auto type = argument ? argument_types_.find(argument) : argument_types_.end();
  if (type == argument_types_.end() || !type->second.pointee_const ||
      type->second.pointee_bits == 0)
    return false;
  for (const PointsTo::Place& place : lowering_.points_to().at(argument))
    if (place.object != PointsTo::world) return false;
  for (const llvm::User* user : argument->users())
    if (user != at_ && !llvm::isa<llvm::ICmpInst>(user)) return false;
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::BasicBlock*> work{at_->getParent()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (next == at_->getParent()) return false; // in a loop
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return true;
}

Held FunctionLowering::read(const llvm::Value* pointer, const llvm::Type* type,
                            const std::string& base) {
  const unsigned bits = width(lowering_.layout(), type);
  const Target target = resolve_access(pointer, at_);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
      global && global->isConstant() && global->hasInitializer())
    if (const auto known = read_constant(*global, target, type, base)) return *known;
  if ((type->isFloatingPointTy() && !is_real(type)) || type->isVectorTy() ||
      type->isAggregateType()) {
    lowering_.assume("floating point numbers and whole structs in registers are not followed");
    return {};
  }
  if (target.kind == Target::Kind::Exception) return unknown(type, base);
  if (target.kind == Target::Kind::Element) {
    const Access found = access(target, bits);
    if (!found.exact) return unknown(type, base);
    return unless_lost(target, read_access(found, target, base), type, base);
  }
  if (target.kind == Target::Kind::Global && is_guard(*target.root) && target.offset == 0)
    return truth(lowering_.guard(*target.root));
  if (const auto places = candidates(target, type))
    return read_candidates(*places, target, type, base);
  const Access found = access(target, bits);
  std::vector<std::pair<Target, std::uint64_t>> parts;
  scalar_parts(target, bits / 8, parts);
  if (!found.exact || !parts.empty() || is_astray(target, found) || may_be_escaped(target, type) ||
      !same_kind(found, type)) {
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
        global && global->isDeclaration() && fields_of(target).empty())
      return unknown(type, base, Chooser::Environment);
    if (const auto first = first_character(pointer, type)) return *first;
    if (const auto character = text_character(pointer, type)) return *character;
    if (client_says(pointer))
      return unknown(type, pointer->getName().str() + "_first", Chooser::Client);
    if (target.kind != Target::Kind::Stack)
      lowering_.assume("memory that is not followed is read", where(*at_));
    return unknown(type, base);
  }
  return read_access(found, target, base);
}

Held FunctionLowering::read_access(const Access& found, const Target& target,
                                   const std::string& base) {
  if (whole(found, found.bits)) {
    const Cell& cell = found.cells[0];
    const FieldFact& field = found.facts[0];
    Type local_type = cell.type.kind == SourceType::Kind::Void ? Type{.sort = cell.variable->sort}
                                                               : lowering_.scalar_type(cell.type);
    const std::string name = field.path.empty() ? base : field.path;
    Term term = read_cell(cell);
    if (const FieldFact* twin = receiver_twin(target, field))
      term = arena_.ite(arena_.eq(found.heap, lowering_.receiver_address()),
                        read_cell({lowering_.receiver_field(*twin),
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
                          field.bit_width,
                          held.choice ? !fits(held.choice->sort, field.bit_width, false)
                                      : field.type.is_signed && !held.truth});
  }
  return unit;
}

void FunctionLowering::store(const llvm::StoreInst& instruction) {
  const llvm::Value* stored = instruction.getValueOperand();
  const Target target = resolve(instruction.getPointerOperand());
  if (stored->getType()->isPointerTy() && clients_see(instruction.getPointerOperand()))
    lend_places(lowering_.points_to().at(stored));
  if (target.kind == Target::Kind::Exception) return;
  if (stored->getType()->isPointerTy()) {
    if (store_table(instruction)) return;
    // The virtual table is no data.
    if (const Target to = resolve(stored);
        to.kind == Target::Kind::Global && to.root->getName().starts_with("_ZTV"))
      return;
    let_escape(stored);
  }
  write_out(instruction);
  write(instruction.getPointerOperand(), stored->getType(), value(stored));
  forget_written(instruction.getPointerOperand());
  // A `bool` is no character of a text.
  if (stored->getType()->isIntegerTy(8) && accessed_type(instruction) != "bool" &&
      !llvm::isa<llvm::AllocaInst>(instruction.getPointerOperand()))
    forget_views();
}

void FunctionLowering::write(const llvm::Value* pointer, const llvm::Type* type,
                             const Held& stored) {
  const Held held = stored; // the map it came from may grow
  const unsigned bits = width(lowering_.layout(), type);
  const Target target = resolve_access(pointer, at_);
  if (target.kind == Target::Kind::Exception) return;
  if (target.kind == Target::Kind::Element) return write_element(target, type, held);
  if (target.kind == Target::Kind::Global && is_guard(*target.root) && target.offset == 0)
    return assign(lowering_.guard(*target.root), as_truth(held));
  if (const auto places = candidates(target, type))
    return write_candidates(*places, target, type, held);
  if (forget_variables(target, bits / 8, !type->isAggregateType())) return;
  if (may_be_escaped(target, type)) forget_escaped();
  forget_given(target, type);
  note_write(target, bits / 8);
  if (target.kind == Target::Kind::Unknown) {
    lowering_.assume("it is not known what is written", where(*at_));
    return forget_reached(pointer);
  }
  const Access found = access(target, bits);
  if (!found.exact || !same_kind(found, type) || type->isAggregateType() || type->isVectorTy()) {
    if (target.kind == Target::Kind::Heap && !record_at(target)) {
      lowering_.assume("memory behind pointers to scalars is not followed");
      forget_stood_in(target);
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
    if (const FieldFact* twin = receiver_twin(target, found.facts[0])) {
      const Cell same{
          lowering_.receiver_field(*twin), {cell.keys.begin() + 1, cell.keys.end()}, cell.type};
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
Term FunctionLowering::bits_of(const Held& held, unsigned bits, unsigned low,
                               const FieldFact& field) {
  Held one;
  std::vector<Held::Part> inside;
  bool straddles = !held.composite;
  for (const Held::Part& part : held.parts) {
    if (part.low >= low + field.bit_width || low >= part.low + part.width) continue;
    straddles = straddles || part.low < low || part.low + part.width > low + field.bit_width;
    inside.push_back(part);
  }
  if (straddles) {
    const Term all = as(held, bits, Sign::Unsigned);
    one = number(arena_.mod(arena_.div(all, arena_.integer(Integer{1} << low)),
                            arena_.integer(Integer{1} << field.bit_width)),
                 Sign::Unsigned);
  } else if (inside.size() == 1 && inside[0].low == low) {
    one = number(inside[0].term, inside[0].is_signed ? Sign::Signed : Sign::Unsigned);
    if (inside[0].width < field.bit_width && !inside[0].is_signed) one.sign = Sign::Either;
    if (inside[0].width < field.bit_width && inside[0].is_signed)
      one = number(part_bits(inside[0]), Sign::Either);
  } else {
    Term sum = arena_.integer(0);
    for (const Held::Part& part : inside)
      sum = arena_.add(sum,
                       arena_.mul(part_bits(part), arena_.integer(Integer{1} << (part.low - low))));
    one = number(sum, Sign::Unsigned);
  }
  // What was a Boolean or an enumerator before it was put into bits is found again.
  if (one.term->op == Op::Ite && field.type.kind == SourceType::Kind::Bool &&
      one.term->args[1] == arena_.integer(1) && one.term->args[2] == arena_.integer(0))
    return one.term->args[0];
  auto term = to_cell(one, field.type);
  if (!term) lowering_.open_enum(field.type.name);
  return *term;
}
} // namespace tacit
