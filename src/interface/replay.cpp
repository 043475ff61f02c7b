#include "interface/replay.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "interface/calling.h"
#include "interface/conditions.h"
#include "interface/source_words.h"
#include "interface/utf8.h"
#include "logic/term/parse.h"
#include "program/ir/names.h"

namespace tacit {
namespace {

void sort_unique(std::vector<State>& states) {
  std::ranges::sort(states);
  const auto rest = std::ranges::unique(states);
  states.erase(rest.begin(), rest.end());
}

/// A letter of the word, once it is known what is meant.
struct ReadLetter {
  std::string text;
  std::vector<std::size_t> calls; // several: letters of one method
  WrittenCall written;
};

class Replay {
public:
  explicit Replay(const Interface& interface)
      : interface_(interface), walk_(interface), constructors_(interface.constructor_names()) {}

  Result<ReplayReport> run(const std::vector<std::string>& letters,
                           std::optional<std::string> constructor) {
    std::size_t first = 0;
    if (!constructor && !letters.empty() && may_be_constructor(letters[0])) {
      constructor = letters[0];
      first = 1;
    }
    std::optional<WrittenCall> made;
    if (constructor) {
      auto read = read_constructor(*constructor);
      if (!read) return std::unexpected(read.error());
      made = std::move(*read);
    }
    std::vector<ReadLetter> word;
    for (std::size_t i = first; i < letters.size(); ++i) {
      auto letter = read_letter(letters[i]);
      if (!letter) return std::unexpected(letter.error());
      word.push_back(std::move(*letter));
    }
    report_.letters = word.size();
    report_.unreadable = walk_.unreadable();
    start(made);
    for (const ReadLetter& letter : word) {
      if (places_.empty()) break;
      step(letter);
    }
    return std::move(report_);
  }

private:
  bool is_constructor(std::string_view name) const {
    return std::ranges::find(constructors_, name) != constructors_.end();
  }
  bool names_constructor(std::string_view name) const {
    return is_constructor(name) ||
           std::ranges::any_of(constructors_,
                               [&](const std::string& known) { return bare_name(known) == name; });
  }
  bool names_call(std::string_view name) const {
    return std::ranges::any_of(interface_.calls, [&](const InterfaceCall& call) {
      return call.name == name || bare_name(call.name) == name;
    });
  }

  bool may_be_constructor(const std::string& text) const {
    if (is_constructor(text)) return !interface_.find_call(text);
    const auto written =
        parse_written_call(text, [&](std::string_view name) { return names_constructor(name); });
    return written && written->arguments && names_constructor(written->name) &&
           !names_call(written->name);
  }

  Result<WrittenCall> read_constructor(const std::string& text) const {
    if (is_constructor(text)) return WrittenCall{text, std::nullopt, std::nullopt, ""};
    auto written =
        parse_written_call(text, [&](std::string_view name) { return names_constructor(name); });
    if (!written) return written;
    const auto index = written->arguments && names_constructor(written->name)
                           ? walk_.calling().constructor(written->name, &*written->arguments)
                           : std::nullopt;
    if (!index)
      return fail("unknown constructor '{}'{}", text, suggestion(written->name, constructors_));
    written->name = interface_.constructors[*index];
    return written;
  }

  Result<ReadLetter> read_letter(const std::string& text) const {
    const auto plain = parse_letter(interface_, text);
    if (plain) {
      WrittenCall written{interface_.calls[plain->call].name, std::nullopt, std::nullopt, ""};
      if (plain->outcome) written.outcome = interface_.calls[plain->call].outcomes[*plain->outcome];
      return ReadLetter{text, {plain->call}, std::move(written)};
    }
    auto written =
        parse_written_call(text, [&](std::string_view name) { return names_call(name); });
    if (!written) return std::unexpected(written.error());
    if (!names_call(written->name)) {
      std::vector<std::string> names;
      for (const InterfaceCall& call : interface_.calls) names.push_back(call.name);
      return fail("unknown call '{}'{}", written->name, suggestion(written->name, names));
    }
    if (!written->arguments && !written->result) return std::unexpected(plain.error());
    auto calls =
        walk_.calling().calls(written->name, written->arguments ? &*written->arguments : nullptr);
    if (calls.empty())
      return fail("'{}': it cannot be told which overload of '{}' is meant", text, written->name);
    for (const std::size_t call : calls)
      if (outcomes(call, *written).empty()) {
        const auto& known = interface_.calls[call].outcomes;
        return fail("call '{}' has no outcome '{}'{}", interface_.calls[call].name,
                    written->outcome, suggestion(written->outcome, known));
      }
    return ReadLetter{text, std::move(calls), std::move(*written)};
  }

