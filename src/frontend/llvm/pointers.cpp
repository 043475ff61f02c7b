// Lowering, as far as it needs to know where pointers point: as what objects are seen, what callees
// that are not looked into get to, and which functions they may call.
#include <algorithm>

#include <fmt/format.h>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/library.h"
#include "frontend/llvm/lowering.h"
#include "program/names.h"

namespace tacit {

/// Once; what the rounds add later changes nothing here.
void Lowering::find_pointers() {
  if (points_to_) return;
  PointsTo::Setting setting;
  for (const Root& root : roots_)
    if (root.function) setting.roots.push_back(root.function);
  setting.looks_into = [this](const llvm::Function& f) { return looks_into(f); };
  setting.may_be_kept = [this](const llvm::Function& f) {
    return !f.isDeclaration() && callbacks_.runs_own_code(f);
  };
  setting.receiver = [this](const llvm::Argument& argument) -> std::optional<std::int64_t> {
    const llvm::Function& function = *argument.getParent();
    const unsigned first = function.getArg(0)->hasStructRetAttr() ? 1 : 0;
    if (!receiver_ || argument.getArgNo() != first) return std::nullopt;
    return receiver_offset(function);
  };
  setting.handed = [this](std::int64_t at) { return handed_parts(at); };
  setting.read_only = [this](const llvm::CallBase& call, unsigned i) {
    return leaves_alone(call, i);
  };
  points_to_.emplace(code_, std::move(setting));
  HeapViews::Setting seen;
  seen.record_of = [this](const llvm::Type* type) { return record_of(type); };
  seen.record_of_access = [this](const llvm::Instruction& access) {
    return record_of_access(access, 0);
  };
  views_.emplace(code_, *points_to_, seen);
}

/// A callee that is handed the object gets to its public fields, one that is handed a part gets to
/// that part.
std::vector<PointsTo::Bytes> Lowering::handed_parts(std::int64_t at) const {
  if (!receiver_ || options_.reentrant) return {{INT64_MIN / 2, INT64_MAX / 2}};
  const auto outermost = [](const FieldFact& field) {
    return field.path.substr(0, field.path.find('.'));
  };
  std::set<std::string> touched;
  const auto bytes = [](const FieldFact& field) {
    const std::uint64_t bits = field.count > 0 ? field.count * field.stride : field.bit_width;
    return PointsTo::Bytes{static_cast<std::int64_t>(field.bit_offset / 8),
                           static_cast<std::int64_t>((field.bit_offset + bits + 7) / 8)};
  };
  for (const FieldFact& field : receiver_->fields)
    if (const PointsTo::Bytes place = bytes(field); place.first <= at && at < place.second)
      touched.insert(outermost(field));
  const bool whole = at == 0 || std::ranges::any_of(facts_.base_offsets, [&](const auto& base) {
                       return base.second == at;
                     });
  std::vector<PointsTo::Bytes> found;
  for (const FieldFact& field : receiver_->fields)
    if (touched.contains(outermost(field)) || (whole && field.is_public))
      found.push_back(bytes(field));
  return found;
}

bool Lowering::leaves_alone(const llvm::CallBase& call, unsigned argument) const {
  if (call.onlyReadsMemory() || call.onlyReadsMemory(argument) ||
      call.paramHasAttr(argument, llvm::Attribute::ByVal))
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* known = callee ? fact(*callee) : nullptr;
  if (!known) return false;
  unsigned structs = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) ++structs;
  const unsigned hidden = structs + (known->is_instance ? 1 : 0);
  if (call.arg_size() != known->parameters.size() + hidden || argument < structs) return false;
  if (argument < hidden) return known->is_const;
  return known->parameters[argument - hidden].type.pointee_const;
}

void Lowering::write_astray(const PointsTo::Places& places, const RecordFact* record,
                            std::int64_t low, std::int64_t high) {
  strayed_ = views_->write(places, record, low, high) || strayed_;
}

