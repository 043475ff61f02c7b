// The DOT half of text.h: a printer, a tokeniser, a parser of statements, and a
// builder that turns the gathered statements into an automaton.
#include <charconv>
#include <map>
#include <optional>
#include <variant>

#include "automata/scanner.h"
#include "automata/text.h"
#include "base/should.h"

namespace tacit {

std::string print_dot(const Dfa& dfa, const Alphabet& alphabet) {
  should(alphabet.size() == dfa.letters(), "the alphabet should name each letter");
  std::string names;
  for (Letter a = 0; a < alphabet.size(); ++a)
    names += (a == 0 ? "" : " ") + quote_if_needed(alphabet.name(a));
  std::string text = fmt::format("digraph g {{\n  alphabet={};\n", quote(names));

  for (State q = 0; q < dfa.states(); ++q) {
    const Colour colour = dfa.colour(q);
    text += fmt::format("  s{} [shape=\"{}\" label=\"s{}\"", q,
                        colour == 0 ? "circle" : "doublecircle", q);
    if (colour > 1) text += fmt::format(" colour=\"{}\"", colour);
    text += "];\n";
  }
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter a = 0; a < dfa.letters(); ++a)
      if (State to = dfa.next(q, a); to != no_state)
        text += fmt::format("  s{} -> s{} [label={}];\n", q, to, quote(alphabet.name(a)));
  for (std::size_t i = 0; i < dfa.entries().size(); ++i) {
    text += fmt::format("  __start{} [label=\"\" shape=\"none\"];\n", i);
    if (dfa.entries()[i] != no_state)
      text += fmt::format("  __start{} -> s{};\n", i, dfa.entries()[i]);
  }
  return text + "}\n";
}

namespace {

using Done = Result<std::monostate>;

struct Token {
  enum class Kind { Name, Sign, End };
  Kind kind = Kind::End;
  std::string text; // a Sign is one of { } [ ] ; , = ->
  bool quoted = false;
  Location where;

  bool is(std::string_view sign) const { return kind == Kind::Sign && text == sign; }
  bool is_keyword(std::string_view word) const {
    if (kind != Kind::Name || quoted || text.size() != word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((text[i] | 0x20) != word[i]) return false;
    return true;
  }
  std::string found() const {
    return kind == Kind::End ? "the end of the file" : fmt::format("'{}'", text);
  }
};

class Tokeniser {
public:
  Tokeniser(std::string_view text, std::string_view file) : scanner_(text, file) {}

  Result<Token> next() {
    if (auto done = skip_space(); !done) return std::unexpected(done.error());
    Token token;
    token.where = scanner_.here();
    if (scanner_.at_end()) return token;
    const char c = scanner_.peek();
    if (c == '"') {
      auto text = scanner_.quoted(Scanner::Quotes::ManyLines);
      if (!text) return std::unexpected(text.error());
      token.kind = Token::Kind::Name;
      token.text = std::move(*text);
      token.quoted = true;
    } else if (scanner_.looking_at("->")) {
      token.kind = Token::Kind::Sign;
      token.text += scanner_.advance();
      token.text += scanner_.advance();
    } else if (std::string_view("{}[];,=").find(c) != std::string_view::npos) {
      token.kind = Token::Kind::Sign;
      token.text = scanner_.advance();
    } else if (in_name(c) || c == '-') {
      token.kind = Token::Kind::Name;
      do {
        token.text += scanner_.advance();
      } while (!scanner_.at_end() && in_name(scanner_.peek()));
      if (token.text == "-") return fail(token.where, "expected '->' or a number, found '-'");
    } else {
      return fail(token.where,
                  "expected a name, a quoted name or one of {{ }} [ ] ; , = ->, found {}",
                  scanner_.found());
    }
    return token;
  }

private:
  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || static_cast<unsigned char>(c) >= 0x80;
  }

  Done skip_space() {
    while (true) {
      scanner_.skip_blanks();
      if (scanner_.peek() == '\n') {
        scanner_.advance();
      } else if (scanner_.looking_at("//") ||
                 (scanner_.peek() == '#' && scanner_.here().column == 1)) {
        scanner_.skip_line();
      } else if (scanner_.looking_at("/*")) {
        const Location begin = scanner_.here();
        while (!scanner_.at_end() && !scanner_.looking_at("*/")) scanner_.advance();
        if (scanner_.at_end()) return fail(begin, "expected the end of the comment, */");
        scanner_.advance();
        scanner_.advance();
      } else {
        return {};
      }
    }
  }

