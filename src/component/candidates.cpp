#include "component/candidates.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include "logic/term/print.h"
#include "program/ir/names.h"
#include "program/observe/instrument.h"
#include "program/observe/no_object.h"

namespace tacit {

namespace {

constexpr std::size_t longest_condition = 60; // characters
constexpr std::size_t most_shown = 2;         // sites of one candidate

// Words of names, in order of how surely they speak of a call that came at the wrong time.
constexpr std::array state_words = {"STATE",   "SEQUENCE", "FATAL",  "ORDER",  "MISUSE",
                                    "ALREADY", "NOT",      "CLOSED", "LOCKED", "ILLEGAL"};
constexpr std::array error_words = {"ERR",     "ERROR",    "E",     "FAIL",  "FAILED",
                                    "FAILURE", "BAD",      "INVAL", "ARG",   "PARAM",
                                    "INVALID", "ARGUMENT", "WRONG", "DENIED"};
constexpr std::array good_words = {"OK", "SUCCESS", "DONE", "NONE", "YES", "ACCEPTED", "TRUE"};

/// `CAL_E_SEQUENCE` and `BadState` as words in capitals.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words{""};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool lower_before = i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (!std::isalnum(c) || (std::isupper(c) && lower_before)) words.emplace_back();
    if (std::isalnum(c)) words.back() += static_cast<char>(std::toupper(c));
  }
  return words;
}

template <std::size_t N>
bool has_word(std::string_view name, const std::array<const char*, N>& wanted) {
  return std::ranges::any_of(words_of(name), [&](const std::string& word) {
    return std::ranges::any_of(wanted, [&](std::string_view w) {
      // `ESTATE` and `EINVAL`, as errno has them.
      return word == w || (w.size() > 3 && word.starts_with('E') && word.substr(1) == w);
    });
  });
}

/// 0: about the state, 1: an error, 2: something else, 3: what one hopes for.
int rank_of_name(std::string_view name) {
  if (has_word(name, state_words)) return 0;
  if (has_word(name, error_words)) return 1;
  return has_word(name, good_words) ? 3 : 2;
}

Location line_of(Location where) {
  where.column = 0;
  return where;
}

bool stops(const Module& module, const std::string& name) {
  const Procedure* callee = module.find_procedure(name);
  return callee && callee->kind == ProcedureKind::Extern && !callee->blocks.empty() &&
         !callee->blocks[0].statements.empty() &&
         callee->blocks[0].statements[0].kind == StatementKind::Assume &&
         is_false(callee->blocks[0].statements[0].value);
}

std::optional<std::string> raised(const Module& module, const Terminator& end) {
  if (end.kind != TerminatorKind::Throw || end.environment || end.value == nullptr ||
      end.value->op != Op::EnumConst)
    return std::nullopt;
  return module.exceptions[static_cast<std::size_t>(end.value->number)].name;
}

class CandidateFinder {
public:
  explicit CandidateFinder(const Module& module) : module_(module), arena_(*module.arena) {}

