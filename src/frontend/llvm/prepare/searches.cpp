#include "frontend/llvm/prepare/searches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/prepare/analyses.h"

namespace tacit {

namespace {

constexpr const char* mark = "tacit.search";
constexpr const char* removal_mark = "tacit.removal"; // of the step, then of the search

const FunctionFact* fact_of(const llvm::Value* value, const SourceFacts& facts) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return nullptr;
  const auto found = facts.functions.find(callee->getName().str());
  return found == facts.functions.end() ? nullptr : &found->second;
}

bool is_text(const SourceFacts& facts, const SourceType& type) {
  return text_of(*facts.library, class_behind(type)) != nullptr;
}

/// Library functions that only look, and that cannot fail.
bool only_looks(const FunctionFact& fact, const SourceFacts& facts) {
  if (!fact.in_system_header) return false;
  if (is_of_iterator(fact))
    return fact.is_const || fact.name == "operator*" || fact.name == "operator->";
  if (fact.is_instance)
    return fact.is_const && fact.never_fails && text_of(*facts.library, fact.in_class) &&
           fact.returns.kind != SourceType::Kind::Object;
  return (fact.name == "operator==" || fact.name == "operator!=") && fact.parameters.size() == 2 &&
         std::ranges::all_of(fact.parameters, [&](const ParameterFact& parameter) {
           return is_text(facts, parameter.type);
         });
}

// ---- The library's algorithms.

/// `while (first != last && !is_one(first)) ++first; return first;`
void write_as_loop(llvm::Function& function, bool removes, const SourceFacts& facts) {
  llvm::CallInst *test = nullptr, *step = nullptr;
  llvm::Instruction* cut = nullptr;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      if (!cut) cut = call;
      const FunctionFact* fact = fact_of(call, facts);
      if (!fact || call->arg_empty()) continue;
      if (!test && fact->name == "operator()" && call->getType()->isIntegerTy(1)) test = call;
      if (!step && fact->name == "operator++" && is_of_iterator(*fact)) step = call;
    }
  if (!test || !step || !cut || cut->getParent() != &function.getEntryBlock() ||
      !function.getReturnType()->isPointerTy())
    return;
  llvm::AllocaInst *first = nullptr, *last = nullptr;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* made = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (made->getName() == "__first") first = made;
      if (made->getName() == "__last") last = made;
    }
  llvm::Value* predicate = test->getArgOperand(0);
  const bool known = llvm::isa<llvm::Argument>(predicate) ||
                     (llvm::isa<llvm::AllocaInst>(predicate) &&
                      llvm::cast<llvm::AllocaInst>(predicate)->getParent() == cut->getParent());
  if (!first || !last || !known || test->arg_size() != 2 ||
      !test->getArgOperand(1)->getType()->isPointerTy() ||
      test->paramHasAttr(1, llvm::Attribute::ByVal))
    return;
  llvm::LLVMContext& context = function.getContext();
  const llvm::DebugLoc place = test->getDebugLoc();
  llvm::BasicBlock* entry = &function.getEntryBlock();
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(context, name, &function);
  };
  llvm::BasicBlock *head = block("search"), *body = block("look"), *next = block("next"),
                   *out = block("found");
  llvm::SplitBlock(entry, cut);
  llvm::IRBuilder<> builder(context);
  builder.SetCurrentDebugLocation(place);
  llvm::Type* pointer = builder.getPtrTy();
  entry->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(entry);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  llvm::Value* at_end =
      builder.CreateICmpEQ(builder.CreateLoad(pointer, first), builder.CreateLoad(pointer, last));
  builder.CreateCondBr(at_end, out, body);
  builder.SetInsertPoint(body);
  auto* look = llvm::cast<llvm::CallInst>(test->clone());
  llvm::Value* here = builder.CreateLoad(pointer, first);
  builder.Insert(look);
  look->setArgOperand(1, here);
  builder.CreateCondBr(look, out, next);
  builder.SetInsertPoint(next);
  auto* on = llvm::cast<llvm::CallInst>(step->clone());
  builder.Insert(on);
  on->setArgOperand(0, first);
  if (removes) on->setMetadata(removal_mark, llvm::MDNode::get(context, {}));
  builder.CreateBr(head);
  builder.SetInsertPoint(out);
  builder.CreateRet(builder.CreateLoad(pointer, first));
  llvm::removeUnreachableBlocks(function);
  function.addFnAttr(mark);
}

