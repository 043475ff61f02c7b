// What is known about the standard libraries beyond their headers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/llvm/source_facts.h"
#include "program/ir/module.h"

namespace tacit {

/// Stands for every exception of code that is not looked into.
inline constexpr const char* foreign_exception = "foreign_exception";
/// What leaves the component by longjmp.
inline constexpr const char* jump_exception = "longjmp";
bool is_longjmp(const std::string& symbol);
bool is_setjmp(const std::string& symbol);

/// The exception that a libstdc++ helper `std::__throw_…` throws.
std::optional<std::string> library_exception(const std::string& demangled);
/// Exceptions that the shipped contracts of a function mention.
std::vector<std::string> library_exceptions(const FunctionFact& fact);
/// The base of a standard exception; empty for the root and for others.
std::string library_parent(const std::string& exception);

/// Fails only for want of memory, which is not modelled.
bool fails_only_for_memory(const std::string& qualified);

/// A library function that keeps to itself: a container or string, or one with a contract. It runs
/// no code but that of the elements it holds.
bool is_tame_library(const FunctionFact& fact);
/// The class that contracts speak of, without template arguments: members that a library class has
/// from one of its parts are its own.
std::string contract_class(const std::string& class_name);
/// Whether the first argument is the object that contracts speak of.
bool speaks_of_object(const FunctionFact& fact);
/// Whether contracts keep the same facts about both: the parts of a stream share them.
bool same_facts(const std::string& a, const std::string& b);
/// The name under which contracts speak of a function: `std::vector::size`.
std::string contract_name(const FunctionFact& fact);

/// A fact about an object of a library class that contracts speak of: its size, say.
struct Ghost {
  std::string name;
  bool is_truth = false; // else an integer from 0 up
};

/// Without template arguments: `std::vector<int>::size` is `std::vector::size`.
std::string without_arguments(const std::string& name);

/// The facts that the shipped contracts keep about objects of a class; empty for most.
const std::vector<Ghost>& library_ghosts(const std::string& class_name);

/// Replaces the externs that the shipped contracts describe, by the name that the source has for
/// them. One with an `object` is a call on the object whose facts are the variables `object.fact`.
Result<void> add_library_contracts(Module& module);

/// Whether there is a contract for a function with such parameters and result; with `made_by` for
/// one that is handed a temporary of that function.
bool has_library_contract(const std::string& name, const std::string& made_by,
                          const std::vector<Variable>& parameters,
                          const std::optional<Type>& returns);

} // namespace tacit
