#include "frontend/llvm/body/function_lowering.h"

#include <algorithm>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "base/should.h"
#include "frontend/llvm/facts/shown_names.h"
#include "program/ir/defaults.h"

namespace tacit {

std::vector<const ParameterFact*> parameter_facts(const llvm::Function& function,
                                                  const FunctionFact* fact) {
  std::vector<const ParameterFact*> found(function.arg_size(), nullptr);
  if (!fact) return found;
  std::size_t hidden = fact->is_instance ? 1 : 0;
  for (const llvm::Argument& argument : function.args())
    if (argument.hasStructRetAttr()) ++hidden;
  if (function.arg_size() != fact->parameters.size() + hidden) {
    // Empty objects are not passed; what is goes by its name.
    for (const llvm::Argument& argument : function.args())
      for (const ParameterFact& parameter : fact->parameters)
        if (!parameter.name.empty() && argument.getName() == parameter.name)
          found[argument.getArgNo()] = &parameter;
    return found;
  }
  std::size_t next = 0;
  bool self = fact->is_instance;
  for (const llvm::Argument& argument : function.args()) {
    if (argument.hasStructRetAttr()) continue;
    if (self) {
      self = false;
      continue;
    }
    found[argument.getArgNo()] = &fact->parameters[next++];
  }
  return found;
}

namespace {

SourceType from_llvm(const llvm::Type* type) {
  using Kind = SourceType::Kind;
  if (type->isPointerTy()) return {.kind = Kind::Pointer, .bits = 64};
  if (type->isIntegerTy(1)) return {.kind = Kind::Bool, .bits = 8};
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return {.kind = Kind::Number, .bits = type->getIntegerBitWidth(), .is_signed = true};
  if (is_real(type))
    return {.kind = Kind::Number,
            .bits = type->getPrimitiveSizeInBits().getFixedValue() == 32 ? 32U : 64U,
            .is_signed = true,
            .is_real = true};
  return {.kind = Kind::Void};
}

/// What the AST says, where it fits what LLVM passes.
SourceType agreed(const llvm::Type* type, const SourceType& source) {
  using Kind = SourceType::Kind;
  const SourceType plain = from_llvm(type);
  switch (source.kind) {
  case Kind::Bool: return plain.kind == Kind::Bool ? source : plain;
  case Kind::Number:
  case Kind::Enumeration:
    return plain.kind == Kind::Number && plain.bits == source.bits &&
                   plain.is_real == source.is_real
               ? source
               : plain;
  case Kind::Pointer: return plain.kind == Kind::Pointer ? source : plain;
  default: return plain;
  }
}

/// The fields of a struct that a register passes, where it passes nothing else: `config.coerce1`
/// are those in the second eight bytes of `config`. Clients speak of them one by one.
std::vector<FieldFact> passed_fields(const Lowering& lowering, const llvm::Argument& argument,
                                     const Procedure& procedure, const FunctionFact* fact) {
  constexpr llvm::StringRef mark = ".coerce";
  const bool root =
      procedure.kind == ProcedureKind::Method || procedure.kind == ProcedureKind::Constructor;
  const std::size_t at = argument.getName().find(mark);
  if (!root || !fact || !argument.getType()->isIntegerTy() || at == llvm::StringRef::npos)
    return {};
  const auto parameter = std::ranges::find(
      fact->parameters, argument.getName().take_front(at).str(), &ParameterFact::name);
  if (parameter == fact->parameters.end() || parameter->type.kind != SourceType::Kind::Object)
    return {};
  const RecordFact* record = lowering.record(parameter->type.name);
  if (!record) return {};
  const std::uint64_t low = argument.getName().substr(at + mark.size()) == "1" ? 64 : 0;
  const std::uint64_t high = low + argument.getType()->getIntegerBitWidth();
  std::vector<FieldFact> found;
  for (FieldFact field : record->fields) {
    if (field.bit_offset >= high || field.bit_offset + field.bit_width <= low) continue;
    using Kind = SourceType::Kind;
    const bool scalar = field.type.kind == Kind::Number || field.type.kind == Kind::Bool ||
                        field.type.kind == Kind::Enumeration;
    if (field.bit_offset < low || field.bit_offset + field.bit_width > high || field.count > 0 ||
        field.is_bit_field || !scalar)
      return {};
    // A number that a class of the library wraps (a time) is called as the parameter is.
    const bool wrapped = record->fields.size() == 1 && shown_path(field.path) == field.path &&
                         field.path.starts_with("__");
    field.path = wrapped ? parameter->name : parameter->name + "." + field.path;
    field.bit_offset -= low;
    found.push_back(std::move(field));
  }
  return found;
}

} // namespace

FunctionLowering::FunctionLowering(Lowering& lowering, const llvm::Function& function,
                                   Procedure& procedure, std::vector<Receiver> bound)
    : lowering_(lowering), module_(lowering.module()), arena_(lowering.arena()),
      function_(function), procedure_(procedure), bound_(std::move(bound)),
      names_(lowering.module(), procedure), fact_(lowering.fact(function)) {
  bound_.resize(function.arg_size(), Receiver::None);
  receiver_offset_ = lowering.receiver_offset(function);
}

void FunctionLowering::signature(Lowering& lowering, const llvm::Function& function,
                                 Procedure& procedure, const std::vector<Receiver>& bound) {
  const FunctionFact* fact = lowering.fact(function);
  const auto facts = parameter_facts(function, fact);
  std::set<std::string> used;
  for (const llvm::Argument& argument : function.args()) {
    const unsigned i = argument.getArgNo();
    if (argument.hasStructRetAttr() || (i < bound.size() && bound[i] == Receiver::Object)) continue;
    if (const auto fields = passed_fields(lowering, argument, procedure, fact); !fields.empty()) {
      for (const FieldFact& field : fields) {
        const Type type = lowering.scalar_type(field.type);
        procedure.parameters.push_back(
            {lowering.arena().var(lowering.local_name(field.path, used), type.sort), type});
      }
      continue;
    }
    const SourceType source = agreed(argument.getType(), facts[i] ? facts[i]->type : SourceType{});
    std::string name = facts[i] && !facts[i]->name.empty() ? facts[i]->name : "";
    if (name.empty()) name = argument.getName() == "this" ? "self" : argument.getName().str();
    if (name.empty()) name = "argument" + std::to_string(i);
    Type type = lowering.scalar_type(source);
    Variable parameter{lowering.arena().var(lowering.local_name(name, used), type.sort), type};
    if (parameter.name() != name) parameter.shown = name;
    procedure.parameters.push_back(std::move(parameter));
  }
  const SourceType returns = agreed(function.getReturnType(), fact ? fact->returns : SourceType{});
  if (returns.kind != SourceType::Kind::Void && !function.getReturnType()->isVoidTy())
    procedure.returns = lowering.scalar_type(returns);
  if (fact) procedure.where = fact->where;
}

void FunctionLowering::declare_parameters() {
  signature(lowering_, function_, procedure_, bound_);
  names_ = FreshNames(module_, procedure_);
  const auto facts = parameter_facts(function_, fact_);
  std::size_t next = 0;
  for (const llvm::Argument& argument : function_.args()) {
    const unsigned i = argument.getArgNo();
    if (argument.hasStructRetAttr() || bound_[i] == Receiver::Object) continue;
    if (const auto fields = passed_fields(lowering_, argument, procedure_, fact_);
        !fields.empty()) {
      Held whole;
      whole.composite = true;
      for (const FieldFact& field : fields) {
        const Term term = procedure_.parameters[next++].term;
        const Held held = from_cell({term, {}, field.type}, term);
        whole.parts.push_back({held.term, static_cast<unsigned>(field.bit_offset), field.bit_width,
                               held.choice ? !fits(held.choice->sort, field.bit_width, false)
                                           : field.type.is_signed && !held.truth});
        if (term->sort->kind == SortKind::Enum)
          lowering_.assume("arguments of type " + field.type.name + " are enumerators of it");
        const bool all = field.bit_width == argument.getType()->getIntegerBitWidth();
        if (all) whole = held;
      }
      held_[&argument] = whole;
      packed_.insert(&argument);
      continue;
    }
    const Variable& parameter = procedure_.parameters[next++];
    const SourceType source = agreed(argument.getType(), facts[i] ? facts[i]->type : SourceType{});
    held_[&argument] = from_cell({parameter.term, {}, source}, parameter.term);
    if (facts[i]) argument_types_[&argument] = source;
    if (argument.getType()->isIntegerTy() &&
        (!facts[i] || facts[i]->type.kind == SourceType::Kind::Object))
      packed_.insert(&argument);
    if (parameter.type.sort->kind == SortKind::Enum)
      lowering_.assume("arguments of type " + source.name + " are enumerators of it");
    const bool self = facts[i] == nullptr && fact_ && fact_->is_instance && i == 0;
    const bool text = facts[i] && facts[i]->type.kind == SourceType::Kind::Object &&
                      text_of(*lowering_.facts().library, facts[i]->type.name);
    if (parameter.type.sort->kind == SortKind::Ref && (source.is_reference || self || text)) {
      known_not_null_.insert(parameter.term);
      references_.insert(parameter.term);
      assume_true(arena_.ne(parameter.term, arena_.null()));
    }
  }
  returns_ = agreed(function_.getReturnType(), fact_ ? fact_->returns : SourceType{});
}

void FunctionLowering::run() {
  procedure_.blocks.emplace_back();
  declare_parameters();
  find_out();
  find_stack();
  find_shapes();
  if (procedure_.kind == ProcedureKind::Constructor) clear_empty_optionals();
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
  for (const llvm::BasicBlock* block : order) blocks_[block] = 0;
  for (const llvm::BasicBlock* block : order)
    blocks_[block] = block == &function_.getEntryBlock() ? 0 : new_block();
  for (const llvm::BasicBlock* block : order) lower_block(*block);
  fill_edges();
  tidy(procedure_);
}

/// What an optional would hold, or a variant instead, is something from the start on: a client can
/// follow it only then, and reading it while it is not there is undefined.
void FunctionLowering::clear_empty_optionals() {
  const RecordFact* object = lowering_.receiver_record();
  if (!object) return;
  using Kind = SourceType::Kind;
  for (const FieldFact& field : object->fields) {
    const bool number = field.type.kind == Kind::Number && !field.type.is_real;
    const bool optional = number && field.path.contains("._M_payload._M_payload._M_value");
    const bool alternative = field.is_alternative && (number || field.type.kind == Kind::Bool ||
                                                      field.type.kind == Kind::Enumeration);
    if (field.count > 0 || (!optional && !alternative)) continue;
    lowering_.assume(optional ? "what an empty optional holds is not read"
                              : "what a variant does not hold is not read");
    assign(lowering_.receiver_field(field), default_term(arena_, lowering_.field_type(field)));
  }
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  current_ = blocks_[&block];
  open_ = true;
  known_not_null_ = references_;
  for (const llvm::Instruction& instruction : block) {
    if (!open_) break;
    at_ = &instruction;
    lower_instruction(instruction);
  }
  should(!open_, "every block should end");
}

void FunctionLowering::lower_instruction(const llvm::Instruction& instruction) {
  if (instruction.isTerminator()) return lower_terminator(instruction);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return lower_call(*call);
  if (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
      llvm::isa<llvm::GetElementPtrInst>(instruction) || llvm::isa<llvm::FenceInst>(instruction))
    return;
  if (instruction.isVolatile())
    lowering_.assume("volatile memory is changed by this code alone", where(instruction));
  if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (read_table(*read)) return;
    return set(instruction,
               this->read(read->getPointerOperand(), read->getType(), name_of(instruction)));
  }
  if (const auto* written = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store(*written);
  if (const auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&instruction)) {
    held_[pad] = Held{.thrown = thrown_[pad]};
    return;
  }
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    if (pairs_.contains(part->getAggregateOperand())) {
      held_[part] = part->getIndices()[0] == 0 ? pairs_[part->getAggregateOperand()].first
                                               : pairs_[part->getAggregateOperand()].second;
      return;
    }
    const Held& whole = value(part->getAggregateOperand());
    return set(instruction, whole.thrown ? Held{.thrown = whole.thrown}
                                         : unknown(part->getType(), name_of(instruction)));
  }
  if (const auto* whole = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    const Held& inserted = value(whole->getInsertedValueOperand());
    const Held& old = value(whole->getAggregateOperand());
    held_[whole] = Held{.thrown = inserted.thrown ? inserted.thrown : old.thrown};
    return;
  }
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return set(instruction, arithmetic(*operation));
  if (const auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return set(instruction, cast(*conversion));
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return set(instruction, compare(*comparison));
  if (const auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
      comparison && is_real(comparison->getOperand(0)->getType()))
    return set(instruction, compare_reals(*comparison));
  if (instruction.getOpcode() == llvm::Instruction::FNeg && is_real(instruction.getType()))
    return set(instruction, real(arena_.neg(value(instruction.getOperand(0)).term)));
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const Term condition = as_truth(value(choice->getCondition()));
    return set(instruction, choose(condition, value(choice->getTrueValue()),
                                   value(choice->getFalseValue()), choice->getType()));
  }
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return set(instruction, value(frozen->getOperand(0)));
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update_atomic(*update);
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange_atomic(*exchange);
  if (!instruction.getType()->isVoidTy()) {
    if (instruction.getType()->isFloatingPointTy() || llvm::isa<llvm::FCmpInst>(instruction))
      lowering_.assume("floating point numbers are not followed");
    else
      lowering_.assume("not understood: " + std::string(instruction.getOpcodeName()),
                       where(instruction));
    set(instruction, unknown(instruction.getType(), name_of(instruction)));
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& instruction) {
  if (const auto* jump = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (jump->isUnconditional()) return go(edge(*jump->getParent(), *jump->getSuccessor(0)));
    const Term condition = as_truth(value(jump->getCondition()));
    if (is_true(condition)) return go(edge(*jump->getParent(), *jump->getSuccessor(0)));
    if (is_false(condition)) return go(edge(*jump->getParent(), *jump->getSuccessor(1)));
    const BlockId yes = edge(*jump->getParent(), *jump->getSuccessor(0));
    const BlockId no = edge(*jump->getParent(), *jump->getSuccessor(1));
    return branch(condition, yes, no);
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return lower_switch(*choice);
  if (const auto* done = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) return lower_return(*done);
  if (const auto* call = llvm::dyn_cast<llvm::InvokeInst>(&instruction)) return lower_call(*call);
  if (const auto* on = llvm::dyn_cast<llvm::ResumeInst>(&instruction)) {
    const Term thrown = value(on->getValue()).thrown;
    should(thrown != nullptr, "what is resumed should be an exception in flight");
    return end({.kind = TerminatorKind::Throw, .value = thrown});
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction)) return stop();
  // Computed gotos and the like: any successor.
  lowering_.assume("the target of a jump is not known", where(instruction));
  for (unsigned i = 0; i + 1 < instruction.getNumSuccessors(); ++i) {
    const Term pick = local("target", {.sort = arena_.bool_sort()});
    havoc(pick, Chooser::Unknown);
    const BlockId next = new_block();
    branch(pick, edge(*instruction.getParent(), *instruction.getSuccessor(i)), next);
    current_ = next;
    open_ = true;
  }
  if (instruction.getNumSuccessors() == 0) return stop();
  go(edge(*instruction.getParent(), *instruction.getSuccessor(instruction.getNumSuccessors() - 1)));
}