// ---- Loops.

/// A pointer is kept there, and the iterator's own members get its address.
bool is_kept_iterator(const llvm::AllocaInst& iterator, const SourceFacts& facts) {
  return std::ranges::all_of(iterator.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == &iterator;
    if (llvm::isa<llvm::LifetimeIntrinsic>(user)) return true;
    const FunctionFact* fact = fact_of(user, facts);
    return fact && is_of_iterator(*fact);
  });
}

/// The only place where something is put into a variable.
llvm::StoreInst* only_store(const llvm::AllocaInst& variable) {
  llvm::StoreInst* found = nullptr;
  for (const llvm::User* user : variable.users())
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (found) return nullptr;
      found = const_cast<llvm::StoreInst*>(store);
    }
  return found;
}

/// The variable that an iterator's pointer was read from, if it was.
llvm::AllocaInst* read_from(const llvm::Value* pointer, const SourceFacts& facts) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  if (!load) return nullptr;
  const llvm::Value* from = load->getPointerOperand();
  if (const FunctionFact* fact = fact_of(from, facts);
      fact && fact->name == "base" && is_of_iterator(*fact))
    from = llvm::cast<llvm::CallBase>(from)->getArgOperand(0);
  return const_cast<llvm::AllocaInst*>(llvm::dyn_cast<llvm::AllocaInst>(from));
}

/// The call that an iterator comes from, by variables that are set once.
llvm::CallBase* source_of(const llvm::Value* pointer, const SourceFacts& facts) {
  for (int steps = 0; steps < 8; ++steps) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(pointer))
      return const_cast<llvm::CallBase*>(call);
    const llvm::AllocaInst* variable = read_from(pointer, facts);
    const llvm::StoreInst* store =
        variable && is_kept_iterator(*variable, facts) ? only_store(*variable) : nullptr;
    if (!store) return nullptr;
    pointer = store->getValueOperand();
  }
  return nullptr;
}

bool same_place(const llvm::Value* a, const llvm::Value* b, const llvm::DataLayout& layout) {
  llvm::APInt low(64, 0), high(64, 0);
  a = a->stripAndAccumulateConstantOffsets(layout, low, true);
  b = b->stripAndAccumulateConstantOffsets(layout, high, true);
  return a == b && low == high;
}

/// A loop from `begin` to `end` of a container that does nothing but look.
class SearchLoop {
public:
  SearchLoop(llvm::Loop& loop, const SourceFacts& facts)
      : loop_(loop), facts_(facts), layout_(loop.getHeader()->getDataLayout()) {}

  bool replace() {
    if (!find_step() || !find_range()) return false;
    if (!looks_only()) return false;
    order_ = ordered();
    if (order_.empty()) return false;
    rewrite();
    return true;
  }

private:
  using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;

