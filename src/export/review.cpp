#include "export/review.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

#include "export/first_lines.h"
#include "export/guarded_text.h"
#include "export/labels.h"
#include "export/layout.h"
#include "export/plain_label.h"
#include "export/text.h"
#include "interface/source_words.h"
#include "logic/term/print.h"
#include "program/text/read.h"

namespace tacit {

namespace {

constexpr std::size_t most_lines = 5;       // more are no review but a list
constexpr std::size_t most_in_sentence = 4; // calls, states in one sentence

/// Words of a label that say that something is over.
constexpr std::string_view final_words[] = {"closed",     "finished",  "done",      "failed",
                                            "released",   "cancelled", "canceled",  "aborted",
                                            "terminated", "disposed",  "destroyed", "finalized",
                                            "ended",      "completed", "dead",      "shutdown"};

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string some(const std::vector<std::string>& names) {
  if (names.size() <= most_in_sentence) return enumerate(names);
  return fmt::format("{} and {} more",
                     fmt::join(names.begin(), names.begin() + most_in_sentence, ", "),
                     names.size() - most_in_sentence);
}

/// What the procedures of a module assign to its state.
class Writes {
public:
  explicit Writes(const Module& module) : module_(module) {
    for (const StateVariable& variable : module.state)
      if (variable.initial) initial_[variable.name()] = variable.initial;
    for (const Procedure& p : module.procedures)
      if (p.kind == ProcedureKind::Constructor) begin(p);
    std::erase_if(initial_, [](const auto& known) { return known.second == nullptr; });
  }

  /// What a variable is in the beginning; null where that is not one constant.
  Term initial(const std::string& variable) const {
    const auto known = initial_.find(variable);
    return known == initial_.end() ? nullptr : known->second;
  }

  /// Variables that a call writes, whatever it calls; those that it sets to where they began.
  struct Of {
    std::set<std::string> written, cleared;
    bool constant = true; // nothing but constants is written
  };

  Of of(const std::string& procedure) const {
    Of found;
    std::set<std::string> seen;
    collect(procedure, found, seen);
    return found;
  }

private:
  void begin(const Procedure& constructor) {
    for (const Block& block : constructor.blocks)
      for (const Statement& s : block.statements) {
        const auto index = s.target ? module_.state_index(s.target) : std::nullopt;
        if (!index) continue;
        const bool constant = s.kind == StatementKind::Assign && is_constant(s.value);
        const Term value = constant ? s.value : nullptr;
        const auto [known, added] = initial_.try_emplace(module_.state[*index].name(), value);
        if (!added && known->second != value) known->second = nullptr;
      }
  }

  void collect(const std::string& name, Of& found, std::set<std::string>& seen) const {
    const Procedure* procedure = module_.find_procedure(name);
    if (!procedure || !seen.insert(name).second) return;
    found.written.insert(procedure->writes.begin(), procedure->writes.end());
    found.constant &= procedure->writes.empty();
    for (const Block& block : procedure->blocks) {
      for (const Statement& s : block.statements) {
        const auto index = s.target ? module_.state_index(s.target) : std::nullopt;
        if (!index) continue;
        const StateVariable& variable = module_.state[*index];
        found.written.insert(variable.name());
        found.constant &= s.kind == StatementKind::Assign && is_constant(s.value);
        const Term begun = initial(variable.name());
        if (s.kind == StatementKind::Assign && begun != nullptr && s.value == begun)
          found.cleared.insert(variable.name());
      }
      if (block.end.result)
        if (const auto index = module_.state_index(block.end.result))
          found.written.insert(module_.state[*index].name()), found.constant = false;
      if (block.end.kind == TerminatorKind::Call) collect(block.end.name, found, seen);
    }
  }

  const Module& module_;
  std::map<std::string, Term> initial_;
};

class Review {
public:
  explicit Review(const Interface& interface)
      : interface_(interface), words_(interface), shown_(shown_labels(interface)) {
    for (const InterfaceState& state : interface.states)
      labels_.push_back(interface.options.integers == Integers::Machine
                            ? alternatives_of(state.label)
                            : plain_alternatives(state.label, words_.enumerations()));
  }

  std::vector<std::string> run(bool all) {
    never();
    constructors();
    forgotten();
    if (all) failures();
    left_final_states();
    if (all) outcomes();
    if (all) without_effect();
    return std::move(lines_);
  }

private:
  const std::string& name(std::size_t call) const { return interface_.calls[call].name; }

  /// Whether what is refused is refused because it errs, and not because the search has not ended.
  bool settled() const { return interface_.verdict.permissive == Claim::Proved; }

