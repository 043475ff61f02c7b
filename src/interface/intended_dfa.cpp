// Automata as text, read leniently: as people write them down, without declarations.
#include <algorithm>
#include <map>
#include <set>

#include "interface/intended.h"

namespace tacit {

namespace {

/// One line, cut into names and signs; a name in quotes is one name.
struct Piece {
  std::string text;
  bool quoted = false;
  bool spaced = false; // white space goes before it
};

class DfaReader {
public:
  DfaReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<IntendedProtocol> run() {
    for (std::size_t at = 0; at <= text_.size();) {
      const std::size_t end = std::min(text_.size(), text_.find('\n', at));
      ++line_;
      if (auto done = line(text_.substr(at, end - at)); !done) return std::unexpected(done.error());
      at = end + 1;
    }
    return finish();
  }

private:
  std::unexpected<Diagnostic> complain(const std::string& message) const {
    return fail(Location{file_, line_}, "{}", message);
  }

  Result<void> line(std::string_view text) {
    constexpr std::string_view spoken = "# calls:";
    if (text.starts_with(spoken)) {
      const auto names = pieces(text.substr(spoken.size()), "");
      if (!names) return std::unexpected(names.error());
      for (const Piece& name : *names) made_.letters.push_back(name.text);
      return {};
    }
    const auto cut = pieces(text, ":>[]");
    if (!cut) return std::unexpected(cut.error());
    if (cut->empty()) return {};
    std::size_t at = 1;
    bool accepts = true;
    if (at + 2 < cut->size() && is(*cut, at, "[")) {
      accepts = (*cut)[at + 1].text != "0";
      if (!is(*cut, at + 2, "]")) return complain("expected ']' behind the colour");
      at += 3;
    }
    if (!is(*cut, at, ":")) return complain("expected 'STATE: LETTER>STATE …'");
    const Piece& head = cut->front();
    if (!head.quoted && (head.text == "letters" || head.text == "entries")) {
      auto& names = head.text == "letters" ? made_.letters : entries_;
      for (++at; at < cut->size(); ++at) names.push_back((*cut)[at].text);
      return {};
    }
    return state(*cut, at + 1, accepts);
  }

  /// A letter may have colons in it that are not quoted; it ends with the arrow.
  Result<void> state(const std::vector<Piece>& cut, std::size_t at, bool accepts) {
    const std::string& name = cut.front().text;
    if (!lines_.try_emplace(name, made_.states.size()).second)
      return complain("expected a new state, found '" + name + "' again");
    if (!accepts) rejecting_.insert(name);
    made_.states.push_back(name);
    while (at < cut.size()) {
      std::string letter = cut[at++].text;
      while (at < cut.size() && !is(cut, at, ">")) {
        if (cut[at].spaced) return complain("expected '>' behind the letter '" + letter + "'");
        letter += cut[at++].text;
      }
      if (at + 1 >= cut.size()) return complain("expected a state behind '" + letter + ">'");
      edges_.push_back({name, cut[at + 1].text, letter, line_});
      at += 2;
    }
    return {};
  }

  static bool is(const std::vector<Piece>& cut, std::size_t at, std::string_view sign) {
    return at < cut.size() && !cut[at].quoted && cut[at].text == sign;
  }

  Result<std::vector<Piece>> pieces(std::string_view text, std::string_view signs) const {
    std::vector<Piece> made;
    bool spaced = false;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == ' ' || c == '\t' || c == '\r') {
        spaced = true;
        ++at;
        continue;
      }
      if (c == '#') break;
      Piece one{"", c == '"', std::exchange(spaced, false)};
      if (one.quoted) {
        for (++at; at < text.size() && text[at] != '"'; ++at) {
          if (text[at] == '\\' && at + 1 < text.size()) ++at;
          one.text += text[at];
        }
        if (at++ == text.size()) return complain("expected '\"' at the end of a name");
      } else if (signs.find(c) != std::string_view::npos) {
        one.text = text[at++];
      } else {
        while (at < text.size() && text[at] != ' ' && text[at] != '\t' && text[at] != '\r' &&
               text[at] != '"' && signs.find(text[at]) == std::string_view::npos)
          one.text += text[at++];
      }
      made.push_back(std::move(one));
    }
    return made;
  }

  Result<IntendedProtocol> finish() {
    if (made_.states.empty()) return complain("expected a state");
    std::erase(entries_, "-");
    if (entries_.empty()) entries_ = {made_.states.front()};
    if (std::ranges::adjacent_find(entries_, std::not_equal_to{}) != entries_.end())
      return complain("several starts belong to constructors, which a diagram can name");
    const auto start = lines_.find(entries_.front());
    if (start == lines_.end()) return complain("no line for the state '" + entries_.front() + "'");
    made_.starts = {{start->second, ""}};
    for (const Edge& edge : edges_) {
      line_ = edge.line;
      const auto to = lines_.find(edge.to);
      if (to == lines_.end()) return complain("no line for the state '" + edge.to + "'");
      if (!rejecting_.contains(edge.to))
        made_.edges.push_back({lines_.at(edge.from), to->second, edge.letter});
      else
        made_.letters.push_back(edge.letter);
    }
    return std::move(made_);
  }

  struct Edge {
    std::string from, to, letter;
    int line;
  };

  std::string_view text_;
  std::string file_;
  int line_ = 0;
  IntendedProtocol made_;
  std::map<std::string, std::size_t> lines_;
  std::set<std::string> rejecting_;
  std::vector<std::string> entries_;
  std::vector<Edge> edges_;
};

} // namespace

Result<IntendedProtocol> read_intended_dfa(std::string_view text, const std::string& file) {
  return DfaReader(text, file).run();
}

} // namespace tacit