  bool find_step() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        const FunctionFact* fact = fact_of(&instruction, facts_);
        if (!fact || fact->name != "operator++" || !is_of_iterator(*fact)) continue;
        if (step_) return false;
        step_ = llvm::cast<llvm::CallBase>(&instruction);
      }
    if (!step_ || !step_->use_empty() || !llvm::isa<llvm::CallInst>(step_)) return false;
    iterator_ = llvm::dyn_cast<llvm::AllocaInst>(step_->getArgOperand(0));
    if (!iterator_ || !is_kept_iterator(*iterator_, facts_)) return false;
    // From there it goes back to the start, without anything else.
    llvm::BasicBlock* header = loop_.getHeader();
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(step_->getParent()->getTerminator());
    for (int blocks = 0; blocks < 4; ++blocks) {
      if (!jump || jump->isConditional()) return false;
      if (jump->getSuccessor(0) == header) break;
      const llvm::BasicBlock* next = jump->getSuccessor(0);
      if (next->getFirstNonPHIOrDbg() != next->getTerminator()) return false;
      jump = llvm::dyn_cast<llvm::BranchInst>(next->getTerminator());
    }
    for (auto at = std::next(step_->getIterator()); &*at != step_->getParent()->getTerminator();
         ++at)
      if (!llvm::isa<llvm::LifetimeIntrinsic>(*at)) return false;
    return loop_.getLoopLatch() != nullptr;
  }

  bool find_range() {
    llvm::BasicBlock* header = loop_.getHeader();
    if (!header->phis().empty()) return false;
    const auto* test = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    if (!test || !test->isConditional()) return false;
    const llvm::Value* condition = test->getCondition();
    bool when = true;
    while (const auto* negated = llvm::dyn_cast<llvm::BinaryOperator>(condition)) {
      const auto* one = llvm::dyn_cast<llvm::ConstantInt>(negated->getOperand(1));
      if (negated->getOpcode() != llvm::Instruction::Xor || !one || !one->isOne()) return false;
      condition = negated->getOperand(0);
      when = !when;
    }
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare || !compare->isEquality()) return false;
    if (compare->getPredicate() == llvm::CmpInst::ICMP_NE) when = !when;
    done_ = test->getSuccessor(when ? 0 : 1);
    start_ = test->getSuccessor(when ? 1 : 0);
    if (loop_.contains(done_) || !loop_.contains(start_) || start_ == header) return false;
    const llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    if (read_from(left, facts_) != iterator_) std::swap(left, right);
    if (read_from(left, facts_) != iterator_) return false;
    const llvm::CallBase* end = source_of(right, facts_);
    const FunctionFact* stop = end ? fact_of(end, facts_) : nullptr;
    if (!stop || (stop->name != "end" && stop->name != "cend")) return false;
    for (llvm::BasicBlock* before : llvm::predecessors(header)) {
      if (loop_.contains(before)) continue;
      if (before_) return false;
      before_ = before;
    }
    if (!before_) return false;
    const llvm::DominatorTree dominators(*header->getParent());
    for (llvm::User* user : iterator_->users())
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (set_) return false;
        set_ = store;
      }
    if (!set_ || loop_.contains(set_) || !dominators.dominates(set_, before_->getTerminator()))
      return false;
    for (llvm::User* user : iterator_->users())
      if (llvm::isa<llvm::LoadInst>(user) &&
          !dominators.dominates(header, llvm::cast<llvm::Instruction>(user)->getParent()))
        return false;
    begin_ = source_of(set_->getValueOperand(), facts_);
    const FunctionFact* start = begin_ ? fact_of(begin_, facts_) : nullptr;
    return start && llvm::isa<llvm::CallInst>(begin_) &&
           (start->name == "begin" || start->name == "cbegin") &&
           start->in_class == stop->in_class && begin_->arg_size() == 1 && end->arg_size() == 1 &&
           same_place(begin_->getArgOperand(0), end->getArgOperand(0), layout_);
  }

  /// Whether memory may be read although it is not known that the element is there.
  bool surely_there(const llvm::Value* pointer) const {
    const llvm::Value* base = pointer->stripInBoundsConstantOffsets();
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base))
      return argument->hasNonNullAttr() || argument->getDereferenceableBytes() > 0 ||
             (argument->getArgNo() == 0 && argument->getDereferenceableOrNullBytes() > 0);
    if (llvm::isa<llvm::AllocaInst>(base) || llvm::isa<llvm::GlobalVariable>(base)) return true;
    const FunctionFact* fact = fact_of(base, facts_);
    return fact && is_of_iterator(*fact);
  }

  /// A variable that lives in one turn only.
  bool is_scratch(const llvm::Value* pointer) const {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
    return variable && variable != iterator_ && only_store(*variable) &&
           std::ranges::all_of(variable->users(), [&](const llvm::User* user) {
             if (llvm::isa<llvm::LifetimeIntrinsic>(user)) return true;
             return loop_.contains(llvm::cast<llvm::Instruction>(user));
           });
  }

  bool looks_only() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (&instruction == step_ || llvm::isa<llvm::LifetimeIntrinsic>(instruction)) continue;
        if (llvm::isa<llvm::PHINode>(instruction) && block == loop_.getHeader()) return false;
        const bool always = block == loop_.getHeader() || block == start_;
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          if (load->isVolatile() || (!always && !surely_there(load->getPointerOperand())))
            return false;
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          if (!is_scratch(store->getPointerOperand()) || is_scratch(store->getValueOperand()))
            return false;
        } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          const FunctionFact* fact = fact_of(call, facts_);
          if (!fact || !only_looks(*fact, facts_)) return false;
          for (const llvm::Value* argument : call->args())
            if (!always && argument->getType()->isPointerTy() && !surely_there(argument))
              return false;
          if (llvm::isa<llvm::InvokeInst>(call)) return false;
        } else if (instruction.isTerminator()) {
          if (!llvm::isa<llvm::BranchInst>(instruction)) return false;
        } else if (instruction.mayHaveSideEffects()) {
          return false;
        }
      }
    return true;
  }

  /// The blocks that look at an element, each behind those that lead to it.
  std::vector<llvm::BasicBlock*> ordered() const {
    std::vector<llvm::BasicBlock*> found;
    const llvm::ReversePostOrderTraversal<llvm::Function*> all(loop_.getHeader()->getParent());
    for (llvm::BasicBlock* block : all) {
      if (loop_.contains(block) && block != loop_.getHeader()) found.push_back(block);
    }
    return found;
  }

  void rewrite() {
    llvm::Function& function = *loop_.getHeader()->getParent();
    llvm::LLVMContext& context = function.getContext();
    auto* id = llvm::MDNode::getDistinct(context, {});
    llvm::IRBuilder<> builder(before_->getTerminator());
    auto* found = llvm::cast<llvm::CallBase>(begin_->clone());
    builder.Insert(found, "found");
    found->setDebugLoc(step_->getDebugLoc());
    found->setMetadata(mark, id);
    if (llvm::MDNode* removes = step_->getMetadata(removal_mark))
      found->setMetadata(removal_mark, removes);
    builder.CreateStore(found, iterator_);
    set_->eraseFromParent();
    llvm::SmallVector<llvm::LoadInst*> loads;
    for (llvm::User* user : iterator_->users())
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) loads.push_back(load);
    for (llvm::LoadInst* load : loads) {
      load->replaceAllUsesWith(found);
      load->eraseFromParent();
    }
    flatten(function, id);
    llvm::removeUnreachableBlocks(function);
  }

  llvm::Value* edge_taken(llvm::IRBuilder<>& builder, llvm::BasicBlock* from,
                          const llvm::BasicBlock* to) {
    const auto* jump = llvm::cast<llvm::BranchInst>(from->getTerminator());
    llvm::Value* here = reached_.at(from);
    if (jump->isUnconditional() || jump->getSuccessor(0) == jump->getSuccessor(1)) return here;
    llvm::Value* condition = jump->getCondition();
    if (jump->getSuccessor(0) != to) condition = builder.CreateNot(condition);
    return both(builder, here, condition);
  }

  static llvm::Value* both(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
    if (const auto* always = llvm::dyn_cast<llvm::ConstantInt>(a); always && always->isOne())
      return b;
    return builder.CreateAnd(a, b);
  }

  static llvm::Value* either(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
    return a ? builder.CreateOr(a, b) : b;
  }

  /// All that is done with an element in one block, the choices being values.
  void flatten(llvm::Function& function, llvm::MDNode* id) {
    llvm::BasicBlock* all =
        llvm::BasicBlock::Create(function.getContext(), "look", &function, start_);
    llvm::IRBuilder<> builder(all);
    builder.SetCurrentDebugLocation(step_->getDebugLoc());
    reached_[start_] = builder.getTrue();
    std::vector<Edge> exits;
    for (llvm::BasicBlock* block : order_) {
      if (block != start_) {
        llvm::Value* reached = nullptr;
        for (llvm::BasicBlock* from : llvm::predecessors(block))
          if (loop_.contains(from) && from != loop_.getHeader())
            reached = either(builder, reached, edge_taken(builder, from, block));
        reached_[block] = reached ? reached : builder.getFalse();
      }
      while (auto* phi = llvm::dyn_cast<llvm::PHINode>(&block->front())) {
        llvm::Value* value = nullptr;
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          llvm::Value* incoming = phi->getIncomingValue(i);
          value = value ? builder.CreateSelect(edge_taken(builder, phi->getIncomingBlock(i), block),
                                               incoming, value)
                        : incoming;
        }
        phi->replaceAllUsesWith(value);
        phi->eraseFromParent();
      }
      while (!block->front().isTerminator()) {
        llvm::Instruction& moved = block->front();
        if (&moved == step_) {
          moved.eraseFromParent();
          step_ = nullptr;
          continue;
        }
        if (const FunctionFact* fact = fact_of(&moved, facts_);
            fact && is_of_iterator(*fact) && fact->name.starts_with("operator"))
          llvm::cast<llvm::CallBase>(moved).addRetAttr(llvm::Attribute::NonNull);
        moved.moveBefore(*all, all->end());
      }
      for (llvm::BasicBlock* to : llvm::successors(block))
        if (!loop_.contains(to) && std::ranges::find(exits, Edge{block, to}) == exits.end())
          exits.emplace_back(block, to);
    }
    lead_out(builder, exits, all, id);
    loop_.getHeader()->getTerminator()->replaceSuccessorWith(start_, all);
  }

  void lead_out(llvm::IRBuilder<>& builder, const std::vector<Edge>& exits, llvm::BasicBlock* all,
                llvm::MDNode* id) {
    std::vector<std::pair<llvm::BasicBlock*, llvm::Value*>> targets;
    llvm::Value* holds = nullptr;
    for (const auto& [from, to] : exits) {
      llvm::Value* taken = edge_taken(builder, from, to);
      holds = either(builder, holds, taken);
      const auto known = std::ranges::find(targets, to, &decltype(targets)::value_type::first);
      if (known == targets.end())
        targets.emplace_back(to, taken);
      else
        known->second = builder.CreateOr(known->second, taken);
    }
    if (!holds) holds = builder.getFalse();
    // What each way out is told, before its predecessors change.
    std::map<llvm::PHINode*, llvm::Value*> told;
    for (const auto& [target, taken] : targets)
      for (llvm::PHINode& phi : target->phis()) {
        llvm::Value* value = nullptr;
        for (const auto& [from, to] : exits) {
          if (to != target) continue;
          llvm::Value* incoming = phi.getIncomingValueForBlock(from);
          value = value && value != incoming
                      ? builder.CreateSelect(edge_taken(builder, from, to), incoming, value)
                      : incoming;
        }
        told[&phi] = value;
      }
    builder.CreateAssumption(holds)->setMetadata(mark, id);
    llvm::BasicBlock* at = all;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      llvm::BasicBlock* target = targets[i].first;
      builder.SetInsertPoint(at);
      llvm::BasicBlock* from = at;
      if (i + 1 < targets.size()) {
        at = llvm::BasicBlock::Create(builder.getContext(), "else", all->getParent(), start_);
        builder.CreateCondBr(targets[i].second, target, at);
      } else {
        builder.CreateBr(target);
      }
      for (llvm::PHINode& phi : target->phis()) phi.addIncoming(told.at(&phi), from);
    }
    if (targets.empty()) builder.CreateUnreachable();
  }

  llvm::Loop& loop_;
  const SourceFacts& facts_;
  const llvm::DataLayout& layout_;
  llvm::CallBase *step_ = nullptr, *begin_ = nullptr;
  llvm::AllocaInst* iterator_ = nullptr;
  llvm::StoreInst* set_ = nullptr; // of the iterator, to `begin`
  llvm::BasicBlock *before_ = nullptr, *start_ = nullptr, *done_ = nullptr;
  std::vector<llvm::BasicBlock*> order_;
  std::map<llvm::BasicBlock*, llvm::Value*> reached_;
};