/// There is no run on from here.
void FunctionLowering::stop() {
  assume_true(arena_.falsehood());
  Terminator done{.kind = TerminatorKind::Return};
  if (procedure_.returns) done.value = default_term(arena_, *procedure_.returns);
  end(done);
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& instruction) {
  const Held chosen = value(instruction.getCondition());
  const unsigned bits = instruction.getCondition()->getType()->getIntegerBitWidth();
  std::vector<std::pair<const llvm::BasicBlock*, std::vector<Term>>> groups;
  for (const auto& one : instruction.cases()) {
    const Held number = constant(*one.getCaseValue());
    const Term same = equal(chosen, number, bits);
    const auto known = std::ranges::find(groups, one.getCaseSuccessor(), [](const auto& group) {
      return static_cast<const llvm::BasicBlock*>(group.first);
    });
    if (known == groups.end())
      groups.push_back({one.getCaseSuccessor(), {same}});
    else
      known->second.push_back(same);
  }
  for (const auto& [target, cases] : groups) {
    if (target == instruction.getDefaultDest()) continue;
    const Term condition = arena_.disj(cases);
    if (is_false(condition)) continue;
    const BlockId next = new_block();
    branch(condition, edge(*instruction.getParent(), *target), next);
    current_ = next;
    open_ = true;
  }
  go(edge(*instruction.getParent(), *instruction.getDefaultDest()));
}

