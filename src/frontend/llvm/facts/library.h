// What is known about libraries beyond their headers: the shipped contracts (contracts/c.tir,
// cpp.tir) and the user's, which go first. The front end asks three times: when facts about
// functions are collected (attributes), when calls are lowered (is there a contract, which facts
// does it keep), and at the end, when externs get the bodies that contracts give them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/llvm/facts/source_facts.h"
#include "program/contracts/instantiate.h"
#include "program/ir/module.h"

namespace tacit {

/// Stands for every exception of code that is not looked into.
inline constexpr const char* foreign_exception = "foreign_exception";
/// What leaves the component by longjmp.
inline constexpr const char* jump_exception = "longjmp";

struct Library {
  Contracts given; // the user's: names, facts and attributes
  Contracts all;   // the user's, then the shipped
};

/// What comes with Tacit.
const Contracts& shipped_contracts();

/// `files`: name and text of each of the user's.
Result<std::shared_ptr<const Library>>
read_library(const std::vector<std::pair<std::string, std::string>>& files);

/// Fills in what contracts say about a function; the rest of the fact is known.
void describe(const Library& library, FunctionFact& fact);

/// The class that contracts speak of, without template arguments: members that a library class has
/// from one of its parts are its own.
std::string contract_class(const Library& library, const std::string& class_name);
/// Whether contracts keep the same facts about both: the parts of a stream share them.
bool same_facts(const Library& library, const std::string& a, const std::string& b);
/// Whether objects of both classes may be the same: a vector of vectors is none of its elements.
bool may_be_one(const Library& library, const std::string& a, const std::string& b);
/// Whether no reference leads into objects of a class, but to all of it.
bool is_closed(const Library& library, const std::string& class_name);

/// The exception that a function does nothing but raise, as libstdc++'s `std::__throw_…` do.
std::optional<std::string> raised_by(const Library& library, const std::string& demangled);
/// Exceptions that the contracts of a function name, where it does more than raise one.
std::vector<std::string> exceptions_of(const Library& library, const FunctionFact& fact);

/// A type as the source spells it: a number, a truth, an enumeration or a pointer. None for
/// classes.
/// The class that contracts go by: of an object or a reference, `char` of a pointer to it.
std::string class_behind(const SourceType& type);
/// Whether a container tells its keys apart as `==` does: no order, hash or equality of its own.
bool compares_by_value(const std::string& class_name);
/// The fact that objects of a class are values by: what a string says. Null: they are none.
const KeptFact* text_of(const Library& library, const std::string& class_name);
/// Whether what its objects say lies elsewhere: a view.
bool borrows(const Library& library, const std::string& class_name);

std::optional<SourceType> scalar_named(const SourceFacts& facts, const std::string& name);

} // namespace tacit