/// An iterator that is one pointer is read and written as one.
void open_iterators(llvm::Function& function, const SourceFacts& facts) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const FunctionFact* fact = fact_of(call, facts);
            fact && fact->in_class.starts_with("__gnu_cxx::__normal_iterator<") &&
            (fact->name == "base" || (fact->is_constructor && call->arg_size() == 2)))
          calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    llvm::Value* iterator = call->getArgOperand(0);
    if (!call->getType()->isVoidTy()) {
      call->replaceAllUsesWith(iterator);
    } else {
      llvm::IRBuilder<> builder(call);
      builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), call->getArgOperand(1)), iterator);
    }
    call->eraseFromParent();
  }
}

/// What is known about a result of a search is known where it is asked for again.
void thread_jumps(llvm::Function& function) {
  Analyses analyses;
  llvm::FunctionPassManager manager;
  manager.addPass(llvm::JumpThreadingPass());
  manager.run(function, analyses.functions);
}

} // namespace

bool is_of_iterator(const FunctionFact& fact) {
  return fact.in_system_header && fact.is_instance &&
         (fact.in_class.starts_with("__gnu_cxx::__normal_iterator<") ||
          fact.in_class.starts_with("std::_Rb_tree_iterator<") ||
          fact.in_class.starts_with("std::_Rb_tree_const_iterator<") ||
          fact.in_class.starts_with("std::__detail::_Node_iterator<") ||
          fact.in_class.starts_with("std::__detail::_Node_const_iterator<"));
}

