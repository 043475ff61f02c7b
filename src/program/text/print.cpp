#include "program/text/print.h"

#include <algorithm>
#include <optional>

#include "logic/term/print.h"

namespace tacit {
namespace {

constexpr BlockId none = static_cast<BlockId>(-1);
constexpr int max_depth = 40; // deeper nesting is printed with gotos

std::string mark(const Location& where) {
  if (!where.known()) return "";
  const bool plain = where.file.find_first_of(" \t\n;,\"") == std::string::npos;
  return " @" + (plain ? where.file : "\"" + where.file + "\"") + ":" + std::to_string(where.line);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

/// Immediate post-dominators by the iterative algorithm on the reversed graph; `none` for the
/// virtual exit.
std::vector<BlockId> post_dominators(const std::vector<Block>& blocks) {
  const BlockId exit = static_cast<BlockId>(blocks.size());
  std::vector<std::vector<BlockId>> next(blocks.size() + 1), previous(blocks.size() + 1);
  for (BlockId b = 0; b < exit; ++b) {
    auto all = successors(blocks[b].end);
    if (all.empty()) all = {exit};
    for (BlockId s : all) {
      next[b].push_back(s);
      previous[s].push_back(b);
    }
  }
  // Postorder of the reversed graph from the exit.
  std::vector<BlockId> order;
  std::vector<int> position(blocks.size() + 1, -1);
  std::vector<std::pair<BlockId, std::size_t>> stack{{exit, 0}};
  std::vector<bool> seen(blocks.size() + 1, false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [b, i] = stack.back();
    if (i < previous[b].size()) {
      const BlockId p = previous[b][i++];
      if (!seen[p]) {
        seen[p] = true;
        stack.push_back({p, 0});
      }
    } else {
      position[b] = static_cast<int>(order.size());
      order.push_back(b);
      stack.pop_back();
    }
  }
  std::vector<BlockId> dominator(blocks.size() + 1, none);
  dominator[exit] = exit;
  auto meet = [&](BlockId a, BlockId b) {
    while (a != b) {
      while (position[a] < position[b]) a = dominator[a];
      while (position[b] < position[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == exit) continue;
      BlockId best = none;
      for (BlockId s : next[*it])
        if (position[s] >= 0 && dominator[s] != none) best = best == none ? s : meet(best, s);
      if (best != none && dominator[*it] != best) {
        dominator[*it] = best;
        changed = true;
      }
    }
  }
  for (BlockId& d : dominator)
    if (d == exit) d = none;
  dominator.pop_back();
  return dominator;
}

class BodyPrinter {
public:
  BodyPrinter(const Procedure& procedure)
      : procedure_(procedure), join_(post_dominators(procedure.blocks)) {}

  std::string run() {
    needed_.assign(procedure_.blocks.size(), false);
    pass(); // finds out which labels are needed
    pass();
    return std::move(text_);
  }

private:
  void pass() {
    text_.clear();
    emitted_.assign(procedure_.blocks.size(), false);
    pending_.clear();
    emit(0, none, 1);
    while (!pending_.empty()) {
      const BlockId b = pending_.back();
      pending_.pop_back();
      if (!emitted_[b]) emit(b, none, 1);
    }
  }

  void line(int depth, const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
  }

  void go(BlockId to, int depth) {
    needed_[to] = true;
    line(depth, "goto L" + std::to_string(to) + ";");
  }

  /// A block of its own that leaves the procedure.
  bool ends_here(BlockId b) const {
    return successors(procedure_.blocks[b].end).empty() && !emitted_[b] && predecessors(b) == 1;
  }

  bool reaches(BlockId from, BlockId to) const {
    std::vector<bool> seen(procedure_.blocks.size(), false);
    std::vector<BlockId> work{from};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (b == to) return true;
      if (seen[b]) continue;
      seen[b] = true;
      for (BlockId s : successors(procedure_.blocks[b].end)) work.push_back(s);
    }
    return false;
  }

  /// An exception of an extern that is its caller's mistake.
  bool raises(const Terminator& end) const {
    return procedure_.kind == ProcedureKind::Extern && !end.environment;
  }

  /// Prints from `b` on until control would reach `follow`, which the caller prints next (none:
  /// nothing follows).
  void emit(BlockId b, BlockId follow, int depth) {
    while (b != follow) {
      if (emitted_[b]) return go(b, depth);
      emitted_[b] = true;
      if (needed_[b]) line(depth - 1, "L" + std::to_string(b) + ":");
      const Block& block = procedure_.blocks[b];
      for (const Statement& s : block.statements) line(depth, statement(s));
      const Terminator& end = block.end;
      switch (end.kind) {
      case TerminatorKind::Goto: b = end.next; break;
      case TerminatorKind::Branch: b = branch(b, depth); break;
      case TerminatorKind::Call:
        line(depth, call(end));
        b = end.next;
        break;
      case TerminatorKind::Return:
        return line(depth, "return" + (end.value ? " " + to_string(end.value) : "") +
                               mark(end.where) + ";");
      case TerminatorKind::Throw:
        return line(depth, (raises(end) ? "raise " : "throw ") + to_string(end.value) +
                               mark(end.where) + ";");
      case TerminatorKind::Error:
        return line(depth, "error " + quote_name(end.name) + mark(end.where) + ";");
      }
      if (b == none) return;
    }
  }

  /// Prints a conditional or a loop and says where to go on.
  BlockId branch(BlockId b, int depth) {
    const Terminator& end = procedure_.blocks[b].end;
    const std::string condition = to_string(end.value);
    if (depth > max_depth) {
      needed_[end.next] = needed_[end.other] = true;
      line(depth, "if (" + condition + ") goto L" + std::to_string(end.next) + "; else goto L" +
                      std::to_string(end.other) + ";");
      pending_.push_back(end.other);
      pending_.push_back(end.next);
      return none;
    }
    if (procedure_.blocks[b].statements.empty() && end.next != b && end.other != b &&
        !emitted_[end.next] && reaches(end.next, b) && !reaches_without(end.other, b)) {
      line(depth, "while (" + condition + ") {");
      emit(end.next, b, depth + 1);
      line(depth, "}");
      return end.other;
    }
    if (const Block& bad = procedure_.blocks[end.other];
        !emitted_[end.other] && bad.statements.empty() && bad.end.kind == TerminatorKind::Error &&
        bad.end.name == "assert" && !needed_[end.other] && predecessors(end.other) == 1) {
      emitted_[end.other] = true;
      line(depth, "assert " + condition + mark(bad.end.where) + ";");
      return end.next;
    }
    if (ends_here(end.next)) {
      line(depth, "if (" + condition + ") {");
      emit(end.next, none, depth + 1);
      line(depth, "}");
      return end.other;
    }
    if (ends_here(end.other)) {
      line(depth, "if (" + condition + ") {");
      line(depth, "} else {");
      emit(end.other, none, depth + 1);
      line(depth, "}");
      return end.next;
    }
    const BlockId join = join_[b];
    line(depth, "if (" + condition + ") {");
    emit(end.next, join, depth + 1);
    if (join == none) {
      line(depth, "}");
      return end.other;
    }
    if (end.other != join) {
      line(depth, "} else {");
      emit(end.other, join, depth + 1);
    }
    line(depth, "}");
    return join;
  }

  bool reaches_without(BlockId from, BlockId to) const { return from == to || reaches(from, to); }

  std::size_t predecessors(BlockId b) const {
    std::size_t count = 0;
    for (const Block& block : procedure_.blocks) {
      const auto next = successors(block.end);
      count += static_cast<std::size_t>(std::ranges::count(next, b));
    }
    return count;
  }

  static std::string statement(const Statement& s) {
    const std::string end = mark(s.where) + ";";
    switch (s.kind) {
    case StatementKind::Assign:
      if (s.value->op == Op::Store && s.value->args[0] == s.target)
        return quote_name(s.target->name) + "[" + to_string(s.value->args[1]) +
               "] := " + to_string(s.value->args[2]) + end;
      return quote_name(s.target->name) + " := " + to_string(s.value) + end;
    case StatementKind::Assume: return "assume " + to_string(s.value) + end;
    case StatementKind::Havoc: {
      const char* who = s.chooser == Chooser::Client    ? "client "
                        : s.chooser == Chooser::Unknown ? "unknown "
                                                        : "";
      return std::string("havoc ") + who + quote_name(s.target->name) + end;
    }
    case StatementKind::New:
      return quote_name(s.target->name) + " := new " + quote_name(s.record) + end;
    }
    return "";
  }

  std::string call(const Terminator& end) {
    std::string text = end.result ? quote_name(end.result->name) + " := " : "";
    text += "call " + quote_name(end.name) + "(";
    for (std::size_t i = 0; i < end.arguments.size(); ++i)
      text += (i ? ", " : "") + to_string(end.arguments[i]);
    text += ")";
    for (const Handler& h : end.handlers) {
      needed_[h.target] = true;
      if (!emitted_[h.target]) pending_.push_back(h.target);
      text += " catch " + (h.exception == "*" ? "*" : quote_name(h.exception)) +
              (h.binder ? " " + quote_name(h.binder->name) : "") + " goto L" +
              std::to_string(h.target);
    }
    return text + mark(end.where) + ";";
  }

  const Procedure& procedure_;
  std::vector<BlockId> join_;
  std::vector<bool> needed_, emitted_;
  std::vector<BlockId> pending_;
  std::string text_;
};

std::string names(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& n : list) text += (text.empty() ? "" : ", ") + quote_name(n);
  return text;
}

} // namespace

std::string print_procedure(const Module&, const Procedure& p) {
  static constexpr const char* words[] = {"method", "constructor", "procedure", "extern"};
  std::string text = std::string(words[static_cast<int>(p.kind)]) + " " + quote_name(p.name) + "(";
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    text += (i ? ", " : "") + quote_name(p.parameters[i].name()) + " : " +
            to_string(p.parameters[i].type);
  text += ")";
  if (p.returns) text += " : " + to_string(*p.returns);
  for (Term t : p.preconditions) text += "\n    requires " + to_string(t);
  if (!p.throws.empty()) text += " throws " + names(p.throws);
  if (!p.writes.empty()) text += " writes " + names(p.writes);
  for (Term t : p.ensures) text += "\n    ensures " + to_string(t);
  if (p.blocks.empty()) return text + ";\n";
  text += " {\n";
  for (const Variable& v : p.locals)
    text += "  var " + quote_name(v.name()) + " : " + to_string(v.type) + ";\n";
  return text + BodyPrinter(p).run() + "}\n";
}

std::string print_module(const Module& m) {
  std::string text = "component " + quote_name(m.name) + "\n";
  if (m.language != "tir") text += "language " + quote_name(m.language) + "\n";
  for (const std::string& a : m.assumptions) text += "assumption " + quoted(a) + "\n";
  for (const Exception& e : m.exceptions)
    text += "exception " + quote_name(e.name) +
            (e.parent.empty() ? "" : " : " + quote_name(e.parent)) + "\n";
  for (Sort s : m.enums) {
    text += "enum " + quote_name(s->decl->name) + " {";
    Integer next = 0;
    for (std::size_t i = 0; i < s->decl->values.size(); ++i) {
      const Enumerator& e = s->decl->values[i];
      text += (i ? ", " : " ") + quote_name(e.name);
      if (e.value != next) text += " = " + to_string(e.value);
      next = e.value + 1;
    }
    text += " }\n";
  }
  for (const Record& r : m.records) {
    text += "record " + quote_name(r.name) + " {";
    for (std::size_t i = 0; i < r.fields.size(); ++i)
      text +=
          (i ? ", " : " ") + quote_name(r.fields[i].first) + " : " + to_string(r.fields[i].second);
    text += " }\n";
  }
  for (const StateVariable& v : m.state) {
    if (!v.record.empty()) continue;
    text += std::string(v.client ? "client " : "") + "state " + quote_name(v.name()) + " : " +
            to_string(v.type);
    if (v.initial) text += " = " + to_string(v.initial);
    text += "\n";
  }
  for (Term t : m.invariants) text += "invariant " + to_string(t) + "\n";
  for (const Procedure& p : m.procedures) text += "\n" + print_procedure(m, p);
  return text;
}

} // namespace tacit
