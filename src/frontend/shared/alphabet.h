// Which calls a component has and how they are spelled, for all front ends.
#pragma once

#include <string>
#include <vector>

namespace tacit {

/// A method or constructor that a client can call.
struct CallName {
  std::string bare;       // `write`
  std::string parameters; // `(byte[],int,int)`, simple types without spaces
  std::string variant;    // what tells two of them apart besides, `const`; mostly empty
};

/// The bare name when no other call bears it, else with the parameters. What is spelled alike even
/// so is numbered behind `mark`, a character that is in no name of the language.
std::vector<std::string> spell_calls(const std::vector<CallName>& calls, char mark);

/// Which of the calls the patterns of `--methods` take. When there is no pattern, or one that takes
/// none, all are kept: the mistake is reported where the component is built.
std::vector<bool> wanted_calls(const std::vector<std::string>& calls,
                               const std::vector<std::string>& patterns);

} // namespace tacit
