#include "export/diagram.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/ranges.h>

#include "export/drawing.h"
#include "export/epa_text.h"
#include "export/guarded_text.h"
#include "export/layout.h"
#include "export/moves.h"
#include "export/text.h"
#include "interface/conditions.h"
#include "interface/source_words.h"

namespace tacit {
namespace {

constexpr std::size_t max_letters = 12, max_width = 60;

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Mermaid has entities with decimal numbers, `#58;`.
std::string mermaid_text(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (plain(c) || c == '.' || c == '=' || c == '_' || c == ',')
      result += c;
    else
      result += fmt::format("#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return result;
}

/// PlantUML reads mark-up everywhere and has `<U+003A>` for characters.
std::string plantuml_text(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (plain(c) || c == '.' || c == '=' || c == ',')
      result += c;
    else
      result += fmt::format("<U+{:04X}>", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return result;
}

std::string joined(const std::vector<std::string>& lines, std::string_view separator,
                   const std::function<std::string(std::string_view)>& escape) {
  std::string text;
  for (const std::string& line : lines)
    text += (text.empty() ? "" : std::string(separator)) + escape(line);
  return text;
}

std::string too_large(const Drawing& drawing) {
  return fmt::format("{} and {} are too many for a picture.",
                     count_of(drawing.nodes.size(), "state"),
                     count_of(drawing.edges.size(), "edge"));
}

std::string mermaid(const Drawing& drawing) {
  std::string text = "stateDiagram-v2\n    direction LR\n";
  if (!fits(drawing)) return text + "    %% " + too_large(drawing) + "\n";
  for (const DrawnNode& node : drawing.nodes) {
    std::string label = std::to_string(node.state);
    if (!node.label.empty()) label += ": " + shorten(node.label, max_width);
    text += fmt::format("    state \"{}\" as s{}\n", mermaid_text(label), node.state);
  }
  for (const DrawnStart& start : drawing.starts)
    text += fmt::format(
        "    [*] --> s{} : {}\n", start.state,
        joined(start_lines(start, max_letters, drawing.letter_width), ", ", mermaid_text));
  for (const DrawnEdge& edge : drawing.edges)
    text += fmt::format(
        "    s{} --> s{} : {}\n", edge.from, edge.to,
        joined(edge_lines(edge, max_letters, drawing.letter_width), ", ", mermaid_text));
  if (drawing.legend.empty() || drawing.nodes.empty()) return text;
  text += "    note right of s0\n";
  for (const std::string& line : drawing.legend)
    text += fmt::format("        {}\n", mermaid_text(shorten(line, drawing.letter_width)));
  return text + "    end note\n";
}

/// The letters of one set as sentences name them: the call alone when all its outcomes are in.
std::vector<std::string> names_of(const Interface& interface,
                                  const std::set<std::pair<std::size_t, std::size_t>>& letters,
                                  const NameWriter& name) {
  std::vector<std::string> names;
  for (std::size_t call = 0; call < interface.calls.size(); ++call) {
    const InterfaceCall& known = interface.calls[call];
    std::vector<std::string> some;
    for (std::size_t outcome = 0; outcome < known.outcomes.size(); ++outcome)
      if (letters.contains({call, outcome})) some.push_back(name(letter_name(known, outcome)));
    if (some.size() == known.outcomes.size() && !some.empty()) some = {name(known.name)};
    names.insert(names.end(), some.begin(), some.end());
  }
  return names;
}

std::string any_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  if (shown < names.size()) text += fmt::format(" or {} other calls", names.size() - shown);
  return text;
}

} // namespace

/// Code in a Markdown table: a bar would end the cell, a backquote the code, so names with such
/// characters are written as HTML.
std::string markdown_code(std::string_view text, std::size_t width) {
  const std::string shown = shorten(text, width);
  if (!shown.empty() && shown.find_first_of("`|\\") == std::string::npos && shown.front() != ' ' &&
      shown.back() != ' ')
    return "`" + shown + "`";
  std::string result = "<code>";
  for (const char c : shown)
    result += plain(c) ? std::string(1, c)
                       : fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return result + "</code>";
}

std::string show_mermaid(const Interface& interface) { return mermaid(drawing_of(interface)); }

std::string show_plantuml(const Interface& interface) {
  const Drawing drawing = drawing_of(interface);
  std::string text = "@startuml\nhide empty description\nleft to right direction\n";
  if (!fits(drawing)) return text + "' " + too_large(drawing) + "\n@enduml\n";
  for (const DrawnNode& node : drawing.nodes)
    text += fmt::format("state \"{}\" as s{}\n", joined(node_lines(node, 28), "\\n", plantuml_text),
                        node.state);
  for (const DrawnStart& start : drawing.starts)
    text += fmt::format(
        "[*] --> s{} : {}\n", start.state,
        joined(start_lines(start, max_letters, drawing.letter_width), "\\n", plantuml_text));
  for (const DrawnEdge& edge : drawing.edges)
    text += fmt::format(
        "s{} --> s{} : {}\n", edge.from, edge.to,
        joined(edge_lines(edge, max_letters, drawing.letter_width), "\\n", plantuml_text));
  if (!drawing.legend.empty()) {
    text += "legend\n";
    for (const std::string& line : drawing.legend)
      text += plantuml_text(shorten(line, drawing.letter_width)) + "\n";
    text += "end legend\n";
  }
  return text + "@enduml\n";
}

namespace {

/// What the arguments of a call have to satisfy: "when …", state by state where that differs.
std::string guard_sentence(const Interface& interface, std::size_t call, const NameWriter& name) {
  constexpr std::size_t most = 6;
  const SourceWords words(interface);
  std::vector<std::pair<std::string, std::vector<State>>> conditions;
  std::size_t allowing = 0;
  for (State q = 0; q < interface.states.size(); ++q) {
    if (!interface.states[q].allows[call]) continue;
    ++allowing;
    const ArgumentGuard* guard = interface.find_guard(q, call);
    if (!guard) continue;
    const std::string text = words.guard(interface.calls[call].name, guard->condition);
    auto found = std::ranges::find(conditions, text,
                                   [](const auto& c) -> const std::string& { return c.first; });
    if (found == conditions.end()) found = conditions.insert(found, {text, {}});
    found->second.push_back(q);
  }
  if (conditions.empty()) return "";
  if (conditions.size() == 1 && conditions[0].second.size() == allowing)
    return "when " + name(conditions[0].first);
  std::string text;
  for (std::size_t i = 0; i < std::min(conditions.size(), most); ++i)
    text += fmt::format("{}when {} in {} {}", i > 0 ? ", " : "", name(conditions[i].first),
                        conditions[i].second.size() == 1 ? "state" : "states",
                        fmt::join(conditions[i].second, ", "));
  return text + (conditions.size() > most ? ", …" : "");
}

void add_guard(std::string& sentence, const Interface& interface, std::size_t call,
               const NameWriter& name) {
  if (const std::string guard = guard_sentence(interface, call, name); !guard.empty())
    sentence += "; " + guard;
}

} // namespace

std::vector<CallRule> call_rules(const Interface& interface, const NameWriter& name) {
  using LetterSet = std::set<std::pair<std::size_t, std::size_t>>;
  std::vector<CallRule> rules;
  for (std::size_t call = 0; call < interface.calls.size(); ++call) {
    CallRule& rule = rules.emplace_back(interface.calls[call].name, "");
    const auto allowed = [&](State q) {
      return static_cast<bool>(interface.states[q].allows[call]);
    };
    std::vector<State> where;
    for (State q = 0; q < interface.states.size(); ++q)
      if (allowed(q)) where.push_back(q);
    if (where.size() == interface.states.size()) {
      rule.sentence = guard_sentence(interface, call, name);
      continue;
    }
    if (where.empty()) {
      rule.sentence = "never";
      continue;
    }
    LetterSet enters, leaves;
    for (const InterfaceTransition& t : interface.transitions)
      if (allowed(t.from) != allowed(t.to))
        (allowed(t.to) ? enters : leaves).emplace(t.call, t.outcome);
    // The sentence is exact when its letters decide wherever they happen; all others keep what is.
    const bool exact =
        std::ranges::all_of(interface.transitions, [&](const InterfaceTransition& t) {
          const std::pair letter(t.call, t.outcome);
          if (enters.contains(letter)) return allowed(t.to);
          return !leaves.contains(letter) || !allowed(t.to);
        });
    std::vector<std::string> after = names_of(interface, enters, name);
    std::size_t from_start = 0;
    for (const InitialState& start : interface.initial) from_start += allowed(start.state);
    const bool always_at_start = from_start == interface.initial.size();
    if (from_start > 0 && !always_at_start)
      for (const InitialState& start : interface.initial)
        if (allowed(start.state)) after.push_back("the constructor " + name(start.constructor));
    if (!exact) {
      std::string states;
      for (std::size_t i = 0; i < std::min<std::size_t>(where.size(), 12); ++i)
        states += (i > 0 ? ", " : "") + std::to_string(where[i]);
      rule.sentence = fmt::format("only in {} {}{}", where.size() == 1 ? "state" : "states", states,
                                  where.size() > 12 ? " and others" : "");
      if (!always_at_start && !after.empty()) rule.sentence += "; not before " + any_of(after);
      add_guard(rule.sentence, interface, call, name);
      continue;
    }
    bool once = false;
    LetterSet ends;
    for (const auto& letter : leaves) {
      if (letter.first == call)
        once = true;
      else
        ends.insert(letter);
    }
    // A call that sometimes leaves is not "once"; it ends its own time like any other.
    const std::size_t own = static_cast<std::size_t>(
        std::ranges::count_if(leaves, [&](const auto& letter) { return letter.first == call; }));
    if (once && own < interface.calls[call].outcomes.size()) {
      once = false;
      ends = leaves;
    }
    const std::vector<std::string> until = names_of(interface, ends, name);
    std::string& text = rule.sentence;
    text = always_at_start ? "from the start" : "only after " + any_of(after);
    if (once) text += ", once";
    if (!until.empty()) text += (once ? " and not after " : ", until ") + any_of(until);
    if (always_at_start && !after.empty()) text += "; again after " + any_of(after);
    add_guard(text, interface, call, name);
  }
  return rules;
}

namespace {

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

} // namespace

std::string show_markdown(const Interface& interface) {
  const Drawing drawing = drawing_of(interface);
  std::string text = fmt::format("## {} of {}\n\n", capital(what_it_is(interface)),
                                 markdown_code(interface.component_name));
  // The sentence has no name of the component in it.
  text += verdict_sentence(interface) + "\n\n";
  const auto list = [&](std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    text += fmt::format("\n### {}\n\n", title);
    for (const std::string& line : lines) text += fmt::format("- {}\n", markdown_code(line, 400));
  };
  if (interface.initial.empty()) return text + "No constructor can be used.\n";

  if (interface.epa) {
    list("Findings", remark_lines(interface));
    list("Enabled when", clause_lines(interface));
    list("Marks", mark_lines(interface));
    text += "\n";
  }
  text += "### Rules\n\n";
  const auto name = [](std::string_view letter) { return markdown_code(letter); };
  for (const CallRule& rule : call_rules(interface, name))
    text += fmt::format("- {}: {}\n", markdown_code(rule.call),
                        rule.sentence.empty() ? "always" : rule.sentence);
  constexpr std::size_t most = 200;
  text += "\n### States\n\n| state | holds there | allows |\n|---|---|---|\n";
  for (std::size_t q = 0, edge = 0; q < std::min(drawing.nodes.size(), most); ++q) {
    std::string allows;
    for (; edge < drawing.edges.size() && drawing.edges[edge].from == q; ++edge) {
      const DrawnEdge& drawn = drawing.edges[edge];
      std::string letters;
      for (const std::string& letter : edge_lines(drawn, max_letters, drawing.letter_width))
        letters += (letters.empty() ? "" : ", ") + markdown_code(letter);
      allows += fmt::format("{}{} → {}", allows.empty() ? "" : "; ", letters, drawn.to);
    }
    const std::string& label = drawing.nodes[q].label;
    text += fmt::format("| {} | {} | {} |\n", q, label.empty() ? "" : markdown_code(label, 200),
                        allows.empty() ? "nothing" : allows);
  }
  if (drawing.nodes.size() > most)
    text += fmt::format("\nThe first {} of {} states.\n", most, drawing.nodes.size());

  const auto groups = refusal_groups(interface);
  if (!groups.empty()) {
    text += "\n### Refused\n\n| call | in | because | shortest sequence |\n|---|---|---|---|\n";
    for (std::size_t i = 0; i < std::min(groups.size(), most); ++i) {
      const RefusalGroup& group = groups[i];
      const std::string states = numbers_text(group.states);
      std::string word;
      constexpr std::size_t longest = 30;
      for (std::size_t k = 0; k < std::min(group.word.size(), longest); ++k)
        word += (k > 0 ? " · " : "") + markdown_code(group.word[k], max_width);
      if (group.word.size() > longest) word += fmt::format(" … ({} calls)", group.word.size());
      std::string needs;
      for (const OpaqueNeed& need : group.needs)
        needs += (needs.empty() ? " " : ", ") + markdown_code(to_string(need));
      text += fmt::format("| {} | {} | {}{}{} | {} |\n", markdown_code(group.name),
                          group.constructor ? "constructor" : states,
                          group.error.empty() ? "" : markdown_code(group.error),
                          group.at.empty() ? "" : " at " + markdown_code(group.at), needs, word);
    }
    if (groups.size() > most) text += fmt::format("\n… and {} more.\n", groups.size() - most);
  }
  list("Tracked values", tracked_lines(interface));
  if (!interface.error_sites.empty()) list("Errors", error_lines(interface));
  list("Set aside", aside_lines(interface));
  list("Left out", left_out_lines(interface));
  const bool readings = !interface.guards.empty() && !interface.guarded();
  if (readings) text += "\n### Good arguments\n\n";
  for (std::size_t i = 0; readings && i < std::min(interface.guards.size(), most); ++i) {
    const ArgumentGuard& guard = interface.guards[i];
    text += fmt::format("- {} in state {}: {}\n", markdown_code(interface.calls[guard.call].name),
                        guard.state, markdown_code(guard.condition, 200));
  }
  if (fits(drawing, {.states = 60, .edges = 200}))
    text += "\n### Picture\n\n```mermaid\n" + mermaid(drawing) + "```\n";
  const auto& assumptions = interface.verdict.assumptions;
  if (!assumptions.empty()) text += "\n### Assumptions\n\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(assumptions.size(), 50); ++i)
    text += fmt::format("- {}\n", markdown_code(assumptions[i], 400));
  if (assumptions.size() > 50) text += fmt::format("- … and {} more\n", assumptions.size() - 50);
  return text;
}

} // namespace tacit
