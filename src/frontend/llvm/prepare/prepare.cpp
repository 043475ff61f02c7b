// The inliner runs only over what is looked into: code that is no library's, the subject itself
// wherever it lives, small library classes whose fields are flattened, and library functions that
// are handed a function object of the given code. The library's containers stay calls: inlined they
// would become pointer arithmetic that nobody can summarise.
#include "frontend/llvm/prepare/prepare.h"

#include <algorithm>
#include <functional>
#include <map>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "frontend/llvm/prepare/analyses.h"
#include "frontend/llvm/prepare/array_loops.h"
#include "frontend/llvm/prepare/virtual_tables.h"

namespace tacit {

namespace {

// Instructions, with everything inlined; what loops is looked into only when it is small.
constexpr std::size_t largest_inlined = 800, largest_loop_inlined = 150;
constexpr std::size_t largest_forwarded = 4000;

bool has_loop(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back;
  llvm::FindFunctionBackedges(function, back);
  return !back.empty();
}

/// A lambda, or a function template of the library applied to one: the lambda must be seen.
bool takes_lambda(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.contains("$_") || name.contains("UlvE") || name.contains("EUl") ||
         (name.contains("Ul") && llvm::demangle(name.str()).contains("'lambda"));
}

/// Further arguments that nobody looks at do not hinder.
bool reads_further_arguments(const llvm::Function& function) {
  if (!function.isVarArg()) return false;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (llvm::isa<llvm::VAStartInst>(instruction)) return true;
  return false;
}

class Preparation {
public:
  Preparation(llvm::Module& module, const SourceFacts& facts, bool overridden,
              std::vector<std::string>& notes)
      : module_(module), facts_(facts), overridden_(overridden), notes_(notes) {}

  void run() {
    // Nobody calls the calls; they are kept all the same.
    for (const auto* symbols : {&facts_.methods, &facts_.constructors})
      for (const std::string& symbol : *symbols)
        if (llvm::Function* function = module_.getFunction(symbol);
            function && !function->isDeclaration())
          function->setLinkage(llvm::GlobalValue::WeakODRLinkage);
    mark_signs();
    mark_fields();
    put_constants();
    mark();
    passes("always-inline,function(sroa,early-cse,adce)");
    if (!overridden_ && resolve_virtual_calls()) {
      mark();
      passes("always-inline,function(sroa,early-cse,adce)");
    }
    if (fill_arrays(module_) | index_arrays(module_)) passes("function(sroa,early-cse,adce)");
    std::set<const llvm::Function*> methods;
    for (const auto* symbols : {&facts_.methods, &facts_.constructors})
      for (const std::string& symbol : *symbols) methods.insert(module_.getFunction(symbol));
    // What is inlined may make virtual calls of its own.
    for (int i = 0; i < 3 && promote_virtual_calls(module_, methods); ++i) {
      mark();
      passes("always-inline,function(sroa,early-cse,adce)");
    }
    if (index_choices(module_)) passes("function(early-cse,adce)");
    drop_impossible_cases();
    give_loops_one_entry();
  }

private:
  /// Values that a switch is said not to meet, one by one and all others, are the others.
  void drop_impossible_cases() {
    const auto is_impossible = [](const llvm::BasicBlock& block) {
      return llvm::isa<llvm::UnreachableInst>(*block.getFirstNonPHIOrDbg());
    };
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function) {
        auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
        if (!choice || !is_impossible(*choice->getDefaultDest())) continue;
        for (auto at = choice->case_begin(); at != choice->case_end();) {
          llvm::BasicBlock* to = at->getCaseSuccessor();
          if (!is_impossible(*to)) {
            ++at;
            continue;
          }
          to->removePredecessor(&block);
          at = choice->removeCase(at);
        }
      }
  }

