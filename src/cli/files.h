// Sources in, results out.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/diagnostic.h"
#include "cli/arguments.h"
#include "export/excerpt.h"
#include "frontend/java/class_pool.h"
#include "interface/interface.h"
#include "program/ir/module.h"
#include "program/text/source_clauses.h"

namespace tacit {

bool is_java_source(const std::string& source);

/// All Java sources of the command line, and the installed JDK behind them.
Result<void> open_java(const CommandLine& line, java::ClassPool& pool);

/// The module of the SOURCE arguments, by kind of file.
Result<Module> load_sources(const CommandLine& line);

/// A fingerprint of the SOURCE arguments; empty when one of them is no file.
std::string hash_sources(const std::vector<std::string>& sources);

/// The texts in which clauses may be written: C and C++ sources with what they include from their
/// own folders, .java files that are given or lie beside their class files.
std::vector<SourceText> clause_texts(const CommandLine& line, const Module& module);

/// A result file, or a graph that `tacit show --as dot` or a learner wrote (.dot). See
/// read_interface for `inconsistencies`.
Result<Interface> load_result(const std::string& path,
                              std::vector<std::string>* inconsistencies = nullptr);

/// A source file that a result mentions, looked for where it was and beside the sources that the
/// result names. Only regular files of moderate size with the extension of a source are read: what
/// is shown of them may be published.
std::optional<FoundSource> find_source(const Interface& interface, const std::string& file);

/// Writes to --output, or standard output without it. A file appears whole or not at all.
Result<void> write_output(const CommandLine& line, const std::function<void(std::ostream&)>& write);

} // namespace tacit
