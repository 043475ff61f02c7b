// The command line, parsed by the option table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/options.h"

namespace tacit {

struct CommandSpec {
  std::string_view name;
  unsigned bit = 0;
  std::string_view usage;
  std::string_view help;
};

const std::vector<CommandSpec>& command_table();

class CommandLine {
public:
  std::string command;
  std::vector<std::string> positional;
  std::vector<std::string> after_dashes; // what follows `--`
  bool help = false, version = false;

  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  std::optional<std::string> one(std::string_view option) const;
  std::vector<std::string> all(std::string_view option) const;
  /// Several values, each a list: commas outside parentheses separate.
  std::vector<std::string> list(std::string_view option) const;

private:
  friend Result<CommandLine> parse_arguments(const std::vector<std::string>& words);
  std::map<std::string, std::vector<std::string>> values_;
};

Result<CommandLine> parse_arguments(const std::vector<std::string>& words);

/// The values that an option can have, when these are few and known.
std::vector<std::string> option_choices(const OptionSpec& option);

std::string general_help();
std::string command_help(const CommandSpec& command);

} // namespace tacit