void FunctionLowering::lower_return(const llvm::ReturnInst& instruction) {
  Terminator done{.kind = TerminatorKind::Return};
  if (procedure_.kind == ProcedureKind::Method && fact_) lend(instruction.getReturnValue());
  if (procedure_.returns) {
    const auto converted = to_cell(value(instruction.getReturnValue()), returns_);
    if (!converted) lowering_.open_enum(returns_.name);
    done.value = *converted;
  }
  end(done);
}

/// A client that gets a pointer or a reference may write what is behind it from now on.
void FunctionLowering::lend(const llvm::Value* returned) {
  const SourceType& type = fact_->returns;
  if (type.kind == SourceType::Kind::Object) {
    lowering_.lend_records(type.name);
    if (returned) lend_places(lowering_.points_to().at(returned));
    // Code that is returned is the client's to run.
    const bool code = type.name.contains("(lambda") || type.name.starts_with("std::function") ||
                      type.name.starts_with("std::_Bind") ||
                      type.name.starts_with("std::move_only_function");
    if (code) lend_everything();
    return;
  }
  if (type.kind != SourceType::Kind::Pointer || type.is_function || !returned) return;
  if (!type.pointee_const && !type.name.empty() && !type.pointee_opaque)
    lowering_.lend_records(type.name);
  if (!returned->getType()->isPointerTy()) return;
  if (type.pointee_const) {
    for (const llvm::Value* source : sources_of(returned))
      if (resolve(source).kind == Target::Kind::Receiver)
        lowering_.assume("clients do not cast away 'const'");
    return;
  }
  const auto& records = lowering_.facts().records;
  if (const auto record = records.find(type.name); record != records.end() && record->second.empty)
    return;
  for (const llvm::Value* source : sources_of(returned)) {
    const Target target = resolve(source == returned ? returned : source);
    if (target.kind == Target::Kind::Element) lose_element(source);
    if (target.kind == Target::Kind::Heap) {
      const Target inside = resolve(returned);
      const RecordFact* record = record_at(inside.root == target.root ? inside : target);
      if (record && record->name != type.name) lowering_.lend_insides(*record);
    }
    if (target.kind != Target::Kind::Receiver && target.kind != Target::Kind::Global) continue;
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target.root);
    const Target exact = resolve(returned);
    const Target& place = exact.kind == target.kind && exact.root == target.root ? exact : target;
    // A way to one byte is no way to the object around it only, but to the field there.
    if ((global && global->isConstant()) ||
        (type.pointee_bits == 0 && is_whole_object({.value = returned, .declared = &type}, place)))
      continue;
    lend_fields(place, &place != &exact, type.pointee_bits);
  }
}

