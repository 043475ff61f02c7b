#include "frontend/llvm/prepare/made_handles.h"

#include <algorithm>
#include <optional>
#include <set>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace tacit {

namespace {

bool is_allocator(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return false;
  const llvm::StringRef name = callee->getName();
  return name == "malloc" || name == "calloc" || name.starts_with("_Znw");
}

/// The calls of allocators whose memory is returned; nothing when something else is, too.
std::optional<std::set<llvm::CallBase*>> returned_memory(llvm::Function& function) {
  std::set<llvm::CallBase*> found;
  std::set<const llvm::Value*> seen;
  std::vector<llvm::Value*> work;
  for (llvm::BasicBlock& block : function)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      work.push_back(end->getReturnValue());
  while (!work.empty()) {
    llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second || llvm::isa<llvm::ConstantPointerNull>(at)) continue;
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(at); call && is_allocator(*call)) {
      found.insert(call);
    } else if (llvm::isa<llvm::PHINode>(at) || llvm::isa<llvm::SelectInst>(at)) {
      for (llvm::Use& operand : llvm::cast<llvm::User>(at)->operands())
        if (operand->getType()->isPointerTy()) work.push_back(operand);
    } else if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at); gep && gep->hasAllZeroIndices()) {
      work.push_back(gep->getPointerOperand());
    } else {
      return std::nullopt;
    }
  }
  return found;
}

/// What a value may be that is merged or selected.
std::vector<llvm::Value*> sources_of(llvm::Value* value) {
  std::vector<llvm::Value*> found, work{value};
  std::set<const llvm::Value*> seen;
  while (!work.empty()) {
    llvm::Value* at = work.back();
    work.pop_back();
    if (!at || !seen.insert(at).second) continue;
    if (llvm::isa<llvm::PHINode>(at) || llvm::isa<llvm::SelectInst>(at)) {
      for (llvm::Use& operand : llvm::cast<llvm::User>(at)->operands())
        if (operand->getType()->isPointerTy()) work.push_back(operand);
    } else if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at); gep && gep->hasAllZeroIndices()) {
      work.push_back(gep->getPointerOperand());
    } else {
      found.push_back(at);
    }
  }
  return found;
}

/// A helper with code that makes what is returned or put through a parameter.
llvm::CallBase* helper_that_makes(llvm::Function& function) {
  std::vector<llvm::Value*> results;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction);
        end && function.getReturnType()->isPointerTy())
      results.push_back(end->getReturnValue());
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->getValueOperand()->getType()->isPointerTy() &&
        llvm::isa<llvm::Argument>(store->getPointerOperand()))
      results.push_back(store->getValueOperand());
  }
  for (llvm::Value* result : results)
    for (llvm::Value* source : sources_of(result)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(source);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() && !callee->isVarArg() && callee != &function)
        return call;
    }
  return nullptr;
}

/// `conn* c = conn_alloc(); …`: helpers that make the handle become part of the constructor.
void take_helpers_in(llvm::Function& function) {
  constexpr int most = 8;
  for (int i = 0; i < most; ++i) {
    llvm::CallBase* call = helper_that_makes(function);
    llvm::InlineFunctionInfo info;
    if (!call || !llvm::InlineFunction(*call, info).isSuccess()) return;
  }
}

std::uint64_t bytes_of(const llvm::CallBase& allocation) {
  std::uint64_t bytes = 1;
  const unsigned factors = allocation.getCalledFunction()->getName() == "calloc" ? 2 : 1;
  for (unsigned i = 0; i < factors; ++i) {
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(allocation.getArgOperand(i));
    if (!factor) return 0;
    bytes *= factor->getZExtValue();
  }
  return bytes;
}

/// The struct of that size which the handle is the first part of.
std::string struct_around(const SourceFacts& facts, const std::string& handle,
                          std::uint64_t bytes) {
  std::vector<std::string> found;
  for (const auto& [name, record] : facts.records)
    if (name != handle && record.bits == bytes * 8 && !record.fields.empty() &&
        record.fields.front().owner == handle)
      found.push_back(name);
  return found.size() == 1 ? found.front() : "";
}

