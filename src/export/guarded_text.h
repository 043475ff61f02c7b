// Guarded interfaces for people: `seek(ms) when 0 <= ms && ms <= duration()`, what becomes of
// tracked values, what was set aside, left out and never allowed. Shared by all forms.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"
#include "interface/source_words.h"

namespace tacit {

/// Keeps a reference to the interface. Parameters are named as in the component's text, which is
/// read once, and only if there are guards.
class GuardedText {
public:
  explicit GuardedText(const Interface& interface);

  /// `seek(ms)` where the arguments of the call matter, else its name.
  const std::string& call(std::size_t call) const { return calls_[call]; }
  /// `seek(ms):returns=true`, or without outcome when the call has one only.
  std::string letter(const InterfaceTransition& transition) const;
  /// What holds of the arguments when it is taken, guard and cell; "" when nothing has to.
  std::string when(const InterfaceTransition& transition) const;
  /// The whole: `letter when condition / n := n + 1`.
  std::string edge(const InterfaceTransition& transition) const;
  /// The same for all outcomes of a call, which have no cells and the same update.
  std::string whole_call(const InterfaceTransition& transition) const;
  /// `Player(limit) when 1 <= limit / n := 0`.
  std::string start(const InitialState& start) const;
  /// Whether nothing that can be passed fulfils the guard.
  bool impossible(State state, std::size_t call) const { return guard(state, call) == "false"; }
  /// The names of the parameters of a call, as far as they are known.
  const std::vector<std::string>& parameters(std::size_t call) const { return parameters_[call]; }

  /// What the arguments have to fulfil in a state; "" for anything.
  std::string guard(State state, std::size_t call) const;

private:
  /// `n := n + 1`, in the words of the source.
  std::string updates(const TrackedUpdate& set) const;

  const Interface& interface_;
  SourceWords words_;
  std::vector<std::string> calls_;
  std::vector<std::vector<std::string>> parameters_;
  std::vector<std::pair<std::string, std::string>> constructors_; // name, with parameters
};

// Lines for people, empty where there is nothing to say.

/// "n : int, size() (items.size)": the legend of tracked values.
std::vector<std::string> tracked_lines(const Interface& interface);
/// "pay may also err at Order.java:88, whatever you do: gateway.charge() decides".
std::vector<std::string> aside_lines(const Interface& interface);
/// "position: changes nothing", of calls that are no letters.
std::vector<std::string> left_out_lines(const Interface& interface);
/// "throws:E (3 sites)".
std::vector<std::string> error_lines(const Interface& interface);
/// The names of calls that no state allows.
std::vector<std::string> never_names(const Interface& interface);

} // namespace tacit
