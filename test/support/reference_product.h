// The product of a guarded interface and the worlds of its component, on which the reference
// judges.
#pragma once

#include <deque>
#include <map>
#include <tuple>

#include "support/guarded_reading.h"
#include "support/reference.h"

namespace tacit {

/// After one observed word: where the interface is, what it tracks, and what may be the case.
struct ProductNode {
  State q = 0;
  std::vector<Value> tracked;
  Worlds worlds;
  std::size_t depth = 0;
  ConcreteWord word; // a shortest one into it
};

/// A call with arguments at a node: refused, or with what can be seen after it.
struct ProductCall {
  std::size_t call = 0; // of the component
  std::vector<Value> arguments;
  bool allowed = false;
  struct Step {
    Observation seen;
    std::size_t transition = 0;
    std::size_t to = 0; // node
  };
  std::vector<Step> steps;
};

struct Product {
  std::deque<ProductNode> nodes;
  std::vector<std::optional<std::vector<ProductCall>>> calls; // per node; none beyond the depth.
                                                              // Calls without any run are left out
  bool complete = true;                                       // no node was left unexpanded
};

/// As judge_interface; `product` receives what was explored.
ReferenceReport explore_interface(const Interface& interface, const Component& component,
                                  const ReferenceOptions& options, Product& product);

/// minimal: no two states can be merged, and no cell or tracked value dropped.
Judgement judge_minimal(const Interface& interface, const GuardedReading& reading,
                        const Product& product);

} // namespace tacit
