// From byte code to the program representation: one class as a component.
//
// The fields of the receiver, and of the instances that enclose it (`this$0`), become plain state
// variables; the fields of other objects of own classes become record maps, in which an access
// through a reference that might be the receiver compares with it. Own code (the class, its
// superclasses, its nest and what --own names) is lowered to procedures; every other callee is an
// extern.
//
// What is not tracked (floating point, elements of arrays, bit operations on two unknowns) is
// hidden behind `havoc unknown`; each kind is listed once among the module's assumptions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/java/class_pool.h"
#include "program/ir/module.h"

namespace tacit::java {

/// The text of a contract file.
struct ContractText {
  ContractText(std::string written, std::string name = "contracts")
      : text(std::move(written)), file(std::move(name)) {}

  std::string text, file;
};

struct LowerOptions {
  std::vector<std::string> own;        // further own classes, `*` is a wildcard
  /// Specifications of the errors that count, empty for the defaults: code that does nothing but
  /// fail in one of these ways is not left out either.
  std::vector<std::string> errors;
  bool reentrant = false;              // opaque callees that get `this` may write all its fields
  std::vector<ContractText> contracts; // those that come first count
  /// The class of a component, dotted, whose client is lowered. What is kept about its objects are
  /// maps `component.NAME`, of which contracts speak and which callees without one may change. All
  /// methods of the client that are not private are calls then, static ones too.
  std::string client_of;
  enum class Kept { Number, Truth, Reference };
  std::vector<std::pair<std::string, Kept>> kept;
};

/// The component of one class. Interfaces, and classes that do not exist, are errors.
Result<Module> lower_class(ClassPool& pool, const std::string& name, const LowerOptions& options);

/// What lowering does with every method of many classes, callees not followed.
struct Survey {
  std::size_t classes = 0, methods = 0;
  std::size_t approximated = 0; // lowered, but something is not tracked
  std::size_t unsupported = 0;  // not lowered
  std::map<std::string, std::size_t> reasons;
  std::vector<Diagnostic> damaged; // classes that cannot be read
};

/// Classes whose dotted name matches the pattern; `*` stands for any text.
Survey survey_classes(ClassPool& pool, const std::string& pattern);

} // namespace tacit::java