  void never() {
    const auto names = never_names(interface_);
    if (names.empty() || !settled()) return;
    std::string why;
    if (names.size() == 1)
      for (const Refusal& refusal : interface_.forbidden)
        if (refusal.state && interface_.refused_name(refusal) == names[0] && why.empty())
          why = fmt::format(": {} at {}", refusal.shown_error(), refusal.shown_at());
    lines_.push_back(fmt::format("nothing allows {}{}", some(names), why));
  }

  void constructors() {
    if (!settled()) return;
    for (const std::string& constructor : interface_.constructors) {
      if (std::ranges::find(interface_.initial, constructor, &InitialState::constructor) !=
          interface_.initial.end())
        continue;
      std::string why;
      for (const Refusal& refusal : interface_.forbidden)
        if (!refusal.state && interface_.refused_name(refusal) == constructor)
          why = fmt::format(": {} at {}", refusal.shown_error(), refusal.shown_at());
      lines_.push_back(fmt::format("the constructor {} cannot succeed{}", constructor, why));
    }
  }

  // A variable that stays as it was.

  /// Whether the label says that a variable is as it was in the beginning, or that it is not.
  std::optional<bool> is_initial(State state, const std::string& variable, Term begun) const {
    const std::string name = quote_name(variable), initial = to_string(begun);
    const bool boolean = begun->sort->kind == SortKind::Bool;
    const auto says = [&](const std::string& conjunct) -> std::optional<bool> {
      if (boolean && conjunct == name) return initial == "true";
      if (boolean && conjunct == "!" + name) return initial == "false";
      if (conjunct == fmt::format("{} == {}", name, initial)) return true;
      if (conjunct == fmt::format("{} != {}", name, initial)) return false;
      if (conjunct.starts_with(name + " == ")) return false;
      if (initial == "0" && conjunct == name + " > 0") return false;
      return std::nullopt;
    };
    std::optional<bool> all;
    for (const auto& alternative : labels_[state]) {
      std::optional<bool> here;
      for (const std::string& conjunct : alternative)
        if (const auto said = says(conjunct)) here = said;
      if (!here || (all && *all != *here)) return std::nullopt;
      all = here;
    }
    return all;
  }

  /// A call that keeps a variable, where another one clears it together with what this one changes.
  struct Kept {
    std::size_t call = 0, other = 0;
    const InterfaceTransition* usual = nullptr; // from where the variable is as in the beginning
    const InterfaceTransition* keeps = nullptr; // from where it is not
  };

  void forgotten() {
    if (interface_.tir.empty()) return;
    const auto module = read_module(interface_.tir, interface_.component_name + ".tir");
    if (!module) return;
    const Writes writes(*module);
    std::vector<Writes::Of> of;
    for (const InterfaceCall& call : interface_.calls) of.push_back(writes.of(call.name));
    for (const StateVariable& variable : module->state) {
      const Term begun = writes.initial(variable.name());
      if (begun == nullptr) continue;
      std::vector<Kept> found;
      for (std::size_t call = 0; call < of.size(); ++call) {
        if (of[call].written.contains(variable.name())) continue;
        for (std::size_t other = 0; other < of.size(); ++other) {
          if (!is_like(of[other], of[call], variable.name())) continue;
          if (const auto kept = keeps(call, other, variable.name(), begun)) found.push_back(*kept);
          break;
        }
      }
      // One that sets what another clears is not like it.
      const bool clears = std::ranges::any_of(found, [&](const Kept& one) {
        return std::ranges::any_of(of[one.call].cleared, [&](const std::string& name) {
          return of[one.other].cleared.contains(name);
        });
      });
      if (clears) tell_forgotten(found, variable.shown_name(), of);
      if (std::ranges::none_of(
              of, [&](const Writes::Of& one) { return one.cleared.contains(variable.name()); }))
        never_cleared(variable, begun, of);
    }
  }

  /// Whether the one clears the variable, and everything else that it clears the other writes.
  static bool is_like(const Writes::Of& clearing, const Writes::Of& other,
                      const std::string& variable) {
    return clearing.cleared.contains(variable) && clearing.cleared.size() > 1 &&
           std::ranges::all_of(clearing.cleared, [&](const std::string& name) {
             return name == variable || other.written.contains(name);
           });
  }

