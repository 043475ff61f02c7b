// Memory that is no longer known: what an access of unknown size or place, or a callee, may have
// written.
#include <algorithm>

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include "base/should.h"
#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/places.h"

namespace tacit {

void FunctionLowering::forget_cell(const Cell& cell, Chooser chooser) {
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

void FunctionLowering::forget_escaped() {
  for (const auto& [variable, field] : lowering_.escaped()) havoc(variable, Chooser::Unknown);
}

/// A client's pointer may lead to what the client was given. `type`: of what is written; null where
/// it may be anything. Through a struct's type only parts of structs are reached.
void FunctionLowering::forget_given(const Target& target, const llvm::Type* type) {
  if (target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) return;
  const PointsTo::Places places = lowering_.points_to().at(target.root);
  if (!places.empty() && std::ranges::none_of(places, [](const PointsTo::Place& place) {
        return place.object == PointsTo::world;
      }))
    return;
  const bool parts = type && target.kind == Target::Kind::Heap && record_at(target);
  havoc(lowering_.given_state(parts), Chooser::Unknown);
}

/// The receiver's fields, where the object may be the receiver.
void FunctionLowering::forget_twins(const Target& target, std::uint64_t low, std::uint64_t high) {
  if (target.kind != Target::Kind::Heap) return;
  for (const FieldFact& field : fields_of(target))
    if (overlaps(field, low, high))
      if (const FieldFact* twin = receiver_twin(target, field);
          twin && field.type.kind != SourceType::Kind::Object &&
          field.type.kind != SourceType::Kind::Float)
        havoc(lowering_.receiver_field(*twin), Chooser::Unknown);
}

/// Everything that a pointer chosen at run time may mean.
void FunctionLowering::forget_reached(const llvm::Value* pointer) {
  for (const llvm::Value* at : sources_of(pointer))
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at))
      lowering_.put_on_heap(*global);
  forget_escaped();
  for (const llvm::Value* at : sources_of(pointer)) forget(at, 0, Chooser::Unknown, nullptr);
}

/// The object behind a pointer, from its offset on. Variables of the module go to `writes` when it
/// is given.
void FunctionLowering::forget(const llvm::Value* pointer, std::uint64_t bytes, Chooser chooser,
                              std::set<std::string>* writes) {
  const Target target = resolve(pointer);
  if (target.kind == Target::Kind::Unknown) {
    note_write(target, bytes);
    if (target.root != pointer || reaches_place(pointer)) forget_reached(target.root);
    return;
  }
  forget(target, bytes, chooser, writes);
}

void FunctionLowering::forget(const Target& target, std::uint64_t bytes, Chooser chooser,
                              std::set<std::string>* writes) {
  if (target.kind == Target::Kind::Stack) {
    const std::int64_t stop = target.offset + static_cast<std::int64_t>(bytes);
    for (auto& [place, cell] : stack_[target.root].cells) {
      const std::int64_t end = place.first + static_cast<std::int64_t>(place.second / 8);
      const bool apart =
          bytes > 0 && !target.index && (end <= target.offset || place.first >= stop);
      if (!apart) havoc(cell.variable, chooser);
    }
    return;
  }
  if (target.kind == Target::Kind::Exception) return;
  forget_stood_in(target);
  note_stray_elements(target);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
  if (global && global->isConstant()) return;
  if (target.kind != Target::Kind::Element && forget_variables(target, bytes, false)) return;
  if (is_keyed_element(target)) {
    const Elements& of = *element_call(target.root)->of;
    if (!writes) return forget_searched(of);
    for (const std::string& name : lowering_.element_variables(of)) writes->insert(name);
    return disturb(of);
  }
  if (target.kind == Target::Kind::Element) {
    const Elements& of = *element_call(target.root)->of;
    if (!writes) forget_answers(of);
    for (std::size_t i = 0; writes && i < of.asked.size(); ++i)
      writes->insert(lowering_.element_asked(of, i)->name);
  }
  note_write(target, bytes);
  const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(target.offset, 0)) * 8;
  const std::uint64_t high = bytes > 0 ? low + bytes * 8 : UINT64_MAX;
  forget_twins(target, target.index ? 0 : low, target.index ? UINT64_MAX : high);
  for (const FieldFact& field : fields_of(target)) {
    if (!may_reach(target, field, low, high)) continue;
    if (field.type.kind == SourceType::Kind::Object && target.kind != Target::Kind::Heap)
      for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
        havoc(module_.find_state(ghost)->term, chooser);
    if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
      continue;
    const Term variable = variable_of(target, field);
    if (writes)
      writes->insert(variable->name);
    else if (target.kind == Target::Kind::Heap)
      forget_cell({variable, {address(target.root)}, field.type}, chooser);
    else if (target.kind == Target::Kind::Element)
      forget_cell({variable, {element_key(target)}, field.type}, chooser);
    else
      havoc(variable, chooser);
  }
}

/// Memory that is reached as no record: what a stand-in keeps may lie in it, since clients turn
/// pointers to objects into others.
void FunctionLowering::forget_stood_in(const Target& target) {
  if (!lowering_.overflow_ends() || target.kind != Target::Kind::Heap || record_at(target)) return;
  Target object;
  object.kind = Target::Kind::Heap;
  object.root = target.root;
  object.pointee = llvm::StructType::getTypeByName(lowering_.code().getContext(),
                                                   std::string("struct.") + stand_in_record);
  if (object.pointee) forget(object, 0, Chooser::Unknown, nullptr);
}

} // namespace tacit