/// Clients were given code of the component that they may run at any time.
void FunctionLowering::lend_everything() {
  lowering_.assume("code that is returned may be run between calls and change everything");
  if (lowering_.receiver_record()) lend_fields({.kind = Target::Kind::Receiver}, true, 0);
  for (const llvm::GlobalVariable& global : lowering_.code().globals())
    if (const GlobalFact* fact = lowering_.global(global);
        fact && !global.isConstant() && !fact->in_system_header && !lowering_.on_heap(global))
      lend_fields({.kind = Target::Kind::Global, .root = &global}, true, 0);
}

/// From now on clients may write what lies at a place, or anything in the object where it is
/// `chosen` at run time. `bits`: of the number that is pointed to, if it is one.
void FunctionLowering::lend_fields(const Target& place, bool chosen, unsigned bits) {
  // A reference to a number is one to the field there, not to the object around it.
  const auto is_it = [&](const FieldFact& field) {
    return !chosen && !place.index && !place.within && place.offset >= 0 &&
           field.bit_offset == static_cast<std::uint64_t>(place.offset) * 8 &&
           field.type.kind != SourceType::Kind::Object && field.bit_width == bits;
  };
  const std::vector<FieldFact> reached =
      chosen ? fields_of(place) : pointee_fields(place, Handed{});
  const bool one = std::ranges::any_of(reached, is_it);
  for (const FieldFact& field : reached) {
    if (field.type.kind == SourceType::Kind::Float || (one && !is_it(field))) continue;
    std::vector<Term> variables;
    if (field.type.kind != SourceType::Kind::Object)
      variables.push_back(variable_of(place, field));
    else
      for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
        variables.push_back(module_.find_state(ghost)->term);
    for (const Term variable : variables) assign(lowering_.lent(variable), arena_.truth());
  }
}

