#include "logic/term/size.h"

#include <unordered_set>
#include <vector>

namespace tacit {

std::size_t distinct_subterms(Term term) {
  std::unordered_set<Term> seen{term};
  std::vector<Term> work{term};
  while (!work.empty()) {
    const Term at = work.back();
    work.pop_back();
    for (Term a : at->args)
      if (seen.insert(a).second) work.push_back(a);
  }
  return seen.size();
}

} // namespace tacit
