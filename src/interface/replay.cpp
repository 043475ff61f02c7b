#include "interface/replay.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/should.h"
#include "interface/utf8.h"
#include "logic/term/parse.h"

namespace tacit {
namespace {

void sort_unique(std::vector<State>& states) {
  std::ranges::sort(states);
  const auto rest = std::ranges::unique(states);
  states.erase(rest.begin(), rest.end());
}

ReplayStop refused(const Interface& interface, std::optional<State> state, std::size_t call) {
  ReplayStop stop{ReplayStop::Reason::Refused, state, {}, {}, {}};
  if (const Refusal* why = interface.find_refusal(state, call)) {
    stop.error = why->error;
    stop.at = why->at;
    stop.word = why->word;
  }
  return stop;
}

void start(const Interface& interface, ReplayReport& report) {
  for (const std::string& name : report.constructors) {
    bool allowed = false;
    for (const InitialState& initial : interface.initial) {
      if (initial.constructor != name) continue;
      report.start.push_back(initial.state);
      allowed = true;
    }
    if (allowed) continue;
    const auto index =
        std::ranges::find(interface.constructors, name) - interface.constructors.begin();
    report.refused_starts.push_back(
        refused(interface, std::nullopt, static_cast<std::size_t>(index)));
  }
  sort_unique(report.start);
}

ReplayStep step(const Interface& interface, const std::vector<State>& states,
                const WrittenLetter& letter) {
  ReplayStep result;
  for (const State state : states) {
    if (!interface.states[state].allows[letter.call]) {
      result.stops.push_back(refused(interface, state, letter.call));
      continue;
    }
    bool happens = false;
    for (const InterfaceTransition& t : interface.outgoing(state, letter.call)) {
      if (letter.outcome && t.outcome != *letter.outcome) continue;
      result.states.push_back(t.to);
      happens = true;
    }
    if (!happens) result.stops.push_back({ReplayStop::Reason::CannotHappen, state, {}, {}, {}});
  }
  sort_unique(result.states);
  return result;
}

std::vector<std::string> constructor_names(const Interface& interface) {
  std::vector<std::string> names = interface.constructors;
  for (const InitialState& initial : interface.initial)
    if (std::ranges::find(names, initial.constructor) == names.end())
      names.push_back(initial.constructor);
  return names;
}

} // namespace

ReplayEnd ReplayReport::end() const {
  const auto is_refusal = [](const ReplayStop& stop) {
    return stop.reason == ReplayStop::Reason::Refused;
  };
  if (start.empty()) return ReplayEnd::Refused;
  bool any_refusal = false;
  for (const ReplayStep& step : steps) {
    const bool refused = std::ranges::any_of(step.stops, is_refusal);
    if (step.states.empty()) return refused ? ReplayEnd::Refused : ReplayEnd::CannotHappen;
    any_refusal |= refused;
  }
  return any_refusal ? ReplayEnd::MayBeRefused : ReplayEnd::Legal;
}

Result<ReplayReport> replay_word(const Interface& interface,
                                 const std::vector<std::string>& letters,
                                 std::optional<std::string> constructor) {
  const std::vector<std::string> known = constructor_names(interface);
  const auto is_constructor = [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end();
  };
  std::size_t first = 0;
  if (!constructor && !letters.empty() && is_constructor(letters[0]) &&
      !interface.find_call(letters[0])) {
    constructor = letters[0];
    first = 1;
  }
  if (constructor && !is_constructor(*constructor))
    return fail("unknown constructor '{}'{}", *constructor, suggestion(*constructor, known));

  std::vector<WrittenLetter> word;
  for (std::size_t i = first; i < letters.size(); ++i) {
    auto letter = parse_letter(interface, letters[i]);
    if (!letter) return std::unexpected(letter.error());
    word.push_back(*letter);
  }

  ReplayReport report;
  report.letters = word.size();
  report.constructors = constructor ? std::vector{*constructor} : known;
  start(interface, report);
  const std::vector<State>* states = &report.start;
  report.steps.reserve(word.size()); // `states` points into it
  for (std::size_t i = 0; i < word.size() && !states->empty(); ++i) {
    report.steps.push_back(step(interface, *states, word[i]));
    report.steps.back().letter = letters[first + i];
    states = &report.steps.back().states;
  }
  return report;
}

namespace {

std::string list_of(const std::vector<State>& states) {
  return fmt::format("{} {}", states.size() == 1 ? "state" : "states", fmt::join(states, ", "));
}

std::string reason(const ReplayStop& stop) {
  std::string text = "refused";
  if (!stop.error.empty()) text += ": " + stop.error;
  if (!stop.at.empty()) text += " at " + stop.at;
  return text;
}

/// Below a step: one line for each reason, with the states that share it.
std::string stops_text(const std::vector<ReplayStop>& stops, bool all) {
  std::vector<std::pair<std::string, std::vector<State>>> groups;
  std::vector<std::string> words;
  for (const ReplayStop& stop : stops) {
    const std::string text =
        stop.reason == ReplayStop::Reason::CannotHappen ? "cannot happen" : reason(stop);
    auto group = std::ranges::find(groups, text,
                                   [](const auto& g) -> const std::string& { return g.first; });
    if (group == groups.end()) {
      groups.push_back({text, {}});
      words.push_back(fmt::format("{}", fmt::join(stop.word, " ")));
      group = groups.end() - 1;
    }
    if (stop.state) group->second.push_back(*stop.state);
  }
  std::string lines;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    lines += fmt::format("     {} {}{}\n", all ? "in" : "but in", list_of(groups[i].second),
                         " " + groups[i].first);
    if (!words[i].empty()) lines += fmt::format("     shortest such word: {}\n", words[i]);
  }
  return lines;
}

} // namespace

std::string print_replay(const Interface& interface, const ReplayReport& report) {
  std::string text;
  std::size_t width = 0;
  for (const ReplayStep& step : report.steps) width = std::max(width, utf8_width(step.letter));
  std::size_t refused = 0;
  for (const std::string& name : report.constructors) {
    std::vector<State> states;
    for (const InitialState& initial : interface.initial)
      if (initial.constructor == name) states.push_back(initial.state);
    text += states.empty()
                ? fmt::format("{} {}\n", name, reason(report.refused_starts.at(refused++)))
                : fmt::format("{} → {}\n", name, list_of(states));
  }
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const ReplayStep& step = report.steps[i];
    const std::string padding(width - utf8_width(step.letter), ' ');
    const std::string after = step.states.empty() ? "✗" : "→ " + list_of(step.states);
    text += fmt::format("{:3}. {}{} {}\n", i + 1, step.letter, padding, after);
    text += stops_text(step.stops, step.states.empty());
  }
  const std::size_t last = report.steps.size();
  switch (report.end()) {
  case ReplayEnd::Legal: text += "Legal.\n"; break;
  case ReplayEnd::MayBeRefused:
    text += "Not legal: a call is refused, depending on what happened before.\n";
    break;
  case ReplayEnd::Refused:
    text += last == 0 ? "Not legal: it cannot be constructed.\n"
                      : fmt::format("Not legal: it dies at call {} of {}.\n", last, report.letters);
    break;
  case ReplayEnd::CannotHappen:
    text += fmt::format("Cannot happen: call {} of {} never has this outcome there.\n", last,
                        report.letters);
    break;
  }
  return text;
}

} // namespace tacit