const RecordFact* Lowering::record_of_access(const llvm::Instruction& access, std::int64_t at) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3) return nullptr;
  const auto* base = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
  const auto* offset = llvm::mdconst::dyn_extract<llvm::ConstantInt>(tag->getOperand(2));
  if (!base || base == tag->getOperand(1) || !offset || base->getNumOperands() == 0 ||
      static_cast<std::int64_t>(offset->getZExtValue()) != at)
    return nullptr;
  const auto* name = llvm::dyn_cast<llvm::MDString>(base->getOperand(0));
  if (!name) return nullptr;
  // A struct without a tag, known by its typedef.
  if (name->getString().empty()) return record_of_node(base);
  std::string plain = llvm::demangle(name->getString().str());
  if (constexpr std::string_view prefix = "typeinfo name for "; plain.starts_with(prefix))
    plain.erase(0, prefix.size());
  return record(plain);
}

/// The record whose objects a node of the type tree stands for when it bears no name: that of the
/// typed steps that lead to accesses with the node. Null when there is none, or several.
const RecordFact* Lowering::record_of_node(const llvm::MDNode* node) {
  if (!node_records_) {
    node_records_.emplace();
    for (const llvm::Function& function : code_)
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block) {
          const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
          const auto* step = llvm::dyn_cast_or_null<llvm::GEPOperator>(pointer);
          const llvm::MDNode* tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
          if (!step || !tag || tag->getNumOperands() < 3) continue;
          const auto* base = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
          const RecordFact* found = record_of(step->getSourceElementType());
          if (!base || base == tag->getOperand(1) || !found) continue;
          const auto [at, fresh] = node_records_->try_emplace(base, found);
          if (!fresh && at->second != found) at->second = nullptr;
        }
  }
  const auto known = node_records_->find(node);
  return known == node_records_->end() ? nullptr : known->second;
}

std::optional<std::string> Lowering::callback_runner(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return std::nullopt;
  const llvm::Function* callee = call.getCalledFunction();
  std::set<const llvm::Function*> functions =
      points_to_->called_back(call, !callee || callbacks_.may_call_unknown(*callee));
  std::erase_if(functions, [&](const llvm::Function* function) {
    return !callbacks_.runs_own_code(*function);
  });
  if (functions.empty()) return std::nullopt;
  std::string& runner = runners_[functions];
  if (!runner.empty()) return runner;
  runner = "callbacks";
  for (int i = 2; module_.find_procedure(runner); ++i) runner = fmt::format("callbacks#{}", i);
  Procedure made;
  made.kind = ProcedureKind::Internal;
  made.name = runner;
  made.blocks.resize(2);
  made.blocks[0].end = {.kind = TerminatorKind::Goto, .next = 1};
  module_.procedures.push_back(made);
  FreshNames fresh(module_, made);
  const auto havoc = [&](BlockId block, Term target) {
    made.blocks[block].statements.push_back(
        {.kind = StatementKind::Havoc, .target = target, .chooser = Chooser::Unknown});
  };
  // Block 1 is the head of the loop; from there each function is taken or passed by.
  BlockId last = 1;
  for (const llvm::Function& each : code_) { // in the order of the code
    const llvm::Function* function = &each;
    if (!functions.contains(function)) continue;
    const std::string name =
        internal(*function, std::vector<Receiver>(function->arg_size(), Receiver::None));
    const Procedure run = *module_.find_procedure(name);
    const FunctionFact* known = fact(*function);
    const Location where =
        known && known->where.known() ? known->where : Location{code_.getSourceFileName(), 1, 0};
    if (!made.where.known()) made.where = where;
    const Term taken = add_local(arena(), made, fresh, "run", {.sort = arena().bool_sort()});
    havoc(last, taken);
    Terminator taking{.kind = TerminatorKind::Call, .name = name, .where = where};
    for (const Variable& parameter : run.parameters) {
      taking.arguments.push_back(add_local(arena(), made, fresh, "argument", parameter.type));
      havoc(last, taking.arguments.back());
    }
    if (run.returns) taking.result = add_local(arena(), made, fresh, "result", *run.returns);
    taking.next = 1;
    const auto next = static_cast<BlockId>(made.blocks.size());
    made.blocks[last].end = {
        .kind = TerminatorKind::Branch, .value = taken, .next = next, .other = next + 1};
    made.blocks.push_back({{}, std::move(taking)});
    made.blocks.emplace_back();
    last = next + 1;
  }
  made.blocks[last].end = {.kind = TerminatorKind::Return};
  *module_.find_procedure(runner) = std::move(made);
  assume("functions whose address is handed out may run in every callee that could have it");
  return runner;
}

} // namespace tacit
