// Where errors are raised in the source, for those who explain refusals: which exception it is, and
// by which helper of the called method. Answers are about lines, and empty where several things
// fit.
#pragma once

#include <map>
#include <set>
#include <string>

#include "program/ir/module.h"

namespace tacit {

/// How a method comes to a line in another procedure.
struct RaisedThrough {
  std::string called_at; // the line in the method, `door.cpp:12`
  std::string helper;    // the procedure of the line, by its bare name
};

/// Keeps a reference to the module, which is one before calls are inlined.
class RaiseSites {
public:
  explicit RaiseSites(const Module& module);

  /// The exception that is raised on a line `file:line`.
  std::string exception_at(const std::string& line) const;

  /// How the procedure `method` gets to the line; empty when the line is its own.
  RaisedThrough way_to(const std::string& method, const std::string& line) const;

private:
  void add_made(const std::string& procedure, const Statement& made);
  void add_callee(const std::string& caller, const Terminator& call);
  bool leads_to(const std::string& procedure, const std::string& line,
                std::set<std::string>& seen) const;

  const Module& module_;
  std::map<std::string, std::set<std::string>> exceptions_; // by line
  std::map<std::string, std::set<std::string>> raising_;    // lines by procedure
};

/// `file:line` of a place.
std::string line_text(const Location& where);

} // namespace tacit
