#include "pipeline/looked_at.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "component/candidates.h"
#include "component/raise_sites.h"
#include "program/ir/names.h"
#include "program/observe/instrument.h"
#include "program/observe/no_object.h"

namespace tacit {

namespace {

constexpr std::size_t most_candidates = 8; // what somebody can choose from

/// Sites of the component by error, as the checker counts them.
std::map<std::string, std::set<std::string>> sites_by_error(const Component& component) {
  std::map<std::string, std::set<std::string>> sites;
  for (const auto* calls : {&component.calls(), &component.constructors()})
    for (const Call& call : *calls)
      for (const ErrorSite& site : component.error_sites(call))
        sites[site.error].insert(to_string(site.where));
  return sites;
}

bool counts(const std::string& spec, const std::string& error) {
  return spec == error || spec == "error:*" || spec == "error:" + error;
}

/// As a shell takes it.
std::string quoted(const std::string& spec) {
  const bool plain = spec.find_first_of(" <>$*()!&|;") == std::string::npos;
  return plain ? spec : "'" + spec + "'";
}

std::string places(std::size_t number) {
  return fmt::format("{} {}", number, number == 1 ? "place" : "places");
}

/// `file:line` of `file:line:column`.
std::string without_column(const std::string& where) {
  const auto last = where.rfind(':'), before = last == 0 ? last : where.rfind(':', last - 1);
  const bool column = last != std::string::npos && before != std::string::npos &&
                      where.find_first_not_of("0123456789", before + 1) == last;
  return column ? where.substr(0, last) : where;
}

/// Whether a specification in force takes the candidate.
bool is_taken(const std::string& candidate, const Module& module, const Component& component) {
  constexpr std::string_view throws = "throws:";
  return std::ranges::any_of(component.errors(), [&](const std::string& spec) {
    if (spec == candidate || spec.ends_with("=" + candidate)) return true;
    if (spec == "error:*") return candidate.starts_with("error:") || candidate == "assert";
    if (spec.starts_with("returns:")) return candidate.starts_with("returns:");
    if (!spec.starts_with(throws) || !candidate.starts_with(throws)) return false;
    const std::string wanted = spec.substr(throws.size(), spec.find('@') - throws.size());
    const std::string name = candidate.substr(throws.size());
    if (wanted == "*") return true;
    return std::ranges::any_of(module.exceptions, [&](const Exception& e) {
      return name_matches(wanted, e.name) && module.exception_is(name, e.name);
    });
  });
}

/// The likely ones that none takes.
std::vector<std::string> not_counted(const Module& module, const Component& component) {
  constexpr int likely = 1;
  constexpr std::size_t most = 3;
  std::vector<std::string> specs;
  // Somebody wrote the program for this, or has said what counts.
  if (!module.conventions.reducible || !component.options().errors.empty()) return specs;
  for (const ErrorCandidate& one : error_candidates(module))
    if (one.rank <= likely && specs.size() < most && !one.spec.starts_with("error:") &&
        !is_taken(one.spec, module, component))
      specs.push_back(one.spec);
  return specs;
}

} // namespace

std::vector<std::string> candidate_notes(const Module& module) {
  std::vector<std::string> notes;
  const auto candidates = error_candidates(module);
  for (std::size_t i = 0; i < std::min(candidates.size(), most_candidates); ++i) {
    const ErrorCandidate& one = candidates[i];
    std::string text = fmt::format("--error {}   {}", quoted(one.spec), places(one.sites.size()));
    if (!one.shown.empty()) text += fmt::format(": {}", fmt::join(one.shown, ", "));
    if (!one.shown.empty() && one.shown.size() < one.sites.size()) text += ", …";
    notes.push_back(std::move(text));
  }
  if (candidates.size() > most_candidates)
    notes.push_back(
        fmt::format("and {} more, see 'tacit inspect'", candidates.size() - most_candidates));
  if (const auto makers = constructor_candidates(module); !makers.empty())
    notes.push_back(fmt::format("--constructor {}   looks as if it made the component",
                                fmt::join(makers, ",")));
  if (candidates.empty())
    notes.push_back("no code of it throws, asserts or returns a code: is a source missing, or "
                    "--own for classes beside it?");
  return notes;
}

std::optional<Diagnostic> nothing_to_prove(const Component& component, const Module& module) {
  // What has ended is never used, but that is no protocol as long as something else can be meant.
  auto sites = sites_by_error(component);
  const std::size_t all = sites.size();
  std::erase_if(sites, [](const auto& one) {
    return one.first == used_after_free || one.first == no_object;
  });
  if (!sites.empty() || (all > 0 && error_candidates(module).empty())) return std::nullopt;
  // One that is there but cannot be reached, as contracts have it, is proved away.
  if (std::ranges::any_of(error_candidates(module), [&](const ErrorCandidate& one) {
        return is_taken(one.spec, module, component);
      }))
    return std::nullopt;
  return Diagnostic{
      {},
      fmt::format("{}: nothing counts as an error ({}), so there is no protocol to prove; what "
                  "could count:",
                  component.name(), fmt::join(component.errors(), ", ")),
      candidate_notes(module)};
}

void tell_what_was_looked_at(Interface& result, const Component& component, const Module& module) {
  const RaiseSites raising(module);
  const auto sites = sites_by_error(component);
  for (const std::string& spec : result.errors) {
    std::set<std::pair<std::string, std::string>> all;
    std::map<std::string, std::size_t> kinds;
    for (const auto& [error, places] : sites)
      if (counts(spec, error))
        for (const std::string& place : places)
          if (all.emplace(error, place).second && spec.starts_with("throws:"))
            if (const std::string kind = raising.exception_at(without_column(place)); !kind.empty())
              ++kinds[kind];
    if (!all.empty()) result.error_sites[spec] = all.size();
    const bool one = kinds.size() == 1 && spec.ends_with(":" + kinds.begin()->first);
    if (!kinds.empty() && !one) result.error_kinds[spec] = std::move(kinds);
  }
  result.left_out = module.left_out;
  // An overload of what is a call goes by the same name.
  std::erase_if(result.left_out,
                [&](const LeftOut& left) { return component.find_call(left.call).has_value(); });
  result.not_counted = not_counted(module, component);
  std::map<std::pair<std::string, std::string>, RaisedThrough> ways; // by call and line
  for (Refusal& refusal : result.forbidden) {
    if (refusal.error.starts_with("throws:"))
      if (const std::string kind = raising.exception_at(refusal.at);
          "throws:" + kind != refusal.error)
        refusal.raised = kind;
    const std::string& name = result.refused_name(refusal);
    const auto [way, added] = ways.try_emplace({name, refusal.at});
    if (added) way->second = raising.way_to(name, refusal.at);
    refusal.called_at = way->second.called_at;
    refusal.through = way->second.helper;
  }
}

void name_helpers(Interface& result, const std::vector<HelperSite>& helpers) {
  std::map<std::pair<std::string, std::string>, const HelperSite*> ways; // null: several
  for (const HelperSite& one : helpers) {
    const auto [way, added] = ways.try_emplace({one.method, one.site}, &one);
    if (!added) way->second = nullptr;
  }
  for (Refusal& refusal : result.forbidden) {
    const std::string name(simple_name(bare_name(result.refused_name(refusal))));
    const auto way = ways.find({name, refusal.at});
    if (!refusal.called_at.empty() || way == ways.end() || !way->second ||
        way->second->called_at == refusal.at)
      continue;
    refusal.called_at = way->second->called_at;
    refusal.through = way->second->helper;
  }
}

} // namespace tacit
