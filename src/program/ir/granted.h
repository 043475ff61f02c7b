// Assumptions that the language makes: what it leaves undefined does not happen (pointers that are
// followed are valid, indices stay within their arrays). Like every `assume`, without it there is
// no run; but since it is listed and holds for every run, it turns no argument down. Its chooser
// is Unknown, because nobody sees to it. In the text, `granted e;`.
#pragma once

#include "program/ir/module.h"

namespace tacit {

inline Statement granted(Term condition) {
  return {.kind = StatementKind::Assume, .value = condition, .chooser = Chooser::Unknown};
}

inline bool is_granted(const Statement& s) {
  return s.kind == StatementKind::Assume && s.chooser == Chooser::Unknown;
}

} // namespace tacit