  std::vector<std::size_t> outcomes(std::size_t call, const WrittenCall& written) const {
    return walk_.calling().outcomes(call, written.outcome,
                                    written.result ? &*written.result : nullptr);
  }

  ReplayStop refused(std::optional<State> state, std::size_t call) const {
    ReplayStop stop{ReplayStop::Reason::Refused, state, {}, {}, {}};
    if (const Refusal* why = interface_.find_refusal(state, call)) {
      stop.error = why->shown_error();
      stop.at = why->shown_at();
      stop.word = why->word;
    }
    return stop;
  }

  void start(const std::optional<WrittenCall>& made) {
    report_.constructors = made ? std::vector{to_string(*made)} : constructors_;
    const std::vector<std::string> names = made ? std::vector{made->name} : constructors_;
    for (const std::string& name : names) {
      const auto index = static_cast<std::size_t>(std::ranges::find(interface_.constructors, name) -
                                                  interface_.constructors.begin());
      if (index == interface_.constructors.size()) { // a file that does not list them
        for (const InitialState& initial : interface_.initial)
          if (initial.constructor == name) places_.push_back({initial.state, {}});
        continue;
      }
      std::optional<std::vector<ClientValue>> arguments;
      if (made && made->arguments)
        arguments = walk_.calling().arguments(walk_.procedure(name), made->name, *made->arguments);
      Start begun = walk_.start(index, arguments ? &*arguments : nullptr);
      places_.insert(places_.end(), begun.places.begin(), begun.places.end());
      if (begun.allowed == true) continue;
      ReplayStop stop = refused(std::nullopt, index);
      if (!begun.allowed) stop.reason = ReplayStop::Reason::Unknown;
      std::vector<std::string> conditions;
      for (const InitialState& initial : interface_.initial)
        if (initial.constructor == name && !initial.when.empty())
          conditions.push_back(SourceWords(interface_).condition(initial.when));
      stop.guard = fmt::format("{}", fmt::join(conditions, " || "));
      report_.refused_starts.push_back(std::move(stop));
    }
    for (const Place& place : places_) report_.start.push_back(place.state);
    sort_unique(report_.start);
  }

  void step(const ReadLetter& letter) {
    ReplayStep result;
    result.letter = letter.text;
    std::vector<Place> next;
    for (const Place& place : places_)
      for (const std::size_t call : letters_at(letter)) step_at(place, call, letter, result, next);
    for (const Place& place : next) {
      result.states.push_back(place.state);
      if (const std::string values = walk_.shown(place);
          !values.empty() && std::ranges::find(result.tracked, values) == result.tracked.end())
        result.tracked.push_back(values);
    }
    sort_unique(result.states);
    places_ = std::move(next);
    report_.steps.push_back(std::move(result));
  }

  std::vector<std::size_t> letters_at(const ReadLetter& letter) const {
    if (!letter.written.arguments || letter.calls.size() < 2) return letter.calls;
    return walk_.letters(letter.calls, arguments_of(letter.calls.front(), letter.written));
  }

  std::vector<ClientValue> arguments_of(std::size_t call, const WrittenCall& written) const {
    return walk_.calling().arguments(walk_.procedure(interface_.calls[call].name), written.name,
                                     *written.arguments);
  }

  void step_at(const Place& place, std::size_t call, const ReadLetter& letter, ReplayStep& result,
               std::vector<Place>& next) const {
    ConcreteCall concrete{call, std::nullopt, outcomes(call, letter.written), {}};
    const Procedure& body = walk_.procedure(interface_.calls[call].name);
    if (letter.written.arguments) concrete.arguments = arguments_of(call, letter.written);
    if (letter.written.result && body.returns)
      concrete.result = walk_.calling().value(*letter.written.result, *body.returns);
    const auto allowed = walk_.allows(place, concrete);
    if (allowed != true) {
      ReplayStop stop = refused(place.state, call);
      if (!allowed) stop.reason = ReplayStop::Reason::Unknown;
      if (const ArgumentGuard* guard = interface_.find_guard(place.state, call))
        stop.guard = SourceWords(interface_).condition(guard->condition);
      stop.tracked = walk_.shown(place);
      result.stops.push_back(std::move(stop));
      if (allowed) return;
    }
    const std::vector<Place> after = walk_.step(place, concrete);
    if (after.empty())
      result.stops.push_back({ReplayStop::Reason::CannotHappen, place.state, {}, {}, {}});
    for (const Place& p : after)
      if (std::ranges::none_of(next, [&](const Place& other) { return same_place(p, other); }))
        next.push_back(p);
  }

