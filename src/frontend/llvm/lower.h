// C and C++ to the neutral program: the way in for the command line.
//
// A component is one of three things. (a) A C++ class: its public member functions are the calls,
// its constructors the start. (b) A C interface on a handle: the functions whose first parameter is
// a pointer to one struct, some of them named as constructors. (c) A C module with static state:
// its non-static functions are the calls, the initial values of its globals the start.
//
// Clang gives both views of the code in one run: LLVM IR for what it does, the AST for names,
// access and layout. What is not understood becomes an opaque effect and a listed assumption.
#pragma once

#include <string>
#include <vector>

#include "frontend/llvm/facts/helper_sites.h"
#include "frontend/llvm/facts/options.h"
#include "program/ir/module.h"

namespace tacit {

/// Where the time went, and what the program does not say any more.
struct LlvmTimes {
  double clang = 0, lowering = 0;
  std::vector<HelperSite> helpers;
};

Result<Module> lower_c_family(const LlvmOptions& options, LlvmTimes* times = nullptr);

/// What the AST says about the sources; nothing is lowered.
Result<SourceFacts> read_c_facts(const LlvmOptions& options);

/// A line of a text that does not compile.
struct CompileProblem {
  int line = 0;
  std::string message;
};

/// What Clang says against a text in C++20, beside a source whose include folders it shares. Empty:
/// it compiles. Only some are told when there are many.
Result<std::vector<CompileProblem>>
compile_problems(const std::string& text, const std::string& beside, const LlvmOptions& options);

/// Whether the suffix of a file is one of this front end's.
bool is_c_family_source(const std::string& path);

} // namespace tacit
