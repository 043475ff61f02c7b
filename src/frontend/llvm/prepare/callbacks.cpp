#include "frontend/llvm/prepare/callbacks.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/facts/reach.h"
#include "frontend/llvm/prepare/virtual_tables.h"

namespace tacit {

bool is_assert_failure(llvm::StringRef symbol) {
  // The last ones are those of checks in libstdc++ and libc++ that users turn on.
  static constexpr std::array known = {"__assert_fail",
                                       "__assert_perror_fail",
                                       "__assert",
                                       "__assert_rtn",
                                       "__assert_func",
                                       "_ZSt21__glibcxx_assert_failPKciS0_S0_",
                                       "_ZSt20__replacement_assertPKciS0_S0_",
                                       "_ZNSt3__122__libcpp_verbose_abortEPKcz"};
  return std::ranges::find(known, symbol) != known.end();
}

namespace {

/// Functions of the runtime and the allocator run nobody's code.
bool is_runtime(llvm::StringRef symbol) {
  return symbol.starts_with("llvm.") || symbol.starts_with("__cxa") || symbol.starts_with("_Zn") ||
         symbol.starts_with("_Zd") || symbol == "_ZSt9terminatev" ||
         symbol == "__clang_call_terminate" || is_assert_failure(symbol);
}

/// The slot of a call through a virtual table, with the object; nothing for other calls.
std::optional<std::uint64_t> slot_of(const llvm::CallBase& call) {
  const auto* target = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
  if (!target) return std::nullopt;
  const llvm::Value* address = target->getPointerOperand();
  std::uint64_t slot = 0;
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(address)) {
    llvm::APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(call.getModule()->getDataLayout(), offset))
      return std::nullopt;
    slot = offset.getZExtValue() / 8;
    address = gep->getPointerOperand();
  }
  const auto* table = llvm::dyn_cast<llvm::LoadInst>(address);
  if (!table) return std::nullopt;
  // The pointer to the table has a type of its own.
  if (accessed_type(*table) != table_pointer) return std::nullopt;
  return slot;
}

/// The table of a class with pure virtual functions: no object has it once it is made, whatever
/// else stands in it.
bool of_abstract_class(const llvm::ConstantArray& entries) {
  return std::ranges::any_of(entries.operands(), [](const llvm::Use& entry) {
    const auto* function = llvm::dyn_cast<llvm::Function>(entry->stripPointerCasts());
    return function && function->getName() == "__cxa_pure_virtual";
  });
}

} // namespace

Callbacks::Callbacks(const llvm::Module& code, const SourceFacts& facts)
    : code_(code), facts_(facts) {
  find_effects();
}

/// What single instructions do, carried from callees to callers.
void Callbacks::find_effects() {
  std::map<const llvm::Function*, std::vector<const llvm::Function*>> callers;
  std::vector<const llvm::Function*> active, unknown;
  for (const llvm::Function& function : code_) {
    if (function.isDeclaration()) {
      const auto fact = facts_.functions.find(function.getName().str());
      // Functions of the C library call only what they are handed at the call.
      const bool c = fact != facts_.functions.end() && fact->second.in_system_header &&
                     fact->second.in_class.empty() && !function.getName().starts_with("_Z");
      if (!c && !keeps_to_itself(function)) unknown.push_back(&function);
      continue;
    }
    bool acts = false, calls = false;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        acts = acts || does_something(instruction);
        calls = calls || calls_unknown(instruction);
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function* callee = call->getCalledFunction())
            callers[callee].push_back(&function);
      }
    if (acts) active.push_back(&function);
    if (calls && !keeps_to_itself(function)) unknown.push_back(&function);
  }
  const auto spread = [&](std::vector<const llvm::Function*> work,
                          std::set<const llvm::Function*>& into, bool stops) {
    while (!work.empty()) {
      const llvm::Function* at = work.back();
      work.pop_back();
      if (!into.insert(at).second) continue;
      for (const llvm::Function* caller : callers[at])
        if (!stops || !keeps_to_itself(*caller)) work.push_back(caller);
    }
  };
  spread(active, active_, false);
  spread(unknown, unknown_, true);
}