/// Where memory of an allocator is put through a parameter: the handle that is given back so.
struct GivenBack {
  llvm::Argument* out = nullptr;
  llvm::StoreInst* store = nullptr;
  llvm::CallBase* memory = nullptr;
};

/// The only place of its kind in the function.
std::optional<GivenBack> given_back(llvm::Function& function) {
  std::optional<GivenBack> found;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      auto* out = store ? llvm::dyn_cast<llvm::Argument>(store->getPointerOperand()) : nullptr;
      if (!out || llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand())) continue;
      std::vector<llvm::Value*> sources = sources_of(store->getValueOperand());
      std::erase_if(sources, [](const llvm::Value* source) {
        return llvm::isa<llvm::ConstantPointerNull>(source);
      });
      auto* memory =
          sources.size() == 1 ? llvm::dyn_cast<llvm::CallBase>(sources.front()) : nullptr;
      if (!memory || !is_allocator(*memory)) continue;
      if (found) return std::nullopt;
      found = GivenBack{out, store, memory};
    }
  return found;
}

/// What is compared with null and never is it.
void never_null(llvm::Value& value) {
  std::vector<llvm::ICmpInst*> tests;
  for (llvm::User* user : value.users())
    if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
        test && test->isEquality() && llvm::isa<llvm::ConstantPointerNull>(test->getOperand(1)))
      tests.push_back(test);
  for (llvm::ICmpInst* test : tests) {
    test->replaceAllUsesWith(
        llvm::ConstantInt::getBool(test->getContext(), !test->isTrueWhenEqual()));
    test->eraseFromParent();
  }
}

/// Functions of the C library whose result says something of what they are handed, and nothing
/// else.
bool only_looks(llvm::StringRef name) {
  static const std::set<std::string, std::less<>> names = {
      "strlen",  "strnlen", "strcmp",  "strncmp", "strcasecmp", "strncasecmp",
      "strchr",  "strrchr", "strstr",  "strspn",  "strcspn",    "memcmp",
      "memchr",  "atoi",    "atol",    "abs",     "isalpha",    "isdigit",
      "isalnum", "isspace", "isupper", "islower", "toupper",    "tolower"};
  return names.contains(std::string_view(name.data(), name.size()));
}

bool is_asked(const llvm::Value& value, std::set<const llvm::Value*>& seen);

/// Whether a branch may depend on what was stored: it is read from the same object.
bool is_read_again(const llvm::StoreInst& store, std::set<const llvm::Value*>& seen) {
  const llvm::Value* object = llvm::getUnderlyingObject(store.getPointerOperand());
  return std::ranges::any_of(llvm::instructions(store.getFunction()), [&](const auto& one) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one);
    return load && llvm::getUnderlyingObject(load->getPointerOperand()) == object &&
           is_asked(*load, seen);
  });
}

/// Whether a branch may depend on a value.
bool is_asked(const llvm::Value& value, std::set<const llvm::Value*>& seen) {
  if (!seen.insert(&value).second) return false;
  return std::ranges::any_of(value.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::BranchInst>(user) || llvm::isa<llvm::SwitchInst>(user) ||
        llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::CallBase>(user))
      return true;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return is_read_again(*store, seen);
    return !user->getType()->isVoidTy() && is_asked(*user, seen);
  });
}

/// Whether a callee that is not looked into has a say in what its caller does then: by what it
/// returns, or by what it writes to the caller's memory.
bool has_a_say(const llvm::CallBase& call) {
  std::set<const llvm::Value*> seen;
  return is_asked(call, seen) || std::ranges::any_of(call.args(), [](const llvm::Use& argument) {
           return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(argument.get()));
         });
}

/// Whether somebody else has a say in whether the handle is made: a callee that is not looked into.
bool asks_others(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && !llvm::isa<llvm::IntrinsicInst>(call) && !is_allocator(*call)) {
        const llvm::Function* callee = call->getCalledFunction();
        const bool known = callee && (!callee->isDeclaration() || callee->getName() == "free" ||
                                      only_looks(callee->getName()));
        if (!known && has_a_say(*call)) return true;
      }
  return false;
}

