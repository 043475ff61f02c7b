#include "frontend/llvm/prepare/views.h"

#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/library.h"

namespace tacit {

namespace {

constexpr std::string_view view_class = "std::basic_string_view<char";
constexpr unsigned view_bytes = 16;

bool is_view(const SourceType& type) {
  return type.kind == SourceType::Kind::Object && type.name.starts_with(view_class) &&
         type.name.size() > view_class.size() &&
         (type.name[view_class.size()] == ',' || type.name[view_class.size()] == '>');
}

bool is_view(const llvm::Type* type) {
  const auto* record = llvm::dyn_cast<llvm::StructType>(type);
  return record && !record->isLiteral() && record->getNumElements() == 2 &&
         record->getName().starts_with("class.std::basic_string_view") &&
         record->getElementType(0)->isIntegerTy(64) && record->getElementType(1)->isPointerTy();
}

bool is_pair(const llvm::Type* type) {
  const auto* record = llvm::dyn_cast<llvm::StructType>(type);
  return record && record->getNumElements() == 2 && record->getElementType(0)->isIntegerTy(64) &&
         record->getElementType(1)->isPointerTy();
}

/// Which parameters of a function in LLVM are a view: the first of its two registers.
struct Layout {
  std::vector<unsigned> views;
  bool result = false;
  bool any() const { return result || !views.empty(); }
};

std::optional<Layout> layout_of(const llvm::Function& function, const FunctionFact& fact) {
  Layout made;
  if (function.isVarArg()) return std::nullopt;
  made.result = is_view(fact.returns) && is_pair(function.getReturnType());
  unsigned next = 0;
  while (next < function.arg_size() && function.hasParamAttribute(next, llvm::Attribute::StructRet))
    ++next;
  if (fact.is_instance) ++next;
  for (const ParameterFact& parameter : fact.parameters) {
    if (next >= function.arg_size()) return std::nullopt;
    const bool split = is_view(parameter.type) && function.getArg(next)->getType()->isIntegerTy(64);
    if (split &&
        (next + 1 >= function.arg_size() || !function.getArg(next + 1)->getType()->isPointerTy()))
      return std::nullopt;
    if (split) made.views.push_back(next);
    next += split ? 2 : 1;
  }
  if (next != function.arg_size() || !made.any()) return std::nullopt;
  return made;
}

/// The object whose first or second half is at a pointer.
llvm::Value* half_of(llvm::Value* pointer, unsigned half) {
  if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
    if (!step->hasAllConstantIndices() || step->getNumIndices() != 2) return nullptr;
    const auto* record = llvm::dyn_cast<llvm::StructType>(step->getSourceElementType());
    const auto* first = llvm::cast<llvm::ConstantInt>(step->getOperand(1));
    const auto* second = llvm::cast<llvm::ConstantInt>(step->getOperand(2));
    const bool fits = record && is_pair(record) && first->isZero() && second->equalsInt(half);
    return fits ? const_cast<llvm::Value*>(step->getPointerOperand()) : nullptr;
  }
  return half == 0 ? pointer : nullptr;
}

/// The one place that a register is stored to, as a half of an object on the stack.
llvm::StoreInst* stored_once(llvm::Value& value, unsigned half) {
  if (!value.hasOneUse()) return nullptr;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(*value.user_begin());
  if (!store || store->getValueOperand() != &value) return nullptr;
  llvm::Value* whole = half_of(store->getPointerOperand(), half);
  return whole && llvm::isa<llvm::AllocaInst>(whole) ? store : nullptr;
}

class ByAddress {
public:
  ByAddress(llvm::Module& module, SourceFacts& facts) : module_(module), facts_(facts) {}

  void run() {
    std::vector<std::pair<llvm::Function*, Layout>> found;
    for (llvm::Function& function : module_) {
      const auto fact = facts_.functions.find(function.getName().str());
      if (fact == facts_.functions.end()) continue;
      if (auto layout = layout_of(function, fact->second))
        found.emplace_back(&function, std::move(*layout));
    }
    for (const auto& [function, layout] : found) change(*function, layout);
    copies();
  }

private:
  llvm::Type* view_type() {
    llvm::LLVMContext& context = module_.getContext();
    return llvm::StructType::get(llvm::Type::getInt64Ty(context),
                                 llvm::PointerType::get(context, 0));
  }

  llvm::AllocaInst* place(llvm::Function& in, const llvm::Twine& name) {
    llvm::IRBuilder<> builder(&*in.getEntryBlock().getFirstInsertionPt());
    return builder.CreateAlloca(view_type(), nullptr, name);
  }

