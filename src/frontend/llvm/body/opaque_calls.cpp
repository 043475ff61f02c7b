// Callees that are not looked into: any result, any exception unless they say otherwise, and writes
// to what they are handed and what that leads to.
#include <algorithm>
#include <utility>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/prepare/prepare.h"

namespace tacit {

namespace {

/// A temporary of this class may hold no element.
constexpr const char* node_handle = "std::_Node_handle";

bool held_as_variable(const FieldFact& field) {
  return field.type.kind != SourceType::Kind::Object && field.type.kind != SourceType::Kind::Float;
}

/// There are no pointers in it. The address of a byte may be that of anything.
bool leads_to_number(const SourceType* declared) { return declared && declared->pointee_bits > 8; }

/// What a function says of the object behind a parameter: all of it can be accessed.
std::uint64_t object_bytes(const llvm::CallBase& call, unsigned i) {
  const llvm::AttributeList all = call.getAttributes();
  const llvm::Function* callee = call.getCalledFunction();
  std::uint64_t bytes =
      std::max(all.getParamDereferenceableBytes(i), all.getParamDereferenceableOrNullBytes(i));
  if (callee && i < callee->arg_size())
    bytes = std::max({bytes, callee->getParamDereferenceableBytes(i),
                      callee->getParamDereferenceableOrNullBytes(i)});
  return bytes;
}

} // namespace

/// The object as a whole, not its first field, which has the same address.
bool FunctionLowering::is_whole_object(const Handed& handed, const Target& target) const {
  const RecordFact* object = lowering_.receiver_record();
  if (target.kind != Target::Kind::Receiver || target.index || !object) return false;
  const SourceFacts& facts = lowering_.facts();
  const std::string& name =
      handed.declared && handed.object_class.empty() ? handed.declared->name : handed.object_class;
  if (!name.empty()) {
    if (name == object->name) return target.offset == 0;
    const auto base = facts.base_offsets.find(name);
    return base != facts.base_offsets.end() && base->second == target.offset;
  }
  if (target.offset != 0 || handed.is_field) return false;
  return !handed.declared || handed.declared->pointee_opaque || handed.declared->pointee_bits == 8;
}

/// The size of a string or the like that lies in an object on the stack, where that is all that a
/// member function is handed; 0 where that is not known.
std::uint64_t FunctionLowering::closed_part(const Handed& handed, const Target& target) const {
  const Library& library = *lowering_.facts().library;
  if (target.kind != Target::Kind::Stack || target.index || target.offset < 0) return 0;
  const std::string& name =
      handed.object_class.empty() && handed.declared ? handed.declared->name : handed.object_class;
  if (name.empty() || !is_closed(library, name)) return 0;
  const auto* object = llvm::dyn_cast<llvm::AllocaInst>(target.root);
  llvm::Type* type = object ? object->getAllocatedType() : nullptr;
  auto offset = static_cast<std::uint64_t>(target.offset);
  const std::string plain = contract_class(library, name);
  const std::string last = plain.substr(plain.rfind(':') + 1);
  while (auto* structure = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
    const llvm::StructLayout* layout = lowering_.layout().getStructLayout(structure);
    if (offset == 0 && structure->hasName() && structure->getName().contains("::" + last))
      return layout->getSizeInBytes().getFixedValue();
    if (structure->getNumElements() == 0 || offset >= layout->getSizeInBytes()) return 0;
    const unsigned i = layout->getElementContainingOffset(offset);
    offset -= layout->getElementOffset(i).getFixedValue();
    type = structure->getElementType(i);
  }
  return 0;
}

/// Whether the first byte of the object, to which a callee gets from what it is handed, may mean
/// the object to it and not the first field: some type on the way leads to its class.
bool FunctionLowering::may_lead_to_object(const Handed& handed) const {
  const RecordFact* own = lowering_.receiver_record();
  const std::string& name =
      handed.declared && handed.object_class.empty() ? handed.declared->name : handed.object_class;
  if (name.empty() || !own) return true;
  const SourceFacts& facts = lowering_.facts();
  Reached types;
  reach_from(facts, name, types);
  const auto met = [&](const std::string& one) {
    return types.records.contains(one) || types.owners.contains(one);
  };
  return types.untyped || met(own->name) ||
         std::ranges::any_of(facts.base_offsets, [&](const auto& base) { return met(base.first); });
}

/// What a callee may do with a pointer that it is handed.
void FunctionLowering::hand_over(const Handed& handed, OpaqueEffect& effect) {
  const Target target = resolve(handed.value);
  if (llvm::isa<llvm::ConstantPointerNull>(handed.value) ||
      llvm::isa<llvm::Function>(handed.value->stripPointerCasts()))
    return;
  if (const auto* global = llvm::dyn_cast_or_null<llvm::GlobalVariable>(target.root);
      global && global->isConstant())
    return;
  if (target.kind == Target::Kind::Element) {
    // Strings and the like in it are not followed.
    const Library& library = *lowering_.facts().library;
    if (handed.read_only || is_closed(library, handed.object_class)) return;
    for (const std::string& name : lowering_.element_variables(*element_call(target.root)->of))
      effect.doubtful.insert(name);
  }
  if (is_whole_object(handed, target)) {
    hand_over_object(handed, effect);
    return;
  }
  if (!handed.read_only) {
    if (target.kind == Target::Kind::Stack || target.kind == Target::Kind::Unknown)
      effect.later.push_back(handed.value);
    if (const std::uint64_t bytes = closed_part(handed, target))
      effect.parts[handed.value] = bytes;
    else if (target.kind != Target::Kind::Heap || target.offset != 0 || target.index)
      forget_pointee(handed, effect.writes);
  }
  if (target.kind == Target::Kind::Heap || target.kind == Target::Kind::Unknown)
    hand_over_parts(handed, effect);
  if (effect.tame) {
    // Containers move their elements about and do not follow pointers.
    if (!handed.read_only && !handed.object_class.empty() && !effect.only_looks)
      effect.records.merge(held_by_value(lowering_.facts(), handed.object_class));
    return;
  }
  Reached reached;
  bool receiver = false;
  reach_objects(handed, target, reached, receiver, effect);
  const RecordFact* own = lowering_.receiver_record();
  if (receiver || (own && reached.records.contains(own->name))) hand_over_object(handed, effect);
  effect.records.merge(reached.records);
  effect.records.merge(reached.owners);
}

/// Variables that a pointer from memory may mean: those that are handed over with it.
void FunctionLowering::hand_over_parts(const Handed& handed, OpaqueEffect& effect) {
  if (handed.read_only) return;
  const PointsTo& points_to = lowering_.points_to();
  for (const PointsTo::Place& place : points_to.at(handed.value)) {
    const PointsTo::Kind kind = points_to.kind(place.object);
    if (kind == PointsTo::Kind::Receiver || kind == PointsTo::Kind::Global)
      write_part(place, handed, effect);
  }
}

/// Whether a pointer, being what it is, may lead to facts about a library object that the component
/// or a global variable holds, or somewhere into that object. Member functions of library classes
/// mean objects of their class, and numbers do not lie in closed ones.
bool FunctionLowering::may_mean(const Handed& handed, const FieldFact& object, bool bounded) const {
  const Library& library = *lowering_.facts().library;
  const std::string& held = object.type.name;
  if (leads_to_number(handed.declared)) return !is_closed(library, held);
  if (handed.object_class.empty()) return true;
  if (bounded && (!is_closed(library, held) ||
                  !library.all.facts(contract_class(library, handed.object_class))))
    return true;
  return may_be_one(library, held, handed.object_class);
}

/// What lies at a place in the component or in a global variable may be written: somewhere in it,
/// what is known to be pointed to.
void FunctionLowering::write_part(const PointsTo::Place& place, const Handed& handed,
                                  OpaqueEffect& effect) {
  const PointsTo& points_to = lowering_.points_to();
  Target part{.kind = Target::Kind::Receiver};
  if (points_to.kind(place.object) == PointsTo::Kind::Global) {
    part.kind = Target::Kind::Global;
    part.root = points_to.site(place.object);
    const auto* global = llvm::cast<llvm::GlobalVariable>(part.root);
    if (global->isConstant() || lowering_.on_heap(*global)) return;
  } else if (!lowering_.receiver_record()) {
    return;
  }
  const bool bounded = place.exact() || place.end > place.begin;
  std::vector<FieldFact> fields = fields_of(part);
  if (place.end > place.begin) {
    std::erase_if(fields, [&](const FieldFact& field) {
      const std::uint64_t bits = field.count > 0 ? field.count * field.stride : field.bit_width;
      const auto first = static_cast<std::int64_t>(field.bit_offset / 8);
      const auto end = static_cast<std::int64_t>((field.bit_offset + bits + 7) / 8);
      return end <= place.begin || place.end <= first;
    });
  } else if (bounded) {
    part.offset = place.low;
    if (part.offset < 0) return;
    fields = pointee_fields(part, handed);
  }
  for (const FieldFact& field : fields) {
    if (held_as_variable(field)) {
      const Term variable = variable_of(part, field);
      if (bounded || lowering_.escaped().contains(variable)) effect.doubtful.insert(variable->name);
    } else if (field.type.kind == SourceType::Kind::Object && may_mean(handed, field, bounded)) {
      for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
        effect.doubtful.insert(ghost);
    }
  }
}

void FunctionLowering::hand_over_object(const Handed& handed, OpaqueEffect& effect) {
  const SourceFacts& facts = lowering_.facts();
  const bool own_method = handed.own_method && facts.subject_classes.contains(handed.object_class);
  if (handed.read_only) {
    // What is declared mutable is not constant.
    for (const FieldFact& field : lowering_.receiver_record()->fields) {
      if (!field.is_mutable || (!own_method && !field.is_public)) continue;
      if (held_as_variable(field))
        effect.doubtful.insert(lowering_.receiver_field(field)->name);
      else if (field.type.kind == SourceType::Kind::Object)
        for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
          effect.doubtful.insert(ghost);
    }
    if (own_method)
      lowering_.assume(handed.object_class +
                       " has const methods without code here: they may change what is mutable, "
                       "and errors in them are not seen");
    return;
  }
  if (own_method) {
    lowering_.assume(handed.object_class +
                     " has methods without code here: they may change every field, and errors in "
                     "them are not seen");
    effect.everything = true;
    return;
  }
  // What may be moved from is not left as it was.
  if (lowering_.reentrant() || (handed.declared && handed.declared->is_rvalue)) {
    effect.everything = true;
    return;
  }
  lowering_.assume("callees that are handed the object do not change its private fields or call "
                   "it back");
  for (const FieldFact& field : lowering_.receiver_record()->fields)
    if (lowering_.clients_write(field) && held_as_variable(field))
      effect.writes.insert(lowering_.receiver_field(field)->name);
}

/// The types of what a pointer may point to, as the code has it.
std::vector<SourceType> FunctionLowering::source_types(const llvm::Value* pointer) const {
  std::vector<SourceType> found;
  for (const llvm::Value* at : sources_of(pointer)) {
    SourceType type;
    if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(at)) {
      if (const FieldFact* field = static_field(read->getPointerOperand(), 64, read))
        type = field->type;
    } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(at)) {
      if (const auto known = argument_types_.find(argument); known != argument_types_.end())
        type = known->second;
      else if (fact_ && fact_->is_instance)
        type = {.kind = SourceType::Kind::Pointer, .bits = 64, .name = fact_->in_class};
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(at)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr)
        type = fact->returns;
    }
    for (const llvm::User* user : at->users())
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user))
        if (const RecordFact* record = lowering_.record_of(gep->getSourceElementType()))
          found.push_back({.kind = SourceType::Kind::Pointer, .bits = 64, .name = record->name});
    if (type.kind == SourceType::Kind::Pointer) found.push_back(type);
  }
  return found;
}

