// The manual page, made from the tables of commands and options.
#include <iostream>

#include "cli/commands.h"
#include "client/program_forms.h"
#include "export/written_form.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

/// Text as roff wants it: no line of it is a request, hyphens can be copied.
std::string roff(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && i == 0) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else if (text.substr(i).starts_with("…"))
      result += "...", i += std::string_view("…").size() - 1;
    else
      result += c;
  }
  return result;
}

std::string entry(std::string_view head, std::string_view value, std::string_view text) {
  std::string name = fmt::format("\\fB{}\\fR", roff(head));
  if (!value.empty()) name += fmt::format(" \\fI{}\\fR", roff(value));
  return fmt::format(".TP\n{}\n{}\n", name, roff(text));
}

} // namespace

Result<int> run_man(const CommandLine& line) {
  if (!line.positional.empty()) return fail("'tacit man' takes no arguments");
  std::ostream& out = std::cout;
  out << ".TH TACIT 1 \"\" \"tacit\" \"User Commands\"\n"
         ".SH NAME\ntacit \\- compute and prove the call protocol of a component\n"
         ".SH SYNOPSIS\n.B tacit\n.I command\n.RI [ argument ...]\n.RI [ options ]\n"
         ".SH DESCRIPTION\n"
         "Tacit computes which sequences of calls a component allows: a small automaton whose "
         "states "
         "carry predicates over the component\\(aqs fields, together with a proof. A component is "
         "a "
         ".tir file.\n"
         ".SH COMMANDS\n";
  for (const CommandSpec& c : command_table()) out << entry(c.usage, "", std::string(c.help) + ".");
  out << ".SH OPTIONS\n";
  for (const OptionSpec& o : option_table) {
    std::string help(o.help);
    std::string names;
    for (const CommandSpec& c : command_table())
      if (o.commands & c.bit) names += (names.empty() ? "" : ", ") + std::string(c.name);
    out << entry(o.name, o.argument,
                 help + (o.repeatable ? "; repeatable" : "") + " (" + names + ").");
  }
  out << entry("--help", "", "show the options of a command.");
  out << ".SH FORMS\nWritten forms of a result, for \\fBtacit show \\-\\-as\\fR:\n";
  for (const WrittenForm& form : written_forms())
    out << entry(form.name, "", std::string(form.description) + ".");
  for (const ProgramForm& form : program_forms())
    out << entry(form.name, "", std::string(form.description) + ".");
  out << ".SH ENGINES\n";
  for (const Engine& engine : engines()) out << entry(engine.name, "", engine.description + ".");
  out << ".SH EXIT STATUS\n"
      << entry("0", "", "done, nothing wrong.")
      << entry("1", "", "a finding: results differ, evidence is rejected, a sequence is refused.")
      << entry("2", "", "bad usage or bad input; the message names file, line and reason.")
      << entry("3", "", "not settled: the budget ran out or a claim stayed open.")
      << entry("4", "", "internal error.") << ".SH ENVIRONMENT\n"
      << entry("NO_COLOR", "", "when set and not empty, nothing is coloured.")
      << ".SH EXAMPLES\n.nf\ntacit synth socket.tir \\-o socket.json\n"
         "tacit show socket.json \\-\\-as html \\-o socket.html\n"
         "tacit replay socket.json connect close getInputStream\ntacit verify socket.json\n.fi\n";
  return exit_status::done;
}

} // namespace tacit
