// Random finite components with parameters and results, the right guarded interface of each by
// enumeration, and mutants of it. The same seed gives the same on every machine: only the
// generator's bits are used.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

struct RandomGuarded {
  std::uint64_t seed = 0;
  std::string tir;
  ComponentOptions options;
};

RandomGuarded random_guarded(std::uint64_t seed);

/// The most permissive safe interface: its states are the worlds that observations leave, without
/// the variables that are tracked; its conditions are sets of values. Which variables are tracked
/// (those whose value every observed word tells), and whether cells are as fine as letters, follows
/// from the seed. All claims are made, without evidence. nullopt when it is too large, or when no
/// constructor is allowed.
std::optional<Interface> right_interface(const RandomGuarded& random, const Component& component);

struct GuardedMutant {
  Interface result;
  std::string change; // in words
};

/// One thing changed; it may still be right.
GuardedMutant mutate_guarded(const Interface& original, const Component& component,
                             std::mt19937_64& random);

} // namespace tacit
