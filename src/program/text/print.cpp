#include "program/text/print.h"

#include <algorithm>
#include <array>
#include <optional>

#include "logic/term/print.h"
#include "program/graph/postdominators.h"
#include "program/ir/granted.h"

namespace tacit {
namespace {

constexpr BlockId none = static_cast<BlockId>(-1);
constexpr int max_depth = 40; // deeper nesting is printed with gotos

/// Words that a statement may start or go on with where a name can stand as well.
constexpr std::array<std::string_view, 7> statement_words = {"case",   "catch",   "default", "else",
                                                             "client", "unknown", "goto"};

/// A name where a statement expects one.
std::string variable_name(const std::string& name) {
  return std::ranges::find(statement_words, name) == statement_words.end() ? quote_name(name)
                                                                           : "`" + name + "`";
}

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

/// What is said of a variable besides its type.
std::string attributes(const Variable& v) {
  static constexpr const char* places[] = {"", " at place", " at object", " at part"};
  std::string text = places[static_cast<int>(v.address)];
  if (!v.shown.empty()) text += " shown " + quoted(v.shown);
  return text;
}

std::string declaration(const Variable& v) {
  return quote_name(v.name()) + " : " + to_string(v.type) + attributes(v);
}

std::string made_mark(const Terminator& end) {
  return end.made.known() ? " made" + mark(end.made) : "";
}

Postdominators joins(const Procedure& procedure) {
  std::vector<std::vector<BlockId>> next;
  for (const Block& block : procedure.blocks) next.push_back(successors(block.end));
  return Postdominators(std::move(next));
}

class BodyPrinter {
public:
  BodyPrinter(const Procedure& procedure) : procedure_(procedure), joins_(joins(procedure)) {}

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
                               made_mark(end) + mark(end.where) + ";");
      case TerminatorKind::Error:
        return line(depth,
                    "error " + quote_name(end.name) + made_mark(end) + mark(end.where) + ";");
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
        bad.end.name == "assert" && !bad.end.made.known() && !needed_[end.other] &&
        predecessors(end.other) == 1) {
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
    const BlockId join = joins_.next(b).value_or(none);
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
        return variable_name(s.target->name) + "[" + to_string(s.value->args[1]) +
               "] := " + to_string(s.value->args[2]) + end;
      return variable_name(s.target->name) + " := " + to_string(s.value) + end;
    case StatementKind::Assume:
      return (is_granted(s) ? "granted " : "assume ") + to_string(s.value) + end;
    case StatementKind::Havoc: {
      const char* who = s.chooser == Chooser::Client    ? "client "
                        : s.chooser == Chooser::Unknown ? "unknown "
                                                        : "";
      const std::string from = s.from.empty() ? "" : " from " + quoted(s.from);
      return std::string("havoc ") + who + variable_name(s.target->name) + from + end;
    }
    case StatementKind::New:
      return variable_name(s.target->name) + " := new " + quote_name(s.record) + end;
    }
    return "";
  }

  std::string call(const Terminator& end) {
    std::string text = end.result ? variable_name(end.result->name) + " := " : "";
    text += "call " + quote_name(end.name) + "(";
    for (std::size_t i = 0; i < end.arguments.size(); ++i)
      text += (i ? ", " : "") + to_string(end.arguments[i]);
    text += ")";
    for (const Handler& h : end.handlers) {
      needed_[h.target] = true;
      if (!emitted_[h.target]) pending_.push_back(h.target);
      text += " catch " + (h.exception == "*" ? "*" : quote_name(h.exception)) +
              (h.binder ? " " + variable_name(h.binder->name) : "") + " goto L" +
              std::to_string(h.target);
    }
    return text + mark(end.where) + ";";
  }

  const Procedure& procedure_;
  Postdominators joins_;
  std::vector<bool> needed_, emitted_;
  std::vector<BlockId> pending_;
  std::string text_;
};

std::string names(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& n : list) text += (text.empty() ? "" : ", ") + quote_name(n);
  return text;
}

/// Whose code it is and what it is about, as far as that is not plain.
std::string attributes(const Procedure& p) {
  static constexpr const char* origins[] = {"own", "collaborator", "contract", "unknown"};
  std::string text;
  if (p.origin) text += std::string(" origin ") + origins[static_cast<int>(*p.origin)];
  if (!p.shown.empty()) text += " shown " + quoted(p.shown);
  if (!p.object.empty()) text += " object " + quoted(p.object);
  if (!p.made_by.empty()) text += " made_by " + quoted(p.made_by);
  if (!p.beside.empty()) text += " beside " + quoted(p.beside);
  if (p.out_variable()) text += " out " + quoted(p.out);
  return text;
}