/// The same for addresses that are put where clients find them: in their memory, in a variable that
/// they see, or in an object that is returned.
void FunctionLowering::lend_places(const PointsTo::Places& places) {
  const PointsTo& points_to = lowering_.points_to();
  for (const PointsTo::Place& place : points_to.reach_places(places)) {
    Target target{.kind = Target::Kind::Receiver, .offset = std::max<std::int64_t>(place.low, 0)};
    if (points_to.kind(place.object) == PointsTo::Kind::Global) {
      const auto* global = llvm::cast<llvm::GlobalVariable>(points_to.site(place.object));
      if (global->isConstant() || lowering_.on_heap(*global) || !lowering_.global(*global))
        continue;
      target.kind = Target::Kind::Global;
      target.root = global;
    } else if (points_to.kind(place.object) != PointsTo::Kind::Receiver ||
               !lowering_.receiver_record()) {
      continue;
    }
    if (place.end > place.begin) {
      target.offset = place.begin;
      target.within = {place.begin, place.end};
    }
    const bool bounded = place.exact() || place.end > place.begin;
    lend_fields(target, !bounded, bounded ? width_there(target) : 0);
  }
}

/// The bits of the scalar at a place, of all that could be meant the innermost.
unsigned FunctionLowering::width_there(const Target& target) const {
  for (const FieldFact& field : fields_of(target))
    if (field.bit_offset == static_cast<std::uint64_t>(target.offset) * 8 && field.count == 0 &&
        field.path.find('.') == std::string::npos)
      return field.bit_width;
  return 0;
}

