// The readers of intended protocols: regular expressions, DOT, PlantUML, Mermaid.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "interface/intended.h"

namespace tacit {

namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// One call of a label, without guard and action; empty for an action that was split off.
std::string call_of(std::string text) {
  if (text.find(":=") != std::string::npos && text.find(" / ") == std::string::npos) return "";
  for (const std::string_view end : {" when ", " / ", "["})
    if (const auto at = text.find(end); at != std::string::npos) text.resize(at);
  return trimmed(text);
}

/// The calls of a label; separators within parentheses and brackets separate nothing.
std::vector<std::string> calls_of(std::string label) {
  for (const std::string_view line_end : {"\\n", "\\l", "\\r", "<br/>", "<br>"})
    replace_all(label, line_end, "\n");
  std::vector<std::string> calls;
  std::string one;
  int depth = 0;
  const auto end = [&] {
    if (std::string call = call_of(one); !call.empty()) calls.push_back(std::move(call));
    one.clear();
  };
  for (const char c : label) {
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == '\n' || (depth == 0 && (c == ',' || c == ';')))
      end();
    else
      one += c;
  }
  end();
  return calls;
}

class Builder {
public:
  std::size_t state(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, made.states.size());
    if (added) made.states.push_back(name);
    return found->second;
  }
  std::size_t fresh() {
    made.states.push_back(fmt::format("{}", made.states.size()));
    return made.states.size() - 1;
  }
  void edge(std::size_t from, std::size_t to, const std::string& letter = "") {
    made.edges.push_back({from, to, letter});
  }
  void edges(std::size_t from, std::size_t to, const std::string& label) {
    const auto calls = calls_of(label);
    for (const std::string& call : calls) edge(from, to, call);
    if (calls.empty()) edge(from, to);
  }

  IntendedProtocol made;

private:
  std::map<std::string, std::size_t> numbers_;
};

// ---- Regular expressions.

/// x | y, x y, x* x+ x?, ( ), names, "names"; # begins a comment.
class RegexReader {
public:
  RegexReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<IntendedProtocol> run() {
    const std::size_t start = build_.fresh();
    build_.made.starts = {{start, ""}};
    const auto end = alternatives(start, 0);
    if (!end) return std::unexpected(end.error());
    if (peek() != '\0') return complain("nothing is open that ')' could close");
    return std::move(build_.made);
  }

private:
  static constexpr int deepest = 200;

  std::unexpected<Diagnostic> complain(const std::string& message) const {
    int line = 1, column = 1;
    for (std::size_t i = 0; i < at_ && i < text_.size(); ++i)
      text_[i] == '\n' ? (++line, column = 1) : ++column;
    return fail(Location{file_, line, column}, "{}", message);
  }

