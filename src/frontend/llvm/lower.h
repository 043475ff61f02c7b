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

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct SourceFacts;

/// The file that code which stands in for functions seems to come from. Places in it are told as
/// `FILE#LINE:line`: the place of the given code that called it, and the line of the stand-in.
inline constexpr const char* stand_in_file = "tacit-interface";

/// Fields of the stand-in's objects whose names begin so hold nothing.
inline constexpr const char* padding = "tacit_pad";

/// Code that takes the place of functions of the given sources, made once these are read: the
/// client of a component is lowered together with a program that stands for the component. What it
/// declares and leaves open runs nobody's code.
struct StandIn {
  std::string text;               // in the language of the sources
  std::set<std::string> replaced; // symbols; their code in the sources is dropped
  std::map<std::string, std::string>
      roots;          // symbols of the calls, with their names; not of a class
  std::string record; // objects of it are zero before they are initialised
  /// A function of the stand-in that gets every local object of the record before the function that
  /// it lies in is left; empty: none.
  std::string left = {};
};

struct LlvmOptions {
  std::vector<std::string> sources;
  std::vector<std::string> flags;        // for the compiler, after those of compile_commands.json
  std::string database;                  // the folder of that; empty: it is looked for
  std::string class_name;                // (a)
  std::string handle;                    // (b) the struct
  std::vector<std::string> constructors; // (b), (c): functions that start the component
  std::vector<std::string> methods;      // patterns of the calls that are wanted; empty: all
  std::vector<std::string> own;          // further classes and functions whose errors count
  std::vector<std::pair<std::string, std::string>> contracts;  // file and text, before the shipped
  bool want_destructor = false;                                // `~Name` as a call
  std::function<Result<StandIn>(const SourceFacts&)> stand_in; // for clients of a component
  std::set<std::string> roots = {}; // symbols of the calls; empty: as above
  bool reentrant = false; // callees that get the object may write all of it and call it back
};

/// Where the time went.
struct LlvmTimes {
  double clang = 0, lowering = 0;
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