/// All that a callee gets to from a pointer: objects of the given code as it sees them, those of
/// the world by their types.
void FunctionLowering::reach_objects(const Handed& handed, const Target& target, Reached& reached,
                                     bool& receiver, OpaqueEffect& effect) {
  const PointsTo& points_to = lowering_.points_to();
  PointsTo::Places from = points_to.at(handed.value);
  bool world = from.empty();
  const PointsTo::Places direct = from;
  if (handed.read_only && leads_to_number(handed.declared)) return;
  if (handed.read_only) from = points_to.behind(from);
  const auto see = [&](const RecordFact& record) {
    reached.records.insert(record.name);
    for (const FieldFact& field : record.fields) reached.owners.insert(field.owner);
  };
  std::set<PointsTo::Object> seen;
  for (const PointsTo::Place& place :
       leads_to_number(handed.declared) ? from : points_to.reach_places(from)) {
    const PointsTo::Object object = place.object;
    if (points_to.kind(object) == PointsTo::Kind::Receiver) {
      // What was handed over itself is known better.
      if (!direct.contains(place) && (place.exact() || place.end > place.begin) &&
          !(is_whole_object({.value = handed.value},
                            {.kind = Target::Kind::Receiver, .offset = place.low}) &&
            may_lead_to_object(handed)))
        write_part(place, {}, effect);
      receiver = receiver || std::ranges::none_of(direct, [&](const PointsTo::Place& one) {
                   return one.object == object;
                 });
      continue;
    }
    if (!seen.insert(object).second) continue;
    switch (points_to.kind(object)) {
    case PointsTo::Kind::World: world = true; break;
    case PointsTo::Kind::Anything: effect.heap = true; break;
    case PointsTo::Kind::Heap:
      for (const RecordFact* record : lowering_.views().records(object)) see(*record);
      break;
    case PointsTo::Kind::Global: {
      const auto* global = llvm::cast<llvm::GlobalVariable>(points_to.site(object));
      const GlobalFact* fact = global->isConstant() ? nullptr : lowering_.global(*global);
      if (lowering_.on_heap(*global))
        for (const RecordFact* record : lowering_.views().records(object)) see(*record);
      if (!fact || global == target.root || lowering_.on_heap(*global)) break;
      for (const FieldFact& field : fact->fields)
        if (held_as_variable(field))
          effect.doubtful.insert(lowering_.global_field(*global, field)->name);
        else if (field.type.kind == SourceType::Kind::Object)
          for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
            effect.doubtful.insert(ghost);
      break;
    }
    case PointsTo::Kind::Stack: {
      const auto* made = llvm::dyn_cast<llvm::AllocaInst>(points_to.site(object));
      if (made && made->getFunction() == &function_ && made != target.root)
        effect.later.push_back(made);
      break;
    }
    default: break;
    }
  }
  if (world) // what clients have been given
    for (const PointsTo::Place& place : points_to.lent()) {
      const PointsTo::Kind kind = points_to.kind(place.object);
      if (kind == PointsTo::Kind::Receiver || kind == PointsTo::Kind::Global)
        write_part(place, {}, effect);
    }
  if (!world) return;
  reach_types(handed, target, reached);
  // Without a type it may be whatever there is in the world.
  if (reached.untyped)
    for (const RecordFact* record : lowering_.views().records(PointsTo::world)) see(*record);
}

