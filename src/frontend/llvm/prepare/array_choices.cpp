// A pointer that is null or leads to an element of one array, `return used[id] ? &slots[id] :
// NULL`, as an index and whether it is null.
#include <map>
#include <optional>
#include <set>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/prepare/array_loops.h"

namespace tacit {

namespace {

using Nodes = std::vector<llvm::Instruction*>; // phis and selects that hand one pointer on

/// The step into the array: all operands but the index are the same wherever it is taken.
struct Step {
  llvm::GEPOperator* gep = nullptr;
  unsigned index = 0; // the operand
};

/// What a pointer is where it comes from: null if there is no index.
struct Leaf {
  llvm::Value* index = nullptr;
};

bool hands_on(const llvm::Value* value) {
  return value->getType()->isPointerTy() &&
         (llvm::isa<llvm::PHINode>(value) || llvm::isa<llvm::SelectInst>(value));
}

/// The values that a phi or a select chooses among.
std::vector<llvm::Value*> choices(llvm::Instruction& node) {
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&node))
    return {choice->getTrueValue(), choice->getFalseValue()};
  auto& phi = llvm::cast<llvm::PHINode>(node);
  return {phi.incoming_values().begin(), phi.incoming_values().end()};
}

/// With one index that is not constant, which counts elements of a type.
std::optional<Step> step(llvm::Value* value) {
  auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value);
  if (!gep) return std::nullopt;
  Step found{.gep = gep};
  for (unsigned i = 1; i < gep->getNumOperands(); ++i) {
    if (llvm::isa<llvm::ConstantInt>(gep->getOperand(i))) continue;
    if (found.index != 0 || !gep->getOperand(i)->getType()->isIntegerTy(64)) return std::nullopt;
    found.index = i;
  }
  if (found.index == 0) return std::nullopt;
  return found;
}

bool same_array(const Step& a, const Step& b) {
  if (a.index != b.index || a.gep->getSourceElementType() != b.gep->getSourceElementType() ||
      a.gep->getNumOperands() != b.gep->getNumOperands())
    return false;
  for (unsigned i = 0; i < a.gep->getNumOperands(); ++i)
    if (i != a.index && a.gep->getOperand(i) != b.gep->getOperand(i)) return false;
  return true;
}

/// One pointer, however it is handed on within a function.
class ArrayChoice {
public:
  /// From where it comes, and `onwards` also to where it goes.
  ArrayChoice(llvm::Instruction& node, bool onwards) {
    const auto take = [&](llvm::Value* value) {
      if (hands_on(value) && seen_.insert(value).second)
        nodes_.push_back(llvm::cast<llvm::Instruction>(value));
    };
    take(&node);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      llvm::Instruction* at = nodes_[i];
      for (llvm::Value* value : choices(*at)) take(value);
      if (onwards)
        for (llvm::User* user : at->users()) take(user);
    }
  }

  /// Whether it is null or leads into one array.
  bool fits(const llvm::DominatorTree& dominators) {
    for (const llvm::Instruction* node : nodes_)
      for (llvm::Value* value : choices(*const_cast<llvm::Instruction*>(node))) {
        if (hands_on(value)) continue;
        if (llvm::isa<llvm::ConstantPointerNull>(value)) {
          leaves_[value] = {};
          may_be_null_ = true;
        } else if (const auto found = step(value)) {
          if (array_ && !same_array(*array_, *found)) return false;
          if (!array_) array_ = found;
          leaves_[value] = {.index = found->gep->getOperand(found->index)};
        } else {
          return false;
        }
      }
    if (!array_) return false;
    const auto* root = llvm::dyn_cast<llvm::Instruction>(array_->gep->getPointerOperand());
    return !root || std::ranges::all_of(nodes_, [&](const llvm::Instruction* node) {
      return dominators.dominates(root, node);
    });
  }

  const Nodes& nodes() const { return nodes_; }

  void use_index() {
    for (llvm::Instruction* node : nodes_) make(*node);
    for (llvm::Instruction* node : nodes_) fill(*node);
    for (llvm::Instruction* node : nodes_) replace_uses(*node);
    for (llvm::Instruction* node : nodes_)
      node->replaceAllUsesWith(llvm::PoisonValue::get(node->getType()));
    for (llvm::Instruction* node : nodes_) node->eraseFromParent();
  }

