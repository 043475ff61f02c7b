// The story of a run for `--explain`: engines tell what they do and why, one line at a time.
// Telling costs nothing when nobody listens.
#pragma once

#include <fmt/format.h>

#include <ostream>

namespace tacit {

class Story {
public:
  Story() = default;
  explicit Story(std::ostream* to) : to_(to) {}

  bool told() const { return to_ != nullptr; }

  template <class... Args> void tell(fmt::format_string<Args...> format, Args&&... args) const {
    if (to_) *to_ << fmt::format(format, std::forward<Args>(args)...) << "\n";
  }

private:
  std::ostream* to_ = nullptr;
};

} // namespace tacit
