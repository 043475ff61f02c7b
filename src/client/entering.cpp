#include "client/entering.h"

#include <fmt/ranges.h>

namespace tacit {

namespace {

constexpr std::size_t most_ways = 100;

} // namespace

std::vector<std::vector<Entered>> ways_to_enter(const std::vector<bool>& may_be_null,
                                                std::size_t states) {
  std::vector<std::vector<Entered>> ways{{}};
  for (std::size_t i = 0; i < may_be_null.size(); ++i) {
    std::vector<std::vector<Entered>> longer;
    for (const std::vector<Entered>& way : ways) {
      const auto add = [&](Entered next) {
        longer.push_back(way);
        longer.back().push_back(next);
      };
      for (State state = 0; state < states; ++state)
        add({.kind = Entered::Kind::InState, .state = state});
      for (std::size_t j = 0; j < i; ++j)
        if (way[j].kind == Entered::Kind::InState)
          add({.kind = Entered::Kind::Same, .state = way[j].state, .as = j});
      if (may_be_null[i]) add({.kind = Entered::Kind::Null});
    }
    ways = std::move(longer);
    if (ways.size() > most_ways) return {};
  }
  return ways;
}

std::string to_string(const std::vector<Entered>& entered, const std::vector<std::string>& names) {
  const auto name = [&](std::size_t i) {
    return i < names.size() && !names[i].empty() ? names[i] : fmt::format("object {}", i + 1);
  };
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < entered.size(); ++i) switch (entered[i].kind) {
    case Entered::Kind::InState:
      texts.push_back(fmt::format("{} in state {}", name(i), entered[i].state));
      break;
    case Entered::Kind::Null: texts.push_back(fmt::format("a null {}", name(i))); break;
    case Entered::Kind::Same:
      texts.push_back(fmt::format("the same object as {} and {}", name(entered[i].as), name(i)));
      break;
    }
  return fmt::format("{}", fmt::join(texts, " and "));
}

} // namespace tacit
