// Runs Clang in this process over one translation unit and hands out both views of it: the LLVM
// module and the facts of its AST.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/llvm/source_facts.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tacit {

/// One source file and how to read it.
struct UnitRequest {
  std::string source;
  std::vector<std::string> flags; // as for the compiler driver
  std::string class_name;         // the class that is looked for; empty: none
  bool want_destructor = false;
  bool want_swap = false;     // with another object of the class
  bool is_cpp_header = false; // a header whose name does not tell the language
  std::vector<std::string> own;
  std::shared_ptr<const Library> library;
};

struct CompiledUnit {
  std::unique_ptr<llvm::Module> module;
  SourceFacts facts;
  bool found_class = false;
  std::vector<std::string> known_classes; // for suggestions
  double clang_seconds = 0;
};

/// A Diagnostic carries Clang's own messages as notes.
Result<CompiledUnit> compile_unit(const UnitRequest& request, llvm::LLVMContext& context);

/// The flags of compile_commands.json for a file, looked for in its folder and the ones above;
/// empty when there is none.
std::vector<std::string> database_flags(const std::string& source);

} // namespace tacit
