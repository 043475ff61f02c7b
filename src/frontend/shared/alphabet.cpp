#include "frontend/shared/alphabet.h"

#include <algorithm>
#include <map>
#include <set>

#include "program/ir/names.h"

namespace tacit {

std::vector<std::string> spell_calls(const std::vector<CallName>& calls, char mark) {
  std::map<std::string, int> count;
  for (const CallName& call : calls) ++count[call.bare];
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const CallName& call : calls) {
    const bool overloaded = count[call.bare] > 1;
    const std::string plain = call.bare + (overloaded ? call.parameters : "") + call.variant;
    std::string name = plain;
    for (int n = 2; !taken.insert(name).second; ++n) name = plain + mark + std::to_string(n);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<bool> wanted_calls(const std::vector<std::string>& calls,
                               const std::vector<std::string>& patterns) {
  std::vector<bool> wanted(calls.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (takes_call(pattern, calls[i])) any = wanted[i] = true;
    if (!any) return std::vector<bool>(calls.size(), true);
  }
  return wanted;
}

} // namespace tacit