  /// Where the protocol shows that a call keeps the variable.
  std::optional<Kept> keeps(std::size_t call, std::size_t other, const std::string& variable,
                            Term begun, bool surely = false) const {
    Kept kept{call, other};
    for (const InterfaceTransition& t : interface_.transitions) {
      if (t.call != call || fails(t)) continue;
      const auto before = is_initial(t.from, variable, begun),
                 after = is_initial(t.to, variable, begun);
      if (before == true && !kept.usual) kept.usual = &t;
      const bool stays =
          surely ? before == false && after == false : before != true && after != true;
      if (stays && !kept.keeps) kept.keeps = &t;
    }
    if (!kept.keeps || !kept.usual || kept.keeps->to == kept.usual->to) return std::nullopt;
    return kept;
  }

  bool fails(const InterfaceTransition& t) const {
    return interface_.calls[t.call].outcomes[t.outcome].starts_with("throws");
  }

  /// Worth telling where a client sees the difference.
  void tell_forgotten(const std::vector<Kept>& found, const std::string& variable,
                      const std::vector<Writes::Of>& of) {
    for (const Kept& kept : found) {
      const std::string seen = effects(kept.keeps->to, kept.usual->to);
      if (seen.empty()) continue;
      std::vector<std::string> calls;
      for (const Kept& one : found) calls.push_back(name(one.call));
      std::vector<std::string> others = owners(of[kept.other].cleared);
      std::erase_if(others, [&](const std::string& other) {
        return other == variable || variable.starts_with(other + ".");
      });
      std::vector<std::string> word = word_to(kept.keeps->from);
      word.push_back(name(kept.call));
      lines_.push_back(fmt::format(
          "{} {} {}, as {} does, but {} {} as it was: after {}, {}, unlike after a first {}",
          some(calls), calls.size() == 1 ? "changes" : "change", some(others), name(kept.other),
          calls.size() == 1 ? "leaves" : "leave", variable, fmt::join(word, " · "), seen,
          name(kept.call)));
      return;
    }
  }

  /// What a call leaves as it was that puts all else that it writes back to where it began.
  void never_cleared(const StateVariable& variable, Term begun, const std::vector<Writes::Of>& of) {
    if (looks_final(variable.shown_name())) return;
    for (std::size_t call = 0; call < of.size(); ++call) {
      if (of[call].cleared.size() < 2 || of[call].cleared != of[call].written) continue;
      const auto kept = keeps(call, call, variable.name(), begun, true);
      if (!kept) continue;
      const std::string seen = effects(kept->keeps->to, kept->usual->to);
      if (seen.empty()) continue;
      std::vector<std::string> word = word_to(kept->keeps->from);
      word.push_back(name(call));
      lines_.push_back(fmt::format("nothing puts {} back, not even {}, which does so with {}: "
                                   "after {}, {}, unlike after a first {}",
                                   variable.shown_name(), name(call),
                                   enumerate(owners(of[call].cleared)), fmt::join(word, " · "),
                                   seen, name(call)));
      return;
    }
  }

  /// Of variables that stand for parts and sizes of objects, the objects.
  std::vector<std::string> owners(const std::set<std::string>& variables) const {
    std::vector<std::string> names;
    for (const std::string& variable : variables) {
      std::string field = words_.field(variable);
      for (const std::string_view part :
           {".size()", ".length()", ".has", ".has_value()", ".contains"})
        if (field.ends_with(part)) field.erase(field.size() - part.size());
      if (!field.empty() && std::ranges::find(names, field) == names.end()) names.push_back(field);
    }
    return names;
  }

  /// What works or is refused in one state, unlike in another; "" when clients see no difference.
  std::string effects(State then, State usual) const {
    std::vector<std::string> works, refused, parts;
    std::string guarded;
    for (std::size_t c = 0; c < interface_.calls.size(); ++c) {
      const auto how = [&](State q) { // never, sometimes, always
        return !interface_.states[q].allows[c] ? 0 : interface_.find_guard(q, c) ? 1 : 2;
      };
      if (how(then) > how(usual)) works.push_back(name(c));
      if (how(then) < how(usual) && how(then) == 0) refused.push_back(name(c));
      if (how(then) == 1 && how(usual) == 2 && guarded.empty())
        guarded = fmt::format("{} is refused unless {}", name(c),
                              words_.guard(name(c), interface_.find_guard(then, c)->condition));
    }
    if (!works.empty()) parts.push_back(some(works) + (works.size() == 1 ? " works" : " work"));
    if (!refused.empty())
      parts.push_back(some(refused) + (refused.size() == 1 ? " is refused" : " are refused"));
    if (!guarded.empty()) parts.push_back(guarded);
    return fmt::format("{}", fmt::join(parts, " and "));
  }

