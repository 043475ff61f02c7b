// Loops that look for an element of a container. What such a loop comes to is a call: it leads to
// the first element of which a condition holds, or to the end. The library's algorithms that do the
// same become such loops first, so that there is one form of them.
//
// The loop is gone afterwards. Where it was, a copy of the call of `begin` bears a mark: it gives
// what was found. What the loop did with an element is done once, with the one that was found, and
// ends with an assumption that bears the same mark: the condition.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// Gives the library's search algorithms the loop that their documentation describes; theirs take
/// four steps a turn.
void write_searches_as_loops(llvm::Module& module, const SourceFacts& facts);

/// Whether that was done to a function.
bool is_search_loop(const llvm::Function& function);

/// Replaces loops that only search. Whether there were any.
bool find_searches(llvm::Module& module, const SourceFacts& facts);

/// Takes out what looks at a container or an iterator for nothing.
void drop_idle_looks(llvm::Module& module, const SourceFacts& facts);

/// What a search finds.
struct Search {
  const llvm::CallBase* call = nullptr;    // gives the position, null at the end
  const llvm::AssumeInst* holds = nullptr; // of the element that was found; null: not known
  const llvm::Value* container = nullptr;

  const llvm::BasicBlock& body() const { return *holds->getParent(); }
  const llvm::Value* condition() const { return holds->getArgOperand(0); }
};

/// A search for the element in which a field is equal to something that all elements are compared
/// with.
struct SearchKey {
  std::int64_t offset = 0; // of the field, in bytes
  unsigned bits = 0;       // of a number; 0: a text
  const llvm::Value* with = nullptr;
  const llvm::Value* test = nullptr;
  bool left = true;                       // a text: the field is the first that is compared
  std::vector<const llvm::Value*> others; // that have to hold as well
};

/// A condition that speaks of fields of the element alone, in words; `field` names the one that
/// lies that many bytes from the element's start and has that many bits, nothing where it is not
/// known.
std::optional<std::string>
closed_condition(const Search& search, const SourceFacts& facts,
                 const std::function<std::string(std::int64_t, unsigned)>& field);

std::optional<SearchKey> key_of(const Search& search, const SourceFacts& facts);
/// Whether a pointer leads to what was found.
bool is_element(const llvm::Value* value, const Search& search, const SourceFacts& facts);

bool is_search(const llvm::Instruction& instruction);
bool is_search_condition(const llvm::IntrinsicInst& assumption);
/// Whether elements that are not searched for are moved to the front, as `remove_if` does.
bool removes(const llvm::CallBase& search);
Search search_of(const llvm::CallBase& call);
std::vector<Search> searches_of(const llvm::Module& module);

/// Whether a function is a member of an iterator of the library.
bool is_of_iterator(const FunctionFact& fact);
/// The search whose result an iterator is, going by where it is kept; null where that is not sure.
const llvm::CallBase* search_behind(const llvm::Value* iterator, const SourceFacts& facts);

} // namespace tacit
