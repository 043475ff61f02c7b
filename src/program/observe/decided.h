// Who decides whether a block is run? An error that is directly control-dependent, in this call, on
// what a collaborator has returned translates that failure: an outcome and not an error
// (docs/semantics.md, 2.2). One that is so dependent on what nobody knows is not decided (2.13).
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// Of a procedure after inlining, which should stay as it is.
class DecidedBy {
public:
  /// Whether the statement chooses a value by which something may be decided.
  using Chooses = std::function<bool(const Statement&)>;

  DecidedBy(const Procedure& procedure, Chooses chooses);

  /// Whether all branches that decide whether the block is run ask for a value that was chosen so,
  /// or for what was computed from one. A branch all of whose sides lead to blocks of `erring`
  /// alone passes this upward. What is kept in the object counts as the component's.
  bool whether_run(BlockId block, const std::set<BlockId>& erring) const;

private:
  using Variables = std::set<Term, TermById>;

  void follow();
  Variables after(BlockId block) const;
  bool decides_object(BlockId block, const Statement& statement) const;
  bool counts(BlockId branch) const;
  bool is_counter(Term variable) const;
  bool only_to(BlockId branch, const std::set<BlockId>& erring) const;
  bool whether_run(BlockId block, const std::set<BlockId>& erring, std::set<BlockId>& seen) const;

  const Procedure& procedure_;
  Chooses chooses_;
  std::vector<std::vector<BlockId>> deciders_; // by block
  std::vector<Variables> before_;              // by block: what surely comes from such a choice
  std::vector<bool> reached_, asks_;           // by block; asks_: its branch asks for such a value
};

} // namespace tacit