/// Whether a store goes to memory that clients can look at.
bool FunctionLowering::clients_see(const llvm::Value* pointer) const {
  const PointsTo& points_to = lowering_.points_to();
  return std::ranges::any_of(points_to.at(pointer), [&](const PointsTo::Place& place) {
    if (place.object == PointsTo::world) return true;
    const auto* global = llvm::dyn_cast_or_null<llvm::GlobalVariable>(points_to.site(place.object));
    return global && points_to.kind(place.object) == PointsTo::Kind::Global &&
           !global->hasLocalLinkage() && !global->isConstant();
  });
}

// Blocks, edges, statements.

BlockId FunctionLowering::new_block() {
  procedure_.blocks.emplace_back();
  return static_cast<BlockId>(procedure_.blocks.size() - 1);
}

BlockId FunctionLowering::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (to.phis().empty()) return blocks_.at(&to);
  const BlockId block = new_block();
  procedure_.blocks[block].end = {.kind = TerminatorKind::Goto, .next = blocks_.at(&to)};
  edges_.push_back({&from, &to, block});
  return block;
}

/// The phis of a block take their values together: what one of them needs is saved before another
/// one overwrites it.
void FunctionLowering::fill_edges() {
  for (const Edge& one : edges_) {
    current_ = one.block;
    open_ = true;
    at_ = one.from->getTerminator();
    std::vector<std::pair<Term, Term>> moves;
    for (const llvm::PHINode& phi : one.to->phis()) {
      const auto found = phi_locals_.find(&phi);
      if (found == phi_locals_.end()) continue;
      const llvm::Value* incoming = phi.getIncomingValueForBlock(one.from);
      if (llvm::isa<llvm::UndefValue>(incoming)) continue;
      const std::optional<Term> taken = phi_value(phi, value(incoming));
      if (!taken) lowering_.open_enum(choices_.at(&phi));
      if (*taken != found->second) moves.emplace_back(found->second, *taken);
    }
    for (auto& [target, taken] : moves) {
      const auto read = variables(taken);
      const bool disturbed = std::ranges::any_of(moves, [&](const auto& other) {
        return other.first != target && std::ranges::find(read, other.first) != read.end();
      });
      if (!disturbed) continue;
      const Variable* variable = procedure_.find_local(target->name);
      const Term saved = local(target->name, variable->type);
      assign(saved, taken);
      taken = saved;
    }
    for (const auto& [target, taken] : moves) assign(target, taken);
  }
}

std::optional<Term> FunctionLowering::phi_value(const llvm::PHINode& phi, const Held& held) {
  switch (shape_of(&phi)) {
  case Shape::Truth: return as_truth(held);
  case Shape::Thrown: return held.thrown ? held.thrown : default_thrown();
  case Shape::Choice:
    return to_cell(held, {.kind = SourceType::Kind::Enumeration,
                          .bits = phi.getType()->getIntegerBitWidth(),
                          .name = choices_.at(&phi)});
  case Shape::Real: return to_real(held);
  case Shape::Number: return as(held, phi.getType()->getIntegerBitWidth(), phi_sign_.at(&phi));
  default: return held.term;
  }
}

