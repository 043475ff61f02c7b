// A protocol as people intend it: a regular expression over calls, a state diagram (DOT, PlantUML,
// Mermaid), an automaton as text, an enabledness abstraction. Any of them may be nondeterministic:
// a word is intended if some path has it. Words are prefix-closed, as those of interfaces are.
//
//   open (read | write)* close            a regular expression; `"read(int)"` where a name has
//   signs
//   [*] --> Closed : Door                 Mermaid and PlantUML; labels of edges from [*] may name
//   Closed --> Open : open                constructors, by name or with their parameters
//   Open --> Open : read, write
//   Open --> Closed : close
//
// A label names calls, separated by commas or line ends, perhaps with parameters, a guard
// (`[n > 0]`, `when n > 0`) and an action (`/ beep`), of which only the call counts. An edge
// without a label may be taken at any time. A letter may name an outcome: `read:returns=-1`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct IntendedEdge {
  std::size_t from = 0, to = 0;
  std::string letter; // as written; empty: taken at any time
};

struct IntendedStart {
  std::size_t state = 0;
  std::string label; // what makes the object, as written; one that names no constructor means all
};

struct IntendedProtocol {
  std::vector<std::string> states; // by name; made up for regular expressions
  std::vector<IntendedStart> starts;
  std::vector<IntendedEdge> edges;
  std::vector<std::string> letters; // that are spoken of besides, though no edge has them
};

/// What a letter means to a component.
struct LetterMeaning {
  std::vector<std::size_t> calls; // overloads, when only their common name is given
  std::string outcome;            // empty: all

  bool covers(std::size_t call, std::string_view outcome_of_it) const;
};
std::optional<LetterMeaning> meaning_of(const std::string& letter,
                                        const std::vector<std::string>& calls);
/// Whether a label may mean a constructor: by its name, and by how many parameters it has where
/// they are written.
bool label_means(const std::string& label, const std::string& constructor, std::size_t parameters);

/// Whether a file can be read as one, by its name: .regex, .dot, .dfa, .puml, .plantuml, .mmd,
/// .mermaid.
bool is_intended_file(std::string_view file);

/// Messages have file, line and reason.
Result<IntendedProtocol> read_intended(std::string_view text, const std::string& file);

Result<IntendedProtocol> read_intended_regex(std::string_view text, const std::string& file);
Result<IntendedProtocol> read_intended_dot(std::string_view text, const std::string& file);
/// The text form of automata (automata/text.h); without `entries:` the first state is the start,
/// and letters need not be declared. A comment `# calls: a b` names calls that are spoken of.
Result<IntendedProtocol> read_intended_dfa(std::string_view text, const std::string& file);
/// PlantUML, or Mermaid, as the first line says.
Result<IntendedProtocol> read_intended_diagram(std::string_view text, const std::string& file);
/// Of an enabledness abstraction or an interface, by its transitions alone.
IntendedProtocol intended_of(const Interface& interface);

/// A word on which intention and result disagree, the shortest for its call.
struct IntendedDifference {
  enum class Kind {
    Refused,    // intended, and the result refuses it whatever the arguments
    Allowed,    // not intended, and the result allows it
    Unforeseen, // an outcome after which the intention has no way on
  };
  Kind kind = Kind::Refused;
  std::string call;
  std::string constructor;
  std::vector<std::string> word; // this call included
  std::string error, at;         // Refused
};

struct IntendedReport {
  std::vector<std::string> unknown;    // intended calls that the component does not have
  std::vector<std::string> not_spoken; // calls that the intention never names; no difference
  std::vector<IntendedDifference> differences;
  std::string bounded; // how far guarded interfaces were compared; "" when the answer is exact

  bool agrees() const { return unknown.empty() && differences.empty(); }
};

/// An enabledness abstraction is compared by its words.
IntendedReport compare_with_intended(const IntendedProtocol& intended, const Interface& result);

/// Empty when there is nothing to tell.
std::string print_intended(const IntendedReport& report);

} // namespace tacit