/// What is behind a pointer by its type.
void FunctionLowering::reach_types(const Handed& handed, const Target& target,
                                   Reached& reached) const {
  const SourceFacts& facts = lowering_.facts();
  // An object of the given code may have the world behind it.
  const PointsTo::Places places = lowering_.points_to().at(handed.value);
  const bool own =
      !places.empty() && std::ranges::none_of(places, [](const PointsTo::Place& place) {
        return place.object == PointsTo::world;
      });
  const auto start = [&](const std::string& type) {
    if (handed.read_only || own)
      reach_behind(facts, type, reached);
    else
      reach_from(facts, type, reached);
  };
  const auto behind_field = [&](const FieldFact& field) {
    if (field.type.kind == SourceType::Kind::Pointer && field.type.is_function) return;
    if (!field.type.name.empty())
      reach_from(facts, field.type.name, reached);
    else if (field.type.kind == SourceType::Kind::Pointer && field.type.pointee_bits == 0)
      reached.untyped = true;
  };
  switch (target.kind) {
  case Target::Kind::Receiver:
  case Target::Kind::Global:
    for (const FieldFact& field : pointee_fields(target, handed)) behind_field(field);
    return;
  case Target::Kind::Stack:
    if (const RecordFact* record =
            lowering_.record_of(llvm::cast<llvm::AllocaInst>(target.root)->getAllocatedType()))
      reach_behind(facts, record->name, reached);
    break;
  case Target::Kind::Exception: return;
  default: break;
  }
  if (handed.declared && !handed.declared->name.empty()) start(handed.declared->name);
  if (!handed.object_class.empty()) start(handed.object_class);
  if (target.offset != 0 || target.index) {
    for (const FieldFact& field : pointee_fields(target, handed)) behind_field(field);
    return;
  }
  bool known = handed.declared && (!handed.declared->name.empty() || handed.declared->pointee_bits);
  known = known || !handed.object_class.empty();
  for (const SourceType& type : source_types(handed.value)) {
    known = known || !type.name.empty() || type.pointee_bits > 0;
    if (!type.name.empty()) start(type.name);
  }
  if (!known && !handed.read_only) reached.untyped = true;
}

