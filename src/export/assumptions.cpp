#include "export/assumptions.h"

#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

namespace tacit {

namespace {

constexpr std::size_t most_named = 3; // members of a group

/// In the order in which a reader should doubt them.
enum class About { User, OwnCode, Anything, Callees, Library, Ends, Unread };

struct Kind {
  About about = About::Anything;
  std::string text; // the same for all that are one line
  std::string name; // what tells them apart
};

/// What stands between two ends.
std::optional<std::string> between(const std::string& text, std::string_view begin,
                                   std::string_view end) {
  if (!text.starts_with(begin) || !text.ends_with(end) || text.size() < begin.size() + end.size())
    return std::nullopt;
  return text.substr(begin.size(), text.size() - begin.size() - end.size());
}

/// Where " at file:line" begins, if the text ends in that.
std::optional<std::size_t> place_of(const std::string& text) {
  const auto at = text.rfind(" at ");
  const auto colon = text.rfind(':');
  if (at == std::string::npos || colon == std::string::npos || colon < at ||
      colon + 1 == text.size() || text.find(' ', at + 4) != std::string::npos ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos)
    return std::nullopt;
  return at;
}

Kind kind_of(const std::string& text) {
  if (auto name =
          between(text, "opaque callee ", " behaves as its contract says and does not call back"))
    return {About::Library, "library callees behave as their contracts say", *name};
  if (auto name = between(text, "opaque callee ",
                          " writes only what it is handed, whatever it returns, and does not call "
                          "back"))
    return {
        About::Callees,
        "callees that are not looked into write only what they are handed, and do not call back",
        *name};
  if (text.starts_with("runs that end in "))
    return {About::Ends, "runs that end in a function that does not return are left out",
            text.substr(17, text.find(" are left out") - 17)};
  if (auto name = between(text, "", " is never read and left out"))
    return {About::Unread, "what is never read is left out", *name};
  if (text.starts_with("assumed of ")) return {About::User, text, ""};
  if (text.starts_with("error '") && text.ends_with("runs that reach it are left out"))
    return {About::User, "errors that do not count end a run",
            text.substr(6, text.find(" in ") - 6)};
  if (const auto place = place_of(text))
    return {About::OwnCode, text.substr(0, *place), text.substr(*place + 4)};
  return {About::Anything, text, ""};
}

} // namespace

namespace {

/// As the source calls it: of a callee, not the object that it is called on; of what cannot be
/// named, what it is.
std::string plain_name(std::string name) {
  const auto numbered = [&](std::string_view stem) {
    return name == stem ||
           (name.starts_with(stem) && (name[stem.size()] == '.' || name[stem.size()] == '#'));
  };
  if (numbered("indirect")) return "functions called through a pointer";
  if (const std::size_t at = name.find('@'); at != name.npos && at > 0) name.resize(at);
  for (const std::string_view end : {".beside"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name.find(".ref.tmp") == name.npos ? name : "temporaries";
}

/// The first ones, each once.
std::string some_of(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (std::string plain = plain_name(name); std::ranges::find(shown, plain) == shown.end())
      shown.push_back(std::move(plain));
  const bool more = shown.size() > most_named;
  if (more) shown.resize(most_named);
  return fmt::format("{}{}", fmt::join(shown, ", "), more ? ", …" : "");
}

} // namespace

std::vector<AssumptionGroup> assumption_groups(const Interface& interface) {
  struct Gathered {
    Kind kind;
    std::vector<std::string> names, members;
  };
  std::vector<Gathered> all;
  for (const std::string& text : interface.verdict.assumptions) {
    Kind kind = kind_of(text);
    auto known = std::ranges::find(all, kind.text, [](const Gathered& g) { return g.kind.text; });
    if (known == all.end()) known = all.insert(all.end(), {kind, {}, {}});
    known->names.push_back(kind.name);
    known->members.push_back(text);
  }
  std::ranges::stable_sort(all, {}, [](const Gathered& g) { return g.kind.about; });
  std::vector<AssumptionGroup> groups;
  for (Gathered& g : all) {
    std::string text = g.kind.text;
    if (g.members.size() == 1) {
      text = g.members[0];
      const std::string& name = g.names[0];
      if (const std::size_t at = name.empty() ? text.npos : text.find(name); at != text.npos)
        text.replace(at, name.size(), plain_name(name));
    } else if (g.kind.about == About::OwnCode) {
      text += fmt::format(" ({} places, first {})", g.members.size(), g.names[0]);
    } else {
      text += fmt::format(" ({})", g.members.size());
      if (g.kind.about != About::Library) text += ": " + some_of(g.names);
    }
    groups.push_back({std::move(text), std::move(g.members)});
  }
  return groups;
}

} // namespace tacit