  void change(llvm::Function& old, const Layout& layout) {
    const std::vector<llvm::Type*> pointer{llvm::PointerType::get(module_.getContext(), 0)};
    std::vector<llvm::Type*> types;
    if (layout.result) types.push_back(pointer[0]);
    for (unsigned i = 0; i < old.arg_size(); ++i) {
      const bool view = std::ranges::find(layout.views, i) != layout.views.end();
      types.push_back(view ? pointer[0] : old.getArg(i)->getType());
      if (view) ++i;
    }
    auto* type = llvm::FunctionType::get(layout.result ? llvm::Type::getVoidTy(module_.getContext())
                                                       : old.getReturnType(),
                                         types, false);
    llvm::Function* made =
        llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", &module_);
    made->takeName(&old);
    attributes(old, *made, layout);
    std::vector<llvm::CallBase*> calls;
    std::vector<llvm::GlobalAlias*> aliases;
    calls_of(old, calls);
    for (llvm::User* user : old.users())
      if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(user)) {
        calls_of(*alias, calls);
        aliases.push_back(alias);
      }
    if (!old.isDeclaration()) take_body(old, *made, layout);
    for (llvm::CallBase* call : calls) redirect(*call, *made, layout);
    for (llvm::GlobalAlias* alias : aliases) alias->setAliasee(made);
    if (old.use_empty())
      old.eraseFromParent();
    else
      in_registers(old, *made, layout);
  }

