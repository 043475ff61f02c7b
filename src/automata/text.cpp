#include "automata/text.h"

#include <charconv>
#include <map>
#include <variant>

#include "automata/scanner.h"
#include "base/should.h"

namespace tacit {

std::string print_text(const Dfa& dfa, const Alphabet& alphabet) {
  should(alphabet.size() == dfa.letters(), "the alphabet should name each letter");
  std::string text = "letters:";
  for (Letter a = 0; a < alphabet.size(); ++a) text += ' ' + quote_if_needed(alphabet.name(a));
  text += "\nentries:";
  for (State q : dfa.entries()) text += q == no_state ? " -" : fmt::format(" q{}", q);
  text += '\n';
  for (State q = 0; q < dfa.states(); ++q) {
    text += fmt::format("q{}", q);
    if (dfa.colour(q) != 1) text += fmt::format(" [{}]", dfa.colour(q));
    text += ':';
    for (Letter a = 0; a < dfa.letters(); ++a)
      if (State to = dfa.next(q, a); to != no_state)
        text += fmt::format(" {}>q{}", quote_if_needed(alphabet.name(a)), to);
    text += '\n';
  }
  return text;
}

namespace {

struct Name {
  std::string text;
  bool bare;
  Location where;

  bool is_bare(std::string_view word) const { return bare && text == word; }
};

struct Edge {
  State from;
  Letter letter;
  Location where;
  Name to;
};

// One pass over the lines, gathering edges and entries by name; then finish()
// puts numbers for names, because a state may be used before its line.
class TextReader {
public:
  TextReader(std::string_view text, std::string_view file) : scanner_(text, file) {}

  Result<std::pair<Alphabet, Dfa>> read() {
    while (!scanner_.at_end()) {
      scanner_.skip_blanks();
      if (!at_end_of_line())
        if (auto done = line(); !done) return std::unexpected(done.error());
      scanner_.skip_line();
    }
    return finish();
  }

private:
  using Done = Result<std::monostate>;

  bool at_end_of_line() const {
    return scanner_.at_end() || scanner_.peek() == '\n' || scanner_.peek() == '#';
  }

  Result<Name> name(std::string_view expected) {
    scanner_.skip_blanks();
    const Location where = scanner_.here();
    if (scanner_.peek() == '"') {
      auto text = scanner_.quoted(Scanner::Quotes::OneLine);
      if (!text) return std::unexpected(text.error());
      return Name{std::move(*text), false, where};
    }
    std::string text(scanner_.bare_name());
    if (text.empty()) return fail(where, "expected {}, found {}", expected, scanner_.found());
    return Name{std::move(text), true, where};
  }

  Done sign(char wanted, std::string_view after) {
    scanner_.skip_blanks();
    if (scanner_.at_end() || scanner_.peek() != wanted)
      return fail(scanner_.here(), "expected '{}' after {}, found {}", wanted, after,
                  scanner_.found());
    scanner_.advance();
    return {};
  }

  Done line() {
    auto first = name("'letters:', 'entries:' or the name of a state");
    if (!first) return std::unexpected(first.error());
    if (first->is_bare("letters")) return letters(*first);
    if (first->is_bare("entries")) return entries();
    return state(*first);
  }

  Done letters(const Name& keyword) {
    if (!states_.empty())
      return fail(keyword.where, "expected all 'letters:' before the first state");
    if (auto colon = sign(':', "'letters'"); !colon) return colon;
    has_letters_ = true;
    for (scanner_.skip_blanks(); !at_end_of_line(); scanner_.skip_blanks()) {
      auto letter = name("the name of a letter");
      if (!letter) return std::unexpected(letter.error());
      if (alphabet_.find(letter->text))
        return fail(letter->where, "expected a new letter, found '{}' again", letter->text);
      alphabet_.add(letter->text);
    }
    return {};
  }