  char peek() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.size(), text_.find('\n', at_));
      else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')
        ++at_;
      else
        return text_[at_];
    }
    return '\0';
  }

  /// Each returns the state in which what it read ends.
  Result<std::size_t> alternatives(std::size_t from, int depth) {
    if (depth > deepest) return complain("more than 200 parentheses in each other");
    const std::size_t end = build_.fresh();
    while (true) {
      const auto one = sequence(from, depth);
      if (!one) return one;
      build_.edge(*one, end);
      if (peek() != '|') return end;
      ++at_;
    }
  }

  Result<std::size_t> sequence(std::size_t from, int depth) {
    std::size_t at = from;
    for (char next = peek(); next != '\0' && next != '|' && next != ')'; next = peek()) {
      const auto one = repeated(at, depth);
      if (!one) return one;
      at = *one;
    }
    return at;
  }

  Result<std::size_t> repeated(std::size_t before, int depth) {
    const std::size_t from = build_.fresh();
    build_.edge(before, from);
    const auto read = single(from, depth);
    if (!read) return read;
    std::size_t end = *read;
    for (char next = peek(); next == '*' || next == '+' || next == '?'; next = peek()) {
      ++at_;
      const std::size_t after = build_.fresh();
      build_.edge(end, after);
      if (next != '?') build_.edge(after, from);
      if (next != '+') build_.edge(from, after);
      end = after;
    }
    return end;
  }

  Result<std::size_t> single(std::size_t from, int depth) {
    const char next = peek();
    if (next == '(') {
      ++at_;
      const auto inner = alternatives(from, depth + 1);
      if (!inner) return inner;
      if (peek() != ')') return complain("a ')' is missing");
      ++at_;
      return inner;
    }
    if (next == '*' || next == '+' || next == '?')
      return complain(fmt::format("nothing stands before '{}'", next));
    std::string name;
    if (next == '"') {
      const auto close = text_.find('"', at_ + 1);
      if (close == std::string_view::npos) return complain("a '\"' is missing");
      name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      if (name.empty()) return complain("a call has no name");
    } else {
      constexpr std::string_view signs = " \t\r\n()|*+?\"#";
      const auto stop = std::min(text_.size(), text_.find_first_of(signs, at_));
      name = text_.substr(at_, stop - at_);
      at_ = stop;
      // `open()` is how a call looks.
      if (text_.substr(at_).starts_with("()")) at_ += 2;
    }
    const std::size_t to = build_.fresh();
    build_.edge(from, to, name == "ε" ? std::string() : name);
    return to;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  Builder build_;
};

// ---- DOT.

struct DotToken {
  enum class Kind { Name, Sign, End };
  Kind kind = Kind::End;
  std::string text;
  int line = 1;
};

