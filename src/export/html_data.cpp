#include "export/html_data.h"

#include <map>
#include <unordered_map>

#include "export/guarded_text.h"
#include "export/labels.h"
#include "export/run_text.h"
#include "interface/conditions.h"
#include "interface/source_words.h"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

/// Words repeat the same few names, which may be long; they are written once.
class NameTable {
public:
  Json indices(const std::vector<std::string>& names) {
    Json list = Json::array();
    for (const std::string& name : names) {
      const auto [found, added] = known_.try_emplace(name, all_.size());
      if (added) all_.push_back(name);
      list.push_back(found->second);
    }
    return list;
  }
  const std::vector<std::string>& all() const { return all_; }

private:
  std::unordered_map<std::string, std::size_t> known_; // only looked into
  std::vector<std::string> all_;
};

Json values(const std::map<std::string, std::string>& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) object[name] = value;
  return object;
}

Json run_of(const Example& example, const std::map<std::string, std::string>* before,
            const RunText& words) {
  Json run = Json::object();
  if (before) run["before"] = values(words.fields(*before));
  if (!example.constructor.empty()) {
    run["made"] = example.constructor;
    run["shown"] = words.called(example.constructor, example.constructor_inputs);
  }
  run["steps"] = Json::array();
  for (const ExampleStep& step : example.steps)
    run["steps"].push_back({{"call", words.called(step.call, step.inputs)},
                            {"outcome", step.outcome},
                            {"after", values(words.fields(step.after))}});
  return run;
}

Json condition(const std::string& when, const std::string& shown, const TrackedUpdate& set) {
  Json cell = Json::object();
  if (!when.empty()) cell["when"] = when, cell["shown"] = shown;
  if (!set.empty()) cell["set"] = values(set);
  return cell;
}

/// What a page needs to take arguments, judge guards and follow tracked values. Cells are by
/// transition, starts as in `initial`.
void guarded_data(Json& data, const ExplorerSide& side) {
  const Interface& interface = *side.interface;
  const GuardedText texts(interface);
  const SourceWords words(interface);
  const auto shown = [&](const std::string& text) { return words.condition(text); };
  Json guarded = Json::object();
  guarded["tracked"] = Json::array();
  for (const TrackedValue& value : interface.tracked)
    guarded["tracked"].push_back(
        {{"name", value.name}, {"type", value.type}, {"term", value.term}, {"shown", value.shown}});
  guarded["parameters"] = Json::array();
  for (std::size_t call = 0; call < interface.calls.size(); ++call)
    guarded["parameters"].push_back(texts.parameters(call));
  guarded["guards"] = Json::array();
  for (const ArgumentGuard& guard : interface.guards)
    if (guard.state < side.states)
      guarded["guards"].push_back({{"s", guard.state},
                                   {"c", guard.call},
                                   {"when", guard.condition},
                                   {"shown", texts.guard(guard.state, guard.call)}});
  guarded["cells"] = Json::object();
  guarded["texts"] = Json::object(); // of letters with conditions or updates, as people read them
  for (std::size_t i = 0; i < interface.transitions.size(); ++i) {
    const InterfaceTransition& t = interface.transitions[i];
    if (t.from >= side.states) break;
    if (!t.when.empty() || !t.set.empty())
      guarded["cells"][std::to_string(i)] = condition(t.when, shown(t.when), t.set);
    const std::string text = texts.edge(t);
    if (text.find(" when ") != text.npos || !t.set.empty())
      guarded["texts"][std::to_string(i)] = text;
  }
  guarded["starts"] = Json::array();
  for (const InitialState& start : interface.initial)
    guarded["starts"].push_back(condition(start.when, shown(start.when), start.set));
  guarded["constants"] = interface.constants;
  guarded["aside"] = aside_lines(interface);
  guarded["left_out"] = left_out_lines(interface);
  guarded["never"] = never_names(interface);
  data["guarded"] = std::move(guarded);
}

} // namespace

Json explorer_data(const ExplorerSide& side, const HtmlOptions& options) {
  const Interface& interface = *side.interface;
  const auto known = [&](State q) -> Json { return q < side.states ? Json(q) : Json(-1); };
  const RunText runs(interface);
  const ShownLabels labels = shown_labels(interface);
  Json data;
  data["key"] = side.key;
  data["prefix"] = side.prefix;
  data["calls"] = Json::array();
  for (const InterfaceCall& call : interface.calls)
    data["calls"].push_back({{"name", call.name}, {"outcomes", call.outcomes}});
  data["constructors"] = interface.constructors;
  data["initial"] = Json::array();
  for (const InitialState& start : interface.initial)
    data["initial"].push_back({start.constructor, known(start.state)});

  data["states"] = Json::array();
  for (State q = 0; q < side.states; ++q) {
    Json allows = Json::array();
    for (std::size_t call = 0; call < interface.calls.size(); ++call)
      if (interface.states[q].allows[call]) allows.push_back(call);
    data["states"].push_back({{"label", labels.whole(q)}, {"allows", std::move(allows)}});
  }
  // Transitions are sorted by state, so those of the known states come first.
  data["transitions"] = Json::array();
  for (const InterfaceTransition& t : interface.transitions) {
    if (t.from >= side.states) break;
    data["transitions"].push_back({t.from, t.call, t.outcome, known(t.to),
                                   t.example ? run_of(*t.example, &t.before, runs) : Json(nullptr),
                                   std::string(t.uncertain ? "?" : "") + (t.may_break ? "*" : "")});
  }
  if (interface.guarded()) guarded_data(data, side);
  data["edges"] = Json::array();
  for (const DrawnEdge& edge : side.drawing.edges) {
    if (edge.from >= side.states) break;
    Json transitions = Json::array();
    for (const DrawnLetter& letter : edge.letters)
      for (const std::size_t t : letter.transitions) transitions.push_back(t);
    data["edges"].push_back({edge.from, known(edge.to), std::move(transitions)});
  }

  NameTable names;
  Excerpts excerpts(interface, options.sources);
  std::map<std::string, Json> excerpt_of;
  data["refusals"] = Json::array();
  Json shown = Json::array();
  for (const Refusal& refusal : interface.forbidden) {
    if (refusal.state && *refusal.state >= side.states) continue;
    const auto [place, added] = excerpt_of.try_emplace(refusal.at, nullptr);
    if (added)
      if (auto excerpt = excerpts.find(refusal.at)) {
        place->second = shown.size();
        shown.push_back({{"note", excerpt->note},
                         {"first", excerpt->first},
                         {"line", excerpt->line},
                         {"lines", excerpt->lines}});
      }
    Json needs = Json::array();
    for (const OpaqueNeed& need : refusal.needs) needs.push_back(to_string(need));
    data["refusals"].push_back(
        {{"s", refusal.state ? Json(*refusal.state) : Json(nullptr)},
         {"c", refusal.call},
         {"error", refusal.shown_error()},
         {"at", refusal.shown_at()},
         {"word", names.indices(refusal.word)},
         {"excerpt", place->second},
         {"needs", std::move(needs)},
         {"run", refusal.run ? run_of(*refusal.run, nullptr, runs) : Json(nullptr)}});
  }
  data["excerpts"] = std::move(shown);
  data["names"] = names.all();
  data["marks"] = Json::array();
  for (const auto& [id, name] : side.marks) data["marks"].push_back({id, name});
  return data;
}

std::string script_json(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c"; // no tag and no comment can start
    else
      safe += c;
  }
  return safe;
}

} // namespace tacit