  static void calls_of(llvm::Value& callee, std::vector<llvm::CallBase*>& calls) {
    for (llvm::User* user : callee.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (call->getCalledOperand() == &callee) calls.push_back(call);
  }

  void attributes(const llvm::Function& old, llvm::Function& made, const Layout& layout) {
    made.copyAttributesFrom(&old);
    made.setComdat(const_cast<llvm::Comdat*>(old.getComdat()));
    made.setAttributes(
        llvm::AttributeList::get(module_.getContext(), old.getAttributes().getFnAttrs(), {}, {}));
    unsigned next = 0;
    if (layout.result)
      made.addParamAttr(next++,
                        llvm::Attribute::getWithStructRetType(module_.getContext(), view_type()));
    for (unsigned i = 0; i < old.arg_size(); ++i, ++next) {
      if (std::ranges::find(layout.views, i) != layout.views.end()) {
        ++i;
        continue;
      }
      for (const llvm::Attribute attribute : old.getAttributes().getParamAttrs(i))
        made.addParamAttr(next, attribute);
    }
  }

  void take_body(llvm::Function& old, llvm::Function& made, const Layout& layout) {
    made.splice(made.begin(), &old);
    made.setSubprogram(old.getSubprogram());
    old.setSubprogram(nullptr);
    if (old.hasPersonalityFn()) made.setPersonalityFn(old.getPersonalityFn());
    unsigned next = layout.result ? 1 : 0;
    for (unsigned i = 0; i < old.arg_size(); ++i, ++next) {
      llvm::Argument& from = *old.getArg(i);
      llvm::Argument& to = *made.getArg(next);
      if (std::ranges::find(layout.views, i) == layout.views.end()) {
        to.takeName(&from);
        from.replaceAllUsesWith(&to);
        continue;
      }
      llvm::StringRef name = from.getName();
      name.consume_back(".coerce0");
      to.setName(name);
      enter(from, *old.getArg(++i), to);
    }
    if (layout.result) leave(made);
  }

  /// The object on the stack that the registers are put into is what is handed over.
  void enter(llvm::Argument& length, llvm::Argument& data, llvm::Argument& whole) {
    llvm::StoreInst* first = stored_once(length, 0);
    llvm::StoreInst* second = stored_once(data, 1);
    auto* object = first && second ? half_of(first->getPointerOperand(), 0) : nullptr;
    if (object && object == half_of(second->getPointerOperand(), 1)) {
      first->eraseFromParent();
      second->eraseFromParent();
      whole.takeName(object);
      object->replaceAllUsesWith(&whole);
      llvm::cast<llvm::Instruction>(object)->eraseFromParent();
      return;
    }
    llvm::IRBuilder<> builder(&*whole.getParent()->getEntryBlock().getFirstInsertionPt());
    length.replaceAllUsesWith(builder.CreateLoad(length.getType(), &whole));
    data.replaceAllUsesWith(
        builder.CreateLoad(data.getType(), builder.CreateStructGEP(view_type(), &whole, 1)));
  }

  void leave(llvm::Function& made) {
    std::vector<llvm::ReturnInst*> returns;
    for (llvm::BasicBlock& block : made)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        returns.push_back(end);
    for (llvm::ReturnInst* end : returns) {
      llvm::Value* value = end->getReturnValue();
      auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
      auto* object = load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
      llvm::IRBuilder<> builder(end);
      const bool itself = object && returns.size() == 1;
      if (itself)
        object->replaceAllUsesWith(made.getArg(0));
      else if (object)
        copy(builder, made.getArg(0), object);
      else
        builder.CreateStore(value, made.getArg(0));
      builder.CreateRetVoid();
      end->eraseFromParent();
      if (load && load->use_empty()) load->eraseFromParent();
      if (itself) object->eraseFromParent();
    }
  }

  /// The object that two registers were just read from: a copy for this call, or a parameter that
  /// is handed on by who has no more to do with it (a complete constructor).
  llvm::Value* read_from(llvm::Value& length, llvm::Value& data) const {
    auto* first = llvm::dyn_cast<llvm::LoadInst>(&length);
    auto* second = llvm::dyn_cast<llvm::LoadInst>(&data);
    if (!first || !second || !first->hasOneUse() || !second->hasOneUse()) return nullptr;
    llvm::Value* object = half_of(first->getPointerOperand(), 0);
    const bool one = object && object == half_of(second->getPointerOperand(), 1);
    return one && (llvm::isa<llvm::AllocaInst>(object) || leads_to_view(object)) ? object : nullptr;
  }

  void redirect(llvm::CallBase& call, llvm::Function& to, const Layout& layout) {
    llvm::IRBuilder<> builder(&call);
    std::vector<llvm::Value*> arguments;
    std::vector<llvm::Instruction*> read;
    llvm::Value* result = nullptr;
    if (layout.result) {
      result = written_to(call);
      if (!result) result = place(*call.getFunction(), "view");
      arguments.push_back(result);
    }
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Value* argument = call.getArgOperand(i);
      if (std::ranges::find(layout.views, i) == layout.views.end()) {
        arguments.push_back(argument);
        continue;
      }
      llvm::Value* data = call.getArgOperand(++i);
      llvm::Value* object = read_from(*argument, *data);
      if (object) {
        read.push_back(llvm::cast<llvm::Instruction>(argument));
        read.push_back(llvm::cast<llvm::Instruction>(data));
      } else {
        object = place(*call.getFunction(), "view");
        builder.CreateStore(argument, object);
        builder.CreateStore(data, builder.CreateStructGEP(view_type(), object, 1));
      }
      arguments.push_back(object);
    }
    llvm::CallBase* made = nullptr;
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
      made = builder.CreateInvoke(&to, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
    else
      made = builder.CreateCall(&to, arguments);
    made->setAttributes(
        llvm::AttributeList::get(module_.getContext(), call.getAttributes().getFnAttrs(), {}, {}));
    if (layout.result)
      made->addParamAttr(0,
                         llvm::Attribute::getWithStructRetType(module_.getContext(), view_type()));
    made->setDebugLoc(call.getDebugLoc());
    finish(call, *made, layout.result ? result : nullptr);
    for (llvm::Instruction* one : read)
      if (one->use_empty()) one->eraseFromParent();
  }

  /// The object on the stack that all of a result is put into, half by half.
  static llvm::Value* written_to(llvm::CallBase& call) {
    llvm::Value* object = nullptr;
    for (llvm::User* user : call.users()) {
      llvm::Value* at = nullptr;
      if (auto* half = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
        const llvm::StoreInst* store = stored_once(*half, half->getIndices()[0]);
        if (!store) return nullptr;
        at = half_of(const_cast<llvm::Value*>(store->getPointerOperand()), half->getIndices()[0]);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        at = store->getPointerOperand();
      }
      if (!at || !llvm::isa<llvm::AllocaInst>(at) || (object && object != at)) return nullptr;
      object = at;
    }
    return object;
  }

  void finish(llvm::CallBase& old, llvm::CallBase& made, llvm::Value* result) {
    if (!result) {
      old.replaceAllUsesWith(&made);
      if (!made.getType()->isVoidTy()) made.takeName(&old);
    } else if (written_to(old) == result) {
      std::vector<llvm::Instruction*> gone;
      for (llvm::User* user : old.users()) {
        auto* one = llvm::cast<llvm::Instruction>(user);
        if (llvm::isa<llvm::ExtractValueInst>(one))
          gone.push_back(llvm::cast<llvm::Instruction>(*one->user_begin()));
        gone.push_back(one);
      }
      for (llvm::Instruction* one : gone) one->eraseFromParent();
    } else if (!old.use_empty()) {
      const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&made);
      llvm::BasicBlock* after = invoke ? invoke->getNormalDest() : nullptr;
      llvm::IRBuilder<> builder(after ? &*after->getFirstInsertionPt() : old.getNextNode());
      old.replaceAllUsesWith(builder.CreateLoad(old.getType(), result));
    }
    old.eraseFromParent();
  }