/// Spelled out where the language has some, so that the text says what was relied on.
std::string print_conventions(const Module& m) {
  const Conventions usual = conventions_of(m.language);
  std::string text, held;
  bool any = false;
  for (const auto& [word, holds] : convention_words()) {
    any = any || m.conventions.*holds || usual.*holds;
    if (m.conventions.*holds) held += (held.empty() ? "" : ", ") + std::string(word);
  }
  if (any) text += "conventions " + (held.empty() ? "none" : held) + "\n";
  std::string errors;
  for (const std::string& e : m.conventions.errors)
    errors += (errors.empty() ? "" : ", ") + quoted(e);
  if (!errors.empty() || !usual.errors.empty())
    text += "errors " + (errors.empty() ? "none" : errors) + "\n";
  return text;
}

std::string print_enumeration(const EnumDecl& decl) {
  std::string text = "enum " + quote_name(decl.name) + (decl.numbers ? " : int {" : " {");
  Integer next = 0;
  for (std::size_t i = 0; i < decl.values.size(); ++i) {
    const Enumerator& e = decl.values[i];
    text += (i ? ", " : " ") + quote_name(e.name);
    if (e.value != next) text += " = " + to_string(e.value);
    next = e.value + 1;
  }
  return text + " }\n";
}

std::string print_record(const Module& m, const Record& r) {
  std::string text = "record " + quote_name(r.name) + " {";
  for (std::size_t i = 0; i < r.fields.size(); ++i) {
    const auto& [field, type] = r.fields[i];
    text += (i ? ", " : " ") + quote_name(field) + " : " + to_string(type);
    if (const StateVariable* map = m.find_state(r.name + "." + field)) text += attributes(*map);
  }
  return text + " }\n";
}

} // namespace

std::string print_procedure(const Module&, const Procedure& p) {
  static constexpr const char* words[] = {"method", "constructor", "procedure", "extern"};
  std::string text = std::string(words[static_cast<int>(p.kind)]) + " " + quote_name(p.name) + "(";
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    text += (i ? ", " : "") + declaration(p.parameters[i]);
  text += ")";
  if (p.returns) text += " : " + to_string(*p.returns);
  text += attributes(p);
  for (Term t : p.preconditions) text += "\n    requires " + to_string(t);
  if (!p.throws.empty()) text += " throws " + names(p.throws);
  if (!p.writes.empty()) text += " writes " + names(p.writes);
  for (Term t : p.ensures) text += "\n    ensures " + to_string(t);
  if (p.blocks.empty()) return text + ";\n";
  text += " {\n";
  for (const Variable& v : p.locals) text += "  var " + declaration(v) + ";\n";
  return text + BodyPrinter(p).run() + "}\n";
}

std::string print_module(const Module& m) {
  std::string text = "component " + quote_name(m.name) + "\n";
  if (m.language != "tir") text += "language " + quote_name(m.language) + "\n";
  text += print_conventions(m);
  for (const std::string& a : m.assumptions) text += "assumption " + quoted(a) + "\n";
  for (const LeftOut& one : m.left_out)
    text += "left_out " + quote_name(one.call) + " " + quoted(one.reason) + "\n";
  for (const auto& [literal, number] : m.literals)
    text += "literal " + quoted(literal) + " " + to_string(number) + "\n";
  for (const Exception& e : m.exceptions) {
    text +=
        "exception " + quote_name(e.name) + (e.parent.empty() ? "" : " : " + quote_name(e.parent));
    for (std::size_t i = 0; i < e.also.size(); ++i)
      text += (i == 0 ? " also " : ", ") + quote_name(e.also[i]);
    text += "\n";
  }
  for (Sort s : m.enums) text += print_enumeration(*s->decl);
  for (const Record& r : m.records) text += print_record(m, r);
  for (const StateVariable& v : m.state) {
    if (!v.record.empty()) continue;
    text += std::string(v.client ? "client " : "") + "state " + declaration(v);
    if (v.initial) text += " = " + to_string(v.initial);
    text += "\n";
  }
  for (Term t : m.invariants) text += "invariant " + to_string(t) + "\n";
  for (const Procedure& p : m.procedures) text += "\n" + print_procedure(m, p);
  return text;
}

} // namespace tacit