/// The library object at a place that a callee means, by the class that it takes: what lies around
/// it, such as the flag of an optional that holds it, is no business of that class.
const FieldFact* FunctionLowering::object_meant(const std::vector<FieldFact>& fields,
                                                std::int64_t offset, const Handed& handed) const {
  const Library& library = *lowering_.facts().library;
  const std::string& name = handed.declared ? handed.declared->name : handed.object_class;
  if (name.empty() || !is_closed(library, name)) return nullptr;
  for (const FieldFact& field : fields)
    if (field.type.kind == SourceType::Kind::Object && field.count == 0 &&
        field.bit_offset == static_cast<std::uint64_t>(offset) * 8 &&
        contract_class(library, field.type.name) == contract_class(library, name))
      return &field;
  return nullptr;
}

/// The field or nested object that a pointer points to; everything where that is not known.
std::vector<FieldFact> FunctionLowering::pointee_fields(const Target& target,
                                                        const Handed& handed) const {
  const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(target.offset, 0)) * 8;
  std::vector<FieldFact> fields = fields_of(target);
  if (target.within) {
    std::erase_if(
        fields, [&](const FieldFact& field) { return !may_reach(target, field, low, UINT64_MAX); });
    return fields;
  }
  if (!target.index && target.offset >= 0)
    if (const FieldFact* object = object_meant(fields, target.offset, handed)) return {*object};
  const FieldFact* at = nullptr;
  for (const FieldFact& field : fields)
    if (field.bit_offset <= low &&
        low < field.bit_offset + (field.count > 0 ? field.count * field.stride : field.bit_width))
      at = &field;
  const bool in_union = !at || at->is_alternative || at->type.name.starts_with("union ");
  if (in_union && !target.index && target.offset >= 0 && handed.bytes > 0) {
    // A string in a union is no field, and its members stay in it. While a variant holds it, nobody
    // reads what other alternatives have there.
    const std::uint64_t high = low + handed.bytes * 8;
    std::erase_if(fields, [&](const FieldFact& field) {
      return !may_reach(target, field, low, high) ||
             (field.is_alternative && held_as_variable(field));
    });
    return fields;
  }
  if (!at || target.index) return fields;
  // Only that field, unless it is a part of a nested object.
  const bool nested = at->path.find('.') != std::string::npos;
  const std::string scope = nested ? at->path.substr(0, at->path.find('.')) : "";
  std::vector<FieldFact> reached;
  for (const FieldFact& field : fields)
    if (&field == at || (nested && field.path.starts_with(scope + "."))) reached.push_back(field);
  return reached;
}