  /// For those who go through a pointer: puts the registers into objects and calls.
  void in_registers(llvm::Function& old, llvm::Function& to, const Layout& layout) {
    old.setName(to.getName() + ".in_registers");
    old.setComdat(nullptr);
    if (to.isDeclaration()) return;
    old.setLinkage(llvm::GlobalValue::InternalLinkage);
    auto* block = llvm::BasicBlock::Create(module_.getContext(), "entry", &old);
    llvm::IRBuilder<> builder(block);
    std::vector<llvm::Value*> arguments;
    llvm::Value* result = nullptr;
    if (layout.result) arguments.push_back(result = builder.CreateAlloca(view_type()));
    for (unsigned i = 0; i < old.arg_size(); ++i) {
      if (std::ranges::find(layout.views, i) == layout.views.end()) {
        arguments.push_back(old.getArg(i));
        continue;
      }
      llvm::Value* object = builder.CreateAlloca(view_type());
      builder.CreateStore(old.getArg(i), object);
      builder.CreateStore(old.getArg(++i), builder.CreateStructGEP(view_type(), object, 1));
      arguments.push_back(object);
    }
    llvm::CallInst* call = builder.CreateCall(&to, arguments);
    if (result)
      builder.CreateRet(builder.CreateLoad(old.getReturnType(), result));
    else if (old.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
  }

  // Copies by bytes.

  void copies() {
    std::vector<llvm::MemTransferInst*> found;
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
            if (is_copy(*move)) found.push_back(move);
    for (llvm::MemTransferInst* move : found) {
      llvm::IRBuilder<> builder(move);
      copy(builder, move->getRawDest(), move->getRawSource());
      move->eraseFromParent();
    }
  }

  bool is_copy(const llvm::MemTransferInst& move) const {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(move.getLength());
    return length && length->equalsInt(view_bytes) &&
           (leads_to_view(move.getRawDest()) || leads_to_view(move.getRawSource()));
  }

  bool leads_to_view(const llvm::Value* pointer) const {
    if (const auto* object = llvm::dyn_cast<llvm::AllocaInst>(pointer))
      return is_view(object->getAllocatedType());
    const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer);
    if (!argument) return false;
    const llvm::Function& function = *argument->getParent();
    const auto fact = facts_.functions.find(function.getName().str());
    if (fact == facts_.functions.end()) return false;
    if (argument->hasStructRetAttr()) return is_view(fact->second.returns);
    for (const ParameterFact& parameter : fact->second.parameters)
      if (parameter.name == argument->getName()) return is_view(parameter.type);
    return false;
  }

  void copy(llvm::IRBuilder<>& builder, llvm::Value* to, llvm::Value* from) {
    builder.CreateCall(copier(), {to, from});
  }

  llvm::FunctionCallee copier() {
    if (copier_) return copier_;
    constexpr const char* symbol = "_ZNSt17basic_string_viewIcSt11char_traitsIcEEC1ERKS2_";
    llvm::Type* pointer = llvm::PointerType::get(module_.getContext(), 0);
    copier_ = module_.getOrInsertFunction(
        symbol, llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()),
                                        {pointer, pointer}, false));
    llvm::cast<llvm::Function>(copier_.getCallee())->setDoesNotThrow();
    FunctionFact& fact = facts_.functions[symbol];
    if (!fact.symbol.empty()) return copier_;
    const std::string name = "std::basic_string_view<char, std::char_traits<char>>";
    fact.symbol = symbol;
    fact.name = "basic_string_view";
    fact.qualified = name + "::" + fact.name;
    fact.in_class = name;
    fact.is_instance = fact.is_constructor = fact.in_system_header = true;
    fact.parameters = {{.name = "other",
                        .type = {.kind = SourceType::Kind::Pointer,
                                 .bits = 64,
                                 .is_reference = true,
                                 .pointee_const = true,
                                 .name = name}}};
    describe(*facts_.library, fact);
    return copier_;
  }

  llvm::Module& module_;
  SourceFacts& facts_;
  llvm::FunctionCallee copier_;
};

} // namespace

void pass_views_by_address(llvm::Module& module, SourceFacts& facts) {
  ByAddress(module, facts).run();
}

} // namespace tacit
