#include "cli/arguments.h"

#include <algorithm>

#include "client/program_forms.h"
#include "export/layout.h"
#include "export/written_form.h"
#include "logic/term/parse.h"
#include "synthesis/engines.h"

namespace tacit {

const std::vector<CommandSpec>& command_table() {
  static const std::vector<CommandSpec> commands = {
      {"inspect", ForInspect, "tacit inspect SOURCE…",
       "methods, state variables, error sites, opaque callees"},
      {"lower", ForLower, "tacit lower SOURCE… [-o OUT.tir]", "print the program as .tir"},
      {"synth", ForSynth,
       "tacit synth SOURCE… [--methods a,b] [--error SPEC]… [--engine E] [-o OUT.json]",
       "compute the call protocol and prove it"},
      {"epa", ForEpa, "tacit epa SOURCE… [--requires given|mined|both] [--reachable] [-o OUT.json]",
       "abstract to sets of enabled calls, to see what the code does"},
      {"show", ForShow, "tacit show RESULT.json [--as FORM] [-o FILE]", "show a result"},
      {"verify", ForVerify,
       "tacit verify RESULT.json [--source [SOURCE…]] | --prove PROTOCOL [SOURCE…]",
       "re-check evidence with a second solver, or prove a protocol that has none"},
      {"replay", ForReplay, "tacit replay RESULT.json LETTER… | --trace FILE [--as json]",
       "where a call sequence goes, and where it dies"},
      {"check", ForCheck,
       "tacit check RESULT.json… CLIENT… [--as text|sarif] [--baseline FILE] [-- FLAGS]",
       "does this client follow the protocol"},
      {"tests", ForTests, "tacit tests RESULT.json [SOURCE…] [--coverage] [-o FILE] [-- FLAGS]",
       "tests of the component: every transition, guard boundary and refusal"},
      {"diff", ForDiff,
       "tacit diff OLD.json|INTENDED NEW.json [--intended REGEX] [--as text|html] [-o FILE]",
       "what became legal or illegal, or is not as intended, with shortest words"},
      {"scan", ForScan, "tacit scan SOURCE… -o FOLDER [--class PATTERNS] [--time SECONDS]",
       "the protocols of all classes of a project, jar or library, as a site"},
      {"bench", ForBench,
       "tacit bench [algorithms [--print FAMILY K] | contractor | engines | jist | maymust | "
       "scaling]",
       "the papers' tables, published figures beside ours"},
      {"completion", ForCompletion, "tacit completion bash|zsh|fish",
       "print a completion script for a shell"},
      {"man", ForMan, "tacit man", "print the manual page"},
  };
  return commands;
}

namespace {

const CommandSpec* find_command(std::string_view name) {
  for (const CommandSpec& c : command_table())
    if (c.name == name) return &c;
  return nullptr;
}

const OptionSpec* find_option(std::string_view name) {
  if (name == "-o") name = "--output";
  if (name == "-p") name = "--database";
  for (const OptionSpec& o : option_table)
    if (o.name == name) return &o;
  return nullptr;
}

std::vector<std::string> option_names(unsigned commands) {
  std::vector<std::string> names{"--help"};
  for (const OptionSpec& o : option_table)
    if (o.commands & commands) names.emplace_back(o.name);
  return names;
}

} // namespace

std::optional<std::string> CommandLine::one(std::string_view option) const {
  auto found = values_.find(std::string(option));
  if (found == values_.end()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> CommandLine::all(std::string_view option) const {
  auto found = values_.find(std::string(option));
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::string> CommandLine::list(std::string_view option) const {
  std::vector<std::string> parts;
  for (const std::string& text : all(option)) {
    std::string part;
    int depth = 0;
    for (char c : text + ",") {
      if (c == '(' || c == '<') ++depth;
      if (c == ')' || c == '>') --depth;
      if (c != ',' || depth > 0) {
        part += c;
        continue;
      }
      const auto first = part.find_first_not_of(' ');
      if (first != std::string::npos)
        parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
      part.clear();
    }
  }
  return parts;
}

Result<CommandLine> parse_arguments(const std::vector<std::string>& words) {
  CommandLine line;
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    line.help = true;
    if (words.size() > 1) line.command = words[1];
    return line;
  }
  if (words[0] == "--version") {
    line.version = true;
    return line;
  }
  const CommandSpec* command = find_command(words[0]);
  if (!command) {
    std::vector<std::string> names;
    for (const CommandSpec& c : command_table()) names.emplace_back(c.name);
    return fail("'{}' is not a command{}", words[0], suggestion(words[0], names));
  }
  line.command = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "--") {
      if (!(command->bit & (ForLowering | ForScan | ForCheck | ForTests)))
        return fail("'tacit {}' takes nothing after '--'", line.command);
      line.after_dashes.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "--help" || word == "-h") {
      line.help = true;
      continue;
    }
    if (word.size() < 2 || word[0] != '-') {
      line.positional.push_back(word);
      continue;
    }
    std::optional<std::string> value;
    if (const auto equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    const OptionSpec* option = find_option(word);
    if (!option || !(option->commands & command->bit))
      return fail("'tacit {}' has no option '{}'{}", line.command, word,
                  suggestion(word, option_names(command->bit)));
    auto& values = line.values_[std::string(option->name)];
    if (option->argument.empty()) {
      if (value) return fail("'{}' takes no value", word);
      values = {"true"};
      continue;
    }
    if (!value) {
      if (i + 1 >= words.size()) return fail("'{}' needs a value: {}", word, option->argument);
      value = words[++i];
    }
    if (!option->repeatable && !values.empty()) return fail("'{}' is given twice", word);
    values.push_back(*value);
  }
  return line;
}

std::string general_help() {
  std::string text =
      "Tacit computes which sequences of calls a component allows, and proves it.\n\n"
      "  tacit synth socket.tir -o socket.json            compute the protocol\n"
      "  tacit show socket.json --as html -o socket.html  look at it\n"
      "  tacit verify socket.json                         check its proof again\n\n"
      "Commands:\n";
  for (const CommandSpec& c : command_table()) text += fmt::format("  {:<11}{}\n", c.name, c.help);
  return text + "\n'tacit COMMAND --help' shows the options of a command.\n"
                "Exit status: 0 done, 1 a finding, 2 bad input, 3 not settled, 4 internal error.\n";
}

std::vector<std::string> option_choices(const OptionSpec& option) {
  std::vector<std::string> choices;
  if (option.name == "--as") {
    for (const WrittenForm& form : written_forms()) choices.emplace_back(form.name);
    for (const ProgramForm& form : program_forms()) choices.emplace_back(form.name);
  } else if (option.name == "--engine") {
    for (const Engine& engine : engines()) choices.push_back(engine.name);
  } else if (option.argument.find('|') != std::string_view::npos) {
    for (std::size_t at = 0; at <= option.argument.size();) {
      const std::size_t end = std::min(option.argument.find('|', at), option.argument.size());
      choices.emplace_back(option.argument.substr(at, end - at));
      at = end + 1;
    }
  }
  return choices;
}

std::string command_help(const CommandSpec& command) {
  std::string text = fmt::format("{}\n\n  {}\n\nOptions:\n", command.usage, command.help);
  for (const OptionSpec& o : option_table) {
    if (!(o.commands & command.bit)) continue;
    const std::string head =
        std::string(o.name) + (o.argument.empty() ? "" : " " + std::string(o.argument));
    constexpr std::size_t column = 31;
    const bool own_line = head.size() + 3 > column;
    if (own_line) text += "  " + head + "\n";
    text += wrap(o.help, 80,
                 own_line ? std::string(column, ' ') : fmt::format("  {:<{}}", head, column - 2),
                 column);
  }
  if (command.bit == ForShow) {
    text += "\nForms:\n";
    for (const WrittenForm& form : written_forms())
      text += fmt::format("  {:<11}{}\n", form.name, form.description);
    for (const ProgramForm& form : program_forms())
      text += fmt::format("  {:<11}{}\n", form.name, form.description);
  }
  if (command.bit == ForSynth) {
    text += "\nEngines:\n";
    for (const Engine& engine : engines())
      text += wrap(engine.description, 80, fmt::format("  {:<13}", engine.name), 15);
  }
  return text;
}

} // namespace tacit
