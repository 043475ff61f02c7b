// The components of test/guarded, each with a guarded interface written by hand and wrong variants
// of it.
//
//   component.tir    what it is about; unbounded integers stay as they are
//   right.json       the result, without the text of the component
//   wrong_KIND.json  `breaks`, the claim that does not hold any more, and `patch` (RFC 6902)
//   reference.json   what the reference tries where types have no end: `low`, `high`, `depth`
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"
#include "support/reference.h"

namespace tacit {

struct WrongVariant {
  std::string name;   // `guard_too_weak`
  std::string breaks; // safe, permissive, full, minimal or aside
  Interface result;
};

struct GuardedCase {
  std::string name;
  Interface right;
  std::vector<WrongVariant> wrong;
  ReferenceOptions reference;
};

std::vector<std::string> guarded_case_names();
/// What does not read is a failure of the test that asks.
GuardedCase read_guarded_case(const std::string& name);

} // namespace tacit
