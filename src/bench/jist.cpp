#include "bench/jist.h"

#include <fmt/format.h>

#include <optional>

#include "bench/jist_subjects.h"
#include "pipeline/sources.h"
#include "pipeline/synthesise.h"
#include "program/text/read.h"

namespace tacit {
namespace {

/// What the paper's Table 1 says.
struct Published {
  const char* predicates;
  const char* derived;
  const char* variables;
  const char* membership;
  const char* subset;
  const char* superset;
  const char* one_step;
  const char* seconds;
  const char* most_permissive;
};

struct Row {
  const char* name;
  const std::string_view* tir; // null: a Java class only
  std::vector<std::string> predicates;
  const char* java; // the class, or null
  std::vector<std::string> java_predicates;
  std::vector<std::string> errors, methods; // of the Java class
  std::optional<Published> published;
};

std::vector<std::string> first(std::vector<std::string> all, std::size_t count) {
  all.resize(count);
  return all;
}

std::vector<Row> subjects() {
  const std::vector<std::string> iterator{"lastRet == -1", "cursor == -1", "expectedModCount == 0"};
  const std::vector<std::string> signature{"state == 0", "state == 2", "state == 3"};
  const std::vector<std::string> modes{"mode == UNINITIALIZED", "mode == SIGN", "mode == VERIFY"};
  const std::string thrown = "throws:SignatureException";
  const std::string illegal = "throws:java.lang.IllegalStateException";
  return {
      {"Signature",
       &jist_signature,
       modes,
       "Signature",
       signature,
       {thrown},
       {},
       Published{"3", "7", "24", "83", "3", "3", "-", "10.3", "yes"}},
      {"ServerTableEntry",
       &jist_server_table_entry,
       {"mode == ACTIVATING", "mode == DE_ACTIVATED", "mode == ACTIVATED", "mode == RUNNING",
        "mode == HELD_DOWN"},
       "ServerTableEntry",
       {"state == ACTIVATING", "state == DE_ACTIVATED", "state == ACTIVATED", "state == RUNNING",
        "state == HELD_DOWN"},
       {"throws:Internal"},
       {},
       Published{"5", "9", "25", "53", "3", "3", "-", "9.2", "yes"}},
      {"ListItr, 1 predicate",
       &jist_list_iterator,
       first(iterator, 1),
       "ListItr14",
       first(iterator, 1),
       {illegal},
       {},
       Published{"1", "5", "20", "35", "1", "1", "no", "5.2", "no"}},
      {"ListItr, 2 predicates",
       &jist_list_iterator,
       first(iterator, 2),
       "ListItr14",
       first(iterator, 2),
       {illegal},
       {},
       Published{"2", "17", "29", "288", "5", "2", "-", "83.4", "yes"}},
      {"ListItr, 3 predicates",
       &jist_list_iterator,
       iterator,
       "ListItr14",
       iterator,
       {illegal},
       {},
       Published{"3", "19", "31", "288", "5", "2", "-", "101.8", "yes"}},
      {"PipedOutputStream",
       &jist_piped_output_stream,
       {"sink == 0"},
       "PipedOutputStream14",
       {"sink == null"},
       {"throws:NullPointerException"},
       {},
       Published{"1", "5", "19", "64", "2", "2", "yes", "6.0", "no"}},
      {"Signature, seeded error",
       &jist_signature_seeded,
       modes,
       "SignatureSeeded",
       signature,
       {thrown},
       {},
       std::nullopt},
      {"JDK Signature",
       nullptr,
       {},
       "java.security.Signature",
       signature,
       {"throws:java.security.SignatureException"},
       {"initSign(PrivateKey)", "initVerify(PublicKey)", "sign()", "update(byte)",
        "verify(byte[])"},
       std::nullopt},
      {"JDK AbstractList.ListItr",
       nullptr,
       {},
       "java.util.AbstractList$ListItr",
       {"lastRet < 0", "cursor < 0", "cursor <= 0"},
       {illegal},
       {"next", "previous", "remove", "set", "add"},
       std::nullopt},
  };
}

std::string row(const std::string& name, const Published& p, const std::string& rest) {
  return fmt::format("{:<28} {:>5} {:>7} {:>4} {:>5} {:>4} {:>6} {:>8} {:>8}  {:<10} {}\n", name,
                     p.predicates, p.derived, p.variables, p.membership, p.subset, p.superset,
                     p.one_step, p.seconds, p.most_permissive, rest);
}

/// Calls that are allowed in no state.
std::string never_allowed(const Interface& found) {
  std::string names;
  for (std::size_t c = 0; c < found.calls.size(); ++c) {
    bool somewhere = false;
    for (const InterfaceState& s : found.states) somewhere = somewhere || s.allows[c];
    if (!somewhere) names += (names.empty() ? "" : ", ") + found.calls[c].name;
  }
  return names.empty() ? "" : "; never allowed: " + names;
}

std::string measured(const std::string& name, const Module& module, const ComponentOptions& options,
                     const std::vector<std::string>& predicates, double seconds) {
  SynthesisRequest request{.component = options, .engine = "game", .predicates = predicates};
  request.needs = false;
  Budget budget(BudgetLimits{.seconds = seconds});
  auto answer = synthesise(module, request, budget);
  if (!answer) return name + ": " + to_string(answer.error()) + "\n";
  const Interface& found = answer->interface;
  const double spent = std::get<double>(*found.stats.find("seconds"));
  const auto figure = [&](const char* key) {
    const auto* value = found.stats.find(key);
    return value ? figure_text(*value) : std::string("-");
  };
  const std::string texts[] = {figure("predicates_given"),  figure("derived_predicates"),
                               figure("boolean_variables"), figure("membership_queries"),
                               figure("subset_queries"),    figure("superset_queries"),
                               figure("one_step_further"),  fmt::format("{:.2f}", spent),
                               figure("settled_by"),        figure("answer")};
  const char* one_step = texts[6] == "not needed"          ? "-"
                         : texts[6].starts_with("found a") ? "yes"
                                                           : "no";
  const char* most = texts[8] == "superset query" ? "yes"
                     : texts[8] == "exact game"   ? "no; exact"
                                                  : "no";
  const auto claim = [](Claim made) { return made == Claim::Proved ? "proved" : "unknown"; };
  const std::string rest =
      fmt::format("{} states, safe {}, permissive {}{}", found.states.size(),
                  claim(found.verdict.safe), claim(found.verdict.permissive), never_allowed(found));
  return row(name,
             {texts[0].c_str(), texts[1].c_str(), texts[2].c_str(), texts[3].c_str(),
              texts[4].c_str(), texts[5].c_str(), one_step, texts[7].c_str(), most},
             rest);
}

} // namespace

void bench_jist(std::ostream& out, const JistBench& options) {
  out << "Synthesis of Interface Specifications for Java Classes, Table 1. Published: on a 1 GHz "
         "Pentium III.\n"
         "'most perm.': whether the superset query says so; 'exact' where only the exact game "
         "does.\n\n";
  out << row(
      "subject",
      {"preds", "derived", "vars", "MQ", "SubQ", "SuperQ", "OneStep", "seconds", "most perm."},
      "interface");
  std::optional<Sources> classes;
  if (!options.classes.empty()) {
    auto opened = Sources::open({.files = options.classes});
    if (opened)
      classes.emplace(std::move(*opened));
    else
      out << to_string(opened.error()) << "\n";
  }
  for (const Row& subject : subjects()) {
    if (subject.published)
      out << row(std::string(subject.name) + " (paper)", *subject.published, "");
    if (subject.tir) {
      auto module = read_module(std::string(*subject.tir), subject.name);
      if (module)
        out << measured(std::string(subject.published ? "  .tir" : subject.name), *module, {},
                        subject.predicates, options.seconds_allowed);
    }
    if (!classes || !subject.java) continue;
    auto module = classes->lower({.class_name = subject.java});
    if (!module) {
      out << "  " << subject.java << ": " << to_string(module.error()) << "\n";
      continue;
    }
    ComponentOptions how;
    how.errors = subject.errors;
    how.methods = subject.methods;
    out << measured(subject.tir ? "  Java" : subject.name, *module, how, subject.java_predicates,
                    options.seconds_allowed)
        << std::flush;
  }
}

} // namespace tacit
