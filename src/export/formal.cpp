#include "export/formal.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "export/guarded_text.h"
#include "export/markup.h"

namespace tacit {
namespace {

std::string percent(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '%' || byte < 0x20 || byte == 0x7f)
      result += fmt::format("%{:02X}", byte);
    else
      result += c;
  }
  return result;
}

/// With conditions, what stands on edges; else all letters.
std::vector<std::string> hoa_letters(const Interface& interface) {
  std::vector<std::string> letters;
  if (!interface.guarded()) {
    for (const auto& [call, outcome] : letters_of(interface).letters)
      letters.push_back(letter_name(interface.calls[call], outcome));
    return letters;
  }
  const GuardedText texts(interface);
  std::set<std::string> known;
  for (const InterfaceTransition& t : interface.transitions)
    if (std::string letter = texts.edge(t); known.insert(letter).second)
      letters.push_back(std::move(letter));
  return letters;
}

/// Two hyphens would end it.
std::string xml_comment(std::string text) {
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.replace(at, 2, "- -");
  return "<!-- " + markup_text(text) + " -->";
}

bool one_start(const Interface& interface) {
  return std::ranges::all_of(interface.initial, [&](const InitialState& start) {
    return start.state == interface.initial.front().state;
  });
}

/// HOA's strings have the escapes of C.
std::string hoa_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

/// Letters, digits, `-` and `_` stand for themselves, `_` doubled; everything else is _XX in
/// hexadecimal digits. So no two names become one.
std::string event_part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (plain)
      result += c;
    else if (c == '_')
      result += "__";
    else
      result += fmt::format("_{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string event_name(const InterfaceCall& call, std::size_t outcome) {
  std::string name = event_part(call.name);
  if (call.outcomes.size() == 1) return name;
  // returns=true is returns.true.
  const std::string& text = call.outcomes[outcome];
  const std::size_t equals = text.find('=');
  name += "." + event_part(text.substr(0, equals));
  if (equals != std::string::npos) name += "." + event_part(text.substr(equals + 1));
  return name;
}

} // namespace

std::string show_aut(const Interface& interface) {
  const bool single = interface.initial.empty() || one_start(interface);
  const std::size_t extra = single ? 0 : 1;
  const std::size_t states = std::max<std::size_t>(interface.states.size() + extra, 1);
  std::string text =
      fmt::format("des ({}, {}, {})\n",
                  interface.initial.empty() ? 0
                  : single                  ? interface.initial.front().state
                                            : static_cast<State>(interface.states.size()),
                  interface.transitions.size() + (single ? 0 : interface.initial.size()), states);
  const GuardedText texts(interface);
  if (!single)
    for (const InitialState& start : interface.initial)
      text += fmt::format("({}, \"{}\", {})\n", interface.states.size(),
                          percent(texts.start(start)), start.state);
  for (const InterfaceTransition& t : interface.transitions)
    text += fmt::format("({}, \"{}\", {})\n", t.from, percent(texts.edge(t)), t.to);
  return text;
}

std::string show_hoa(const Interface& interface) {
  const std::vector<std::string> letters = hoa_letters(interface);
  const std::size_t count = letters.size();
  const GuardedText texts(interface);
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.try_emplace(letters[i], i);
  std::string text = fmt::format("HOA: v1\nname: {}\nStates: {}\n",
                                 hoa_string(interface.component_name), interface.states.size());
  std::set<State> starts;
  for (const InitialState& start : interface.initial) starts.insert(start.state);
  for (const State start : starts) text += fmt::format("Start: {}\n", start);
  text += fmt::format("AP: {}", count);
  for (const std::string& letter : letters) text += " " + hoa_string(letter);
  text += "\nacc-name: all\nAcceptance: 0 t\nproperties: trans-labels explicit-labels";
  if (interface.kind == "interface" && starts.size() <= 1) text += " deterministic";
  text += "\ntool: \"tacit\"\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("Alias: @l{} ", i);
    for (std::size_t k = 0; k < count; ++k)
      text += fmt::format("{}{}{}", k > 0 ? "&" : "", k == i ? "" : "!", k);
    text += "\n";
  }
  text += "--BODY--\n";
  std::size_t next = 0;
  for (State q = 0; q < interface.states.size(); ++q) {
    const std::string& label = interface.states[q].label;
    text += fmt::format("State: {}{}\n", q, label.empty() ? "" : " " + hoa_string(label));
    for (; next < interface.transitions.size() && interface.transitions[next].from == q; ++next) {
      const InterfaceTransition& t = interface.transitions[next];
      text += fmt::format("[@l{}] {}\n", numbers.at(texts.edge(t)), t.to);
    }
  }
  return text + "--END--\n";
}

std::string show_scxml(const Interface& interface) {
  const bool single = !interface.initial.empty() && one_start(interface);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"null\" "
      "initial=\"{}\">\n",
      interface.initial.empty() ? "refused"
      : single                  ? fmt::format("s{}", interface.initial.front().state)
                                : "start");
  // State charts without a data model know no conditions; they are told beside the transition.
  const auto transition = [&](const std::string& event, const std::string& target,
                              const std::string& condition = "") {
    text += fmt::format("    <transition event=\"{}\" target=\"{}\"/>{}\n", event, target,
                        condition.empty() ? "" : " " + xml_comment(condition));
  };
  const GuardedText texts(interface);
  const auto condition = [&](const InterfaceTransition& t) {
    const std::string whole = texts.edge(t), letter = texts.letter(t);
    return whole == letter ? "" : whole;
  };
  for (const std::string& line : tracked_lines(interface))
    text += "  " + xml_comment("tracked: " + line) + "\n";
  for (const InitialState& start : interface.initial)
    if (single && !(start.when.empty() && start.set.empty()))
      text += "  " + xml_comment("start: " + texts.start(start)) + "\n";
  if (!single && !interface.initial.empty()) {
    text += "  <state id=\"start\">\n";
    for (const InitialState& start : interface.initial)
      transition(event_part(start.constructor), fmt::format("s{}", start.state),
                 start.when.empty() && start.set.empty() ? "" : texts.start(start));
    text += "  </state>\n";
  }
  bool refuses = interface.initial.empty();
  std::size_t next = 0;
  for (State q = 0; q < interface.states.size(); ++q) {
    text += fmt::format("  <state id=\"s{}\">\n", q);
    for (; next < interface.transitions.size() && interface.transitions[next].from == q; ++next) {
      const InterfaceTransition& t = interface.transitions[next];
      transition(event_name(interface.calls[t.call], t.outcome), fmt::format("s{}", t.to),
                 condition(t));
    }
    for (std::size_t call = 0; call < interface.calls.size(); ++call)
      if (!interface.states[q].allows[call]) {
        // An event name stands for all that it begins, so this takes every outcome.
        transition(event_part(interface.calls[call].name), "refused");
        refuses = true;
      }
    text += "  </state>\n";
  }
  if (refuses) text += "  <final id=\"refused\"/>\n";
  return text + "</scxml>\n";
}

} // namespace tacit