private:
  struct Made {
    llvm::Instruction* index = nullptr;
    llvm::Instruction* is_null = nullptr;
  };

  static llvm::Instruction* like(llvm::Instruction& node, llvm::Type* type, const char* name) {
    llvm::Instruction* made = nullptr;
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&node))
      made = llvm::SelectInst::Create(choice->getCondition(), llvm::PoisonValue::get(type),
                                      llvm::PoisonValue::get(type), name);
    else
      made =
          llvm::PHINode::Create(type, llvm::cast<llvm::PHINode>(node).getNumIncomingValues(), name);
    made->insertBefore(node.getIterator());
    made->setDebugLoc(node.getDebugLoc());
    return made;
  }

  void make(llvm::Instruction& node) {
    llvm::LLVMContext& context = node.getContext();
    made_[&node] = {.index = like(node, llvm::Type::getInt64Ty(context), "index"),
                    .is_null = like(node, llvm::Type::getInt1Ty(context), "is.null")};
  }

  llvm::Value* index_of(llvm::Value* value) const {
    if (const auto made = made_.find(value); made != made_.end()) return made->second.index;
    llvm::Value* index = leaves_.at(value).index;
    return index ? index : llvm::ConstantInt::get(llvm::Type::getInt64Ty(value->getContext()), 0);
  }

  llvm::Value* nullness_of(llvm::Value* value) const {
    if (const auto made = made_.find(value); made != made_.end()) return made->second.is_null;
    return llvm::ConstantInt::getBool(value->getContext(), leaves_.at(value).index == nullptr);
  }

  void fill(llvm::Instruction& node) {
    const Made& made = made_.at(&node);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&node)) {
      for (const unsigned side : {1U, 2U}) {
        made.index->setOperand(side, index_of(choice->getOperand(side)));
        made.is_null->setOperand(side, nullness_of(choice->getOperand(side)));
      }
      return;
    }
    auto& phi = llvm::cast<llvm::PHINode>(node);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::Value* value = phi.getIncomingValue(i);
      llvm::cast<llvm::PHINode>(made.index)->addIncoming(index_of(value), phi.getIncomingBlock(i));
      llvm::cast<llvm::PHINode>(made.is_null)
          ->addIncoming(nullness_of(value), phi.getIncomingBlock(i));
    }
  }

  static bool asks_for_null(const llvm::User& user) {
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&user);
    return comparison && comparison->isEquality() &&
           llvm::isa<llvm::ConstantPointerNull>(comparison->getOperand(1));
  }

  /// Whoever goes on from the pointer says by that that it is not null.
  static bool goes_there(const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (llvm::isa<llvm::StoreInst>(user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    return gep && gep->isInBounds() && use.getOperandNo() == 0;
  }

  void replace_uses(llvm::Instruction& node) {
    const Made& made = made_.at(&node);
    llvm::IRBuilder<> builder(&node);
    if (llvm::isa<llvm::PHINode>(node))
      builder.SetInsertPoint(node.getParent(), node.getParent()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(node.getDebugLoc());
    std::vector<llvm::Value*> indices(array_->gep->idx_begin(), array_->gep->idx_end());
    indices[array_->index - 1] = made.index;
    llvm::Value* element = builder.CreateGEP(array_->gep->getSourceElementType(),
                                             array_->gep->getPointerOperand(), indices, "element");
    llvm::Value* pointer =
        may_be_null_ ? builder.CreateSelect(made.is_null,
                                            llvm::Constant::getNullValue(node.getType()), element)
                     : element;
    for (llvm::Use& use : llvm::make_early_inc_range(node.uses())) {
      llvm::User* user = use.getUser();
      if (made_.contains(user)) continue;
      if (asks_for_null(*user)) {
        auto* comparison = llvm::cast<llvm::ICmpInst>(user);
        builder.SetInsertPoint(comparison);
        llvm::Value* answer = made.is_null;
        if (comparison->getPredicate() == llvm::CmpInst::ICMP_NE)
          answer = builder.CreateNot(answer);
        comparison->replaceAllUsesWith(answer);
        comparison->eraseFromParent();
      } else {
        use.set(goes_there(use) ? element : pointer);
      }
    }
  }

  Nodes nodes_;
  std::set<llvm::Value*> seen_;
  std::map<llvm::Value*, Leaf> leaves_;
  std::map<llvm::Value*, Made> made_;
  std::optional<Step> array_;
  bool may_be_null_ = false;
};

} // namespace

bool index_choices(llvm::Module& module) {
  bool any = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    std::vector<ArrayChoice> found;
    std::set<llvm::Instruction*> seen;
    // One that is handed on together with others may fit where those do not.
    for (const bool onwards : {true, false})
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
          if (!hands_on(&instruction) || seen.contains(&instruction)) continue;
          ArrayChoice choice(instruction, onwards);
          const bool taken = std::ranges::any_of(
              choice.nodes(), [&](llvm::Instruction* node) { return seen.contains(node); });
          if (taken || !choice.fits(dominators)) continue;
          seen.insert(choice.nodes().begin(), choice.nodes().end());
          found.push_back(std::move(choice));
        }
    for (ArrayChoice& choice : found) choice.use_index();
    any = any || !found.empty();
  }
  return any;
}

} // namespace tacit
