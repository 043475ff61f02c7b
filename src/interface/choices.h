// Values worth trying for an argument or a result: the numbers that conditions mention and their
// neighbours, all enumerators, null and objects, texts of such sizes. A search over them finds
// where two interfaces differ if one of these values shows it, and proves nothing otherwise.
#pragma once

#include <set>
#include <vector>

#include "interface/walk.h"
#include "interface/written_value.h"

namespace tacit {

struct ChoiceLimits {
  std::size_t per_parameter = 12;
  std::size_t tuples = 400; // of arguments of one call
};

class ClientChoices {
public:
  explicit ClientChoices(ChoiceLimits limits = {}) : limits_(limits) {}

  /// What the conditions of a walk mention.
  void add_terms(const Walk& walk);
  /// Whether a condition or update speaks of results.
  bool results_matter() const { return results_matter_; }

  /// For a type; the tracked values at a place come first.
  std::vector<WrittenValue> of(const Type& type, const Place* place) const;

  /// For the parameters of a call: all combinations up to the limit, those near the first values of
  /// each first. `complete` becomes false when some were left out.
  std::vector<std::vector<WrittenValue>> arguments(const Procedure& procedure, const Place* place,
                                                   bool& complete) const;

private:
  void add_term(Term term);

  ChoiceLimits limits_;
  std::set<Integer> numbers_{0, 1};
  std::set<std::string> texts_;
  bool results_matter_ = false;
};

} // namespace tacit