class DotLexer {
public:
  DotLexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<DotToken>> run() {
    std::vector<DotToken> all;
    while (skip()) {
      const char c = text_[at_];
      const int line = line_;
      if (c == '"') {
        auto text = quoted();
        if (!text) return std::unexpected(text.error());
        all.push_back({DotToken::Kind::Name, *text, line});
      } else if (text_.substr(at_).starts_with("->")) {
        all.push_back({DotToken::Kind::Sign, "->", line});
        at_ += 2;
      } else if (std::string_view("{}[]=;,:").find(c) != std::string_view::npos) {
        all.push_back({DotToken::Kind::Sign, std::string(1, c), line});
        ++at_;
      } else if (is_name(c) || c == '-' || c == '.') {
        std::string name;
        while (at_ < text_.size() &&
               (is_name(text_[at_]) || text_[at_] == '.' || (text_[at_] == '-' && name.empty())))
          name += text_[at_++];
        if (name == "-") return fail(Location{file_, line}, "edges are written '->'");
        all.push_back({DotToken::Kind::Name, name, line});
      } else if (c == '<') {
        return fail(Location{file_, line}, "labels in HTML are not read");
      } else {
        return fail(Location{file_, line}, "'{}' is not expected here", c);
      }
    }
    all.push_back({DotToken::Kind::End, "the end", line_});
    return all;
  }

private:
  static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  /// To the next token; false at the end.
  bool skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//") || rest[0] == '#') {
        at_ = std::min(text_.size(), text_.find('\n', at_));
      } else if (rest.starts_with("/*")) {
        const auto close = std::min(text_.size(), text_.find("*/", at_));
        line_ += static_cast<int>(std::ranges::count(text_.substr(at_, close - at_), '\n'));
        at_ = std::min(text_.size(), close + 2);
      } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
        line_ += rest[0] == '\n';
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  Result<std::string> quoted() {
    const int line = line_;
    std::string text;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return text;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size() &&
          (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\'))
        ++at_;
      line_ += text_[at_] == '\n';
      text += text_[at_];
    }
    return fail(Location{file_, line}, "a '\"' is missing");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// Graphs as people draw them: a start is where an edge comes from a node that shows nothing (of
/// shape point, none or plaintext, or called __start…), or else the only node that no other leads
/// to. Where there are double circles, words that cannot get to one are not intended.
class DotReader {
public:
  DotReader(std::vector<DotToken> tokens, const std::string& file)
      : tokens_(std::move(tokens)), file_(file) {}

  Result<IntendedProtocol> run() {
    if (now().text == "strict") ++at_;
    if (now().text != "digraph") return complain("'digraph' is expected");
    ++at_;
    if (now().kind == DotToken::Kind::Name) ++at_;
    if (!take("{")) return complain("'{' is expected");
    while (!take("}")) {
      if (now().kind == DotToken::Kind::End) return complain("'}' is missing");
      if (auto read = statement(); !read) return std::unexpected(read.error());
      take(";");
    }
    return finish();
  }

private:
  using Attributes = std::map<std::string, std::string>;
  struct Edge {
    std::string from, to, label;
  };

  const DotToken& now() const { return tokens_[at_]; }
  bool take(std::string_view sign) {
    if (now().kind != DotToken::Kind::Sign || now().text != sign) return false;
    ++at_;
    return true;
  }
  std::unexpected<Diagnostic> complain(const std::string& message) const {
    return fail(Location{file_, now().line}, "{}, found '{}'", message, now().text);
  }

  Result<void> statement() {
    if (take(";")) return {};
    if (now().kind != DotToken::Kind::Name) return complain("a node is expected");
    std::vector<std::string> nodes{tokens_[at_++].text};
    const bool defaults = nodes[0] == "graph" || nodes[0] == "node" || nodes[0] == "edge";
    if (nodes[0] == "subgraph") return complain("subgraphs are not read");
    if (take("=")) {
      ++at_;
      return {};
    }
    while (take("->")) {
      if (now().kind != DotToken::Kind::Name) return complain("a node is expected after '->'");
      nodes.push_back(tokens_[at_++].text);
    }
    Attributes attributes;
    while (take("["))
      if (auto read = read_attributes(attributes); !read) return read;
    if (defaults) return {};
    if (nodes.size() == 1) {
      declared_.push_back(nodes[0]);
      for (const auto& [key, value] : attributes) looks_[nodes[0]][key] = value;
    }
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      declared_.push_back(nodes[i]);
      edges_.push_back({nodes[i], nodes[i + 1], attributes["label"]});
    }
    if (nodes.size() > 1) declared_.push_back(nodes.back());
    return {};
  }

  Result<void> read_attributes(Attributes& attributes) {
    while (!take("]")) {
      if (now().kind != DotToken::Kind::Name) return complain("an attribute is expected");
      const std::string name = tokens_[at_++].text;
      if (!take("=")) return complain("'=' is expected");
      if (now().kind != DotToken::Kind::Name) return complain("a value is expected");
      attributes[name] = tokens_[at_++].text;
      if (!take(",")) take(";");
    }
    return {};
  }

  std::string look(const std::string& node, const std::string& what) const {
    const auto known = looks_.find(node);
    if (known == looks_.end()) return "";
    const auto value = known->second.find(what);
    return value == known->second.end() ? "" : value->second;
  }
  bool shows_nothing(const std::string& node) const {
    const std::string shape = look(node, "shape");
    return node.starts_with("__start") || shape == "point" || shape == "none" ||
           shape == "plaintext" || look(node, "style") == "invis";
  }

  Result<IntendedProtocol> finish() {
    Builder build;
    for (const std::string& node : declared_)
      if (!shows_nothing(node)) build.state(node);
    if (build.made.states.empty()) return fail(Location{file_}, "the graph has no states");
    std::set<std::size_t> entered;
    for (const Edge& edge : edges_) {
      if (shows_nothing(edge.to)) continue;
      const std::size_t to = build.state(edge.to);
      if (shows_nothing(edge.from)) {
        const auto calls = calls_of(edge.label);
        build.made.starts.push_back({to, calls.empty() ? "" : calls.front()});
        continue;
      }
      const std::size_t from = build.state(edge.from);
      if (from != to) entered.insert(to);
      build.edges(from, to, edge.label);
    }
    if (build.made.starts.empty()) {
      for (std::size_t q = 0; q < build.made.states.size(); ++q)
        if (!entered.contains(q)) build.made.starts.push_back({q, ""});
      if (build.made.starts.size() != 1)
        return fail(Location{file_},
                    "it cannot be told where it starts: draw an edge from a node of "
                    "shape point");
    }
    keep_useful(build.made);
    return std::move(build.made);
  }

  void keep_useful(IntendedProtocol& made) const {
    std::set<std::size_t> useful;
    for (std::size_t q = 0; q < made.states.size(); ++q)
      if (look(made.states[q], "shape") == "doublecircle") useful.insert(q);
    if (useful.empty()) return;
    for (bool more = true; more;) {
      more = false;
      for (const IntendedEdge& edge : made.edges)
        if (useful.contains(edge.to)) more |= useful.insert(edge.from).second;
    }
    std::erase_if(made.edges, [&](const IntendedEdge& edge) { return !useful.contains(edge.to); });
  }

  std::vector<DotToken> tokens_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::string> declared_;
  std::map<std::string, Attributes> looks_;
  std::vector<Edge> edges_;
};