Term FunctionLowering::default_thrown() { return arena_.enumerator(module_.exception_sort, 0); }

void FunctionLowering::emit(Statement statement) {
  if (at_) statement.where = where(*at_);
  procedure_.blocks[current_].statements.push_back(std::move(statement));
}

void FunctionLowering::assign(Term target, Term value) {
  emit({.kind = StatementKind::Assign, .target = target, .value = value});
}

void FunctionLowering::assume_true(Term condition) {
  if (!is_true(condition)) emit({.kind = StatementKind::Assume, .value = condition});
}

void FunctionLowering::havoc(Term target, Chooser chooser) {
  if (chooser == Chooser::Client) { // chooses before the call
    auto& first = procedure_.blocks[0].statements;
    first.insert(first.begin(),
                 {.kind = StatementKind::Havoc, .target = target, .chooser = chooser});
    return;
  }
  Statement made{.kind = StatementKind::Havoc, .target = target, .chooser = chooser};
  if (const auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(at_);
      call && chooser == Chooser::Environment)
    made.from = lowering_.shown_callee(call->getCalledFunction());
  emit(std::move(made));
}

void FunctionLowering::go(BlockId target) { end({.kind = TerminatorKind::Goto, .next = target}); }

void FunctionLowering::branch(Term condition, BlockId yes, BlockId no) {
  end({.kind = TerminatorKind::Branch, .value = condition, .next = yes, .other = no});
}

void FunctionLowering::end(Terminator terminator) {
  should(open_, "a block should end once");
  if (at_) terminator.where = site_ ? *site_ : where(*at_);
  procedure_.blocks[current_].end = std::move(terminator);
  open_ = false;
}

Term FunctionLowering::local(const std::string& base, const Type& type) {
  return add_local(arena_, procedure_, names_, lowering_.free_name(base), type);
}

Term FunctionLowering::local_address() {
  const Term made = local("address", {.sort = arena_.ref_sort()});
  procedure_.locals.back().address = Address::Place;
  return made;
}

Location FunctionLowering::where(const llvm::Instruction& instruction) const {
  const llvm::DILocation* place = instruction.getDebugLoc();
  if (!place || place->getLine() == 0) return {};
  std::string file = place->getFilename().str();
  if (file.starts_with(stand_in_file)) {
    const unsigned line = place->getLine();
    while (place->getInlinedAt() && place->getFilename().starts_with(stand_in_file))
      place = place->getInlinedAt();
    return {fmt::format("{}#{}", place->getFilename().str(), line),
            static_cast<int>(place->getLine()), 0};
  }
  // Headers of the system go by their last name: where they are installed says nothing.
  if (file.starts_with("/") && file.find("/include/") != std::string::npos)
    file = file.substr(file.rfind('/') + 1);
  return {file, static_cast<int>(place->getLine()), 0};
}

bool FunctionLowering::at_own_site(const llvm::Instruction& instruction) const {
  const llvm::DILocation* place = instruction.getDebugLoc();
  if (!place) return true;
  const llvm::DISubprogram* in = place->getScope()->getSubprogram();
  if (!in) return true;
  const auto& functions = lowering_.facts().functions;
  auto found = functions.find(in->getLinkageName().str());
  if (found == functions.end()) found = functions.find(in->getName().str());
  if (found != functions.end()) return found->second.is_own;
  // The C1 and C2 variants of a constructor share a subprogram without a symbol of its own.
  for (const auto& [symbol, fact] : functions)
    if (fact.name == in->getName() && fact.where.line == static_cast<int>(in->getLine()))
      return fact.is_own;
  return true;
}

std::string FunctionLowering::name_of(const llvm::Value& value) const {
  std::string name = value.getName().str();
  while (true) { // `i.0.i` is `i`
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0) break;
    const std::string tail = name.substr(dot + 1);
    if (tail.find_first_not_of("0123456789i") != std::string::npos) break;
    name.resize(dot);
  }
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.pop_back();
  return name.empty() ? "t" : name;
}

const BodyMaker function_bodies = {FunctionLowering::signature,
                                   [](Lowering& lowering, const llvm::Function& function,
                                      Procedure& procedure, const std::vector<Receiver>& bound) {
                                     FunctionLowering(lowering, function, procedure, bound).run();
                                   }};

} // namespace tacit
