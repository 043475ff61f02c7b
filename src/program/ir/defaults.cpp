// Defaults respect ranges, so that an untouched local never blocks a run.
#include "program/ir/defaults.h"

namespace tacit {

Value default_value(const Type& type) {
  if (type.sort->kind == SortKind::Map && type.value) return const_map(default_value(*type.value));
  if (type.low && *type.low > 0) return *type.low;
  if (type.high && *type.high < 0) return *type.high;
  return default_value(type.sort);
}

Term default_term(TermArena& arena, const Type& type) {
  return to_term(arena, default_value(type), type.sort);
}

} // namespace tacit