// ---- Mermaid and PlantUML.

void append_code_point(std::string& text, unsigned long point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xc0 | point >> 6);
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    text += static_cast<char>(0xe0 | (point >> 12 & 0xf));
    text += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  }
}

/// `#40;` of Mermaid, `<U+0028>` of PlantUML.
std::string decoded(const std::string& text) {
  static const std::regex code(R"(#(\d{1,5});|<U\+([0-9A-Fa-f]{1,5})>)");
  std::string made;
  std::size_t done = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at) {
    made += text.substr(done, static_cast<std::size_t>(at->position()) - done);
    const bool decimal = (*at)[1].matched;
    append_code_point(made, std::stoul((*at)[decimal ? 1 : 2], nullptr, decimal ? 10 : 16));
    done = static_cast<std::size_t>(at->position() + at->length());
  }
  return made + text.substr(done);
}

class DiagramReader {
public:
  DiagramReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<IntendedProtocol> run() {
    std::size_t begin = 0;
    while (begin <= text_.size()) {
      const auto end = std::min(text_.size(), text_.find('\n', begin));
      ++line_;
      if (auto read = one(trimmed(text_.substr(begin, end - begin))); !read)
        return std::unexpected(read.error());
      begin = end + 1;
    }
    if (!headed_)
      return fail(Location{file_, 1}, "a state diagram begins with '@startuml' or 'stateDiagram'");
    if (!until_.empty()) return fail(Location{file_, line_}, "'{}' is missing", until_);
    if (build_.made.starts.empty())
      return fail(Location{file_}, "no state is the start: an edge '[*] --> STATE' is needed");
    return std::move(build_.made);
  }

private:
  Result<void> one(const std::string& text) {
    if (!until_.empty()) {
      if (text == until_ || (until_ == "'/" && text.ends_with(until_))) until_.clear();
      return {};
    }
    if (text.empty() || text.starts_with("%%") ||
        (text.starts_with("'") && !text.starts_with("'/")))
      return {};
    if (text.starts_with("/'")) {
      if (!text.ends_with("'/")) until_ = "'/";
      return {};
    }
    if (!headed_) {
      headed_ = text.starts_with("@startuml") || text.starts_with("stateDiagram");
      if (headed_ || text == "---") return {};
      return fail(Location{file_, line_},
                  "a state diagram begins with '@startuml' or 'stateDiagram', not '{}'", text);
    }
    if (skipped(text)) return {};
    static const std::regex edge(
        R"(^(\[\*\]|[\w.$]+|"[^"]*")\s*-+(?:\[[^\]]*\])?(?:left|right|up|down|[lrud])?(?:\[[^\]]*\])?-*>\s*(\[\*\]|[\w.$]+|"[^"]*")\s*(?::\s*(.*))?$)");
    std::smatch parts;
    if (std::regex_match(text, parts, edge)) {
      take_edge(parts[1], parts[2], decoded(parts[3]));
      return {};
    }
    return declaration(text);
  }

  bool skipped(const std::string& text) {
    static const std::vector<std::string> words = {"direction ",
                                                   "hide ",
                                                   "left to right direction",
                                                   "top to bottom direction",
                                                   "skinparam ",
                                                   "title ",
                                                   "scale ",
                                                   "@enduml",
                                                   "classDef ",
                                                   "class ",
                                                   "accTitle",
                                                   "accDescr",
                                                   "!theme",
                                                   "footer ",
                                                   "header "};
    if (std::ranges::any_of(words, [&](const std::string& word) { return text.starts_with(word); }))
      return true;
    static const std::regex note(R"(^note\b[^:]*$)");
    if (text == "legend" || text.starts_with("legend ")) until_ = "end legend";
    if (std::regex_match(text, note) && text.find('"') == std::string::npos) until_ = "end note";
    return !until_.empty() || text.starts_with("note ");
  }

  void take_edge(const std::string& from, const std::string& to, const std::string& label) {
    if (to == "[*]") return; // where it may end; all words may
    if (from == "[*]")
      start(build_.state(to), label);
    else
      build_.edges(build_.state(from), build_.state(to), label);
  }

  void start(std::size_t state, const std::string& label) {
    const auto calls = calls_of(label);
    for (const std::string& call : calls) build_.made.starts.push_back({state, call});
    if (calls.empty()) build_.made.starts.push_back({state, ""});
  }

  Result<void> declaration(const std::string& text) {
    if (text.find("<<") != std::string::npos)
      return fail(Location{file_, line_}, "forks, joins and choices are not read");
    if (text.ends_with('{') || text == "}" || text == "--")
      return fail(Location{file_, line_}, "states within states are not read");
    static const std::regex declared(
        R"(^state\s+(?:"[^"]*"\s+as\s+([\w.$]+)|([\w.$]+)(?:\s+as\s+.*)?|"[^"]*")(?:\s*#\S+)?(?:\s*:.*)?$)");
    static const std::regex described(R"(^([\w.$]+)(?:\s*:.*)?$)");
    std::smatch parts;
    if (std::regex_match(text, parts, declared)) {
      if (parts[1].matched) build_.state(parts[1]);
      if (parts[2].matched) build_.state(parts[2]);
      return {};
    }
    if (std::regex_match(text, parts, described)) {
      build_.state(parts[1]);
      return {};
    }
    return fail(Location{file_, line_}, "'{}' is not understood", text);
  }

  std::string_view text_;
  const std::string& file_;
  int line_ = 0;
  bool headed_ = false;
  std::string until_; // what ends lines that mean nothing here
  Builder build_;
};