bool Callbacks::keeps_to_itself(const llvm::Function& function) const {
  const llvm::StringRef symbol = function.getName();
  if (is_runtime(symbol) || raised_by(*facts_.library, llvm::demangle(symbol.str()))) return true;
  const auto fact = facts_.functions.find(symbol.str());
  return fact != facts_.functions.end() && fact->second.tame;
}

bool Callbacks::is_given(const llvm::Function& function) const {
  const auto found = facts_.functions.find(function.getName().str());
  return found == facts_.functions.end() ? function.hasLocalLinkage()
                                         : found->second.is_own || !found->second.in_system_header;
}

bool Callbacks::in_given_code(const llvm::Instruction& instruction) const {
  const llvm::DILocation* place = instruction.getDebugLoc();
  const llvm::DISubprogram* in = place ? place->getScope()->getSubprogram() : nullptr;
  if (!in) return is_given(*instruction.getFunction());
  auto found = facts_.functions.find(in->getLinkageName().str());
  if (found == facts_.functions.end()) found = facts_.functions.find(in->getName().str());
  if (found == facts_.functions.end()) return is_given(*instruction.getFunction());
  return found->second.is_own || !found->second.in_system_header;
}

/// Writes memory, raises an error, or hands pointers on: in code of the given source. What a
/// destructor leaves in its object nobody reads.
bool Callbacks::does_something(const llvm::Instruction& instruction) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call && llvm::isa<llvm::IntrinsicInst>(call) && !llvm::isa<llvm::MemIntrinsic>(call))
    return false;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store ? llvm::isa<llvm::AllocaInst>(store->getPointerOperand()) ||
                  ends_with_object(*store->getPointerOperand(), *store->getFunction())
            : !instruction.mayWriteToMemory())
    return false;
  if (!in_given_code(instruction)) return false;
  if (!call || llvm::isa<llvm::MemIntrinsic>(call)) return true;
  return call->doesNotReturn() || hands_pointers_on(*call);
}

/// Whether a pointer leads into an object or a variable that does not outlive the function.
bool Callbacks::ends_with_object(const llvm::Value& pointer, const llvm::Function& in) const {
  const llvm::Value* root = pointer.stripInBoundsOffsets();
  if (llvm::isa<llvm::AllocaInst>(root)) return true;
  const auto fact = facts_.functions.find(in.getName().str());
  return fact != facts_.functions.end() && fact->second.name.starts_with("~") && !in.arg_empty() &&
         root == in.getArg(0);
}

/// Whether objects of a library class hold nothing that is of a class of the given code.
bool Callbacks::holds_no_code(const std::string& class_name) const {
  return !class_name.contains("function") && !class_name.contains("any") &&
         std::ranges::none_of(facts_.records, [&](const auto& record) {
           return !record.second.in_system_header && class_name.contains(record.first);
         });
}

/// Pointers to what others see, but not to members of the library that only look at their object.
bool Callbacks::hands_pointers_on(const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  const auto known =
      callee ? facts_.functions.find(callee->getName().str()) : facts_.functions.end();
  const bool tame = known != facts_.functions.end() && known->second.tame &&
                    holds_no_code(known->second.in_class);
  const bool frees = callee && callee->getName().starts_with("_Zd");
  for (const llvm::Use& argument : call.args()) {
    if (!argument->getType()->isPointerTy() || llvm::isa<llvm::ConstantPointerNull>(argument))
      continue;
    const bool is_object = known != facts_.functions.end() && known->second.is_instance &&
                           call.getArgOperandNo(&argument) == (call.hasStructRetAttr() ? 1 : 0);
    if (tame && is_object && known->second.is_const) continue;
    if ((tame || frees) && ends_with_object(*argument, *call.getFunction())) continue;
    return true;
  }
  return false;
}

bool Callbacks::runs_own_code(const llvm::Function& function) const {
  return active_.contains(&function);
}