void write_searches_as_loops(llvm::Module& module, const SourceFacts& facts) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const auto known = facts.functions.find(function.getName().str());
    if (known != facts.functions.end() && known->second.in_system_header &&
        (known->second.qualified == "std::__find_if" ||
         known->second.qualified == "std::__remove_if"))
      write_as_loop(function, known->second.name == "__remove_if", facts);
  }
}

bool find_searches(llvm::Module& module, const SourceFacts& facts) {
  bool any = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    bool here = false;
    for (bool more = true; more;) {
      more = false;
      const llvm::DominatorTree dominators(function);
      const llvm::LoopInfo loops(dominators);
      for (llvm::Loop* loop : loops.getLoopsInPreorder())
        if (loop->isInnermost() && SearchLoop(*loop, facts).replace()) {
          more = true;
          break;
        }
      here = here || more;
    }
    if (here) open_iterators(function, facts);
    if (here) thread_jumps(function);
    any = any || here;
  }
  return any;
}

void drop_idle_looks(llvm::Module& module, const SourceFacts& facts) {
  const auto is_idle = [&](const llvm::CallInst& call) {
    const FunctionFact* fact = call.use_empty() ? fact_of(&call, facts) : nullptr;
    if (!fact || !fact->in_system_header || is_search(call)) return false;
    return only_looks(*fact, facts) || fact->qualified == "std::__iterator_category" ||
           (fact->is_instance && is_closed(*facts.library, fact->in_class) &&
            (fact->name == "begin" || fact->name == "end" || fact->name == "cbegin" ||
             fact->name == "cend"));
  };
  for (bool more = true; more;) {
    more = false;
    for (llvm::Function& function : module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
          if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && is_idle(*call)) {
            call->eraseFromParent();
            more = true;
          }
  }
}

