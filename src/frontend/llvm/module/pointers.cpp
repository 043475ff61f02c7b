// Lowering, as far as it needs to know where pointers point: as what objects are seen, what callees
// that are not looked into get to, and which functions they may call.
#include <algorithm>

#include <fmt/format.h>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/module/lowering.h"
#include "program/ir/names.h"

namespace tacit {

static PointsTo::Bytes bytes(const FieldFact& field) {
  const std::uint64_t bits = field.count > 0 ? field.count * field.stride : field.bit_width;
  return {static_cast<std::int64_t>(field.bit_offset / 8),
          static_cast<std::int64_t>((field.bit_offset + bits + 7) / 8)};
}

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
  if (receiver_)
    for (const FieldFact& field : receiver_->fields)
      if (clients_write(field)) setting.client_parts.push_back(bytes(field));
  setting.handed = [this](std::int64_t at) { return handed_parts(at); };
  setting.read_only = [this](const llvm::CallBase& call, unsigned i) {
    return leaves_alone(call, i);
  };
  setting.to_numbers = [this](const llvm::CallBase& call, unsigned i) {
    const SourceType* type = declared_type(call, i);
    return type && type->kind == SourceType::Kind::Pointer && type->pointee_bits > 0;
  };
  setting.typed = [this](const llvm::CallBase& call, unsigned i) { return knows_type(call, i); };
  setting.gives = [this](const llvm::CallBase& call, unsigned i) { return gives(call, i); };
  setting.frees = [this](const llvm::CallBase& call) { return frees(call); };
  setting.allocates = [this](const llvm::CallBase& call) { return allocates(call); };
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

/// The type that an argument has by the declaration of the callee, or of the pointer to it; null
/// when that is not known, and for objects of member functions.
const SourceType* Lowering::declared_type(const llvm::CallBase& call, unsigned argument) {
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* known = callee ? fact(*callee) : nullptr;
  unsigned hidden = known && known->is_instance ? 1 : 0;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) ++hidden;
  if (known) {
    if (call.arg_size() != known->parameters.size() + hidden || argument < hidden) return nullptr;
    return &known->parameters[argument - hidden].type;
  }
  const FieldFact* field = callee ? nullptr : called_field(call);
  if (!field || call.arg_size() != field->type.parameters.size() + hidden || argument < hidden)
    return nullptr;
  return &field->type.parameters[argument - hidden];
}

/// What a call returns by the declaration of the callee, or of the pointer to it.
SourceType Lowering::declared_result(const llvm::CallBase& call) {
  if (const llvm::Function* callee = call.getCalledFunction()) {
    const FunctionFact* known = fact(*callee);
    return known ? known->returns : SourceType{};
  }
  const FieldFact* field = called_field(call);
  return field && !field->type.result.empty() ? field->type.result[0] : SourceType{};
}

/// The field of a struct that a call through a pointer takes the pointer from.
const FieldFact* Lowering::called_field(const llvm::CallBase& call) {
  const auto* read = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
  if (!read) return nullptr;
  const llvm::Value* at = read->getPointerOperand();
  const RecordFact* found = nullptr;
  std::int64_t offset = 0;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
    llvm::APInt by(64, 0);
    if (!step->accumulateConstantOffset(layout(), by)) return nullptr;
    offset += by.getSExtValue();
    if (const RecordFact* into = record_of(step->getSourceElementType())) found = into;
    at = step->getPointerOperand();
  }
  if (!found) found = record_of_access(*read, offset);
  if (!found) return nullptr;
  for (const FieldFact& field : found->fields)
    if (static_cast<std::int64_t>(field.bit_offset) == offset * 8 && field.type.is_function)
      return &field;
  return nullptr;
}

bool Lowering::leaves_alone(const llvm::CallBase& call, unsigned argument) {
  if (call.onlyReadsMemory() || call.onlyReadsMemory(argument) ||
      call.paramHasAttr(argument, llvm::Attribute::ByVal))
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* known = callee ? fact(*callee) : nullptr;
  const bool self =
      argument == 0 || (argument == 1 && call.paramHasAttr(0, llvm::Attribute::StructRet));
  if (known && known->is_instance && self) return known->is_const;
  const SourceType* type = declared_type(call, argument);
  return type && type->pointee_const;
}

/// Whether a member of a container or string is handed another one, which it copies or moves from:
/// it does not keep the address.
bool Lowering::copies_argument(const llvm::CallBase& call, unsigned argument) {
  const FunctionFact* known = fact(*call.getCalledFunction());
  const Library& library = *facts_.library;
  const SourceType* type = declared_type(call, argument);
  const auto holds_elements = [&](const std::string& name) {
    const ClassFacts* kept = library.all.facts(contract_class(library, name));
    return kept && kept->attributes.contains(Attribute::GivesElements);
  };
  return type && type->is_reference && known->tame && holds_elements(known->in_class) &&
         holds_elements(type->name) && !is_said_to(Attribute::Forwards, call);
}

