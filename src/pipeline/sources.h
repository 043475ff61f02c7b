// Where programs come from: C and C++ files, Java classes, `.tir`.
//
//   Sources::open ──> lower(subject) ──> Module      as often as wanted, one class after the other
//
// Java classes are read once and kept; C and C++ are compiled, and `.tir` is parsed, for each
// subject anew. A name that the caller gives is relative to the folder in which the process runs;
// what a compile database says is relative to the folder that the database names. Neither changes
// the folder in which the process runs.
//
// Threads: one at a time for one Sources. Modules that come out of it share nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/java/lower.h"
#include "frontend/llvm/lower.h"
#include "program/ir/module.h"
#include "program/text/source_clauses.h"

namespace tacit {

enum class SourceKind { Tir, CFamily, Java };

/// Files, and what holds for all that is lowered from them.
struct SourceOptions {
  /// C and C++ files; `.class`, `.jar`, `.jmod`, folders of classes, `jdk:` and `.java` files for
  /// their clauses; or one `.tir`.
  std::vector<std::string> files;
  std::vector<std::string> flags;     // C and C++: for the compiler, after those of a database
  std::string database;               // the folder of that database; empty: it is looked for
  std::vector<std::string> contracts; // files; for Java, `none` drops the standard ones
  std::vector<std::string> own;       // further classes and functions whose errors count
  bool reentrant = false; // opaque callees that get the object may write it and call it back
};

/// What is to become a component.
struct Subject {
  std::string class_name;                // C++ and Java; may be empty where there is one class only
  std::string handle;                    // C: the struct whose pointer functions take first
  std::vector<std::string> methods = {}; // of the component; empty: all
  std::vector<std::string> constructors = {};
  std::vector<std::string> errors = {}; // specifications of what counts; empty: the defaults
};

bool is_java_source(const std::string& file);

/// The kind of these files, taken together. Fails where they do not go together.
Result<SourceKind> kind_of_sources(const std::vector<std::string>& files);

class Sources {
public:
  /// Fails on files that are not there and on options that do not go with them.
  static Result<Sources> open(SourceOptions options);

  SourceKind kind() const { return kind_; }
  const std::vector<std::string>& files() const { return options_.files; }

  Result<Module> lower(const Subject& subject);

  /// The texts in which clauses of the module may be written: C and C++ sources with what they
  /// include from their own folders, .java files that are given or lie beside their class files.
  std::vector<SourceText> clause_texts(const Module& module) const;

  /// All classes; null unless the sources are Java.
  java::ClassPool* classes() { return classes_.get(); }

  /// Of the last `lower`, for C and C++.
  const std::optional<LlvmTimes>& times() const { return times_; }
  std::vector<HelperSite> helpers() const {
    return times_ ? times_->helpers : std::vector<HelperSite>();
  }

private:
  Sources(SourceOptions options, SourceKind kind) : options_(std::move(options)), kind_(kind) {}

  Result<Module> lower_c(const Subject& subject);
  Result<Module> lower_java(const Subject& subject);
  Result<Module> lower_tir() const;

  SourceOptions options_;
  SourceKind kind_;
  std::unique_ptr<java::ClassPool> classes_;
  std::optional<LlvmTimes> times_;
};

} // namespace tacit
