#include "program/text/source_clauses.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <string_view>

#include "logic/term/parse.h"
#include "program/ir/scope.h"
#include "program/text/contract_body.h"

namespace tacit {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// A clause as it stands in the text.
enum class ClauseKind { Requires, Ensures, Invariant };
constexpr std::pair<std::string_view, ClauseKind> kinds[] = {{"requires", ClauseKind::Requires},
                                                             {"ensures", ClauseKind::Ensures},
                                                             {"invariant", ClauseKind::Invariant}};

struct Found {
  ClauseKind kind = ClauseKind::Requires;
  std::string condition;
  std::size_t at = 0; // where it starts
};

/// The text with comments and the contents of literals blanked, of the same length, and what was
/// said in comments and attributes.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text), code_(text) {}

  void run() {
    for (std::size_t i = 0; i < text_.size();) {
      if (text_.substr(i).starts_with("//")) {
        i = comment(i, std::min(text_.find('\n', i), text_.size()));
      } else if (text_.substr(i).starts_with("/*")) {
        const std::size_t end = text_.find("*/", i + 2);
        i = comment(i, end == std::string_view::npos ? text_.size() : end + 2);
      } else if (text_[i] == '"' || text_[i] == '\'') {
        i = literal(i);
      } else {
        ++i;
      }
    }
  }

  const std::string& code() const { return code_; }
  const std::vector<Found>& found() const { return found_; }

private:
  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (code_[i] != '\n') code_[i] = ' ';
  }

  /// A clause ends with its line; a line that starts with `*` goes on in a block comment.
  std::size_t comment(std::size_t from, std::size_t to) {
    for (std::size_t line = from; line < to;) {
      const std::size_t end = std::min(text_.find('\n', line), to);
      for (const auto& [name, kind] : kinds) {
        const std::string tag = "@" + std::string(name);
        const std::size_t at = text_.substr(0, end).find(tag, line);
        if (at == std::string_view::npos || in_name(text_[at + tag.size()])) continue;
        std::string_view rest = text_.substr(at + tag.size(), end - at - tag.size());
        if (const std::size_t close = rest.find("*/"); close != std::string_view::npos)
          rest = rest.substr(0, close);
        add(trim(rest), kind, at);
      }
      line = end + 1;
    }
    blank(from, to);
    return to;
  }

  /// `annotate("requires: …")` and the like.
  std::size_t literal(std::size_t from) {
    std::size_t to = from + 1;
    while (to < text_.size() && text_[to] != text_[from] && text_[to] != '\n')
      to += text_[to] == '\\' ? 2 : 1;
    to = std::min(to + 1, text_.size());
    const std::string_view content = text_.substr(from + 1, to - from - 2);
    if (trim(std::string_view(code_).substr(0, from)).ends_with("annotate(")) {
      for (const auto& [name, kind] : kinds)
        if (content.starts_with(std::string(name) + ":"))
          add(trim(content.substr(name.size() + 1)), kind, from);
    }
    blank(from + 1, to - 1);
    return to;
  }

  void add(std::string_view condition, ClauseKind kind, std::size_t at) {
    if (condition.ends_with(";")) condition.remove_suffix(1);
    found_.push_back({kind, std::string(condition), at});
  }

  std::string_view text_;
  std::string code_;
  std::vector<Found> found_;
};

std::string named(std::string_view word, const std::map<std::string, std::string>& renamed) {
  const auto found = renamed.find(std::string(word));
  return found == renamed.end() ? std::string(word) : found->second;
}

/// A condition of C++ or Java in the words of .tir.
std::string translated(std::string_view text, const std::map<std::string, std::string>& renamed) {
  std::string made;
  for (std::size_t i = 0; i < text.size();) {
    if (!in_name(text[i])) {
      if (text.substr(i).starts_with("->")) {
        made += '.';
        i += 2;
      } else {
        made += text[i++];
      }
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word == "this" && (text.substr(end).starts_with("->") || text.substr(end).starts_with(".")))
      end += text[end] == '.' ? 1 : 2;
    else if (text.substr(end).starts_with("::"))
      end += 2; // a qualified name: its last part
    else
      made += word == "NULL" || word == "nullptr" ? "null" : named(word, renamed);
    i = end;
  }
  return made;
}

class Clauses {
public:
  Clauses(Module& module, const SourceText& source)
      : module_(module), source_(source), scanner_(source.text) {
    scanner_.run();
    class_name_ = module.name;
    for (const std::string_view part : {"::", ".", "$"})
      if (const std::size_t at = class_name_.rfind(part); at != std::string::npos)
        class_name_ = class_name_.substr(at + part.size());
    if (const std::size_t at = class_name_.find('<'); at != std::string::npos)
      class_name_.resize(at);
  }

