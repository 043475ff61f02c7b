#include "frontend/llvm/prepare/subject_model.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/llvm/facts/library.h"

namespace tacit {

namespace {

/// Where the source declares the function, so that errors have a place.
void place(llvm::Module& module, llvm::Function& around, const FunctionFact& fact,
           llvm::Instruction& call) {
  if (module.debug_compile_units().empty()) return;
  llvm::DICompileUnit* unit = *module.debug_compile_units_begin();
  llvm::DIBuilder builder(module, true, unit);
  const auto line = static_cast<unsigned>(std::max(fact.where.line, 0));
  llvm::DIFile* file = builder.createFile(fact.where.file, "");
  llvm::DISubprogram* scope =
      builder.createFunction(unit, fact.name, around.getName(), file, line,
                             builder.createSubroutineType(builder.getOrCreateTypeArray({})), line,
                             llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  builder.finalizeSubprogram(scope);
  around.setSubprogram(scope);
  call.setDebugLoc(llvm::DILocation::get(module.getContext(), line, 0, scope));
}

/// A function that hands everything on to another one. What that returns in memory is left there:
/// no pointer that it gives out leads to facts about the object.
llvm::Function& wrap(llvm::Module& module, llvm::Function& inner, const FunctionFact& fact) {
  llvm::Function* around =
      llvm::Function::Create(inner.getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                             "call of " + inner.getName(), module);
  around->setAttributes(inner.getAttributes());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", around));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : around->args()) {
    argument.setName(inner.getArg(argument.getArgNo())->getName());
    llvm::Type* made = argument.getParamStructRetType();
    llvm::Value* handed = &argument;
    if (made) handed = builder.CreateAlloca(made, nullptr, "made");
    arguments.push_back(handed);
  }
  llvm::CallInst* call = builder.CreateCall(&inner, arguments);
  call->setAttributes(inner.getAttributes());
  place(module, *around, fact, *call);
  if (inner.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else if (inner.getReturnType()->isPointerTy())
    builder.CreateRet(builder.CreateLoad(
        inner.getReturnType(),
        new llvm::GlobalVariable(module, inner.getReturnType(), false,
                                 llvm::GlobalValue::ExternalLinkage, nullptr, "elsewhere")));
  else
    builder.CreateRet(call);
  return *around;
}

} // namespace

void put_model_around_subject(llvm::Module& module, SourceFacts& facts) {
  const std::string plain = contract_class(*facts.library, facts.subject);
  const auto record = facts.records.find(facts.subject);
  if (facts.subject.empty() || record == facts.records.end() || !facts.library->all.facts(plain) ||
      !facts.library->all.class_has(Attribute::Outside, plain))
    return;
  for (auto& [symbol, fact] : facts.functions)
    if (fact.in_system_header) fact.is_own = false;
  for (std::vector<std::string>* symbols : {&facts.methods, &facts.constructors})
    for (std::string& symbol : *symbols) {
      auto* inner = module.getFunction(symbol);
      const auto fact = facts.functions.find(symbol);
      if (!inner || fact == facts.functions.end()) continue;
      FunctionFact own = fact->second;
      own.symbol = wrap(module, *inner, own).getName().str();
      own.contract.clear();
      own.is_own = true;
      own.looked_into = own.tame = own.pure = own.never_fails = false;
      symbol = own.symbol;
      facts.functions.emplace(own.symbol, std::move(own));
    }
  RecordFact& whole = record->second;
  FieldFact object;
  object.path = plain.substr(plain.rfind(':') + 1);
  object.owner = whole.name + " as a part";
  object.owner_path = object.path;
  object.bit_width = static_cast<unsigned>(whole.bits);
  object.type = {.kind = SourceType::Kind::Object, .bits = object.bit_width, .name = whole.name};
  object.is_public = false;
  whole.name = object.owner;
  whole.fields = {std::move(object)};
}

} // namespace tacit
