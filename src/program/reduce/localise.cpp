#include "program/reduce/localise.h"

#include <vector>

#include "program/graph/call_graph.h"
#include "program/graph/uses.h"

namespace tacit {

namespace {

/// Which candidates a procedure may read before it has written them: a forward analysis of what is
/// written on all paths.
class ReadFirst {
public:
  ReadFirst(const Procedure& procedure, const VariableSet& candidates)
      : procedure_(procedure), candidates_(candidates), written_(procedure.blocks.size()),
        reached_(procedure.blocks.size(), false) {}

  VariableSet run() {
    reached_[0] = true;
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId at = work.back();
      work.pop_back();
      const VariableSet after = pass(at);
      for (const BlockId next : successors(procedure_.blocks[at].end))
        if (join(next, after)) work.push_back(next);
    }
    return std::move(found_);
  }

private:
  VariableSet pass(BlockId at) {
    VariableSet written = written_[at];
    const Block& block = procedure_.blocks[at];
    const auto read = [&](Term term) {
      if (!term) return;
      for (const Term v : variables(term))
        if (candidates_.contains(v) && !written.contains(v)) found_.insert(v);
    };
    for (const Statement& s : block.statements) {
      read(s.value);
      if (s.target && candidates_.contains(s.target)) written.insert(s.target);
    }
    read(block.end.value);
    for (const Term argument : block.end.arguments) read(argument);
    return written;
  }

  bool join(BlockId at, const VariableSet& before) {
    if (!reached_[at]) {
      reached_[at] = true;
      written_[at] = before;
      return true;
    }
    return std::erase_if(written_[at], [&](Term v) { return !before.contains(v); }) > 0;
  }

  const Procedure& procedure_;
  const VariableSet& candidates_;
  std::vector<VariableSet> written_; // on all paths to the block
  std::vector<bool> reached_;
  VariableSet found_;
};

} // namespace

void localise(Module& module) {
  VariableSet candidates;
  for (const StateVariable& v : module.state)
    if (!v.client && v.record.empty() && v.address == Address::None) candidates.insert(v.term);
  for (const Term t : module.invariants)
    for (const Term v : variables(t)) candidates.erase(v);
  for (const Procedure& procedure : module.procedures) {
    for (const Term t : procedure.preconditions)
      for (const Term v : variables(t)) candidates.erase(v);
    if (!is_root(procedure) || procedure.blocks.empty()) continue;
    for (const Term v : ReadFirst(procedure, candidates).run()) candidates.erase(v);
  }
  for (Procedure& procedure : module.procedures) {
    const VariableSet used = mentioned(procedure);
    for (const StateVariable& v : module.state)
      if (candidates.contains(v.term) && used.contains(v.term)) procedure.locals.push_back(v);
  }
  keep_state(module, [&](const StateVariable& v) { return !candidates.contains(v.term); });
}

} // namespace tacit
