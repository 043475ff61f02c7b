#include "synthesis/alphabet/letter_names.h"

#include <algorithm>
#include <cctype>

#include <fmt/ranges.h>

#include "interface/shown_arguments.h"

namespace tacit {

namespace {

/// How many inputs of a run are the client's: parameters, and what it has written itself before.
std::size_t passed_to(const Procedure& body) {
  std::size_t count = body.parameters.size();
  for (const Statement& s : body.blocks[0].statements) {
    if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Client) break;
    ++count;
  }
  return count;
}

bool returns_constants(const Procedure& body) {
  return std::ranges::all_of(body.blocks, [](const Block& b) {
    return b.end.kind != TerminatorKind::Return || !b.end.value || is_constant(b.end.value);
  });
}

} // namespace

LetterNames::LetterNames(const Interface& fine, const Component& component,
                         const RefinedComponent& refined, const CallSplits& alphabet)
    : component_(component), refined_(refined), alphabet_(alphabet) {
  for (std::size_t i = 0; i < fine.calls.size(); ++i) variants_[fine.calls[i].name] = i;
  for (std::size_t k = 0; k < fine.constructors.size(); ++k)
    constructors_[fine.constructors[k]] = k;
}

std::string LetterNames::base_call(const std::string& fine) const {
  if (const auto found = variants_.find(fine); found != variants_.end())
    return component_.calls()[refined_.calls[found->second].call].name;
  if (const auto found = constructors_.find(fine); found != constructors_.end())
    return component_.constructors()[refined_.constructors[found->second].call].name;
  return fine;
}

std::string LetterNames::base_outcome(const std::string& fine_call,
                                      const std::string& outcome) const {
  const auto found = variants_.find(fine_call);
  if (found == variants_.end()) return outcome;
  const auto& names = refined_.component.calls()[found->second].outcomes;
  const auto at = std::ranges::find(names, outcome);
  if (at == names.end()) return outcome;
  const CallVariant& variant = refined_.calls[found->second];
  return component_.calls()[variant.call]
      .outcomes[variant.outcomes[static_cast<std::size_t>(at - names.begin())].outcome];
}

std::string LetterNames::base_letter(const std::string& fine) const {
  const auto colon = fine.rfind(':');
  const bool has_outcome = colon != std::string::npos && colon > 0 && fine[colon - 1] != ':' &&
                           variants_.contains(fine.substr(0, colon));
  if (!has_outcome) return base_call(fine);
  const std::string call = fine.substr(0, colon);
  return base_call(call) + ":" + base_outcome(call, fine.substr(colon + 1));
}

void LetterNames::rename(Example& run) const {
  run.constructor = base_call(run.constructor);
  for (ExampleStep& step : run.steps) {
    step.outcome = base_outcome(step.call, step.outcome);
    step.call = base_call(step.call);
  }
}

std::vector<std::string> LetterNames::word_of(const Refusal& fine) const {
  std::vector<std::string> word;
  for (std::size_t i = 0; i < fine.word.size(); ++i) {
    const auto colon = fine.word[i].rfind(':');
    const bool has_outcome = colon != std::string::npos && colon + 1 < fine.word[i].size() &&
                             fine.word[i][colon - 1] != ':' &&
                             variants_.contains(fine.word[i].substr(0, colon));
    const std::string call = has_outcome ? fine.word[i].substr(0, colon) : fine.word[i];
    std::string letter = base_call(call) + arguments_of(fine, i, call);
    if (has_outcome)
      letter += ":" + base_outcome(call, fine.word[i].substr(colon + 1));
    else if (i + 1 < fine.word.size())
      letter += outcome_of(fine, i, call);
    word.push_back(std::move(letter));
  }
  return word;
}

std::string LetterNames::outcome_of(const Refusal& fine, std::size_t step,
                                    const std::string& call) const {
  const auto found = variants_.find(call);
  if (found == variants_.end() || !fine.run || step >= fine.run->steps.size() ||
      component_.calls()[refined_.calls[found->second].call].outcomes.size() < 2)
    return "";
  return ":" + base_outcome(call, fine.run->steps[step].outcome);
}

std::string LetterNames::arguments_of(const Refusal& fine, std::size_t step,
                                      const std::string& call) const {
  const auto found = variants_.find(call);
  if (found == variants_.end() || !fine.run || step >= fine.run->steps.size()) return "";
  const std::size_t base = refined_.calls[found->second].call;
  const auto& cells = alphabet_.calls[base];
  const Procedure& body = component_.body(component_.calls()[base]);
  const auto& inputs = fine.run->steps[step].inputs;
  if (cells.entry.size() < 2 || component_.calls()[base].name.contains('(')) return "";
  return shown_arguments(component_.module(), body.parameters, inputs);
}

bool LetterNames::told_apart(const Disagreement& d) const {
  if (d.errs.constructor_inputs != d.works.constructor_inputs) return true;
  for (std::size_t i = 0; i < d.errs.steps.size() && i < d.works.steps.size(); ++i) {
    const ExampleStep &a = d.errs.steps[i], &b = d.works.steps[i];
    const auto found = variants_.find(a.call);
    if (found == variants_.end()) return true;
    const Procedure& body = component_.body(component_.calls()[refined_.calls[found->second].call]);
    const std::size_t passed = std::min(passed_to(body), a.inputs.size());
    if (b.inputs.size() < passed ||
        !std::equal(a.inputs.begin(), a.inputs.begin() + static_cast<std::ptrdiff_t>(passed),
                    b.inputs.begin()))
      return true;
    if (i + 1 < d.errs.steps.size() && body.returns && !returns_constants(body)) return true;
  }
  return false;
}

void LetterNames::say_in_calls(std::string& text) const {
  for (const auto& [name, index] : variants_)
    if (const std::string base = base_call(name); base != name) {
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        const std::size_t end = at + name.size();
        const bool whole =
            end == text.size() || !std::isalnum(static_cast<unsigned char>(text[end]));
        if (whole) text.replace(at, name.size(), base);
        at += whole ? base.size() : name.size();
      }
    }
  std::vector<std::string> sentences;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find("; ", at), text.size());
    std::string one = text.substr(at, end - at);
    if (std::ranges::find(sentences, one) == sentences.end()) sentences.push_back(std::move(one));
    at = end + 2;
  }
  text = fmt::format("{}", fmt::join(sentences, "; "));
}

} // namespace tacit
