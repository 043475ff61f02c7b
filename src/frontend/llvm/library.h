// What is known about the standard libraries beyond their headers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/module.h"

namespace tacit {

/// Stands for every exception of code that is not looked into.
inline constexpr const char* foreign_exception = "foreign_exception";

/// The exception that a libstdc++ helper `std::__throw_…` throws.
std::optional<std::string> library_exception(const std::string& demangled);
/// Exceptions that the shipped contract of a function mentions.
std::vector<std::string> library_exceptions(const std::string& demangled);
/// The base of a standard exception; empty for the root and for others.
std::string library_parent(const std::string& exception);

/// Fails only for want of memory, which is not modelled.
bool fails_only_for_memory(const std::string& qualified);

/// Replaces the externs of a module that the shipped contracts describe. Returns notes.
Result<std::vector<std::string>> add_library_contracts(Module& module);

} // namespace tacit
