// What people see besides results: colours where a terminal shows them, and a progress line while
// something takes long.
//
// Colours are off when NO_COLOR is set (to anything but the empty text), when TERM is `dumb`, and
// when the stream is no terminal. Progress is on standard error only, and only on a terminal.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "base/budget.h"

namespace tacit {

enum class Paint { Good, Bad, Open, Strong, Soft };
enum class Stream { Out, Err };

/// The text in a colour, if the stream shows colours.
std::string painted(std::string_view text, Paint paint, Stream stream);

/// The same for words of ours in a text of several lines: "refused" and "rejected" are bad,
/// "proved" and "accepted" good, "unknown" open. Only for standard output.
std::string painted_words(std::string text);

/// The columns of the terminal behind standard error; 80 when there is none.
std::size_t terminal_width();
/// Of standard output; 80 columns where that is no terminal, and never more than can be read.
std::size_t output_width();

/// A line that is drawn anew several times a second while this lives, from the first half second
/// on:
///
///   ⠹ 12.3 s · step 1: an interface with 4 states is safe · 1834 queries · 48 s left
///
/// `phase` says what goes on; the story that an engine tells to `story()` says it in more detail,
/// with the predicates and bounds it has. The line is wiped at the end.
///
/// Threads: a thread of its own draws; phase() and the story's stream are for one other thread.
class ProgressLine {
public:
  /// Does nothing at all unless `wanted` and standard error is a terminal.
  ProgressLine(bool wanted, const Budget& budget);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool shown() const { return thread_.joinable(); }
  void phase(std::string text);

  /// For Story: keeps the last line that is not indented.
  std::ostream& story() { return *story_; }

private:
  class LastLine;

  void draw(std::stop_token stop);
  std::string line(unsigned frame);

  const Budget& budget_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string phase_;
  std::unique_ptr<LastLine> buffer_;
  std::unique_ptr<std::ostream> story_;
  std::jthread thread_; // last: it ends before the others go
};

} // namespace tacit