/// There is no object where the run comes to this place. The arguments decide that, unless others
/// have a say in it: then the word ends there.
void end_without_object(llvm::Function& copy, llvm::Instruction& at, bool others) {
  if (others) return;
  llvm::FunctionCallee marker = copy.getParent()->getOrInsertFunction(
      no_object_function, llvm::Type::getVoidTy(copy.getContext()));
  llvm::IRBuilder<> builder(&at);
  builder.CreateCall(marker);
}

/// A copy that takes the handle first, and no parameter to give it back by.
llvm::Function* copy_with_handle(llvm::Function& function, const llvm::Argument* out) {
  std::vector<llvm::Type*> types{llvm::PointerType::get(function.getContext(), 0)};
  for (const llvm::Argument& argument : function.args())
    if (&argument != out) types.push_back(argument.getType());
  auto* copy = llvm::Function::Create(
      llvm::FunctionType::get(function.getReturnType(), types, false),
      llvm::GlobalValue::ExternalLinkage, function.getName() + ".made", function.getParent());
  copy->getArg(0)->setName("handle");
  llvm::ValueToValueMapTy map;
  unsigned next = 1;
  for (llvm::Argument& argument : function.args()) {
    if (&argument == out) {
      // Something that is not null; what is put there is the handle.
      map[&argument] = new llvm::GlobalVariable(
          *function.getParent(), argument.getType(), false, llvm::GlobalValue::InternalLinkage,
          llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(argument.getType())),
          function.getName() + ".out");
      continue;
    }
    llvm::Argument* same = copy->getArg(next++);
    same->setName(argument.getName());
    map[&argument] = same;
  }
  llvm::SmallVector<llvm::ReturnInst*, 8> returns;
  llvm::CloneFunctionInto(copy, &function, map, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  return copy;
}

/// The store and the allocation in a copy.
std::pair<llvm::StoreInst*, llvm::CallBase*> same_place(llvm::Function& copy,
                                                        const GivenBack& original) {
  auto from = llvm::inst_begin(*original.store->getFunction());
  llvm::StoreInst* store = nullptr;
  llvm::CallBase* memory = nullptr;
  for (llvm::Instruction& instruction : llvm::instructions(copy)) {
    if (&*from == original.store) store = llvm::cast<llvm::StoreInst>(&instruction);
    if (&*from == original.memory) memory = llvm::cast<llvm::CallBase>(&instruction);
    ++from;
  }
  return {store, memory};
}

/// The memory is the handle's. Other memory is had, too.
void take_memory(llvm::Function& copy, llvm::CallBase& allocation) {
  llvm::Argument* handle = copy.getArg(0);
  never_null(allocation);
  allocation.replaceAllUsesWith(handle);
  llvm::CallBase* call = &allocation;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) call = llvm::changeToCall(invoke);
  call->eraseFromParent();
  for (llvm::BasicBlock& block : copy)
    for (llvm::Instruction& instruction : block)
      if (auto* other = llvm::dyn_cast<llvm::CallBase>(&instruction); other && is_allocator(*other))
        never_null(*other);
}

std::vector<llvm::ReturnInst*> returns_of(llvm::Function& function) {
  std::vector<llvm::ReturnInst*> found;
  for (llvm::BasicBlock& block : function)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) found.push_back(end);
  return found;
}

/// There is no return without the handle.
void bind_handle(llvm::Function& copy, llvm::CallBase& allocation, bool others) {
  llvm::Argument* handle = copy.getArg(0);
  take_memory(copy, allocation);
  for (llvm::ReturnInst* end : returns_of(copy)) {
    llvm::Value* value = end->getReturnValue();
    if (value->stripPointerCasts() == handle) continue;
    llvm::IRBuilder<> builder(end);
    llvm::Value* nothing = builder.CreateIsNull(value);
    end_without_object(copy, *llvm::SplitBlockAndInsertIfThen(nothing, end->getIterator(), true),
                       others);
  }
}

