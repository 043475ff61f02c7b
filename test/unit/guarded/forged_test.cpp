// Forged files: results in which any one thing was changed, wherever in the file it stands. What
// reads, has no contradictions and is accepted must still be true, by enumeration.
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/guarded_cases.h"
#include "support/reference.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

struct Original {
  std::string name;
  Json file;
  ReferenceOptions reference;
};

class Forger {
public:
  Forger(const Json& original, std::uint64_t seed) : file_(original), random_(seed) {}

  /// The file with one thing changed, and what that was.
  std::pair<Json, std::string> forge() {
    Json forged = file_;
    std::vector<Json::json_pointer> places;
    collect(forged, Json::json_pointer(), places);
    const auto place = places[pick(places.size())];
    change(forged, place);
    return {std::move(forged), place.to_string()};
  }

private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  static void collect(const Json& value, const Json::json_pointer& at,
                      std::vector<Json::json_pointer>& places) {
    if (!at.empty()) places.push_back(at);
    if (value.is_object())
      for (const auto& [key, inner] : value.items()) collect(inner, at / key, places);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, places);
  }

  /// A text from elsewhere in the file, or the same one with something else in it.
  std::string other_text(const std::string& text) {
    static const char* const edits[][2] = {{"==", "!="},
                                           {"!", ""},
                                           {"<", "<="},
                                           {">=", ">"},
                                           {"&&", "||"},
                                           {"0", "1"},
                                           {"1", "2"},
                                           {"+", "-"},
                                           {"true", "false"},
                                           {"proved", "unknown"},
                                           {"unknown", "proved"},
                                           {"returns", "any"}};
    for (std::size_t tries = 0; tries < 4; ++tries) {
      const auto& edit = edits[pick(std::size(edits))];
      if (const auto at = text.find(edit[0]); at != std::string::npos)
        return std::string(text).replace(at, std::string_view(edit[0]).size(), edit[1]);
    }
    std::vector<std::string> texts;
    const auto gather = [&](auto&& self, const Json& value) -> void {
      if (value.is_string()) texts.push_back(value.get<std::string>());
      for (const Json& inner : value)
        if (value.is_structured()) self(self, inner);
    };
    gather(gather, file_);
    return texts[pick(texts.size())];
  }

  void change(Json& file, const Json::json_pointer& place) {
    Json& parent = file[place.parent_pointer()];
    Json& value = file[place];
    if (pick(4) == 0) { // away with it, or twice
      if (parent.is_array()) {
        const auto index = std::stoul(place.back());
        if (pick(2) == 0)
          parent.erase(index);
        else
          parent.push_back(Json(parent[index]));
      } else {
        parent.erase(place.back());
      }
      return;
    }
    if (value.is_boolean())
      value = !value.get<bool>();
    else if (value.is_number_integer())
      value = value.get<long long>() + (pick(2) == 0 ? 1 : -1);
    else if (value.is_string())
      value = other_text(value.get<std::string>());
    else if (value.is_array() && value.size() > 1)
      std::swap(value[0], value[1 + pick(value.size() - 1)]);
    else if (value.is_null())
      value = 0;
  }

  const Json& file_;
  std::mt19937_64 random_;
};

std::vector<Original> originals() {
  std::vector<Original> all;
  for (const std::string& name : guarded_case_names()) {
    const GuardedCase test = read_guarded_case(name);
    all.push_back({name, Json::parse(to_json(test.right)), test.reference});
  }
  for (const char* name : {"lock_p1", "lock_p3", "file_library", "signature", "socket"}) {
    const auto text = read_file(fmt::format("{0}/examples/{1}/{1}.tir", TACIT_SOURCE_DIR, name));
    const auto module = read_module(*text, std::string(name) + ".tir");
    const auto component = build_component(*module, {});
    Budget budget;
    auto made = find_engine("direct")->run(*component, {}, budget);
    made->interface.tir = *text;
    made->interface.sources = {std::string(name) + ".tir"};
    all.push_back({name, Json::parse(to_json(made->interface)), {}});
  }
  return all;
}

/// What is false about a result that was accepted; empty when all its claims hold.
std::string lies(const Interface& result, const Component& component,
                 const ReferenceOptions& reference) {
  if (component.options().arguments == Arguments::Guarded) {
    const ReferenceReport report = judge_interface(result, component, reference);
    return report.failure ? "" : report.complaints(result.verdict);
  }
  if (component.options().arguments != Arguments::Demonic || result.kind != "interface" ||
      result.verdict.safe != Claim::Proved || result.verdict.permissive != Claim::Proved)
    return "";
  const BruteForce expected = brute_force(component, result.serial);
  if (expected.too_large) return "";
  return compare(expected, result).value_or("");
}

TEST(ForgedFiles, AreNotAcceptedWithAFalseClaim) {
  const std::size_t count = full_volume() ? 1000 : 200;
  const std::vector<Original> all = originals();
  std::size_t unread = 0, rejected = 0, undecided = 0, accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Original& original = all[i % all.size()];
    const auto [forged, change] = Forger(original.file, 7 + i).forge();
    std::vector<std::string> contradictions;
    const auto result = read_interface(forged.dump(), original.name, &contradictions);
    const auto component = result ? component_of(*result) : fail("not read");
    if (!component || !contradictions.empty()) {
      ++unread;
      continue;
    }
    const CheckReport report = check_evidence(*result, *component, {});
    if (!report.accepted()) {
      ++(report.rejected.empty() ? undecided : rejected);
      continue;
    }
    ++accepted;
    EXPECT_EQ(lies(*result, *component, original.reference), "")
        << original.name << ": forged at " << change << " with seed " << 7 + i;
  }
  fmt::print("{} forged files: {} not read, {} rejected, {} undecided, {} accepted and true\n",
             count, unread, rejected, undecided, accepted);
  EXPECT_GT(rejected, count / 10);
  EXPECT_GT(accepted, 0u);
}

} // namespace
} // namespace tacit
