// Reads contract files (docs/contracts.md): the items of `.tir` that speak of callees, with names
// that are patterns, facts about objects, and attributes. Errors carry file, line and column.
#pragma once

#include <string>
#include <string_view>

#include "program/contracts/contracts.h"

namespace tacit {

struct ContractReading {
  /// The component whose declarations a file may mention (state variables, enumerations,
  /// exceptions); templates are made in its arena. None: a file stands on its own, and the
  /// exceptions it names are declared by being named.
  const Module* scope = nullptr;
  /// Bodies and clauses are passed over, and types that are not known fit everything: enough to
  /// know names, facts and attributes before there is a component.
  bool heads_only = false;
};

Result<Contracts> read_contracts(std::string_view text, const std::string& file,
                                 const ContractReading& reading = {});

} // namespace tacit
