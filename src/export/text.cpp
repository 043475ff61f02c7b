#include "export/text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "automata/regex.h"
#include "export/assumptions.h"
#include "export/first_lines.h"
#include "export/guarded_text.h"
#include "export/labels.h"
#include "export/layout.h"
#include "export/moves.h"
#include "export/run_text.h"
#include "interface/utf8.h"

namespace tacit {

namespace {

std::string epa_sentence(const Interface& interface) {
  const auto uncertain = static_cast<std::size_t>(
      std::ranges::count(interface.transitions, true, &InterfaceTransition::uncertain));
  const std::size_t all = interface.transitions.size();
  std::string text = count_of(interface.states.size(), "state") + ", " +
                     count_of(all, "transition") + ", " +
                     (uncertain == 0 ? "all certain" : fmt::format("{} uncertain", uncertain));
  if (interface.verdict.details.contains("epa")) {
    const std::size_t open = interface.epa ? interface.epa->open.size() : 0;
    text += ", not explored to the end";
    if (open > 0) text += fmt::format(" ({} open)", count_of(open, "step"));
  }
  if (!interface.verdict.assumptions.empty())
    text += ", under " + count_of(interface.verdict.assumptions.size(), "assumption");
  return text + ".";
}

} // namespace

std::string verdict_sentence(const Interface& interface) {
  if (interface.kind == "epa") return epa_sentence(interface);
  const Verdict& verdict = interface.verdict;
  const auto claims = [&](Claim wanted) {
    std::vector<std::string> names;
    if (verdict.safe == wanted) names.push_back("safe");
    if (verdict.permissive == wanted) names.push_back("permissive");
    if (verdict.full == wanted) names.push_back("full");
    return names;
  };
  std::vector<std::string> parts{count_of(interface.states.size(), "state")};
  if (const auto names = claims(Claim::Proved); !names.empty())
    parts.push_back("proved " + enumerate(names));
  auto bounded = claims(Claim::Bounded);
  if (interface.safe_but_for_sites()) {
    parts.push_back("safe but for " + count_of(interface.undecided_sites(), "undecided site"));
    bounded.erase(bounded.begin());
  }
  if (!bounded.empty()) parts.push_back(enumerate(bounded) + " up to a bound");
  if (const auto names = claims(Claim::Refuted); !names.empty())
    parts.push_back(fmt::format("not {}", fmt::join(names, ", not ")));
  if (const auto names = claims(Claim::Unknown); !names.empty())
    parts.push_back(fmt::format("unknown whether {}", fmt::join(names, " or ")));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (!verdict.assumptions.empty())
    text += (parts.size() > 2 ? ", under " : " under ") +
            count_of(verdict.assumptions.size(), "assumption");
  return text + ".";
}

namespace {

class TextWriter {
public:
  TextWriter(const Interface& interface, const TextOptions& options)
      : interface_(interface), options_(options), texts_(interface) {}

  std::string run() {
    heading();
    tracked();
    starts();
    if (interface_.states.size() > options_.max_states) {
      figures();
    } else {
      states();
      refusals();
      expressions();
    }
    guards();
    about();
    nondeterminism();
    bounds();
    parts();
    assumptions();
    return std::move(text_);
  }

private:
  void line(std::string_view text, std::string_view first = "", std::size_t hang = 0) {
    text_ += wrap(text, options_.width, first, hang);
  }
  void section(std::string_view name) { text_ += fmt::format("\n{}\n", name); }

  void heading() {
    std::string title = interface_.component_name;
    if (!interface_.language.empty()) title += fmt::format(" ({})", interface_.language);
    if (interface_.kind == "epa") title += ", enabledness abstraction";
    if (interface_.serial) title += ", for infinite use";
    if (!interface_.engine.empty()) title += ", engine " + interface_.engine;
    line(title, "", 2);
    text_ += "\n";
    line(verdict_sentence(interface_));
    for (const auto& [claim, detail] : interface_.verdict.details)
      line(detail, "  " + claim + ": ", 4);
    for (const std::string& text : first_lines(interface_)) line(text, "  ", 4);
  }