/// The same where it is put through a parameter: a flag says whether that has happened.
void bind_given_back(llvm::Function& copy, llvm::CallBase& allocation, llvm::StoreInst& store,
                     bool others) {
  llvm::IRBuilder<> builder(&*copy.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* given = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "given");
  builder.CreateStore(builder.getFalse(), given);
  builder.SetInsertPoint(&store);
  builder.CreateStore(builder.CreateIsNotNull(store.getValueOperand()), given);
  store.eraseFromParent();
  take_memory(copy, allocation);
  for (llvm::ReturnInst* end : returns_of(copy)) {
    llvm::IRBuilder<> last(end);
    llvm::Value* nothing = last.CreateNot(last.CreateLoad(last.getInt1Ty(), given));
    end_without_object(copy, *llvm::SplitBlockAndInsertIfThen(nothing, end->getIterator(), true),
                       others);
  }
  llvm::DominatorTree dominators(copy);
  llvm::PromoteMemToReg({given}, dominators);
}

} // namespace

Result<void> take_made_handles(llvm::Module& module, SourceFacts& facts, const std::string& handle,
                               const std::vector<std::string>& constructors) {
  const auto alias = facts.aliases.find(handle);
  const std::string record =
      facts.records.contains(handle) || alias == facts.aliases.end() ? handle : alias->second;
  std::vector<FunctionFact> makers;
  for (const auto& [symbol, fact] : facts.functions)
    if (std::ranges::find(constructors, fact.name) != constructors.end() &&
        (fact.parameters.empty() || fact.parameters[0].type.name != record))
      makers.push_back(fact);
  for (FunctionFact& maker : makers) {
    llvm::Function* function = module.getFunction(maker.symbol);
    if (!function || function->isDeclaration() || function->isVarArg()) continue;
    take_helpers_in(*function);
    const bool returned =
        maker.returns.kind == SourceType::Kind::Pointer && maker.returns.name == record;
    const auto back = returned ? std::nullopt : given_back(*function);
    if (!returned && (!back || back->out->getArgNo() >= maker.parameters.size())) continue;
    const auto memory = returned ? returned_memory(*function)
                                 : std::optional(std::set<llvm::CallBase*>{back->memory});
    if (!memory || memory->size() != 1)
      return fail(maker.where,
                  "--constructor: '{}' returns a handle that it does not allocate itself, in one "
                  "place, by malloc, calloc or new",
                  maker.name);
    const std::uint64_t bytes = bytes_of(**memory->begin());
    const bool zeroed = (*memory->begin())->getCalledFunction()->getName() == "calloc";
    if (const std::string around = struct_around(facts, record, bytes); !around.empty()) {
      if (!facts.around_handle.empty() && facts.around_handle != around)
        return fail(maker.where, "--constructor: '{}' makes a {}, others a {}", maker.name, around,
                    facts.around_handle);
      facts.around_handle = around;
    }
    const bool others = asks_others(*function);
    llvm::Function* copy = copy_with_handle(*function, back ? back->out : nullptr);
    if (returned) {
      bind_handle(*copy, **returned_memory(*copy)->begin(), others);
    } else {
      const auto [store, allocation] = same_place(*copy, *back);
      bind_given_back(*copy, *allocation, *store, others);
      maker.parameters.erase(maker.parameters.begin() + back->out->getArgNo());
    }
    maker.symbol = copy->getName().str();
    maker.parameters.insert(
        maker.parameters.begin(),
        {"handle", {.kind = SourceType::Kind::Pointer, .bits = 64, .name = record}});
    maker.makes_handle = true;
    maker.zeroes_handle = zeroed;
    facts.notes.push_back("runs of " + maker.name + " that make no handle " +
                          (others ? "are left out" : "for want of memory are left out"));
    facts.functions[maker.symbol] = maker;
  }
  return {};
}

} // namespace tacit