  Scanner scanner_;
};

using Attributes = std::map<std::string, Token, std::less<>>;

const Token* find(const Attributes& attributes, std::string_view key) {
  auto found = attributes.find(key);
  return found == attributes.end() ? nullptr : &found->second;
}

// The statements of a graph, in their order.
struct Graph {
  struct Node {
    Token name;
    Attributes attributes;
  };
  struct Edge {
    Token from, to;
    Attributes attributes;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::optional<Token> alphabet;
};

class GraphParser {
public:
  GraphParser(std::string_view text, std::string_view file) : tokens_(text, file) {}

  Result<Graph> parse() {
    if (auto done = graph(); !done) return std::unexpected(done.error());
    return std::move(graph_);
  }

private:
  Done advance() {
    auto token = tokens_.next();
    if (!token) return std::unexpected(token.error());
    now_ = std::move(*token);
    return {};
  }

  std::unexpected<Diagnostic> expected(std::string_view what) const {
    return fail(now_.where, "expected {}, found {}", what, now_.found());
  }

  Done take(std::string_view sign) {
    if (!now_.is(sign)) return expected(fmt::format("'{}'", sign));
    return advance();
  }

  Result<Token> take_name(std::string_view what) {
    if (now_.kind != Token::Kind::Name) return expected(what);
    Token name = now_;
    if (auto done = advance(); !done) return std::unexpected(done.error());
    return name;
  }

  Done graph() {
    if (auto done = advance(); !done) return done;
    if (now_.is_keyword("strict"))
      if (auto done = advance(); !done) return done;
    if (!now_.is_keyword("digraph")) return expected("'digraph'");
    if (auto done = advance(); !done) return done;
    if (now_.kind == Token::Kind::Name)
      if (auto done = advance(); !done) return done;
    if (auto done = take("{"); !done) return done;
    while (!now_.is("}")) {
      auto done = now_.is(";") ? advance() : statement();
      if (!done) return done;
    }
    if (auto done = advance(); !done) return done;
    if (now_.kind != Token::Kind::End) return expected("the end of the file");
    return {};
  }

  Done statement() {
    if (now_.is("{") || now_.is_keyword("subgraph"))
      return fail(now_.where, "expected a node or an edge, found a subgraph");
    const bool defaults =
        now_.is_keyword("node") || now_.is_keyword("edge") || now_.is_keyword("graph");
    auto name = take_name("a node, an edge or '}'");
    if (!name) return std::unexpected(name.error());

    if (now_.is("=")) {
      if (auto done = advance(); !done) return done;
      auto value = take_name("a value");
      if (!value) return std::unexpected(value.error());
      if (name->text == "alphabet") graph_.alphabet = std::move(*value);
      return {};
    }

    std::vector<Token> path{*name};
    while (!defaults && now_.is("->")) {
      if (auto done = advance(); !done) return done;
      auto target = take_name("the target of the edge");
      if (!target) return std::unexpected(target.error());
      path.push_back(std::move(*target));
    }
    auto list = attributes();
    if (!list) return std::unexpected(list.error());
    if (defaults) return {};
    if (path.size() == 1) graph_.nodes.push_back({path.front(), std::move(*list)});
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      graph_.edges.push_back({path[i], path[i + 1], *list});
    return {};
  }

  Result<Attributes> attributes() {
    Attributes list;
    while (now_.is("[")) {
      if (auto done = advance(); !done) return std::unexpected(done.error());
      while (!now_.is("]")) {
        auto key = take_name("an attribute or ']'");
        if (!key) return std::unexpected(key.error());
        if (auto done = take("="); !done) return std::unexpected(done.error());
        auto value = take_name("a value");
        if (!value) return std::unexpected(value.error());
        list.insert_or_assign(key->text, std::move(*value));
        if (now_.is(",") || now_.is(";"))
          if (auto done = advance(); !done) return std::unexpected(done.error());
      }
      if (auto done = advance(); !done) return std::unexpected(done.error());
    }
    return list;
  }