bool ends_with_one_of(std::string_view file, std::initializer_list<std::string_view> suffixes) {
  return std::ranges::any_of(suffixes,
                             [&](std::string_view suffix) { return file.ends_with(suffix); });
}

} // namespace

bool is_intended_file(std::string_view file) {
  return ends_with_one_of(file,
                          {".regex", ".dot", ".dfa", ".puml", ".plantuml", ".mmd", ".mermaid"});
}

Result<IntendedProtocol> read_intended_regex(std::string_view text, const std::string& file) {
  return RegexReader(text, file).run();
}

Result<IntendedProtocol> read_intended_dot(std::string_view text, const std::string& file) {
  auto tokens = DotLexer(text, file).run();
  if (!tokens) return std::unexpected(tokens.error());
  return DotReader(std::move(*tokens), file).run();
}

Result<IntendedProtocol> read_intended_diagram(std::string_view text, const std::string& file) {
  return DiagramReader(text, file).run();
}

Result<IntendedProtocol> read_intended(std::string_view text, const std::string& file) {
  if (file.ends_with(".regex")) return read_intended_regex(text, file);
  if (file.ends_with(".dot")) return read_intended_dot(text, file);
  if (file.ends_with(".dfa")) return read_intended_dfa(text, file);
  return read_intended_diagram(text, file);
}

} // namespace tacit