/// Members of library classes say what they give references to by the facts that are kept about
/// their objects; what they return as the object itself is that.
PointsTo::Gives Lowering::gives(const llvm::CallBase& call, unsigned argument) {
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* known = callee ? fact(*callee) : nullptr;
  const unsigned self = call.arg_size() > 0 && call.paramHasAttr(0, llvm::Attribute::StructRet);
  if (!known || !known->is_instance) return PointsTo::Gives::Anything;
  if (argument != self)
    return copies_argument(call, argument) ? PointsTo::Gives::Pointee : PointsTo::Gives::Anything;
  const Library& library = *facts_.library;
  const ClassFacts* kept = library.all.facts(contract_class(library, known->in_class));
  if (!kept) return PointsTo::Gives::Anything;
  if (may_be_one(library, known->in_class, known->returns.name))
    return known->returns.is_reference && is_closed(library, known->in_class) && known->tame
               ? PointsTo::Gives::Itself
               : PointsTo::Gives::Anything;
  if (kept->attributes.contains(Attribute::GivesElements)) return PointsTo::Gives::Elements;
  if (kept->attributes.contains(Attribute::GivesPointee)) return PointsTo::Gives::Pointee;
  return PointsTo::Gives::Anything;
}

bool Lowering::knows_type(const llvm::CallBase& call, unsigned argument) {
  const SourceType* type = declared_type(call, argument);
  return !type || !type->name.empty();
}

/// The name of the field that a call through a pointer takes the pointer from, when all that the
/// function gets is untyped pointers and numbers: as the functions do that get and give memory.
std::string Lowering::memory_function(const llvm::CallBase& call) {
  const FieldFact* field = call.getCalledFunction() ? nullptr : called_field(call);
  if (!field) return "";
  for (const SourceType& type : field->type.parameters)
    if (type.kind == SourceType::Kind::Pointer && (!type.name.empty() || type.pointee_bits > 0))
      return "";
  return llvm::StringRef(field->path.substr(field->path.rfind('.') + 1)).lower();
}

/// Whether a contract says so of the function that is called.
bool Lowering::is_said_to(Attribute attribute, const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* known = callee ? fact(*callee) : nullptr;
  return known && facts_.library->all.has(attribute, known->contract);
}

bool Lowering::frees(const llvm::CallBase& call) {
  if (is_said_to(Attribute::Frees, call)) return true;
  const std::string name = memory_function(call);
  return call.getType()->isVoidTy() && (name.ends_with("free") || name.starts_with("free"));
}

bool Lowering::allocates(const llvm::CallBase& call) {
  if (is_said_to(Attribute::Allocates, call)) return call.getType()->isPointerTy();
  const std::string name = memory_function(call);
  return call.getType()->isPointerTy() && (name.ends_with("alloc") || name.starts_with("alloc")) &&
         name.find("realloc") == std::string::npos;
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

/// A function that runs no code but that of the elements it holds: members of classes that the
/// class's template arguments lead to, which `std::function` does not tell.
void Lowering::keep_elements_code(const FunctionFact& callee,
                                  std::set<const llvm::Function*>& functions) const {
  const std::string& in_class = callee.in_class;
  if (in_class.starts_with("std::function") || in_class.starts_with("std::_Function")) return;
  Reached reached;
  if (!in_class.empty()) reach_from(facts_, in_class, reached);
  for (const ParameterFact& parameter : callee.parameters)
    reach_from(facts_, parameter.type.name, reached);
  if (reached.untyped) return;
  std::erase_if(functions, [&](const llvm::Function* function) {
    const FunctionFact* known = fact(*function);
    return known && !known->in_class.empty() && facts_.records.contains(known->in_class) &&
           !reached.records.contains(known->in_class) && !reached.owners.contains(known->in_class);
  });
}

std::optional<std::string> Lowering::callback_runner(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return std::nullopt;
  const llvm::Function* callee = call.getCalledFunction();
  std::set<const llvm::Function*> functions =
      points_to_->called_back(call, !callee || callbacks_.may_call_unknown(*callee));
  std::erase_if(functions, [&](const llvm::Function* function) {
    return !callbacks_.runs_own_code(*function);
  });
  if (const FunctionFact* known = callee ? fact(*callee) : nullptr; known && known->tame)
    keep_elements_code(*known, functions);
  if (functions.empty()) return std::nullopt;
  std::string& runner = runners_[functions];
  if (!runner.empty()) return runner;
  runner = free_procedure("callbacks");
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