  std::vector<ErrorCandidate> run() {
    for (const Procedure& procedure : module_.procedures) {
      if (procedure.kind == ProcedureKind::Extern) continue;
      look_at(procedure);
    }
    join_negative_codes();
    std::vector<ErrorCandidate> all;
    for (auto& [spec, candidate] : found_) all.push_back(std::move(candidate));
    std::ranges::stable_sort(all, [](const ErrorCandidate& a, const ErrorCandidate& b) {
      return std::pair(a.rank, -static_cast<std::ptrdiff_t>(a.sites.size())) <
             std::pair(b.rank, -static_cast<std::ptrdiff_t>(b.sites.size()));
    });
    return all;
  }

private:
  void look_at(const Procedure& procedure) {
    predecessors_.assign(procedure.blocks.size(), {});
    called_.clear();
    for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
      for (const BlockId next : successors(procedure.blocks[b].end))
        predecessors_[next].push_back(b);
      if (procedure.blocks[b].end.result) called_.insert(procedure.blocks[b].end.result);
    }
    name_values(procedure);
    for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
      const Terminator& end = procedure.blocks[b].end;
      if (end.kind == TerminatorKind::Error && end.name != used_after_free && end.name != no_object)
        add(end.name == "assert" ? "assert" : "error:" + end.name, 0, procedure, b, end.where);
      if (const auto exception = raised(module_, end))
        add("throws:" + *exception, rank_of_exception(*exception), procedure, b, end.where);
      if (end.kind != TerminatorKind::Call) continue;
      if (stops(module_, end.name)) add("reach:" + end.name, 2, procedure, b, end.where);
      for (const std::string& exception : raised_by(end.name))
        add("throws:" + exception, rank_of_exception(exception), procedure, b, end.where);
    }
    codes(procedure);
  }

  /// Last come those that the conventions take for something else.
  int rank_of_exception(const std::string& name) const {
    const bool ordinary =
        std::ranges::any_of(module_.conventions.errors, [&](const std::string& spec) {
          return spec.starts_with("-throws:") && module_.exception_is(name, spec.substr(8));
        });
    return ordinary ? 3 : 1;
  }

  std::set<std::string> raised_by(const std::string& callee) const {
    std::set<std::string> names;
    const Procedure* procedure = module_.find_procedure(callee);
    if (procedure && procedure->kind == ProcedureKind::Extern)
      for (const Block& block : procedure->blocks)
        if (const auto exception = raised(module_, block.end)) names.insert(*exception);
    return names;
  }

  ErrorCandidate& add(const std::string& spec, int rank, const Procedure& procedure, BlockId block,
                      const Location& where) {
    const auto [found, added] = found_.try_emplace(spec);
    ErrorCandidate& candidate = found->second;
    if (added) {
      candidate.spec = spec;
      candidate.rank = rank;
    }
    // One without a place is told from others by its block.
    const Location site =
        where.known() ? line_of(where) : Location{procedure.name, static_cast<int>(block) + 1, 0};
    const bool known = !candidate.sites.insert(site).second;
    candidate.calls.insert(procedure.name);
    if (!known && candidate.shown.size() < most_shown) {
      const std::string when = condition_into(procedure, block);
      candidate.shown.push_back(procedure.name + (when.empty() ? "" : " when " + when) +
                                (where.known() ? " at " + to_string(line_of(where)) : ""));
    }
    return candidate;
  }

  /// Constants that methods return, where they are said to be the result.
  void codes(const Procedure& procedure) {
    if (!procedure.returns || (procedure.returns->sort->kind != SortKind::Int &&
                               procedure.returns->sort->kind != SortKind::Enum))
      return;
    std::set<Term, TermById> results;
    for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
      const Terminator& end = procedure.blocks[b].end;
      if (end.kind != TerminatorKind::Return || end.value == nullptr) continue;
      code(procedure, b, end.value, end.where);
      if (end.value->op == Op::Var) results.insert(end.value);
    }
    for (BlockId b = 0; b < procedure.blocks.size(); ++b)
      for (const Statement& s : procedure.blocks[b].statements)
        if (s.kind == StatementKind::Assign && results.contains(s.target))
          code(procedure, b, s.value, s.where);
  }

  void code(const Procedure& procedure, BlockId block, Term value, const Location& where) {
    if (!is_constant(value)) return;
    std::string name;
    int rank = 2;
    bool negative = true;
    if (value->op == Op::EnumConst) {
      name = to_string(value);
      rank = rank_of_name(name);
      const auto index = static_cast<std::size_t>(value->number);
      negative = value->sort->decl->values[index].value < 0;
      // Scoped as the source has it, where it has scopes.
      const std::string& owner = value->sort->decl->name;
      if (!module_.conventions.classless)
        name = owner + (owner.find_first_of(".$") == std::string::npos ? "::" : ".") + name;
    } else {
      if (value->op != Op::IntConst || !is_negative(value)) return;
      name = name_of_number(value);
      rank = name.starts_with('-') ? 1 : rank_of_name(name);
    }
    if (rank == 3) return;
    if (negative) negative_.insert(name);
    if (depends_on_callee(procedure, block)) rank = std::max(rank, 2) + 1;
    ErrorCandidate& candidate = add("returns:" + name, rank, procedure, block, where);
    candidate.rank = std::min(candidate.rank, rank);
  }

  static bool is_negative(Term value) { return to_string(value).starts_with('-'); }

  /// A macro or an enumerator with this value, if there is one.
  std::string name_of_number(Term value) const {
    const std::string text = to_string(value);
    std::string best;
    for (const Sort sort : module_.enums)
      for (const Enumerator& e : sort->decl->values)
        if (fmt::format("{}", static_cast<long long>(e.value)) == text &&
            (best.empty() || rank_of_name(e.name) < rank_of_name(best)))
          best = e.name;
    return best.empty() ? text : best;
  }

  /// Several negative codes are errors together.
  void join_negative_codes() {
    if (negative_.size() < 2) return;
    ErrorCandidate all{.spec = "returns:<0", .rank = -1};
    for (const std::string& name : negative_) {
      const ErrorCandidate& one = found_.at("returns:" + name);
      all.sites.insert(one.sites.begin(), one.sites.end());
      all.calls.insert(one.calls.begin(), one.calls.end());
    }
    found_.emplace(all.spec, std::move(all));
  }

  /// The branches that lead here, as far as they are told by the way back: how it is passed.
  std::vector<std::pair<Term, bool>> branches_into(const Procedure& procedure,
                                                   BlockId block) const {
    std::vector<std::pair<Term, bool>> found;
    std::set<BlockId> seen{block};
    std::vector<BlockId> open{block};
    while (!open.empty()) {
      const BlockId at = open.back();
      open.pop_back();
      for (const BlockId before : predecessors_[at]) {
        const Terminator& end = procedure.blocks[before].end;
        if (end.kind == TerminatorKind::Branch && end.next != end.other)
          found.emplace_back(end.value, end.next == at);
        else if (seen.insert(before).second)
          open.push_back(before);
      }
    }
    return found;
  }

  bool depends_on_callee(const Procedure& procedure, BlockId block) const {
    return std::ranges::any_of(branches_into(procedure, block), [&](const auto& branch) {
      return std::ranges::any_of(variables(branch.first),
                                 [&](Term variable) { return called_.contains(variable); });
    });
  }

  std::string condition_into(const Procedure& procedure, BlockId block) const {
    std::set<std::string> alternatives;
    for (const auto& [condition, way] : branches_into(procedure, block))
      alternatives.insert(in_words(way ? condition : arena_.negate(condition)));
    std::string text;
    for (const std::string& one : alternatives) text += (text.empty() ? "" : " || ") + one;
    return text.size() <= longest_condition ? text : "";
  }

  /// `fopen()` for what a callee returned, and fields and parameters as the source calls them.
  void name_values(const Procedure& procedure) {
    named_.clear();
    for (const StateVariable& v : module_.state) named_[v.term] = v.shown_name();
    for (const Variable& v : procedure.parameters) named_[v.term] = v.shown_name();
    for (const Block& block : procedure.blocks) {
      if (block.end.kind != TerminatorKind::Call || !block.end.result) continue;
      std::string callee = block.end.name.substr(0, block.end.name.find_first_of("@#("));
      callee.erase(0, callee.rfind(':') + 1);
      if (!callee.empty() && callee != "indirect") named_[block.end.result] = callee + "()";
    }
  }

  std::string in_words(Term condition) const {
    std::string text = to_string(condition);
    const auto part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("_.$`").contains(c);
    };
    for (const Term variable : variables(condition)) {
      const auto known = named_.find(variable);
      const std::string name = quote_name(variable->name);
      if (known == named_.end() || known->second == name) continue;
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        const std::size_t end = at + name.size();
        const bool whole =
            (at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]));
        if (whole) text.replace(at, name.size(), known->second);
        at += whole ? known->second.size() : name.size();
      }
    }
    return text;
  }

  const Module& module_;
  TermArena& arena_;
  std::map<Term, std::string, TermById> named_; // in the words of the source
  std::map<std::string, ErrorCandidate> found_;
  std::set<std::string> negative_; // names of negative codes
  std::vector<std::vector<BlockId>> predecessors_;
  std::set<Term, TermById> called_; // results of calls
};

} // namespace

std::vector<ErrorCandidate> error_candidates(const Module& module) {
  return CandidateFinder(module).run();
}

std::set<std::string> raised_exceptions(const Module& module) {
  std::set<std::string> names;
  for (const Procedure& procedure : module.procedures)
    for (const Block& block : procedure.blocks)
      if (auto exception = raised(module, block.end)) names.insert(std::move(*exception));
  return names;
}

std::vector<std::string> constructor_candidates(const Module& module) {
  std::vector<std::string> names;
  if (!module.conventions.classless) return names;
  const auto consider = [&](const std::string& name) {
    for (const std::string_view ending : {"_new", "_create", "_init", "_open", "_alloc"})
      if (name.ends_with(ending) && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  };
  if (std::ranges::any_of(module.procedures,
                          [](const Procedure& p) { return p.kind == ProcedureKind::Constructor; }))
    return names;
  for (const LeftOut& out : module.left_out) consider(out.call);
  for (const Procedure& p : module.procedures)
    if (p.kind == ProcedureKind::Method && !p.name.ends_with("_open")) consider(p.name);
  return names;
}

} // namespace tacit
