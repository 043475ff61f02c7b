// What components a translation unit holds: for those who do not know what to ask for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace llvm {
class Module;
}

namespace tacit {

struct SourceFacts;

/// A class of the unit, outside of system headers.
struct ListedClass {
  std::string name;
  std::size_t methods = 0;   // public ones that a client may call
  std::size_t with_code = 0; // of them, those whose code this unit has
};

/// A struct whose pointer functions of the unit take first.
struct ListedHandle {
  std::string name;
  std::size_t functions = 0;
};

struct UnitListing {
  std::vector<ListedClass> classes;  // C++
  std::vector<ListedHandle> handles; // C
  std::size_t functions = 0;         // C: that a client may call
  std::vector<std::string> files;    // that were read, headers included, sorted
  std::vector<std::string> flags;    // of the compiler, those of a database included
};

/// How many functions that a client may call take the pointer of each struct first.
struct HandleTakers {
  std::map<std::string, std::size_t> takers;
  std::size_t functions = 0; // taking one or not
};
HandleTakers count_takers(const llvm::Module& code, const SourceFacts& facts);

/// Fails when the unit does not compile.
Result<UnitListing> list_unit(const std::string& source, const std::vector<std::string>& flags);

} // namespace tacit
