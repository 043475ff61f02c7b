// What the front end is asked for: the sources, which component of them, and what may stand in for
// some of their code.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

struct SourceFacts;

/// The file that code which stands in for functions seems to come from. Places in it are told as
/// `FILE#LINE:line`: the place of the given code that called it, and the line of the stand-in.
inline constexpr const char* stand_in_file = "tacit-interface";
inline constexpr const char* stand_in_record = "tacit_object"; // what a stand-in keeps in an object

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

} // namespace tacit