/// Which variables a callee reaches through a pointer.
void FunctionLowering::forget_pointee(const Handed& handed, std::set<std::string>& writes) {
  const Target target = resolve(handed.value);
  for (const FieldFact& field : pointee_fields(target, handed)) {
    if (held_as_variable(field))
      writes.insert(variable_of(target, field)->name);
    else if (field.type.kind == SourceType::Kind::Object && target.kind != Target::Kind::Heap)
      for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
        writes.insert(ghost);
  }
}

/// The library object, held by value, that a pointer points to.
const FieldFact* FunctionLowering::object_field(const llvm::Value* pointer) const {
  // A virtual base is a part of the object that the virtual table says the place of.
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      gep && gep->getNumIndices() == 1 && gep->getSourceElementType()->isIntegerTy(8))
    if (const auto* offset = llvm::dyn_cast<llvm::LoadInst>(gep->getOperand(1)))
      if (const auto* entry = llvm::dyn_cast<llvm::GEPOperator>(offset->getPointerOperand()))
        if (const auto* table = llvm::dyn_cast<llvm::LoadInst>(entry->getPointerOperand());
            table && table->getPointerOperand() == gep->getPointerOperand())
          return object_field(gep->getPointerOperand());
  const Target target = resolve(pointer);
  if (target.index || target.offset < 0) return nullptr;
  if (target.kind == Target::Kind::Receiver && lowering_.receiver_record()) {
    for (const FieldFact& field : lowering_.receiver_record()->fields)
      if (field.type.kind == SourceType::Kind::Object && field.count == 0 &&
          field.bit_offset == static_cast<std::uint64_t>(target.offset) * 8)
        return &field;
  } else if (target.kind == Target::Kind::Global) {
    const GlobalFact* global = lowering_.global(*llvm::cast<llvm::GlobalVariable>(target.root));
    if (!global) return nullptr;
    for (const FieldFact& field : global->fields)
      if (field.type.kind == SourceType::Kind::Object && field.count == 0 &&
          field.bit_offset == static_cast<std::uint64_t>(target.offset) * 8)
        return &field;
  }
  return nullptr;
}

/// The function that made the temporary object which is handed over, by its contract's name.
std::string FunctionLowering::origin(const llvm::CallBase& call, std::size_t argument) const {
  if (argument >= call.arg_size()) return "";
  if (llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(static_cast<unsigned>(argument))))
    return "null";
  const llvm::Function* self = call.getCalledFunction();
  if (const FunctionFact* fact = self ? lowering_.fact(*self) : nullptr;
      fact && fact->is_instance && fact->parameters.size() == 1)
    if (const SourceType& type = fact->parameters[0].type;
        type.is_reference && !type.name.empty() &&
        contract_class(*lowering_.facts().library, type.name) !=
            contract_class(*lowering_.facts().library, fact->in_class) &&
        !type.name.starts_with("std::reference_wrapper"))
      return type.name.starts_with(node_handle) ? node_handle : "object";
  const auto* object =
      llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(static_cast<unsigned>(argument)));
  if (!object) return "";
  std::set<std::string> made;
  for (const llvm::User* user : object->users()) {
    if (user == &call) continue;
    const auto* maker = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = maker ? maker->getCalledFunction() : nullptr;
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    if (!fact || maker->getArgOperand(0) != object) return ""; // others may have made it, too
    if (maker->paramHasAttr(0, llvm::Attribute::StructRet))
      made.insert(fact->contract);
    else if (!fact->name.starts_with("~"))
      return "";
  }
  return made.size() == 1 ? *made.begin() : "";
}

