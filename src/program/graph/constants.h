// Which constants can a value be? Looks through conditionals and through locals that are assigned
// in several places, as lowered code collects its results (`r := -1; goto out; … out: return r`).
#pragma once

#include <set>
#include <unordered_map>

#include "program/ir/module.h"

namespace tacit {

struct PossibleConstants {
  std::set<Term, TermById> constants;
  bool other = false; // it may also be something that is no constant
};

/// Answers for the values at the end of blocks of one procedure, which must not change meanwhile.
class ConstantFinder {
public:
  ConstantFinder(TermArena& arena, const Procedure& procedure);

  PossibleConstants at_end(BlockId block, Term value) const;

private:
  /// A place between statements.
  struct Site {
    BlockId block = 0;
    std::size_t index = 0;

    auto operator<=>(const Site&) const = default;
  };

  struct Search;

  void visit(Term value, Site site, Search& search) const;
  void visit_local(const Variable& local, Site site, Search& search) const;
  bool visit_last_assignment(Term local, Site before, Search& search) const;
  bool set_by_call(Term local, BlockId block) const;

  TermArena& arena_;
  const Procedure& procedure_;
  std::unordered_map<Term, const Variable*> locals_; // without parameters
  std::vector<std::vector<BlockId>> predecessors_;
};

} // namespace tacit
