// Completion scripts for shells, made from the tables of commands and options.
#include <iostream>

#include <fmt/ranges.h>

#include "cli/commands.h"
#include "logic/term/parse.h"

namespace tacit {
namespace {

std::vector<const OptionSpec*> options_of(const CommandSpec& command) {
  std::vector<const OptionSpec*> options;
  for (const OptionSpec& o : option_table)
    if (o.commands & command.bit) options.push_back(&o);
  return options;
}

bool takes_file(const OptionSpec& option) { return option.argument == "FILE"; }

/// What stands after a command that takes no files.
std::string words_of(const CommandSpec& command) {
  return command.bit == ForCompletion ? "bash zsh fish" : "";
}

/// Between single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string bash() {
  std::vector<std::string_view> names;
  for (const CommandSpec& c : command_table()) names.push_back(c.name);
  std::string text =
      fmt::format("# bash completion for tacit: source it, or keep it as\n"
                  "# ~/.local/share/bash-completion/completions/tacit\n"
                  "_tacit() {{\n"
                  "  local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" "
                  "prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\" words=\"\"\n"
                  "  COMPREPLY=()\n"
                  "  if ((COMP_CWORD == 1)); then\n"
                  "    mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$cur\")\n"
                  "    return\n"
                  "  fi\n"
                  "  case \"$prev\" in\n",
                  fmt::join(names, " "));
  for (const OptionSpec& option : option_table) {
    if (option.argument.empty()) continue;
    const auto choices = option_choices(option);
    const std::string name = std::string(option.name) + (option.name == "--output" ? " | -o" : "");
    if (!choices.empty())
      text += fmt::format("    {}) words=\"{}\" ;;\n", name, fmt::join(choices, " "));
    else if (takes_file(option))
      text += fmt::format("    {}) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n",
                          name);
    else
      text += fmt::format("    {}) return ;;\n", name);
  }
  text += "  esac\n"
          "  if [[ -z $words && $cur == -* ]]; then\n"
          "    case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandSpec& c : command_table()) {
    std::vector<std::string_view> options{"--help"};
    for (const OptionSpec* o : options_of(c)) options.push_back(o->name);
    text += fmt::format("      {}) words=\"{}\" ;;\n", c.name, fmt::join(options, " "));
  }
  text += "    esac\n"
          "  fi\n";
  for (const CommandSpec& c : command_table())
    if (!words_of(c).empty())
      text += fmt::format("  [[ -z $words && ${{COMP_WORDS[1]}} == {} ]] && words=\"{}\"\n", c.name,
                          words_of(c));
  return text + "  if [[ -n $words ]]; then\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                "  else\n"
                "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                "  fi\n"
                "}\n"
                "complete -o filenames -F _tacit tacit\n";
}

/// A description in _arguments: colons and brackets mean something there.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh() {
  std::string text = "#compdef tacit\n"
                     "# zsh completion for tacit: keep it as _tacit in a folder of $fpath\n"
                     "_tacit() {\n"
                     "  local -a commands\n"
                     "  commands=(\n";
  for (const CommandSpec& c : command_table())
    text += "    " + quoted(std::string(c.name) + ":" + zsh_text(c.help)) + "\n";
  text += "  )\n"
          "  if (( CURRENT == 2 )); then\n"
          "    _describe command commands\n"
          "    return\n"
          "  fi\n"
          "  local command=$words[2]\n"
          "  shift words\n"
          "  (( CURRENT-- ))\n"
          "  case $command in\n";
  for (const CommandSpec& c : command_table()) {
    text += fmt::format("    {})\n      _arguments '--help[show the options]'", c.name);
    for (const OptionSpec* o : options_of(c)) {
      std::string action;
      if (const auto choices = option_choices(*o); !choices.empty())
        action = fmt::format("({})", fmt::join(choices, " "));
      else if (takes_file(*o))
        action = "_files";
      const std::string repeat = o->repeatable ? "*" : "";
      const std::string value =
          o->argument.empty() ? "" : ":" + zsh_text(o->argument) + ":" + action;
      text += " \\\n        " +
              quoted(repeat + std::string(o->name) + "[" + zsh_text(o->help) + "]" + value);
      if (o->name == "--output")
        text += " \\\n        " + quoted("-o[" + zsh_text(o->help) + "]" + value);
    }
    text += words_of(c).empty() ? " \\\n        '*:file:_files' ;;\n"
                                : fmt::format(" \\\n        '1:shell:({})' ;;\n", words_of(c));
  }
  return text +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _tacit ]; then _tacit \"$@\"; else compdef _tacit tacit; fi\n";
}

std::string fish() {
  std::string text =
      "# fish completion for tacit: keep it as ~/.config/fish/completions/tacit.fish\n"
      "complete -c tacit -n __fish_use_subcommand -f -l help -d 'show the commands'\n"
      "complete -c tacit -n __fish_use_subcommand -f -l version -d 'show the version'\n";
  for (const CommandSpec& c : command_table()) {
    text += fmt::format("complete -c tacit -n __fish_use_subcommand -f -a {} -d {}\n", c.name,
                        quoted(c.help));
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", c.name);
    for (const OptionSpec* o : options_of(c)) {
      text += fmt::format("complete -c tacit {} -l {}{}", when, o->name.substr(2),
                          o->name == "--output" ? " -s o" : "");
      if (const auto choices = option_choices(*o); !choices.empty())
        text += " -x -a " + quoted(fmt::format("{}", fmt::join(choices, " ")));
      else if (takes_file(*o))
        text += " -r -F";
      else if (!o->argument.empty())
        text += " -x";
      text += " -d " + quoted(o->help) + "\n";
    }
    if (!words_of(c).empty())
      text += fmt::format("complete -c tacit {} -f -a '{}'\n", when, words_of(c));
  }
  return text;
}

} // namespace

Result<int> run_completion(const CommandLine& line) {
  if (line.positional.size() != 1)
    return fail("'tacit completion' needs the name of a shell: bash, zsh or fish");
  const std::string& shell = line.positional[0];
  if (shell == "bash")
    std::cout << bash();
  else if (shell == "zsh")
    std::cout << zsh();
  else if (shell == "fish")
    std::cout << fish();
  else
    return fail("there is no completion for '{}'{} (shells: bash, zsh, fish)", shell,
                suggestion(shell, {"bash", "zsh", "fish"}));
  return exit_status::done;
}

} // namespace tacit
