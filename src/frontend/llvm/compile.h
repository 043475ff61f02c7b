// Runs Clang in this process over one translation unit and hands out both views of it: the LLVM
// module and the facts of its AST.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/llvm/listing.h"
#include "frontend/llvm/source_facts.h"

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
  std::string class_name;         // the class that is looked for; empty: none
  bool list_classes = false;      // fill CompiledUnit::classes
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
  std::vector<ListedClass> classes;
  std::vector<std::string> files; // with `list_classes`: all that were read, headers included
  double clang_seconds = 0;
};

/// A Diagnostic carries Clang's own messages as notes.
Result<CompiledUnit> compile_unit(const UnitRequest& request, llvm::LLVMContext& context);

/// How compile_commands.json says that a file is compiled.
struct CompileCommand {
  std::string directory; // in which the compiler runs; empty where there is no command
  std::vector<std::string> flags;
};

/// Looked for in the folder of the file and the ones above.
CompileCommand database_command(const std::string& source);

/// Flags that were given in the folder of this process, for a compiler that runs in another.
std::vector<std::string> flags_seen_from(const std::string& directory,
                                         const std::vector<std::string>& flags);

} // namespace tacit