  Result<void> run() {
    for (const Found& clause : scanner_.found()) {
      if (!in_class(clause.at)) continue;
      const Location where = location(clause.at);
      if (clause.kind == ClauseKind::Invariant) {
        auto term = condition(clause, where, nullptr);
        if (!term) return std::unexpected(term.error());
        module_.invariants.push_back(*term);
        continue;
      }
      for (Procedure* subject : subjects(clause.at)) {
        auto term = condition(clause, where, subject);
        if (!term) return std::unexpected(term.error());
        const bool after = clause.kind == ClauseKind::Ensures;
        (after ? subject->ensures : subject->preconditions).push_back(*term);
      }
    }
    return {};
  }

private:
  Location location(std::size_t at) const {
    const std::string_view before = std::string_view(source_.text).substr(0, at);
    const auto line = std::ranges::count(before, '\n') + 1;
    return {source_.file, static_cast<int>(line),
            static_cast<int>(at - (before.rfind('\n') + 1)) + 1};
  }

  /// `static final int SIGN = 2, VERIFY = 3;`, `constexpr int size = 4;`, `#define SIZE 4`.
  const std::map<std::string, std::string>& constants() {
    if (constants_) return *constants_;
    constants_.emplace();
    const std::string& code = scanner_.code();
    static const std::regex constant("\\b(?:final|const|constexpr)\\b[^;{}()]*;"),
        value("([A-Za-z_$][\\w$]*)\\s*=\\s*(-?\\d+)\\s*(?=[,;])"),
        macro("#[ \\t]*define[ \\t]+(\\w+)[ \\t]+(-?\\d+)[ \\t]*(?=[\\r\\n]|$)");
    const auto take = [&](const std::string& text, const std::regex& what) {
      for (std::sregex_iterator at(text.begin(), text.end(), what), end; at != end; ++at)
        constants_->emplace((*at)[1], (*at)[2]);
    };
    for (std::sregex_iterator at(code.begin(), code.end(), constant), end; at != end; ++at)
      take(at->str(), value);
    take(code, macro);
    return *constants_;
  }

  Result<Term> condition(const Found& clause, const Location& where, const Procedure* subject) {
    // A definition may have other names for parameters than the declaration that is annotated.
    std::map<std::string, std::string> renamed;
    if (subject) {
      const auto declared = declarator(clause.at);
      for (std::size_t i = 0; declared->parameters.size() == subject->parameters.size() &&
                              i < subject->parameters.size();
           ++i)
        if (const std::string& name = subject->parameters[i].name();
            name != declared->parameters[i])
          renamed.emplace(declared->parameters[i], "`" + name + "`");
    }
    const ModuleScope plain(module_, subject);
    std::optional<EnsuresScope> after;
    if (clause.kind == ClauseKind::Ensures) after.emplace(module_, *subject);
    const Scope& scope = after ? static_cast<const Scope&>(*after) : plain;
    for (const auto& [name, number] : constants())
      if (!scope.lookup(name) && !scope.enumerator(name, nullptr)) renamed.emplace(name, number);
    auto term = parse_expression(translated(clause.condition, renamed), source_.file,
                                 *module_.arena, scope, module_.arena->bool_sort());
    if (term) return term;
    return fail(where, "the {} '{}' cannot be read: {}",
                clause.kind == ClauseKind::Invariant ? "invariant" : "clause", clause.condition,
                term.error().message);
  }

  /// Whether a place is in the body of the component's class, or just before it; in C everything
  /// is. The out-of-class definitions of a C++ class count too.
  bool in_class(std::size_t at) {
    if (module_.conventions.classless) return true;
    const std::string& code = scanner_.code();
    bool any = false;
    for (std::size_t i = code.find(class_name_); i != std::string::npos;
         i = code.find(class_name_, i + 1)) {
      if (!declares_class(code, i)) continue;
      const std::size_t open = code.find_first_of("{;", i);
      if (open == std::string::npos || code[open] == ';') continue;
      any = true;
      // From the end of what comes before the class to its closing brace.
      const std::size_t before = code.find_last_of(";{}", i);
      if (at > (before == std::string::npos ? 0 : before) && at < closing(code, open)) return true;
    }
    return !any || qualified(at);
  }

  bool declares_class(const std::string& code, std::size_t i) const {
    const std::size_t end = i + class_name_.size();
    if ((i > 0 && in_name(code[i - 1])) || (end < code.size() && in_name(code[end]))) return false;
    const std::string_view before = trim(std::string_view(code).substr(0, i));
    return before.ends_with("class") || before.ends_with("struct") || before.ends_with("record") ||
           before.ends_with("]]") || before.ends_with("))");
  }