bool is_search_loop(const llvm::Function& function) { return function.hasFnAttribute(mark); }

bool removes(const llvm::CallBase& search) { return search.getMetadata(removal_mark) != nullptr; }

bool is_search(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::AssumeInst>(instruction) &&
         instruction.getMetadata(mark) != nullptr;
}

bool is_search_condition(const llvm::IntrinsicInst& assumption) {
  return assumption.getMetadata(mark) != nullptr;
}

Search search_of(const llvm::CallBase& call) {
  Search search{.call = &call, .container = call.getArgOperand(0)};
  const llvm::MDNode* id = call.getMetadata(mark);
  for (const llvm::BasicBlock& block : *call.getFunction())
    for (const llvm::Instruction& instruction : block)
      if (const auto* holds = llvm::dyn_cast<llvm::AssumeInst>(&instruction);
          holds && holds->getMetadata(mark) == id)
        search.holds = holds;
  return search;
}

std::vector<Search> searches_of(const llvm::Module& module) {
  std::vector<Search> found;
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (is_search(instruction))
          found.push_back(search_of(llvm::cast<llvm::CallBase>(instruction)));
  return found;
}

bool is_element(const llvm::Value* value, const Search& search, const SourceFacts& facts) {
  const FunctionFact* fact = fact_of(value, facts);
  return fact && is_of_iterator(*fact) &&
         (fact->name == "operator*" || fact->name == "operator->") &&
         search_behind(llvm::cast<llvm::CallBase>(value)->getArgOperand(0), facts) == search.call;
}

