#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <streambuf>
#include <vector>

#include <fmt/format.h>

#include "export/layout.h"

namespace tacit {
namespace {

bool shows_colours(int descriptor) {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !(no && *no) && !(terminal && std::string_view(terminal) == "dumb") &&
         isatty(descriptor) == 1;
}

bool shows_colours(Stream stream) {
  static const bool out = shows_colours(STDOUT_FILENO), err = shows_colours(STDERR_FILENO);
  return stream == Stream::Out ? out : err;
}

std::string_view code(Paint paint) {
  switch (paint) {
  case Paint::Good: return "\x1b[32m";
  case Paint::Bad: return "\x1b[31m";
  case Paint::Open: return "\x1b[33m";
  case Paint::Strong: return "\x1b[1m";
  case Paint::Soft: return "\x1b[2m";
  }
  return "";
}

} // namespace

std::string painted(std::string_view text, Paint paint, Stream stream) {
  if (!shows_colours(stream)) return std::string(text);
  return fmt::format("{}{}\x1b[0m", code(paint), text);
}

std::string painted_words(std::string text) {
  if (!shows_colours(Stream::Out)) return text;
  struct Rule {
    std::string_view word;
    Paint paint;
  };
  static constexpr Rule rules[] = {{"proved", Paint::Good},      {"accepted", Paint::Good},
                                   {"refused", Paint::Bad},      {"rejected", Paint::Bad},
                                   {"unknown", Paint::Open},     {"not settled", Paint::Open},
                                   {"cannot happen", Paint::Bad}};
  const auto letter = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '=' || text[at] == ':');
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Rule* found = nullptr;
    if (at == 0 || !letter(at - 1))
      for (const Rule& rule : rules)
        if (text.compare(at, rule.word.size(), rule.word) == 0 &&
            (!letter(at + rule.word.size()) || text[at + rule.word.size()] == ':'))
          found = &rule;
    if (found) {
      result += painted(found->word, found->paint, Stream::Out);
      at += found->word.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

std::size_t output_width() {
  constexpr std::size_t widest = 140;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
    return std::min<std::size_t>(size.ws_col, widest);
  return 80;
}

class ProgressLine::LastLine : public std::streambuf {
public:
  explicit LastLine(ProgressLine& owner) : owner_(owner) {}

protected:
  int_type overflow(int_type c) override {
    if (c == traits_type::eof()) return 0;
    if (c != '\n') {
      pending_ += static_cast<char>(c);
      return c;
    }
    if (!pending_.empty() && pending_.front() != ' ') owner_.phase(pending_);
    pending_.clear();
    return c;
  }

private:
  ProgressLine& owner_;
  std::string pending_;
};

ProgressLine::ProgressLine(bool wanted, const Budget& budget)
    : budget_(budget), buffer_(std::make_unique<LastLine>(*this)),
      story_(std::make_unique<std::ostream>(buffer_.get())) {
  if (wanted && isatty(STDERR_FILENO) == 1)
    thread_ = std::jthread([this](std::stop_token stop) { draw(std::move(stop)); });
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::phase(std::string text) {
  const std::scoped_lock lock(mutex_);
  phase_ = std::move(text);
}

std::string ProgressLine::line(unsigned frame) {
  static constexpr const char* frames[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
  std::string tail;
  if (const auto queries = budget_.queries(); queries > 0)
    tail += fmt::format(" · {} queries", queries);
  else if (const auto steps = budget_.steps(); steps > 0)
    tail += fmt::format(" · {} steps", steps);
  if (const auto left = budget_.seconds_left()) tail += fmt::format(" · {:.0f} s left", *left);
  const std::string head =
      fmt::format("{} {:.1f} s · ", frames[frame % 10], budget_.seconds_spent());
  // The tail is figures, so bytes but for the dots; the phase takes the room that is left.
  const std::size_t used = head.size() + tail.size(), width = terminal_width();
  return head + shorten(phase_, width > used + 8 ? width - used : 8) + tail;
}

void ProgressLine::draw(std::stop_token stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  const auto pause = [&](auto time) { wake_.wait_for(lock, stop, time, [] { return false; }); };
  pause(500ms);
  bool drawn = false;
  for (unsigned frame = 0; !stop.stop_requested(); ++frame) {
    const std::string text = "\r\x1b[K" + line(frame);
    drawn = write(STDERR_FILENO, text.data(), text.size()) > 0 || drawn;
    pause(120ms);
  }
  if (drawn) (void)!write(STDERR_FILENO, "\r\x1b[K", 4);
}

} // namespace tacit
