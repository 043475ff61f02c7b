// Reads the body of one procedure: structured statements become blocks on the way. Part of the
// reader (read.h).
#pragma once

#include <string>

#include "logic/term/lexer.h"
#include "program/ir/module.h"

namespace tacit {

/// At `{`; takes everything up to the matching `}` and fills locals and blocks. `site_file` locates
/// the errors and exceptions that carry no mark.
Result<void> read_body(TokenStream& tokens, Module& module, Procedure& procedure,
                       const std::string& site_file);

/// A type at the cursor.
Result<Type> read_type(TokenStream& tokens, const Module& module);

/// What is said of a variable behind its type: `at object`, `shown "items.size()"`.
Result<void> read_attributes(TokenStream& tokens, Variable& variable);

/// A text in quotes.
Result<std::string> read_text(TokenStream& tokens);

} // namespace tacit