namespace {

/// A place in the element that was found, in bytes from its start.
std::optional<std::int64_t> place_in_element(const llvm::Value* pointer, const Search& search,
                                             const SourceFacts& facts) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(
      search.call->getFunction()->getDataLayout(), offset, true);
  if (!is_element(base, search, facts)) return std::nullopt;
  return offset.getSExtValue();
}

bool speaks_of_element(const llvm::Value* value, const Search& search, const SourceFacts& facts) {
  if (is_element(value, search, facts)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getParent() != &search.body()) return false;
  return std::ranges::any_of(instruction->operands(), [&](const llvm::Use& use) {
    return speaks_of_element(use.get(), search, facts);
  });
}

void conjuncts(const llvm::Value* condition, std::vector<const llvm::Value*>& all) {
  if (const auto* both = llvm::dyn_cast<llvm::BinaryOperator>(condition);
      both && both->getOpcode() == llvm::Instruction::And) {
    conjuncts(both->getOperand(0), all);
    conjuncts(both->getOperand(1), all);
    return;
  }
  all.push_back(condition);
}

std::optional<SearchKey> key_in(const llvm::Value* test, const Search& search,
                                const SourceFacts& facts) {
  const llvm::Value *left = nullptr, *right = nullptr;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(test);
  const FunctionFact* equal = fact_of(test, facts);
  if (compare && compare->getPredicate() == llvm::CmpInst::ICMP_EQ) {
    left = compare->getOperand(0);
    right = compare->getOperand(1);
  } else if (equal && equal->name == "operator==" && !equal->is_instance) {
    const auto* call = llvm::cast<llvm::CallBase>(test);
    if (call->arg_size() != 2) return std::nullopt;
    left = call->getArgOperand(0);
    right = call->getArgOperand(1);
  } else {
    return std::nullopt;
  }
  for (int sides = 0; sides < 2; ++sides, std::swap(left, right)) {
    if (speaks_of_element(right, search, facts) || llvm::isa<llvm::Constant>(right)) continue;
    if (equal) {
      const auto place = place_in_element(left, search, facts);
      if (place)
        return SearchKey{.offset = *place, .with = right, .test = test, .left = sides == 0};
      continue;
    }
    const llvm::Value *held = left, *with = right;
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(held)) {
      const auto* same = llvm::dyn_cast<llvm::CastInst>(with);
      if (!same || same->getOpcode() != cast->getOpcode() || same->getSrcTy() != cast->getSrcTy() ||
          cast->getOpcode() == llvm::Instruction::Trunc)
        continue;
      held = cast->getOperand(0);
      with = same->getOperand(0);
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(held);
    if (!load || !load->getType()->isIntegerTy()) continue;
    if (const auto place = place_in_element(load->getPointerOperand(), search, facts))
      return SearchKey{.offset = *place,
                       .bits = load->getType()->getIntegerBitWidth(),
                       .with = with,
                       .test = test};
  }
  return std::nullopt;
}