  const Interface& interface_;
  Walk walk_;
  std::vector<std::string> constructors_;
  std::vector<Place> places_;
  ReplayReport report_;
};

} // namespace

ReplayEnd ReplayReport::end() const {
  const auto any = [](const std::vector<ReplayStop>& stops, ReplayStop::Reason reason) {
    return std::ranges::any_of(stops,
                               [&](const ReplayStop& stop) { return stop.reason == reason; });
  };
  using enum ReplayStop::Reason;
  if (any(refused_starts, Unknown)) return ReplayEnd::Unknown;
  if (start.empty()) return ReplayEnd::Refused;
  bool any_refusal = false;
  for (const ReplayStep& step : steps) {
    const bool refused = any(step.stops, Refused);
    if (any(step.stops, Unknown)) return ReplayEnd::Unknown;
    if (step.states.empty()) return refused ? ReplayEnd::Refused : ReplayEnd::CannotHappen;
    any_refusal |= refused;
  }
  return any_refusal ? ReplayEnd::MayBeRefused : ReplayEnd::Legal;
}

Result<ReplayReport> replay_word(const Interface& interface,
                                 const std::vector<std::string>& letters,
                                 std::optional<std::string> constructor) {
  return Replay(interface).run(letters, std::move(constructor));
}

namespace {

std::string list_of(const std::vector<State>& states) {
  return fmt::format("{} {}", states.size() == 1 ? "state" : "states", fmt::join(states, ", "));
}

std::string reason(const ReplayStop& stop) {
  if (stop.reason == ReplayStop::Reason::CannotHappen) return "cannot happen";
  const std::string values = stop.tracked.empty() ? "" : fmt::format(", where {}", stop.tracked);
  if (stop.reason == ReplayStop::Reason::Unknown)
    return fmt::format("it cannot be told whether {}{}", stop.guard, values);
  if (!stop.guard.empty())
    return fmt::format("refused, not {}{}{}{}{}", stop.guard, values,
                       stop.error.empty() ? "" : ": ", stop.error,
                       stop.at.empty() ? "" : " at " + stop.at);
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
    const std::string text = reason(stop);
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
  const bool given = report.constructors.size() == 1;
  for (const std::string& name : report.constructors) {
    std::vector<State> states;
    for (const InitialState& initial : interface.initial)
      if (initial.constructor == name) states.push_back(initial.state);
    if (given) states = report.start;
    const bool stopped = given ? !report.refused_starts.empty() : states.empty();
    text += stopped ? fmt::format("{} {}\n", name, reason(report.refused_starts.at(refused++)))
                    : fmt::format("{} → {}\n", name, list_of(states));
  }
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const ReplayStep& step = report.steps[i];
    const std::string padding(width - utf8_width(step.letter), ' ');
    std::string after = step.states.empty() ? "✗" : "→ " + list_of(step.states);
    if (step.tracked.size() == 1) after += ", " + step.tracked[0];
    if (step.tracked.size() > 1) after += fmt::format(" ({})", fmt::join(step.tracked, "; "));
    text += fmt::format("{:3}. {}{} {}\n", i + 1, step.letter, padding, after);
    text += stops_text(step.stops, step.states.empty());
  }
  for (const std::string& condition : report.unreadable)
    text += fmt::format("Not understood, so unknown: {}\n", condition);
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
  case ReplayEnd::Unknown: text += "Not settled: a guard could not be evaluated.\n"; break;
  case ReplayEnd::CannotHappen:
    text += fmt::format("Cannot happen: call {} of {} never has this outcome there.\n", last,
                        report.letters);
    break;
  }
  return text;
}

} // namespace tacit