/// What the constructors, destructors and comparisons of a container's elements may do, where they
/// do something: anything but to the container.
void FunctionLowering::run_elements(const llvm::CallBase& call) {
  lowering_.assume("constructors, destructors and comparisons of elements may change everything "
                   "where the library runs them",
                   where(call));
  std::vector<std::pair<Term, Term>> kept;
  if (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy())
    if (const FieldFact* field = object_field(call.getArgOperand(0)))
      for (const std::string& ghost : lowering_.ghosts(field->path, field->type.name)) {
        const StateVariable* fact = module_.find_state(ghost);
        kept.emplace_back(fact->term, local("kept", fact->type));
      }
  for (const auto& [fact, saved] : kept) assign(saved, fact);
  havoc(lowering_.any_state(), Chooser::Unknown);
  for (const auto& [fact, saved] : kept) assign(fact, saved);
}

/// Whether a reference to a plain value is handed over: not one to a part of something larger.
bool FunctionLowering::is_number_handed(const Handed& handed) const {
  return value_behind(handed) && !handed.declared->name.starts_with("std::pair<");
}

void FunctionLowering::lower_opaque(const llvm::CallBase& call, const llvm::Function* callee) {
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  if (lowering_.frees(call) || lowering_.allocates(call)) {
    if (!callee)
      lowering_.assume("functions behind pointers that are named after it get fresh memory and "
                       "free it",
                       where(call));
    if (lowering_.allocates(call))
      allocate(call, true, lowering_.is_said_to(Attribute::Zeroes, call));
    else
      note_freed(call);
    return;
  }
  if (fact && makes_constant_text(call, *fact)) return;
  if (fact && fact->contract == "std::function::operator()")
    lowering_.assume("functions that clients hand in write only what they are handed, and do not "
                     "call back");
  if (const auto runner = lowering_.callback_runner(call)) {
    emit_call(call, *runner, {}, nullptr);
    lose_keys();
  }
  if (fact && fact->outranked && fact->is_constructor &&
      lowering_.facts().library->all.class_has(
          Attribute::Outside, contract_class(*lowering_.facts().library, fact->in_class)))
    lowering_.assume("what a thread runs of this code it runs within calls that are not looked "
                     "into, from the one on that starts it");
  if (callee && lowering_.callbacks().runs_elements(*callee)) run_elements(call);
  Procedure made;
  made.shown = call.isInlineAsm() ? "asm" : lowering_.shown_callee(callee);
  // What is declared for others to bring, and what pointers lead to, comes from the client.
  const bool known_library = fact && fact->in_system_header;
  if (call.isInlineAsm() || known_library) made.origin = Origin::Unknown;
  const Chooser whose = made.origin ? Chooser::Unknown : Chooser::Environment;
  if (call.isInlineAsm())
    lowering_.assume("inline assembly is not looked into", where(call));
  else if (!callee)
    lowering_.assume("a call through a pointer may do anything to what it is handed and nothing "
                     "else",
                     where(call));
  const std::size_t hidden_this = fact && fact->is_instance ? 1 : 0;
  std::size_t structs = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) ++structs;
  const bool fits = fact && call.arg_size() == fact->parameters.size() + hidden_this + structs;
  // Constructors of elements that change something have been seen to.
  const bool forwards = known_library && !lowering_.callbacks().runs_elements(*callee) &&
                        lowering_.facts().library->all.has(Attribute::Forwards, made.shown);
  OpaqueEffect effect;
  effect.tame = fact && (fact->tame || fact->pure);
  effect.only_looks = fact && fact->keeps_elements;
  std::set<std::string>& writes = effect.writes;
  std::vector<const llvm::Value*>& later = effect.later;
  std::vector<Term> arguments;
  std::vector<Variable> parameters;
  std::vector<Handed> all_handed; // per parameter
  std::size_t next = 0;
  bool self = hidden_this > 0;
  std::set<std::string> used;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value* argument = call.getArgOperand(i);
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) {
      later.push_back(argument);
      if (clients_see(argument) && !(fact && fact->pure))
        for (const llvm::Use& given : call.args()) // what is returned may hold its address
          if (given.get() != argument && given->getType()->isPointerTy() &&
              !lowering_.leaves_alone(call, given.getOperandNo()))
            lend_places(lowering_.points_to().at(given));
      continue;
    }
    const ParameterFact* parameter = nullptr;
    bool read_only = (fact && fact->pure) || call.onlyReadsMemory(i) || call.onlyReadsMemory() ||
                     call.paramHasAttr(i, llvm::Attribute::ByVal);
    std::string wanted = "a" + std::to_string(i);
    Handed handed{.value = argument,
                  .is_field = call.getParamAttr(i, field_argument_mark).isValid()};
    const bool object = std::exchange(self, false);
    if (object) {
      read_only = read_only || fact->is_const || asks_text(call, *fact);
      wanted = "self";
      handed.object_class = fact->in_class;
      handed.own_method = !fact->is_virtual;
    } else if (fits) {
      parameter = &fact->parameters[next++];
      read_only = read_only || parameter->type.pointee_const;
      if (!parameter->name.empty()) wanted = parameter->name;
    }
    Type type;
    if (argument->getType()->isPointerTy()) {
      const std::string& to = parameter ? parameter->type.name : handed.object_class;
      const RecordFact* behind = lowering_.record(to);
      const bool receiver = behind && behind == lowering_.receiver_record();
      handed.read_only =
          read_only &&
          (receiver || !behind || std::ranges::none_of(behind->fields, &FieldFact::is_mutable));
      if (parameter) handed.declared = &parameter->type;
      if (is_closed(*lowering_.facts().library, to)) handed.bytes = object_bytes(call, i);
      handed.read_only = handed.read_only || (forwards && is_number_handed(handed));
      type = {.sort = arena_.ref_sort()};
      hand_over(handed, effect);
      if (!object && !handed.read_only && !effect.tame) forget_given(resolve(argument), nullptr);
      arguments.push_back(address(argument));
    } else if (argument->getType()->isIntegerTy(1)) {
      type = {.sort = arena_.bool_sort()};
      arguments.push_back(as_truth(value(argument)));
    } else {
      type = {.sort = arena_.int_sort()};
      if (parameter && parameter->type.kind == SourceType::Kind::Number &&
          !parameter->type.is_signed)
        type.low = Integer{0};
      arguments.push_back(argument_term(argument, type));
      type.low.reset();
    }
    if (!argument->getType()->isPointerTy()) handed.value = nullptr;
    all_handed.push_back(handed);
    parameters.push_back({arena_.var(lowering_.local_name(wanted, used), type.sort), type});
  }
  std::optional<Type> returns;
  if (!call.getType()->isVoidTy()) {
    SourceType source = lowering_.declared_result(call);
    const llvm::Type* type = call.getType();
    const bool agrees = (type->isPointerTy() && source.kind == SourceType::Kind::Pointer) ||
                        (type->isIntegerTy(1) && source.kind == SourceType::Kind::Bool) ||
                        (type->isIntegerTy() &&
                         (source.kind == SourceType::Kind::Number ||
                          source.kind == SourceType::Kind::Enumeration) &&
                         !source.is_real && source.bits == type->getIntegerBitWidth());
    if (!agrees) {
      source = {};
      if (type->isPointerTy())
        source = {.kind = SourceType::Kind::Pointer, .bits = 64};
      else if (type->isIntegerTy(1))
        source = {.kind = SourceType::Kind::Bool, .bits = 8};
      else if (is_real(type))
        source = {.kind = SourceType::Kind::Number,
                  .bits = type->isFloatTy() ? 32U : 64U,
                  .is_signed = true,
                  .is_real = true};
      else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
        source = {.kind = SourceType::Kind::Number,
                  .bits = type->getIntegerBitWidth(),
                  .is_signed = true};
    }
    if (source.kind == SourceType::Kind::Enumeration) {
      if (lowering_.enum_sort(source.name))
        lowering_.assume("results of type " + source.name + " are enumerators of it");
      else
        source.kind = SourceType::Kind::Number;
    }
    if (source.kind != SourceType::Kind::Void) {
      returns = lowering_.scalar_type(source);
      if (source.kind == SourceType::Kind::Pointer) returns->record.clear();
    }
  }
  const FieldFact* container = held_container(call);
  forget_elements(call, fact, container ? lowering_.elements(*container) : nullptr, effect);
  // Contracts speak of library objects that are followed.
  LibraryCall library = as_contracts_see(call, fact, made.shown, parameters, all_handed, returns);
  const bool told = library.spoken.has_value();
  made.made_by = library.made_by;
  spare_spoken(library, writes);
  spare_spoken(library, effect.doubtful);
  // A number of elements has no largest value.
  if (library.second) returns = library.call.returns;
  if (told && returns && returns->low && *returns->low == 0) returns->high.reset();
  library.call.returns = returns;
  if (library.makes) arguments.insert(arguments.begin(), arena_.null());
  for (const auto& [i, value] : library.values) arguments[i] = value;
  parameters = library.call.parameters;
  std::string objects;
  for (const Followed& object : library.objects)
    if (!object.name.empty()) objects += (objects.empty() ? "@" : ",") + object.name;
  if (hidden_this > 0 && !library.objects.empty() && !library.makes && !library.objects[0].object &&
      !library.objects[0].class_name.empty())
    made.object = library.objects[0].name;
  made.name = made.shown;
  if (!made.made_by.empty()) made.name += "<-" + made.made_by;
  made.name += objects;
  if (told) {
    effect.doubtful.merge(writes);
    writes.clear();
  }
  const bool apart = told || !lowering_.reentrant();
  if (apart &&
      (!effect.doubtful.empty() || !effect.records.empty() || effect.heap || effect.everything)) {
    // The contract speaks of the object alone; what else is written stands beside it. So does what
    // a callee may write for all that is known here: nobody chooses that.
    Procedure rest;
    rest.name = made.name + ".beside";
    rest.shown = made.shown;
    rest.origin = Origin::Unknown;
    rest.beside = made.name;
    const std::string beside =
        lowering_.callee("beside " + made.name, rest, false, effect.doubtful);
    lowering_.reaches(beside, effect.everything, effect.heap, effect.records);
    emit_call(call, beside, {}, nullptr);
    effect.doubtful.clear();
    effect.records.clear();
    effect.heap = effect.everything = false;
  }
  writes.merge(effect.doubtful);
  const bool may_throw =
      lowering_.facts().language == "cpp" && !call.doesNotThrow() &&
      !(fact ? fact->never_fails
             : lowering_.facts().library->all.has(Attribute::NeverFails, made.shown));
  if (lowering_.facts().language == "cpp" && !call.doesNotThrow() && !may_throw)
    lowering_.assume("the library's containers and strings do not run out of memory");
  std::string key = callee ? callee->getName().str() + made.name : made.name;
  for (const Variable& parameter : parameters) key += " " + to_string(parameter.type);
  if (returns) key += " : " + to_string(*returns);
  if (lowering_.reentrant() && !lowering_.receiver_record() && !(fact && fact->in_system_header))
    effect.everything = true;
  made.parameters = std::move(parameters);
  made.returns = returns;
  const std::string procedure = lowering_.callee(key, made, may_throw, writes);
  if (fact) lowering_.contract_use().use(procedure, library.call, told);
  lowering_.reaches(procedure, effect.everything, effect.heap, effect.records);
  Term result = nullptr;
  if (library.second) {
    const SourceType truth{.kind = SourceType::Kind::Bool, .bits = 8};
    result = local(name_of(call), *returns);
    pairs_[&call] = {unknown(llvm::PointerType::get(call.getContext(), 0), name_of(call)),
                     from_cell({result, {}, truth}, result)};
  } else if (returns) {
    result = local(name_of(call), *returns);
    set_result(call, result, lowering_.declared_result(call));
  } else if (!call.getType()->isVoidTy()) {
    set(call, unknown(call.getType(), name_of(call), whose));
  }
  const ElementChange change = element_change(call, fact, arguments);
  const Term iterator = iterator_place(call);
  const std::vector<Term> passed = arguments;
  forget_open_texts(library);
  emit_call(call, procedure, std::move(arguments), result);
  change_elements(change);
  note_element(call, passed, iterator);
  if (result && fact && fact->returns.is_reference && result->sort == arena_.ref_sort())
    assume_true(arena_.ne(result, arena_.null()));
  forget_texts(library);
  const bool stands_still =
      !effect.everything && std::ranges::none_of(writes, [](const std::string& written) {
        return written.ends_with(".text");
      });
  if (!stands_still || changes_texts(library, fact)) forget_views();
  forget_kept_views(library);
  if (fact) {
    open_text(call, *fact, library);
    end_moved(library, *fact);
    answer_text(call, *fact, result);
  }
  for (const llvm::Value* pointer : later) {
    const auto part = effect.parts.find(pointer);
    forget(pointer, part == effect.parts.end() ? 0 : part->second, whose, nullptr);
  }
  if (call.doesNotReturn()) stop();
}

} // namespace tacit
