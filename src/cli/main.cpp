#include <iostream>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/should.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"

namespace {

using namespace tacit;

/// The diagnostic with "error:" in colour.
std::string complaint(const Diagnostic& diagnostic) {
  constexpr std::string_view word = "error:";
  std::string text = to_string(diagnostic);
  if (const std::size_t at = text.find(word); at != std::string::npos)
    text.replace(at, word.size(), painted(word, Paint::Bad, Stream::Err));
  return text;
}

int run(const std::vector<std::string>& words) {
  auto line = parse_arguments(words);
  if (!line) {
    std::cerr << complaint(line.error()) << "\nTry 'tacit --help'.\n";
    return exit_status::bad_input;
  }
  if (line->version) {
    std::cout << "tacit " TACIT_VERSION "\n";
    return exit_status::done;
  }
  if (line->help) {
    for (const CommandSpec& c : command_table())
      if (c.name == line->command) {
        std::cout << command_help(c);
        return exit_status::done;
      }
    std::cout << general_help();
    return exit_status::done;
  }
  if (auto writable = check_outputs(*line); !writable) {
    std::cerr << complaint(writable.error()) << "\n";
    return exit_status::bad_input;
  }
  static const std::map<std::string, Result<int> (*)(const CommandLine&)> commands = {
      {"inspect", run_inspect}, {"lower", run_lower},
      {"synth", run_synth},     {"epa", run_epa},
      {"show", run_show},       {"verify", run_verify},
      {"replay", run_replay},   {"diff", run_diff},
      {"bench", run_bench},     {"completion", run_completion},
      {"man", run_man},         {"scan", run_scan_command},
      {"check", run_check},     {"tests", run_tests},
  };
  auto status = commands.at(line->command)(*line);
  if (!status) {
    std::cerr << complaint(status.error()) << "\n";
    return exit_status::bad_input;
  }
  return *status;
}

} // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    std::cerr << "error: out of memory\n";
    return exit_status::unsettled;
  } catch (const std::exception& broken) {
    std::cerr << "internal error: " << broken.what()
              << "\nThis is a defect of Tacit, not of your input.\n";
    return exit_status::internal_error;
  }
}
