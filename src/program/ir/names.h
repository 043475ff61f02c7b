// Names: what users call things, and names for what passes add.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "program/ir/module.h"

namespace tacit {

/// With one separator for all languages: `a::b`, `a/b` and `a$b` are `a.b`.
std::string with_dots(std::string_view name);

/// After the last `.`, `::`, `$` or `/`: `java.io.IOException` is `IOException`.
std::string simple_name(std::string_view name);

/// Without a parameter list: `write(byte[],int)` is `write`.
std::string_view bare_name(std::string_view name);

/// Whether a user who writes `wanted` may mean `name`: they are equal, or one is the other's end
/// after a separator
/// (`java.lang.Error` and `Error`, but not `my.Error`), where `wanted` may leave the parameter list
/// out.
bool name_matches(std::string_view wanted, std::string_view name);

/// Whether a text fits a pattern in which `*` stands for any text.
bool matches_wildcard(std::string_view pattern, std::string_view text);

/// Whether a pattern takes a call: by its full name, or by its bare name (then all overloads). `()`
/// behind the name of a call that has no overloads says no more than the name.
bool takes_call(std::string_view pattern, std::string_view call);

/// Hands out names that no parameter, local or state variable has: `base`, `base.2`, `base.3`…
class FreshNames {
public:
  FreshNames(const Module& module, const Procedure& procedure);

  /// Characters that an identifier may not hold become `_`.
  std::string take(std::string_view base);

private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, std::size_t> count_;
};

/// Adds a local named after `base` to the procedure.
Term add_local(TermArena& arena, Procedure& procedure, FreshNames& names, std::string_view base,
               const Type& type);

} // namespace tacit
