// Automata as text, and as DOT graphs; printers and readers.
//
// The text format:
//
//   # a file that is opened once
//   letters: open read close
//   entries: q0 -
//   q0: open>q1
//   q1: read>q1 close>q2
//   q2 [0]:
//
// One item per line, `#` starts a comment. `letters:` comes first and numbers
// the letters; `entries:` lists the entries in order, `-` being an absent one.
// Both may be repeated to continue a long list. Each state has one line, with
// its colour in brackets if that is not 1, and its transitions as letter>state;
// states are numbered by the order of these lines. A name that is empty, is
// `-`, is `letters` or `entries`, or contains one of  " \ # : > [ ]  or white
// space is written "in quotes", with the escapes \" \\ and \n.
//
// The DOT dialect is that of LearnLib: one node per state, doublecircle if it
// accepts and circle if not, one edge per transition labelled with its letter,
// and an invisible node __start<i> with an edge to entry i:
//
//   digraph g {
//     alphabet="open read close";
//     s0 [shape="doublecircle" label="s0"];
//     s1 [shape="doublecircle" label="s1" colour="2"];
//     s0 -> s1 [label="open"];
//     __start0 [label="" shape="none"];
//     __start0 -> s0;
//   }
//
// Beyond LearnLib, `alphabet` fixes the numbers of the letters (quoted as in the
// text format; without it, letters are numbered as they appear), `colour` gives
// colours above 1, and a __start node without an edge is an absent entry.
//
// Both printers name states by number (q0, s0), and both round trips are exact:
// reading what was printed gives an equal alphabet and an equal automaton.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "automata/alphabet.h"
#include "automata/dfa.h"
#include "base/diagnostic.h"

namespace tacit {

/// Both printers require alphabet.size() == dfa.letters().
std::string print_text(const Dfa& dfa, const Alphabet& alphabet);
std::string print_dot(const Dfa& dfa, const Alphabet& alphabet);

/// `file` is only for messages. Errors carry the line and the column (both from
/// 1, columns in bytes) and say what was expected there.
Result<std::pair<Alphabet, Dfa>> read_text(std::string_view text, std::string_view file);

/// Accepts what print_dot writes, with any white space, comments, order of
/// statements and attributes, `;` and `,` where DOT allows them, unknown
/// attributes and node/edge/graph defaults (ignored). No subgraphs, no ports,
/// no HTML labels. States are numbered by the order of their node statements. `entry_names`
/// receives the labels of the edges from the __start nodes, "" where there is none.
Result<std::pair<Alphabet, Dfa>> read_dot(std::string_view text, std::string_view file,
                                          std::vector<std::string>* entry_names = nullptr);

} // namespace tacit