std::optional<std::string>
in_words(const llvm::Value* value, const Search& search, const SourceFacts& facts,
         const std::function<std::string(std::int64_t, unsigned)>& field) {
  const auto of = [&](const llvm::Value* part) { return in_words(part, search, facts, field); };
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return std::to_string(number->getSExtValue());
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getParent() != &search.body()) return std::nullopt;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    const auto place = place_in_element(load->getPointerOperand(), search, facts);
    if (!place || !load->getType()->isIntegerTy()) return std::nullopt;
    const std::string name = field(*place, load->getType()->getIntegerBitWidth());
    return name.empty() ? std::nullopt : std::optional(name);
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
    return cast->getType()->isIntegerTy() ? of(cast->getOperand(0)) : std::nullopt;
  std::vector<std::string> parts;
  for (const llvm::Use& use : instruction->operands()) {
    const auto part = of(use.get());
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value))
    return parts[0] + "_" + llvm::CmpInst::getPredicateName(compare->getPredicate()).str() + "_" +
           parts[1];
  if (const auto* both = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(both->getOperand(1));
    if (both->getOpcode() == llvm::Instruction::Xor && by && by->isOne()) return "not_" + parts[0];
    return parts[0] + "_" + both->getOpcodeName() + "_" + parts[1];
  }
  if (llvm::isa<llvm::SelectInst>(value))
    return parts[0] + "_then_" + parts[1] + "_else_" + parts[2];
  return std::nullopt;
}

} // namespace

std::optional<std::string>
closed_condition(const Search& search, const SourceFacts& facts,
                 const std::function<std::string(std::int64_t, unsigned)>& field) {
  if (!search.holds || llvm::isa<llvm::Constant>(search.condition())) return std::nullopt;
  return in_words(search.condition(), search, facts, field);
}

std::optional<SearchKey> key_of(const Search& search, const SourceFacts& facts) {
  if (!search.holds) return std::nullopt;
  std::vector<const llvm::Value*> tests;
  conjuncts(search.condition(), tests);
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (auto key = key_in(tests[i], search, facts)) {
      tests.erase(tests.begin() + static_cast<std::ptrdiff_t>(i));
      key->others = std::move(tests);
      return key;
    }
  return std::nullopt;
}

const llvm::CallBase* search_behind(const llvm::Value* iterator, const SourceFacts& facts) {
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(iterator)) {
    const llvm::StoreInst* store =
        is_kept_iterator(*variable, facts) ? only_store(*variable) : nullptr;
    if (!store) return nullptr;
    for (const llvm::User* user : variable->users())
      if (const FunctionFact* fact = fact_of(user, facts);
          fact && !fact->is_const && !fact->is_constructor &&
          llvm::cast<llvm::CallBase>(user)->getArgOperand(0) == variable)
        return nullptr;
    iterator = store->getValueOperand();
  }
  const llvm::CallBase* call = source_of(iterator, facts);
  return call && is_search(*call) ? call : nullptr;
}

} // namespace tacit
