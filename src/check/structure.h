// Checks that need no solver: does the result speak of this component's calls and outcomes, is it
// deterministic, is every refusal accounted for by a shortest word and a site that exists, is it
// minimal.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "check/report.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// How a result's vocabulary maps to the component's. A result may merge the outcomes of a call to
/// `any`.
struct Alignment {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::size_t> call; // of the result -> of the component
  std::vector<std::vector<std::vector<std::size_t>>>
      stands_for; // call and outcome of the result -> the component's
  std::vector<std::vector<std::uint32_t>> written; // the component's call, outcome -> of the result
  std::vector<std::size_t> written_call;           // the component's call -> of the result
  std::vector<std::uint32_t> transitions;          // state × letter of the component -> transition
  std::size_t letters = 0;
  std::vector<State> start; // per constructor of the component, or no_state
  /// With guarded arguments, further cells of the same state, call and outcome (none: no more), and
  /// all entries of `initial` of a constructor. `transitions` and `start` hold the first of them.
  std::vector<std::uint32_t> sibling;
  std::vector<std::vector<std::size_t>> starts;

  /// The transition that a call with an outcome of the component takes, or none.
  std::uint32_t transition(State from, std::size_t letter) const {
    return transitions[from * letters + letter];
  }
  /// All of them: one for each cell.
  std::vector<std::uint32_t> cells(State from, std::size_t letter) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t t = transition(from, letter); t != none; t = sibling[t]) found.push_back(t);
    return found;
  }
};

inline bool guarded(const Component& component) {
  return component.options().arguments == Arguments::Guarded;
}

/// nullopt when the result is so broken that nothing else can be checked; then that is reported.
std::optional<Alignment> align(const Interface& interface, const Component& component,
                               Findings& findings);

/// Refusals and their words and sites. `pruned`: an interface after pruning, where calls may be
/// refused with the error `no_way_on` and have no site.
void check_refusals(const Interface& interface, const Component& component,
                    const Alignment& alignment, bool pruned, Findings& findings);

/// Whether no smaller automaton makes the same distinctions.
bool is_minimal(const Interface& interface);

/// A letter, whatever arguments and result are written with it.
Result<WrittenLetter> parse_letter_of(const Interface& interface, std::string_view text);

/// Where a written word (the refused call left out) may lead from a start state: through whichever
/// cells. The first letter may name the constructor.
std::set<State> follow_word(const Interface& interface, const Alignment& alignment, State start,
                            std::span<const std::string> word);

/// The written words without a constructor in front; its index when there was one.
std::span<const std::string> without_constructor(const Interface& interface,
                                                 std::span<const std::string> word,
                                                 std::optional<std::size_t>& constructor);

/// Whether a written place (`file:line` or with a column) means this location.
bool same_place(const std::string& written, const Location& where);

/// "q2 --close:returns--> q0", with the component's outcome.
std::string arrow(const Component& component, State from, std::size_t letter, State to);

} // namespace tacit