  Tokeniser tokens_;
  Token now_;
  Graph graph_;
};

std::optional<std::uint32_t> number(std::string_view digits) {
  std::uint32_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

// i if this is the node __start<i>.
std::optional<std::uint32_t> start_number(const Token& name) {
  constexpr std::string_view prefix = "__start";
  if (!name.text.starts_with(prefix)) return std::nullopt;
  return number(std::string_view(name.text).substr(prefix.size()));
}

class Builder {
public:
  explicit Builder(const Graph& graph) : graph_(graph) {}

  Result<std::pair<Alphabet, Dfa>> build(std::vector<std::string>* entry_names) {
    if (auto done = letters(); !done) return std::unexpected(done.error());
    Dfa dfa(alphabet_.size());
    for (const Graph::Node& node : graph_.nodes)
      if (auto done = add_node(dfa, node); !done) return std::unexpected(done.error());
    for (const Graph::Edge& edge : graph_.edges)
      if (auto done = add_edge(dfa, edge); !done) return std::unexpected(done.error());
    for (const auto& [i, start] : starts_) {
      if (i != dfa.entries().size())
        return fail(start.where, "expected a node '__start{}' before '__start{}'",
                    dfa.entries().size(), i);
      dfa.add_entry(start.target);
      if (entry_names) entry_names->push_back(start.name);
    }
    return std::pair(std::move(alphabet_), std::move(dfa));
  }

private:
  struct Start {
    Location where;
    State target;
    std::string name = {}; // the label of its edge
  };

  // The letters of the alphabet attribute, else those of the edges.
  Done letters() {
    if (!graph_.alphabet) {
      for (const Graph::Edge& edge : graph_.edges)
        if (const Token* label = find(edge.attributes, "label"); label && !start_number(edge.from))
          alphabet_.add(label->text);
      return {};
    }
    Scanner names(graph_.alphabet->text, "");
    for (names.skip_blanks(); !names.at_end(); names.skip_blanks()) {
      std::string name;
      if (names.peek() == '"') {
        auto text = names.quoted(Scanner::Quotes::OneLine);
        if (!text) return fail(graph_.alphabet->where, "in the alphabet: {}", text.error().message);
        name = std::move(*text);
      } else {
        name = names.bare_name();
        if (name.empty())
          return fail(graph_.alphabet->where, "in the alphabet: expected a letter, found {}",
                      names.found());
      }
      if (alphabet_.find(name))
        return fail(graph_.alphabet->where,
                    "in the alphabet: expected a new letter, found '{}' again", name);
      alphabet_.add(name);
    }
    return {};
  }

  Done add_node(Dfa& dfa, const Graph::Node& node) {
    if (auto start = start_number(node.name)) {
      if (!starts_.try_emplace(*start, Start{node.name.where, no_state}).second)
        return fail(node.name.where, "expected a new node, found '{}' again", node.name.text);
      return {};
    }
    auto colour = colour_of(node);
    if (!colour) return std::unexpected(colour.error());
    if (!states_.emplace(node.name.text, dfa.add_state(*colour)).second)
      return fail(node.name.where, "expected a new node, found '{}' again", node.name.text);
    return {};
  }

  static Result<Colour> colour_of(const Graph::Node& node) {
    if (const Token* colour = find(node.attributes, "colour")) {
      if (auto value = number(colour->text)) return *value;
      return fail(colour->where, "expected a colour, a number below 2^32, found '{}'",
                  colour->text);
    }
    const Token* shape = find(node.attributes, "shape");
    if (!shape)
      return fail(node.name.where, "expected node '{}' to have a shape or a colour",
                  node.name.text);
    if (shape->text == "circle") return Colour{0};
    if (shape->text == "doublecircle") return Colour{1};
    return fail(shape->where, "expected shape \"circle\" or \"doublecircle\", found '{}'",
                shape->text);
  }

  Result<State> find_state(const Token& name) const {
    auto found = states_.find(name.text);
    if (found == states_.end())
      return fail(name.where, "expected a state that has a node statement, found '{}'", name.text);
    return found->second;
  }

  Done add_edge(Dfa& dfa, const Graph::Edge& edge) {
    auto to = find_state(edge.to);
    if (!to) return std::unexpected(to.error());
    if (auto start = start_number(edge.from)) {
      State& entry =
          starts_.try_emplace(*start, Start{edge.from.where, no_state}).first->second.target;
      if (entry != no_state)
        return fail(edge.from.where, "expected one edge from '{}', found another", edge.from.text);
      entry = *to;
      if (const Token* name = find(edge.attributes, "label")) starts_.at(*start).name = name->text;
      return {};
    }
    auto from = find_state(edge.from);
    if (!from) return std::unexpected(from.error());
    const Token* label = find(edge.attributes, "label");
    if (!label)
      return fail(edge.from.where, "expected the edge from '{}' to '{}' to have a label",
                  edge.from.text, edge.to.text);
    auto letter = alphabet_.find(label->text);
    if (!letter)
      return fail(label->where, "expected a letter of the alphabet, found '{}'", label->text);
    if (dfa.next(*from, *letter) != no_state)
      return fail(label->where, "expected one transition per letter, found '{}' again from '{}'",
                  label->text, edge.from.text);
    dfa.set_next(*from, *letter, *to);
    return {};
  }

  const Graph& graph_;
  Alphabet alphabet_;
  std::map<std::string, State, std::less<>> states_;
  std::map<std::uint32_t, Start> starts_; // by entry number
};

} // namespace

Result<std::pair<Alphabet, Dfa>> read_dot(std::string_view text, std::string_view file,
                                          std::vector<std::string>* entry_names) {
  auto graph = GraphParser(text, file).parse();
  if (!graph) return std::unexpected(graph.error());
  return Builder(*graph).build(entry_names);
}

} // namespace tacit