  /// Loops with several entries (a jump into a loop, a switch around one) get a single one.
  void give_loops_one_entry() {
    Analyses analyses;
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      const llvm::DominatorTree dominators(function);
      const llvm::LoopInfo loops(dominators);
      const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
      if (!llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(order, loops)) continue;
      std::vector<llvm::InvokeInst*> invokes;
      for (llvm::BasicBlock& block : function)
        if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()))
          invokes.push_back(invoke);
      // Only plain jumps can be led elsewhere.
      for (llvm::InvokeInst* invoke : invokes)
        llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
      llvm::FunctionPassManager manager;
      manager.addPass(llvm::LowerSwitchPass());
      manager.addPass(llvm::FixIrreduciblePass());
      manager.run(function, analyses.functions);
    }
  }

  /// Arithmetic with a sign is marked, and may wrap around from then on like any other: no pass
  /// shall draw conclusions from it.
  void mark_signs() {
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
          if (!llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) continue;
          if (instruction.hasNoSignedWrap())
            instruction.setMetadata(signed_arithmetic, llvm::MDNode::get(module_.getContext(), {}));
          instruction.setHasNoSignedWrap(false);
          instruction.setHasNoUnsignedWrap(false);
        }
  }

  /// The address of an object is that of its first field, and the step from one to the other is
  /// folded away. An argument that was such a step stays recognisable.
  void mark_fields() {
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
          auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
          for (unsigned i = 0; i < call->arg_size(); ++i)
            if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(call->getArgOperand(i));
                gep && gep->hasAllZeroIndices() && gep->getSourceElementType()->isStructTy())
              call->addParamAttr(i,
                                 llvm::Attribute::get(module_.getContext(), field_argument_mark));
        }
  }

  void put_constants() {
    for (const auto& [symbol, fact] : facts_.functions) {
      llvm::Function* function = fact.constant ? module_.getFunction(symbol) : nullptr;
      if (!function || !function->getReturnType()->isIntegerTy()) continue;
      auto* value = llvm::ConstantInt::getSigned(function->getReturnType(), *fact.constant);
      std::vector<llvm::CallBase*> calls;
      for (llvm::User* user : function->users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            call && call->getCalledFunction() == function)
          calls.push_back(call);
      for (llvm::CallBase* call : calls) {
        call->replaceAllUsesWith(value);
        if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) call = changeToCall(invoke);
        call->eraseFromParent();
      }
    }
  }

  bool looked_into(const llvm::Function& function) const {
    if (function.isDeclaration() || reads_further_arguments(function)) return false;
    const auto found = facts_.functions.find(function.getName().str());
    if (found == facts_.functions.end())
      return function.getName().starts_with("_ZN") == false || function.hasLocalLinkage();
    const FunctionFact& fact = found->second;
    if (fact.outranked) return false;
    if (fact.is_own || !fact.in_system_header) return true;
    return fact.looked_into || (takes_lambda(function) && !fact.tame);
  }

  /// Library code that is read like given code is layers of calls, most of which vanish.
  bool is_forwarding(const llvm::Function& function) const {
    const auto found = facts_.functions.find(function.getName().str());
    return found != facts_.functions.end() && found->second.looked_into &&
           found->second.in_system_header && !found->second.is_own;
  }

  void mark() {
    llvm::CallGraph graph(module_);
    std::map<const llvm::Function*, std::size_t> size;
    std::map<const llvm::Function*, bool> loops;
    for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
      const bool recursive = scc.hasCycle();
      for (const llvm::CallGraphNode* node : *scc) {
        llvm::Function* function = node->getFunction();
        if (!function || function->isDeclaration()) continue;
        std::size_t total = function->getInstructionCount();
        bool looping = has_loop(*function);
        for (const auto& [site, callee] : *node)
          if (callee->getFunction() && size.contains(callee->getFunction())) {
            total += size[callee->getFunction()];
            looping = looping || loops[callee->getFunction()];
          }
        function->removeFnAttr(llvm::Attribute::NoInline);
        function->removeFnAttr(llvm::Attribute::OptimizeNone);
        function->removeFnAttr(llvm::Attribute::AlwaysInline);
        const bool inlined = looked_into(*function) && !recursive &&
                             total <= (looping                    ? largest_loop_inlined
                                       : is_forwarding(*function) ? largest_forwarded
                                                                  : largest_inlined);
        loops[function] = inlined && looping;
        function->addFnAttr(inlined ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
        size[function] = inlined ? total : 1;
      }
    }
    // A call site may forbid or demand it as well.
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
            call->removeFnAttr(llvm::Attribute::NoInline);
            call->removeFnAttr(llvm::Attribute::AlwaysInline);
          }
  }

  void passes(const char* pipeline) {
    Analyses analyses;
    llvm::ModulePassManager manager;
    llvm::cantFail(analyses.builder.parsePassPipeline(manager, pipeline));
    manager.run(module_, analyses.modules);
  }

  /// `load (gep (load this), slot)`: with the subject's own vtable, as the object is taken to be of
  /// the class that was named.
  bool resolve_virtual_calls() {
    if (facts_.subject.empty()) return false;
    const llvm::GlobalVariable* table = nullptr;
    for (const llvm::GlobalVariable& global : module_.globals())
      if (global.getName().starts_with("_ZTV") && global.hasInitializer() &&
          llvm::demangle(global.getName().str()) == "vtable for " + facts_.subject)
        table = &global;
    if (!table) return false;
    bool any = false;
    std::set<std::string> roots(facts_.methods.begin(), facts_.methods.end());
    roots.insert(facts_.constructors.begin(), facts_.constructors.end());
    for (const std::string& symbol : roots) {
      llvm::Function* function = module_.getFunction(symbol);
      if (!function || function->isDeclaration() || function->arg_empty()) continue;
      for (llvm::BasicBlock& block : *function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
            any |= resolve(*call, *function, *table);
    }
    return any;
  }

  /// While an object is made or ends it is of the class whose part is at work, which puts its
  /// table there first.
  static const llvm::StoreInst* table_set_before(const llvm::LoadInst& read) {
    const llvm::DominatorTree dominators(*const_cast<llvm::Function*>(read.getFunction()));
    const llvm::StoreInst* last = nullptr;
    for (const llvm::User* user : read.getPointerOperand()->users())
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
          store && store->getPointerOperand() == read.getPointerOperand() &&
          store->getValueOperand()->getType()->isPointerTy() &&
          dominators.dominates(store, &read) && (!last || dominators.dominates(last, store)))
        last = store;
    return last;
  }

  bool resolve(llvm::CallBase& call, const llvm::Function& function,
               const llvm::GlobalVariable& table) {
    const auto* target = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
    if (!target) return false;
    std::uint64_t slot = 0;
    const llvm::Value* address = target->getPointerOperand();
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(address)) {
      llvm::APInt offset(64, 0);
      if (!gep->accumulateConstantOffset(layout, offset)) return false;
      slot = offset.getZExtValue() / 8;
      address = gep->getPointerOperand();
    }
    const auto* vptr = llvm::dyn_cast<llvm::LoadInst>(address);
    if (!vptr) return false;
    const llvm::Value* object = vptr->getPointerOperand()->stripInBoundsConstantOffsets();
    if (object != function.getArg(0) || vptr->getPointerOperand() != object) return false;
    constexpr std::int64_t first_entry = 16; // behind the offset and the type
    VirtualTable current{&table, first_entry};
    if (const llvm::StoreInst* set = table_set_before(*vptr)) {
      const auto stored = virtual_table(set->getValueOperand(), layout);
      if (!stored) return false;
      current = *stored;
    } else if (std::ranges::find(facts_.constructors, function.getName().str()) !=
               facts_.constructors.end()) {
      return false;
    }
    auto* callee =
        const_cast<llvm::Function*>(function_at(current, static_cast<std::int64_t>(slot) * 8));
    if (!callee || callee->getName() == "__cxa_pure_virtual") return false;
    if (callee->getFunctionType() != call.getFunctionType()) return false;
    call.setCalledFunction(callee);
    if (current.table != &table) return true;
    notes_.push_back("objects are of class " + facts_.subject +
                     " itself: its virtual calls on "
                     "itself are resolved");
    return true;
  }

  llvm::Module& module_;
  const SourceFacts& facts_;
  const bool overridden_;
  std::vector<std::string>& notes_;
};

} // namespace

Result<std::unique_ptr<llvm::Module>>
link_modules(std::vector<std::unique_ptr<llvm::Module>> modules) {
  std::unique_ptr<llvm::Module> all = std::move(modules.front());
  llvm::Linker linker(*all);
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const std::string name = modules[i]->getSourceFileName();
    if (linker.linkInModule(std::move(modules[i])))
      return fail(Location{name}, "it cannot be linked with the other sources");
  }
  return all;
}

void prepare_module(llvm::Module& module, const SourceFacts& facts, bool overridden,
                    std::vector<std::string>& notes) {
  Preparation(module, facts, overridden, notes).run();
}

} // namespace tacit
