// Runs Clang in this process over one translation unit and hands out both views of it: the LLVM
// module and the facts of its AST.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/llvm/clang/listing.h"
#include "frontend/llvm/facts/source_facts.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tacit {

/// One source file and how to read it.
struct UnitRequest {
  std::string source;
  std::string directory;          // in which the compiler runs; empty: where the process does
  std::vector<std::string> flags; // as for the compiler driver
  std::size_t of_project = 0; // how many come first that another compiler may have been meant by
  std::string class_name;     // the class that is looked for; empty: none
  bool list_classes = false;  // fill CompiledUnit::classes
  bool want_destructor = false;
  bool want_swap = false;     // with another object of the class
  bool is_cpp_header = false; // a header whose name does not tell the language
  std::vector<std::string> own;
  std::shared_ptr<const Library> library;
  std::optional<std::string> text = std::nullopt; // of the source, which need not exist then
};

struct CompiledUnit {
  std::unique_ptr<llvm::Module> module;
  SourceFacts facts;
  bool found_class = false;
  std::vector<std::string> known_classes; // for suggestions
  std::vector<ListedClass> classes;
  std::vector<std::string> files; // with `list_classes`: all that were read, headers included
  double clang_seconds = 0;
};

/// A Diagnostic carries Clang's own messages as notes.
Result<CompiledUnit> compile_unit(const UnitRequest& request, llvm::LLVMContext& context);

} // namespace tacit