/// A write of the given code that goes further than into the object that it is called on, a call
/// of a function without code that is no library's, or an end.
bool Callbacks::acts_outside(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::StoreInst>(instruction)) {
    const llvm::Value* root =
        llvm::getLoadStorePointerOperand(&instruction)->stripInBoundsOffsets();
    const auto* from = llvm::dyn_cast<llvm::LoadInst>(root);
    return llvm::isa<llvm::GlobalVariable>(root) || (from && in_given_code(*from));
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return false;
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee) return !is_virtual(*call);
  if (is_assert_failure(callee->getName()) || callee->getName() == "__cxa_throw") return true;
  const auto fact = facts_.functions.find(callee->getName().str());
  return callee->isDeclaration() && !is_runtime(callee->getName()) &&
         !(fact != facts_.functions.end() && fact->second.in_system_header);
}

bool Callbacks::runs_elements(const llvm::Function& library) const {
  const auto [known, fresh] = runs_elements_.try_emplace(&library, false);
  if (!fresh || is_given(library)) return known->second;
  std::set<const llvm::Function*> seen;
  std::vector<const llvm::Function*> work;
  const auto follow = [&](const llvm::Function* function) {
    if (function && !function->isDeclaration() && seen.insert(function).second)
      work.push_back(function);
  };
  follow(&library);
  const auto itself = facts_.functions.find(library.getName().str());
  if (itself != facts_.functions.end())
    for (const llvm::Function* destructor : destructors_of(itself->second.in_class))
      follow(destructor);
  while (!work.empty()) {
    const llvm::Function* at = work.back();
    work.pop_back();
    for (const llvm::BasicBlock& block : *at)
      for (const llvm::Instruction& instruction : block) {
        if (in_given_code(instruction) && acts_outside(instruction))
          return runs_elements_[&library] = true;
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call) continue;
        follow(call->getCalledFunction());
        if (is_given(*at) && is_virtual(*call))
          for (const llvm::Function* candidate : virtual_candidates(*call)) follow(candidate);
      }
  }
  return false;
}

/// Those of objects that are held by value or owned: `std::shared_ptr<Item>` ends one,
/// `std::vector<Item *>` does not.
std::vector<const llvm::Function*> Callbacks::destructors_of(const std::string& class_name) const {
  std::vector<const llvm::Function*> found;
  if (!class_name.contains('<')) return found;
  std::set<std::string> held = held_by_value(facts_, class_name);
  for (const std::string& name : std::set(held))
    if (const auto children = facts_.derived.find(name); children != facts_.derived.end())
      held.insert(children->second.begin(), children->second.end());
  if (held.empty()) return found;
  for (const auto& [symbol, fact] : facts_.functions)
    if (fact.name.starts_with("~") && held.contains(fact.in_class))
      if (const llvm::Function* function = code_.getFunction(symbol)) found.push_back(function);
  return found;
}

bool Callbacks::is_virtual(const llvm::CallBase& call) { return slot_of(call).has_value(); }

std::vector<const llvm::Function*> Callbacks::virtual_candidates(const llvm::CallBase& call) const {
  std::vector<const llvm::Function*> found;
  const auto take = [&](const llvm::Function* function) {
    if (function && !function->isDeclaration() && is_given(*function) &&
        function->getFunctionType() == call.getFunctionType() &&
        std::ranges::find(found, function) == found.end())
      found.push_back(function);
  };
  const auto slot = slot_of(call);
  if (!slot) return found;
  for (const llvm::GlobalVariable& table : code_.globals()) {
    if (!table.getName().starts_with("_ZTV") || !table.hasInitializer()) continue;
    const auto* all = llvm::dyn_cast<llvm::ConstantStruct>(table.getInitializer());
    if (!all) continue;
    for (const llvm::Use& part : all->operands())
      if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(part);
          entries && *slot + 2 < entries->getNumOperands() && !of_abstract_class(*entries))
        take(llvm::dyn_cast<llvm::Function>(
            entries->getOperand(static_cast<unsigned>(*slot + 2))->stripPointerCasts()));
  }
  return found;
}

/// Calls through a pointer, or hands out a function.
bool Callbacks::calls_unknown(const llvm::Instruction& instruction) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->isInlineAsm()) return false;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee &&
      (callee->getName() == "llvm.coro.resume" || callee->getName() == "llvm.coro.destroy"))
    return true;
  if (callee && keeps_to_itself(*callee)) return false;
  return !callee || std::ranges::any_of(call->args(), [](const llvm::Use& u) {
    return llvm::isa<llvm::Function>(u->stripPointerCasts());
  });
}

} // namespace tacit
