// What is said about letters of a refined component (component/refine.h), said about its calls:
// `get.2:returns.3` is `get:returns`, and with arguments where a run shows them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "component/refine.h"
#include "interface/interface.h"

namespace tacit {

class LetterNames {
public:
  /// All outlive it.
  LetterNames(const Interface& fine, const Component& component, const RefinedComponent& refined,
              const CallSplits& alphabet);

  const CallVariant& constructor(const std::string& fine) const {
    return refined_.constructors[constructors_.at(fine)];
  }

  /// Of calls and constructors.
  std::string base_call(const std::string& fine) const;
  std::string base_outcome(const std::string& fine_call, const std::string& outcome) const;
  /// `get.2:returns.3` -> `get:returns`.
  std::string base_letter(const std::string& fine) const;
  void rename(Example& run) const;
  /// With the arguments of the run, where the call is split by them.
  std::vector<std::string> word_of(const Refusal& fine) const;
  /// Runs of one word of letters may differ in what the client passes or sees.
  bool told_apart(const Disagreement& d) const;
  /// Letters by the names of their calls, and each sentence once.
  void say_in_calls(std::string& text) const;

private:
  /// Outcomes that a letter does not tell apart may lead to different states where its call is
  /// split.
  std::string outcome_of(const Refusal& fine, std::size_t step, const std::string& call) const;
  std::string arguments_of(const Refusal& fine, std::size_t step, const std::string& call) const;

  const Component& component_;
  const RefinedComponent& refined_;
  const CallSplits& alphabet_;
  std::map<std::string, std::size_t> variants_, constructors_; // by name, of the refined component
};

} // namespace tacit
