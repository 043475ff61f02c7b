// Runs as people read them: calls with what was passed, fields by their names in the source.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/calling.h"
#include "interface/interface.h"
#include "interface/source_words.h"
#include "program/ir/module.h"

namespace tacit {

/// Keeps a reference to the interface, whose text is read once.
class RunText {
public:
  explicit RunText(const Interface& interface);
  RunText(const RunText&) = delete;
  RunText& operator=(const RunText&) = delete;

  /// `start("", 3)`. Without the component's text: `start[…]` with all inputs of the body, what the
  /// environment did among them.
  std::string called(std::string_view call, const std::vector<std::string>& inputs) const;
  /// `start(3):returns · stop`.
  std::string steps(const Example& run) const;
  /// Without what only the program knows, places for instance.
  std::map<std::string, std::string> fields(const std::map<std::string, std::string>& all) const;
  /// "phase_ is Failed where it errs and Running where it works": the state before the last call.
  /// Empty when the runs do not say.
  std::string differing_state(const Disagreement& found) const;

private:
  SourceWords words_;
  std::optional<Module> module_;
  std::optional<Calling> calling_; // of the module
};

} // namespace tacit