  Done entries() {
    if (auto colon = sign(':', "'entries'"); !colon) return colon;
    has_entries_ = true;
    for (scanner_.skip_blanks(); !at_end_of_line(); scanner_.skip_blanks()) {
      auto entry = name("the name of a state or '-'");
      if (!entry) return std::unexpected(entry.error());
      entries_.push_back(std::move(*entry));
    }
    return {};
  }

  Done state(const Name& name_of_state) {
    if (!has_letters_)
      return fail(name_of_state.where, "expected 'letters:' before the first state");
    if (name_of_state.is_bare("-"))
      return fail(name_of_state.where, "expected the name of a state, found '-'");
    const State from = static_cast<State>(states_.size());
    if (!states_.emplace(name_of_state.text, from).second)
      return fail(name_of_state.where, "expected a new state, found '{}' again",
                  name_of_state.text);
    auto colour = optional_colour();
    if (!colour) return std::unexpected(colour.error());
    colours_.push_back(*colour);
    if (auto colon = sign(':', "the state"); !colon) return colon;
    for (scanner_.skip_blanks(); !at_end_of_line(); scanner_.skip_blanks())
      if (auto done = transition(from); !done) return done;
    return {};
  }

  Result<Colour> optional_colour() {
    scanner_.skip_blanks();
    if (scanner_.peek() != '[') return Colour{1};
    scanner_.advance();
    scanner_.skip_blanks();
    const Location where = scanner_.here();
    const std::string_view digits = scanner_.bare_name();
    Colour colour = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), colour);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
      return fail(where, "expected a colour, a number below 2^32, found {}",
                  digits.empty() ? scanner_.found() : fmt::format("'{}'", digits));
    if (auto bracket = sign(']', "the colour"); !bracket) return std::unexpected(bracket.error());
    return colour;
  }

  Done transition(State from) {
    auto letter = name("the name of a letter");
    if (!letter) return std::unexpected(letter.error());
    const auto number = alphabet_.find(letter->text);
    if (!number)
      return fail(letter->where, "expected one of the letters declared above, found '{}'",
                  letter->text);
    if (auto arrow = sign('>', "the letter"); !arrow) return arrow;
    auto to = name("the name of a state");
    if (!to) return std::unexpected(to.error());
    edges_.push_back({from, *number, letter->where, std::move(*to)});
    return {};
  }

  Result<State> find_state(const Name& wanted) const {
    auto found = states_.find(wanted.text);
    if (found == states_.end() || wanted.is_bare("-"))
      return fail(wanted.where, "expected a state that has a line, found '{}'", wanted.text);
    return found->second;
  }

  Result<std::pair<Alphabet, Dfa>> finish() {
    if (!has_letters_) return fail(scanner_.here(), "expected a line 'letters: …'");
    if (!has_entries_) return fail(scanner_.here(), "expected a line 'entries: …'");
    Dfa dfa(alphabet_.size());
    dfa.reserve(colours_.size());
    for (Colour colour : colours_) dfa.add_state(colour);
    for (const Name& entry : entries_) {
      if (entry.is_bare("-")) {
        dfa.add_entry(no_state);
        continue;
      }
      auto state = find_state(entry);
      if (!state) return std::unexpected(state.error());
      dfa.add_entry(*state);
    }
    for (const Edge& edge : edges_) {
      auto to = find_state(edge.to);
      if (!to) return std::unexpected(to.error());
      if (dfa.next(edge.from, edge.letter) != no_state)
        return fail(edge.where, "expected one transition per letter, found '{}' again",
                    alphabet_.name(edge.letter));
      dfa.set_next(edge.from, edge.letter, *to);
    }
    return std::pair(std::move(alphabet_), std::move(dfa));
  }

  Scanner scanner_;
  Alphabet alphabet_;
  bool has_letters_ = false, has_entries_ = false;
  std::map<std::string, State, std::less<>> states_; // looked into, never iterated over
  std::vector<Colour> colours_;
  std::vector<Name> entries_;
  std::vector<Edge> edges_;
};

} // namespace

Result<std::pair<Alphabet, Dfa>> read_text(std::string_view text, std::string_view file) {
  return TextReader(text, file).read();
}

} // namespace tacit