  void list(std::string_view name, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    section(name);
    for (const std::string& text : lines) line(text, "  ", 4);
  }

  void tracked() { list("Tracked values", tracked_lines(interface_)); }

  void starts() {
    section("Starts");
    std::size_t width = 0;
    std::vector<std::string> names;
    for (const InitialState& start : interface_.initial) {
      names.push_back(texts_.start(start));
      width = std::max(width, utf8_width(names.back()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const State state = interface_.initial[i].state;
      if (interface_.guarded()) { // conditions are long, and wrapped
        line(fmt::format("{} → {}", names[i], state), "  ", 4);
        continue;
      }
      const std::string padding(width - utf8_width(names[i]), ' ');
      text_ += fmt::format("  {}{} → {}\n", names[i], padding, state);
    }
    for (const RefusalGroup& group : refusal_groups(interface_))
      if (group.constructor) {
        line("refused: " + reason(group), "  " + group.name + " ", 4);
        for (const OpaqueNeed& need : group.needs) line(to_string(need), "    ", 6);
      }
    if (interface_.initial.empty()) line("No constructor can be used.", "  ", 2);
  }

  static std::string reason(const RefusalGroup& group) {
    std::string text = group.error.empty() ? "no reason given" : group.error;
    if (!group.at.empty()) text += " at " + group.at;
    return text;
  }

  void states() {
    if (interface_.states.empty()) return;
    section("States");
    const std::size_t digits = std::to_string(interface_.states.size() - 1).size();
    const std::size_t indent = 2 + digits + 2;
    const std::string blank(indent, ' ');
    const ShownLabels labels = shown_labels(interface_);
    if (!labels.everywhere.empty()) line("in every state: " + labels.everywhere, "  ", 4);
    for (State q = 0; q < interface_.states.size(); ++q) {
      const std::string& label = labels.states[q];
      const std::string number = fmt::format("  {:>{}}", q, digits);
      const std::vector<MergedMove> moves = moves_of(interface_, q, texts_);
      const std::vector<std::string> stuck = calls_without_return(q);
      const bool silent = label.empty() && !moves.empty();
      // Without a label the first move stands beside the number.
      std::string first = number + "  ";
      if (!silent) {
        const std::string shown =
            fitted_label(label, options_.width > indent + 10 ? options_.width - indent : 10);
        if (shown.empty())
          text_ += number + "\n";
        else
          line(shown, number + "  ", indent + 2);
        first = blank;
      }
      for (const MergedMove& move : moves) {
        std::vector<std::string> letters = short_letters(move);
        const std::string target = move.to == q ? " ↺" : fmt::format(" → {}", move.to);
        if (interface_.guarded()) { // conditions and updates need room, and have commas in them
          for (const std::string& letter : letters) {
            line(letter + target, first, indent + 2);
            first = blank;
          }
          continue;
        }
        letters.back() += target;
        text_ += wrap_items(letters, ",", options_.width, first, indent + 2);
        first = blank;
      }
      if (const std::vector<std::string> open = open_calls(q); !open.empty()) {
        line(enumerate(open) + " → ? (not explored to the end)", first, indent + 2);
        first = blank;
        if (stuck.empty()) continue;
      }
      if (!stuck.empty())
        line(enumerate(stuck) + (stuck.size() == 1 ? " never returns" : " never return"), first,
             indent + 2);
      else if (moves.empty())
        line("nothing is allowed", first, indent + 2);
    }
  }

  /// Of many outcomes of one call that lead to one place the first ones are named:
  /// `code:returns=A|B|C|… 9 in all`.
  std::vector<std::string> short_letters(const MergedMove& move) const {
    constexpr std::size_t many = 5, named = 3;
    const auto of = [&](const DrawnLetter& letter) -> const InterfaceTransition& {
      return interface_.transitions[letter.transitions[0]];
    };
    const auto outcome = [&](const DrawnLetter& letter) -> std::string_view {
      if (letter.transitions.size() != 1) return "";
      const InterfaceCall& call = interface_.calls[of(letter).call];
      const std::string_view name = call.outcomes[of(letter).outcome];
      const bool plain = letter.text == fmt::format("{}:{}", call.name, name);
      return plain && name.starts_with("returns=") ? name : "";
    };
    std::map<std::size_t, std::vector<std::string_view>> by_call;
    for (const DrawnLetter& letter : move.letters)
      if (const auto name = outcome(letter); !name.empty())
        by_call[of(letter).call].push_back(name.substr(name.find('=') + 1));
    std::vector<std::string> texts;
    std::set<std::size_t> told;
    for (const DrawnLetter& letter : move.letters) {
      const auto found = outcome(letter).empty() ? by_call.end() : by_call.find(of(letter).call);
      if (found == by_call.end() || found->second.size() < many) {
        texts.push_back(letter.text);
        continue;
      }
      if (!told.insert(found->first).second) continue;
      std::string& text = texts.emplace_back(interface_.calls[found->first].name + ":returns=");
      for (std::size_t i = 0; i < named; ++i) text += std::string(found->second[i]) + "|";
      text += fmt::format("… {} in all", found->second.size());
    }
    return texts;
  }

  bool is_open(State q, std::size_t call) const {
    return interface_.epa && interface_.epa->is_open(q, call);
  }

  std::vector<std::string> open_calls(State q) const {
    std::vector<std::string> names;
    for (std::size_t call = 0; call < interface_.calls.size(); ++call)
      if (is_open(q, call)) names.push_back(interface_.calls[call].name);
    return names;
  }

  std::vector<std::string> calls_without_return(State q) const {
    std::vector<std::string> names;
    for (std::size_t call = 0; call < interface_.calls.size(); ++call)
      if (interface_.states[q].allows[call] && interface_.outgoing(q, call).empty() &&
          !is_open(q, call) && !texts_.impossible(q, call))
        names.push_back(interface_.calls[call].name);
    return names;
  }

  void refusals() {
    bool first = true;
    for (const RefusalGroup& group : refusal_groups(interface_)) {
      if (group.constructor) continue;
      if (std::exchange(first, false)) section("Refused");
      line(fmt::format("in {} {}: {}", group.states.size() == 1 ? "state" : "states",
                       numbers_text(group.states), reason(group)),
           "  " + group.name + " ", 4);
      if (!group.word.empty())
        text_ += wrap_items(group.word, " ·", options_.width, "    shortest: ", 6);
      for (const OpaqueNeed& need : group.needs) line(to_string(need), "    ", 6);
    }
  }

  void expressions() {
    // With guards letters do not tell which words are legal.
    if (interface_.kind != "interface" || interface_.states.empty() || interface_.guarded()) return;
    const InterfaceLetters letters = letters_of(interface_);
    const Dfa dfa = automaton_of(interface_);
    const auto name = [&](Letter letter) {
      const auto& [call, outcome] = letters.letters[letter];
      return letter_name(interface_.calls[call], outcome);
    };
    bool first = true;
    std::vector<State> done;
    for (const InitialState& start : interface_.initial) {
      if (std::ranges::find(done, start.state) != done.end()) continue;
      done.push_back(start.state);
      const std::string expression =
          regular_expression(dfa, start.state, name, options_.max_expression);
      if (expression.empty()) continue;
      if (std::exchange(first, false)) section("Legal words");
      const bool several = std::ranges::any_of(interface_.initial, [&](const InitialState& other) {
        return other.state != start.state;
      });
      line(expression, several ? fmt::format("  from {}: ", start.state) : "  ", 4);
    }
  }

  /// For automata that nobody wants to read state by state.
  void figures() {
    section("Figures");
    line(fmt::format("{} and {}; each state allows {:.1f} of {} on average.",
                     count_of(interface_.transitions.size(), "transition"),
                     count_of(interface_.forbidden.size(), "refusal"), average_allowed(),
                     count_of(interface_.calls.size(), "call")),
         "  ", 2);
    std::size_t width = 0;
    for (const InterfaceCall& call : interface_.calls)
      width = std::max(width, utf8_width(call.name));
    for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
      const auto& name = interface_.calls[call].name;
      text_ += fmt::format("  {}{}  allowed in {}, refused in {}\n", name,
                           std::string(width - utf8_width(name), ' '),
                           count_of(allowing_[call], "state"),
                           interface_.states.size() - allowing_[call]);
    }
  }

  double average_allowed() {
    allowing_.assign(interface_.calls.size(), 0);
    std::size_t sum = 0;
    for (const InterfaceState& state : interface_.states)
      for (std::size_t call = 0; call < allowing_.size(); ++call)
        if (state.allows[call]) ++allowing_[call], ++sum;
    return static_cast<double>(sum) / static_cast<double>(interface_.states.size());
  }

  void guards() {
    if (interface_.guards.empty() || interface_.guarded()) return;
    section("Good arguments");
    for (const ArgumentGuard& guard : interface_.guards)
      line(fmt::format("in state {}: {}", guard.state, guard.condition),
           "  " + interface_.calls[guard.call].name + " ", 4);
  }

  void about() {
    if (!interface_.epa) return;
    const EpaAbout& about = *interface_.epa;
    section("Enabled when");
    for (const EpaAbout::Clause& clause : about.clauses) {
      line(clause.enabled + (clause.from == "mined" ? " (mined)" : ""),
           "  " + interface_.calls[clause.call].name + ": ", 4);
      if (clause.splitting == "by choice")
        line(fmt::format("{}", fmt::join(clause.choices, " or ")),
             "    from " + clause.requires_text + ", by ", 6);
      else if (clause.splitting == "approximated")
        line(clause.requires_text, "    approximated, the clause could not be split: ", 6);
    }
    section("Invariant");
    line(about.invariant + " (" + about.invariant_from + ")", "  ", 4);
    if (about.reachable) line("Successors are those of reachable states.", "  ", 2);
    if (about.findings.empty()) return;
    section("Findings");
    for (const EpaAbout::Remark& remark : about.findings)
      line(remark.text, "  - " + remark.kind + ": ", 4);
  }

  void nondeterminism() {
    if (interface_.nondeterminism.empty()) return;
    section("Not visibly deterministic");
    const RunText runs(interface_);
    for (const Disagreement& found : interface_.nondeterminism) {
      text_ += wrap_items(found.word, " ·", options_.width, "  ", 4);
      line(runs.steps(found.errs), "    errs:  ", 6);
      line(runs.steps(found.works), "    works: ", 6);
      if (const std::string state = runs.differing_state(found); !state.empty())
        line(state, "    before the last call: ", 6);
    }
  }

  void bounds() {
    if (!interface_.permissive_bound) return;
    section("Bounds");
    line(fmt::format("The wanted interface lies between this one, which is safe, and one with {} "
                     "that refuses only what surely errs.",
                     count_of(interface_.permissive_bound->states.size(), "state")),
         "  ", 2);
    if (!interface_.open_word.empty())
      text_ += wrap_items(interface_.open_word, " ·", options_.width,
                          "  shortest word between them: ", 4);
  }

  void parts() {
    if (interface_.parts.empty()) return;
    section("Parts");
    for (const InterfacePart& part : interface_.parts) {
      line(part.name + ": " + verdict_sentence(part.interface), "  ", 4);
      if (!part.fields.empty())
        line(fmt::format("{}", fmt::join(part.fields, ", ")), "    state: ", 6);
    }
  }

  void assumptions() {
    const auto& all = interface_.verdict.assumptions;
    if (all.empty()) return;
    section("Assumptions");
    if (options_.all_assumptions) {
      for (const std::string& text : all) line(text, "  - ", 4);
      return;
    }
    std::size_t said = 0;
    for (const AssumptionGroup& group : assumption_groups(interface_)) {
      line(group.text, "  - ", 4);
      ++said;
    }
    if (said < all.size()) line("'tacit show --assumptions' lists them one by one", "  ", 2);
  }

  const Interface& interface_;
  const TextOptions& options_;
  GuardedText texts_;
  std::string text_;
  std::vector<std::size_t> allowing_; // states per call
};

} // namespace

std::string show_text(const Interface& interface, const TextOptions& options) {
  return TextWriter(interface, options).run();
}

} // namespace tacit