  /// A shortest word into a state.
  std::vector<std::string> word_to(State wanted) const {
    std::map<State, std::pair<State, std::string>> from;
    std::deque<State> open;
    for (const InitialState& start : interface_.initial)
      if (from.try_emplace(start.state, start.state, "").second) open.push_back(start.state);
    for (; !open.empty() && !from.contains(wanted); open.pop_front())
      for (const InterfaceTransition& t : interface_.outgoing(open.front()))
        if (from.try_emplace(t.to, t.from, letter_name(interface_.calls[t.call], t.outcome)).second)
          open.push_back(t.to);
    std::vector<std::string> word;
    for (State at = wanted; from.contains(at) && !from.at(at).second.empty();
         at = from.at(at).first)
      word.insert(word.begin(), from.at(at).second);
    return word;
  }

  /// "pop fails and still changes the state: pop:throws=E leads from 1 to 2". Calls that do so in
  /// the same way are one line.
  void failures() {
    std::map<std::size_t, std::vector<const InterfaceTransition*>> found;
    for (const InterfaceTransition& t : interface_.transitions)
      if (t.to != t.from && fails(t) && !only_tells(t)) found[t.call].push_back(&t);
    const auto way = [&](const InterfaceTransition& t) {
      return std::tuple(interface_.calls[t.call].outcomes[t.outcome], t.from, t.to);
    };
    std::set<std::size_t> told;
    for (const auto& [call, transitions] : found) {
      const InterfaceTransition& first = *transitions[0];
      if (told.contains(call)) continue;
      std::vector<std::string> calls;
      for (const auto& [other, theirs] : found)
        if (way(*theirs[0]) == way(first) && told.insert(other).second)
          calls.push_back(name(other));
      lines_.push_back(fmt::format(
          "{} {} the state: {} leads from {} to {}{}", some(calls),
          calls.size() == 1 ? "fails and still changes" : "fail and still change",
          letter_name(interface_.calls[call], first.outcome), state(first.from), state(first.to),
          is_dead_end(first.to) ? ", and no call leads out of that" : ""));
    }
  }

  bool is_dead_end(State q) const {
    return std::ranges::all_of(interface_.outgoing(q),
                               [&](const InterfaceTransition& t) { return t.to == q; });
  }

  /// Whether nothing changes but what the client knows.
  static bool only_tells(const InterfaceTransition& t) {
    return t.example && !t.example->steps.empty() && !t.before.empty() &&
           t.before == t.example->steps.back().after;
  }

  std::string state(State q) const {
    const std::string& label = shown_.states[q];
    constexpr std::size_t longest = 40;
    return label.empty() || label == "true" || label.size() > longest
               ? fmt::format("state {}", q)
               : fmt::format("state {} ({})", q, label);
  }

  /// The words of names, `isClosed` and `ST_CLOSED` both have `closed`.
  static std::set<std::string> words_of(std::string_view text) {
    std::set<std::string> words;
    std::string word;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ' ';
      const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
      const bool begins = letter && std::isupper(static_cast<unsigned char>(c)) != 0 && i > 0 &&
                          std::islower(static_cast<unsigned char>(text[i - 1])) != 0;
      if (!letter || begins) words.insert(lower_case(std::exchange(word, "")));
      if (letter) word += c;
    }
    return words;
  }

  static bool looks_final(const std::string& conjunct) {
    if (conjunct.starts_with('!') || conjunct.find("!=") != std::string::npos ||
        conjunct.ends_with("== false"))
      return false;
    const std::set<std::string> words = words_of(conjunct);
    return std::ranges::any_of(
        final_words, [&](std::string_view word) { return words.contains(std::string(word)); });
  }

  /// What every alternative of a label says.
  std::vector<std::string> final_facts(State q) const {
    std::vector<std::string> facts;
    for (const std::string& conjunct : labels_[q][0])
      if (looks_final(conjunct) && holds(q, conjunct)) facts.push_back(conjunct);
    return facts;
  }

  bool holds(State q, const std::string& conjunct) const {
    return std::ranges::all_of(labels_[q], [&](const auto& alternative) {
      return std::ranges::find(alternative, conjunct) != alternative.end();
    });
  }

  bool allows_most(State q) const {
    const auto& allows = interface_.states[q].allows;
    return 2 * std::ranges::count(allows, true) > std::ssize(allows);
  }

  bool nothing_follows(State q) const {
    return std::ranges::none_of(interface_.states[q].allows, [](bool allowed) { return allowed; });
  }

