// What an enabledness abstraction says, read back from its texts, and the checks that need no
// solver: every call once, sets that differ, no transition twice or by a call that its state does
// not enable, every state met on some way from a start.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/report.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

struct EpaCall {
  std::string name;
  std::size_t index = 0; // in the component
  // Over the state: enabled at least there, and only there.
  Term above = nullptr, below = nullptr;
  bool any_contents = false, loops_end = false;     // the clause may hold where no arguments fit
  std::vector<std::map<std::string, Term>> choices; // parameter -> term over the state

  bool known() const { return above == below; }
};

struct EpaTexts {
  std::vector<EpaCall> calls; // as the result's
  bool given = false, mined = false;
  Term invariant = nullptr;
  Term given_invariant = nullptr; // what it has to imply
};

/// nullopt when the result is so broken that nothing else can be checked; then that is reported.
std::optional<EpaTexts> read_epa(const Interface& interface, const Component& component,
                                 Findings& findings);

} // namespace tacit
