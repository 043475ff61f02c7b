// What code can get to through a pointer, judged by types: the object, what its pointers lead to,
// and objects of derived classes. A callee that is not looked into may write all of it.
#pragma once

#include <set>
#include <string>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

struct Reached {
  std::set<std::string> records; // qualified, with known fields
  std::set<std::string> owners;  // bases whose fields they have
  bool untyped = false;          // through `void*` or a union
};

/// Adds what is reached from an object of the type. Library classes lead to the types that their
/// template arguments name.
void reach_from(const SourceFacts& facts, const std::string& type, Reached& into);

/// The same without the object itself: what its pointers lead to.
void reach_behind(const SourceFacts& facts, const std::string& type, Reached& into);

/// Records of the given code that a library object holds by value: `std::vector<Item>` does,
/// `std::vector<Item *>` does not.
std::set<std::string> held_by_value(const SourceFacts& facts, const std::string& type);

} // namespace tacit
