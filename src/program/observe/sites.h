// Where was it made? An exception that is caught and thrown on keeps the site of its first throw.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Sets `made` of every throw of a variable into which handlers put exceptions of one site only.
/// Where there are several they part: each gets its own copy of the blocks that lead to the throw,
/// as far as these do nothing but go there; else the throw itself stays the site. After inlining:
/// what enters a handler is assigned with the site that it comes from.
void find_sites(Procedure& procedure);

} // namespace tacit