  static std::size_t closing(const std::string& code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
      depth += (code[i] == '{') - (code[i] == '}');
      if (depth == 0) return i;
    }
    return code.size();
  }

  /// Before `Class::method(`.
  bool qualified(std::size_t at) const {
    const std::string& code = scanner_.code();
    const std::size_t open = code.find('(', at);
    if (open == std::string::npos) return false;
    const std::string_view head = std::string_view(code).substr(at, open - at);
    return head.find(class_name_ + "::") != std::string_view::npos;
  }

  struct Declarator {
    std::string name;
    std::vector<std::string> parameters; // as declared; empty names for what has none
    std::size_t at = 0;
  };

  /// The name before the first parenthesis that is not of an annotation or attribute.
  std::optional<Declarator> declarator(std::size_t at) const {
    const std::string& code = scanner_.code();
    // An attribute may also stand behind what it is about.
    const std::size_t start = code.find_last_of(";{}", at);
    if (code[at] == '"') {
      const std::string_view head =
          std::string_view(code).substr(start == std::string::npos ? 0 : start + 1,
                                        at - (start == std::string::npos ? 0 : start + 1));
      const std::size_t attribute = std::min(head.find("__attribute__"), head.find("[["));
      if (auto found = first_call(head.substr(0, attribute), at - head.size())) return found;
      at = code.find_first_of(")]", at);
    }
    return first_call(std::string_view(code).substr(at), at);
  }

  /// `index` of `final int index`, `size` of `unsigned size = 3`.
  static std::string parameter_name(std::string_view text) {
    text = trim(text.substr(0, text.find('=')));
    while (text.ends_with("]") || text.ends_with("[")) text = trim(text.substr(0, text.size() - 1));
    std::size_t first = text.size();
    while (first > 0 && in_name(text[first - 1])) --first;
    return std::string(text.substr(first));
  }

  static std::optional<Declarator> first_call(std::string_view text, std::size_t offset) {
    for (std::size_t open = text.find('('); open != std::string_view::npos;) {
      std::size_t end = open;
      while (end > 0 && text[end - 1] == ' ') --end;
      std::size_t first = end;
      while (first > 0 && (in_name(text[first - 1]) || text[first - 1] == '~')) --first;
      const std::string_view name = text.substr(first, end - first);
      const bool annotation = (first > 0 && text[first - 1] == '@') || name == "__attribute__" ||
                              name == "annotate" || name == "noexcept" || name.empty();
      std::size_t depth = 0, close = open, part = open + 1;
      std::vector<std::string> parameters;
      for (; close < text.size(); ++close) {
        const char c = text[close];
        if (c == '(' || c == '<') ++depth;
        if (c == ')' || (c == '>' && depth > 1)) --depth;
        if ((c == ',' && depth == 1) || depth == 0) {
          parameters.push_back(parameter_name(text.substr(part, close - part)));
          part = close + 1;
        }
        if (depth == 0) break;
      }
      if (!annotation) {
        const std::string_view inside =
            trim(text.substr(open + 1, close > open ? close - open - 1 : 0));
        if (inside.empty() || inside == "void") parameters.clear();
        return Declarator{std::string(name), std::move(parameters), offset + first};
      }
      open = text.find('(', close);
    }
    return std::nullopt;
  }

  /// Methods and constructors of that name; among overloads the nearest, by number of parameters
  /// and by line.
  std::vector<Procedure*> subjects(std::size_t at) {
    const auto declared = declarator(at);
    std::vector<Procedure*> found;
    if (!declared) return found;
    for (Procedure& p : module_.procedures) {
      if (p.kind != ProcedureKind::Method && p.kind != ProcedureKind::Constructor) continue;
      if (p.name.substr(0, p.name.find('(')) == declared->name) found.push_back(&p);
    }
    if (found.size() < 2) return found;
    const auto fits = [&](const Procedure* p) {
      return p->parameters.size() == declared->parameters.size();
    };
    if (std::ranges::any_of(found, fits))
      std::erase_if(found, [&](const Procedure* p) { return !fits(p); });
    if (found.size() < 2) return found;
    const int line = location(declared->at).line;
    std::ranges::stable_sort(found, {}, [&](const Procedure* p) {
      return p->where.line >= line ? p->where.line - line : 1'000'000;
    });
    found.resize(1);
    return found;
  }

  Module& module_;
  const SourceText& source_;
  Scanner scanner_;
  std::string class_name_;
  std::optional<std::map<std::string, std::string>> constants_;
};

} // namespace

Result<void> add_source_clauses(Module& module, const std::vector<SourceText>& texts) {
  for (const SourceText& source : texts)
    if (auto added = Clauses(module, source).run(); !added) return added;
  for (Procedure& p : module.procedures) {
    if (p.kind == ProcedureKind::Extern || p.ensures.empty()) continue;
    give_contract_body(module, p);
    module.assume(p.name + " does what its 'ensures' says: its body was not looked at");
  }
  return {};
}

} // namespace tacit
