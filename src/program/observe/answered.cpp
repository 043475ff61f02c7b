#include "program/observe/answered.h"

#include <algorithm>
#include <set>

#include "program/graph/postdominators.h"

namespace tacit {

namespace {

using Answers = std::set<Term, TermById>;

bool mentions(Term term, const Answers& answers) {
  return std::ranges::any_of(variables(term), [&](Term v) { return answers.contains(v); });
}

class Answered {
public:
  explicit Answered(Procedure& procedure) : procedure_(procedure), blocks_(procedure.blocks) {}

  void run() {
    const bool any = std::ranges::any_of(blocks_, [](const Block& b) {
      return std::ranges::any_of(b.statements, [](const Statement& s) { return is_answer(s); });
    });
    if (!any) return;
    analyse();
    if (part_exits()) analyse();
    for (BlockId b = 0; b < blocks_.size(); ++b)
      if (is_exit(b) && is_decided(b)) blocks_[b].end.environment = true;
  }

private:
  bool is_exit(BlockId b) const {
    const Terminator& end = blocks_[b].end;
    return !end.environment &&
           (end.kind == TerminatorKind::Throw || (end.kind == TerminatorKind::Return && end.value));
  }

  static bool is_answer(const Statement& s) {
    if (s.kind == StatementKind::Assign) return s.opaque != nullptr;
    return s.kind == StatementKind::Havoc && s.chooser == Chooser::Environment && !s.from.empty();
  }

  /// Which branches look at answers, and which decide whether a block is run.
  void analyse() {
    std::vector<std::vector<BlockId>> next;
    for (const Block& block : blocks_) next.push_back(successors(block.end));
    deciding_ = Postdominators(std::move(next)).control_dependence();
    asks_.assign(blocks_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      flow();
      for (BlockId b = 0; b < blocks_.size(); ++b) {
        if (asks_[b] || blocks_[b].end.kind != TerminatorKind::Branch || !before_[b]) continue;
        asks_[b] = mentions(blocks_[b].end.value, after(b));
        changed = changed || asks_[b];
      }
    }
  }

  bool is_decided(BlockId b) const {
    return !deciding_[b].empty() &&
           std::ranges::all_of(deciding_[b], [&](BlockId d) { return asks_[d]; });
  }

  /// Whether there is an object is an answer where one decides it, as of an allocation.
  static bool makes_or_not(const Statement& s) {
    return s.kind == StatementKind::New ||
           (s.kind == StatementKind::Assign && s.value->op == Op::RefConst);
  }

  Answers after(BlockId b) const {
    Answers answers = *before_[b];
    for (const Statement& s : blocks_[b].statements) {
      if (!s.target) continue;
      const bool answer = is_answer(s) ||
                          (s.kind == StatementKind::Assign && mentions(s.value, answers)) ||
                          (is_decided(b) && makes_or_not(s));
      if (answer)
        answers.insert(s.target);
      else
        answers.erase(s.target);
    }
    return answers;
  }

  /// Variables that hold, on every way to a block, what was made of an answer.
  void flow() {
    before_.assign(blocks_.size(), std::nullopt);
    before_[0] = Answers{};
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      const Answers answers = after(b);
      for (const BlockId next : successors(blocks_[b].end)) {
        if (!before_[next]) {
          before_[next] = answers;
        } else if (std::erase_if(*before_[next], [&](Term v) { return !answers.contains(v); }) ==
                   0) {
          continue;
        }
        work.push_back(next);
      }
    }
  }

  /// Exits that answers decide on some ways only. Whether any was parted.
  bool part_exits() {
    std::vector<std::vector<BlockId>> from(blocks_.size());
    for (BlockId b = 0; b < blocks_.size(); ++b)
      for (const BlockId next : successors(blocks_[b].end)) from[next].push_back(b);
    bool any = false;
    const std::size_t old = blocks_.size();
    for (BlockId b = 0; b < old; ++b) {
      const auto ask = std::ranges::count_if(deciding_[b], [&](BlockId d) { return asks_[d]; });
      if (!is_exit(b) || ask == 0 || std::cmp_equal(ask, deciding_[b].size())) continue;
      for (std::size_t i = 1; i < from[b].size(); ++i) {
        Terminator& end = blocks_[from[b][i]].end;
        if (end.kind != TerminatorKind::Goto && end.kind != TerminatorKind::Branch) continue;
        const auto copy = static_cast<BlockId>(blocks_.size());
        // Both sides of a branch may lead here, one entry each.
        (end.next == b ? end.next : end.other) = copy;
        Block made = blocks_[b];
        blocks_.push_back(std::move(made));
        any = true;
      }
    }
    return any;
  }

  Procedure& procedure_;
  std::vector<Block>& blocks_;
  std::vector<std::optional<Answers>> before_;
  std::vector<bool> asks_;
  std::vector<std::vector<BlockId>> deciding_;
};

} // namespace

void mark_answered(Procedure& procedure) {
  if (!procedure.blocks.empty()) Answered(procedure).run();
}

} // namespace tacit