  /// By what looks final: a door that is closed is opened again, but little is allowed where
  /// something is over.
  void left_final_states() {
    std::map<std::string, std::pair<std::vector<State>, std::vector<std::string>>> found;
    for (State q = 0; q < interface_.states.size(); ++q) {
      const bool start = std::ranges::any_of(
          interface_.initial, [&](const InitialState& initial) { return initial.state == q; });
      if (start || allows_most(q)) continue;
      for (const std::string& fact : final_facts(q)) {
        std::vector<std::string> leaving;
        for (const InterfaceTransition& t : interface_.outgoing(q))
          if (!holds(t.to, fact) && !nothing_follows(t.to) &&
              std::ranges::find(leaving, name(t.call)) == leaving.end())
            leaving.push_back(name(t.call));
        if (leaving.empty()) continue;
        auto& [states, calls] = found[fact];
        states.push_back(q);
        for (const std::string& call : leaving)
          if (std::ranges::find(calls, call) == calls.end()) calls.push_back(call);
        break;
      }
    }
    for (const auto& [fact, where] : found) {
      const auto& [states, calls] = where;
      lines_.push_back(fmt::format("{} {} final ({}), and {} {} {}",
                                   states.size() == 1 ? fmt::format("state {}", states[0])
                                                      : "states " + numbers_text(states),
                                   states.size() == 1 ? "looks" : "look", words_.conjunct(fact),
                                   some(calls), calls.size() == 1 ? "leaves" : "leave",
                                   states.size() == 1 ? "it" : "them"));
    }
  }

  void outcomes() {
    if (interface_.verdict.safe != Claim::Proved) return;
    std::vector<std::string> letters;
    for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
      const InterfaceCall& c = interface_.calls[call];
      for (std::size_t o = 0; o < c.outcomes.size(); ++o) {
        bool happens = false, called = false;
        for (const InterfaceTransition& t : interface_.transitions) {
          if (t.call != call) continue;
          called = true;
          happens |= t.outcome == o;
        }
        if (called && !happens && c.outcomes[o].starts_with("returns="))
          letters.push_back(letter_name(c, o));
      }
    }
    if (!letters.empty())
      lines_.push_back(fmt::format("what cannot happen in a legal use: {}", some(letters)));
  }

  /// Calls that move elsewhere, in states where they do not. One that counts or keeps what it is
  /// given has an effect that no state tells.
  void without_effect() {
    const auto module = interface_.tir.empty()
                            ? Result<Module>(std::unexpected(Diagnostic{}))
                            : read_module(interface_.tir, interface_.component_name + ".tir");
    std::optional<Writes> writes;
    if (module) writes.emplace(*module);
    std::vector<std::string> found;
    for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
      std::vector<State> still;
      bool moves = false;
      for (State q = 0; q < interface_.states.size(); ++q) {
        const auto out = interface_.outgoing(q, call);
        if (out.empty()) continue;
        const bool stays = std::ranges::all_of(
            out, [&](const InterfaceTransition& t) { return t.to == q && t.set.empty(); });
        if (stays)
          still.push_back(q);
        else
          moves = true;
      }
      if (moves && still.size() == 1 && (!writes || writes->of(name(call)).constant))
        found.push_back(fmt::format("{} in state {}", name(call), still[0]));
    }
    if (!found.empty()) lines_.push_back(fmt::format("legal, but without effect: {}", some(found)));
  }

  const Interface& interface_;
  SourceWords words_;
  ShownLabels shown_;
  std::vector<std::vector<std::vector<std::string>>> labels_; // alternatives of conjuncts, by state
  std::vector<std::string> lines_;
};

} // namespace

std::vector<std::string> surprises(const Interface& interface) {
  return interface.kind == "interface" && !interface.states.empty() ? Review(interface).run(true)
                                                                    : std::vector<std::string>{};
}

std::vector<std::string> likely_defects(const Interface& interface) {
  return interface.kind == "interface" && !interface.states.empty() ? Review(interface).run(false)
                                                                    : std::vector<std::string>{};
}

std::string show_review(const Interface& interface, std::size_t width) {
  std::string text = wrap(
      fmt::format("{}: {}", interface.component_name, verdict_sentence(interface)), width, "", 2);
  for (const std::string& line : first_lines(interface))
    if (!line.starts_with("never allowed")) text += wrap(line, width, "  ", 4);
  const auto found = surprises(interface);
  if (found.empty()) return text + "\nNothing stands out.\n";
  text += "\nTo look at\n";
  for (std::size_t i = 0; i < std::min(found.size(), most_lines); ++i)
    text += wrap(found[i], width, "  - ", 4);
  if (found.size() > most_lines)
    text += fmt::format("  … and {} more of the kind\n", found.size() - most_lines);
  return text;
}

} // namespace tacit
