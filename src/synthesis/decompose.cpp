#include "synthesis/decompose.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace tacit {

namespace {

using Names = std::set<std::string>;

/// What the body of a call reads and writes, by value flow: for each state variable it writes, the
/// state variables that its new value may depend on, and those that its errors may depend on.
/// Conditions count for everything behind them.
struct Flow {
  std::map<std::string, Names> writes;
  Names errs;
  bool may_err = false;
};

class FlowAnalysis {
public:
  FlowAnalysis(const Module& module, const Procedure& body) : module_(module), body_(body) {}

  Flow run() {
    // The state variables that each variable, and reaching each block, depends on: a fixpoint.
    for (const StateVariable& v : module_.state) depends_[v.term] = {v.name()};
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < body_.blocks.size(); ++b) changed = visit(b) || changed;
    }
    Flow flow;
    for (BlockId b = 0; b < body_.blocks.size(); ++b) {
      for (const Statement& s : body_.blocks[b].statements)
        if (s.target && module_.state_index(s.target)) {
          Names& on = flow.writes[s.target->name];
          on.insert(written_[s.target].begin(), written_[s.target].end());
        }
      if (body_.blocks[b].end.kind == TerminatorKind::Error) {
        flow.may_err = true;
        flow.errs.insert(control_[b].begin(), control_[b].end());
      }
    }
    return flow;
  }

private:
  static bool add(Names& into, const Names& more) {
    const std::size_t before = into.size();
    into.insert(more.begin(), more.end());
    return into.size() > before;
  }

  Names read(Term term) {
    Names all;
    if (term)
      for (Term v : variables(term)) add(all, depends_[v]);
    return all;
  }

  bool visit(BlockId b) {
    bool changed = false;
    Names& here = control_[b];
    for (const Statement& s : body_.blocks[b].statements) {
      if (s.kind == StatementKind::Assume) {
        changed = add(here, read(s.value)) || changed;
        continue;
      }
      Names value = read(s.value);
      add(value, here);
      changed = add(depends_[s.target], value) || changed;
      changed = add(written_[s.target], value) || changed;
    }
    const Terminator& end = body_.blocks[b].end;
    Names on = here;
    if (end.kind == TerminatorKind::Branch) add(on, read(end.value));
    for (BlockId next : successors(end)) changed = add(control_[next], on) || changed;
    return changed;
  }

  const Module& module_;
  const Procedure& body_;
  std::map<Term, Names> depends_, written_;
  std::map<BlockId, Names> control_;
};

bool within(const Slice& inner, const Slice& outer) {
  return std::ranges::includes(outer.calls, inner.calls) &&
         std::ranges::includes(outer.fields, inner.fields);
}

/// The shortest word on which the product of the parts and the whole disagree.
std::optional<std::string> disagreement(const Interface& whole) {
  using States = std::vector<State>; // no_state: the part says that this cannot happen
  struct At {
    State state;
    States parts;
    std::string word;
  };
  std::deque<At> work;
  std::set<std::pair<State, States>> seen;
  for (const InitialState& start : whole.initial) {
    At at{start.state, {}, ""};
    for (const InterfacePart& part : whole.parts) {
      const auto found =
          std::ranges::find(part.interface.initial, start.constructor, &InitialState::constructor);
      at.parts.push_back(found == part.interface.initial.end() ? no_state : found->state);
    }
    work.push_back(std::move(at));
  }
  while (!work.empty()) {
    const At at = std::move(work.front());
    work.pop_front();
    if (!seen.insert({at.state, at.parts}).second) continue;
    if (std::ranges::find(at.parts, no_state) != at.parts.end()) continue;
    for (std::size_t c = 0; c < whole.calls.size(); ++c) {
      const std::string& name = whole.calls[c].name;
      const std::string word = at.word + (at.word.empty() ? "" : " ") + name;
      bool allowed = true;
      for (std::size_t p = 0; p < whole.parts.size(); ++p) {
        const Interface& part = whole.parts[p].interface;
        if (const auto call = part.find_call(name))
          allowed = allowed && part.states[at.parts[p]].allows[*call];
      }
      if (allowed != whole.states[at.state].allows[c]) return word;
      for (const InterfaceTransition& t : whole.outgoing(at.state, c)) {
        const std::string& outcome = whole.calls[c].outcomes[t.outcome];
        At next{t.to, at.parts, outcome == "any" ? word : word + ":" + outcome};
        for (std::size_t p = 0; p < whole.parts.size(); ++p) {
          const Interface& part = whole.parts[p].interface;
          const auto call = part.find_call(name);
          if (!call) continue;
          next.parts[p] = no_state;
          for (const InterfaceTransition& u : part.outgoing(at.parts[p], *call)) {
            const std::string& theirs = part.calls[*call].outcomes[u.outcome];
            if (theirs == outcome || theirs == "any" || outcome == "any") next.parts[p] = u.to;
          }
        }
        work.push_back(std::move(next));
      }
    }
  }
  return std::nullopt;
}

/// The error specifications; "every error statement" is one for each of its names.
std::vector<std::string> properties(const Component& component) {
  std::set<std::string> all;
  for (const std::string& spec : component.errors()) {
    if (spec != "error:*") {
      all.insert(spec);
      continue;
    }
    for (const auto* calls : {&component.calls(), &component.constructors()})
      for (const Call& call : *calls)
        for (const Block& block : component.body(call).blocks)
          if (block.end.kind == TerminatorKind::Error)
            all.insert(block.end.name == "assert" ? "assert" : "error:" + block.end.name);
  }
  return {all.begin(), all.end()};
}

} // namespace

std::vector<Slice> slices(const Component& component) {
  std::vector<Flow> flows;
  for (const Call& call : component.calls())
    flows.push_back(FlowAnalysis(component.module(), component.body(call)).run());
  std::vector<Slice> found;
  for (std::size_t c = 0; c < flows.size(); ++c) {
    if (!flows[c].may_err) continue;
    Names fields = flows[c].errs, calls{component.calls()[c].name};
    for (std::size_t before = 0; before != fields.size() + calls.size();) {
      before = fields.size() + calls.size();
      for (std::size_t d = 0; d < flows.size(); ++d) {
        bool writes = calls.contains(component.calls()[d].name);
        for (const auto& [variable, on] : flows[d].writes) {
          if (!fields.contains(variable)) continue;
          writes = true;
          fields.insert(on.begin(), on.end());
        }
        if (!writes) continue;
        calls.insert(component.calls()[d].name);
        fields.insert(flows[d].errs.begin(), flows[d].errs.end());
      }
    }
    found.push_back({{calls.begin(), calls.end()}, {fields.begin(), fields.end()}});
  }
  std::vector<Slice> largest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool covered = false;
    for (std::size_t j = 0; j < found.size() && !covered; ++j)
      covered = j != i && within(found[i], found[j]) && (!within(found[j], found[i]) || j < i);
    if (!covered) largest.push_back(found[i]);
  }
  return largest;
}

Result<void> decompose(Decomposition by, const Module& module, const Component& component,
                       const Engine& engine, const SynthesisOptions& options, Budget& budget,
                       Interface& whole) {
  auto add = [&](const std::string& name, std::vector<std::string> fields,
                 const ComponentOptions& restricted) -> Result<void> {
    auto part = build_component(module, restricted);
    if (!part) return std::unexpected(part.error());
    // A property that nothing can violate has no interface.
    if (by == Decomposition::ByErrors && !part->unmatched_errors().empty()) return {};
    SynthesisOptions quiet = options;
    quiet.story = {};
    options.story.tell("part '{}'", name);
    auto made = engine.run(*part, quiet, budget);
    if (!made) return std::unexpected(made.error());
    whole.parts.push_back({name, std::move(fields), std::move(made->interface)});
    return {};
  };
  if (by == Decomposition::ByErrors) {
    for (const std::string& error : properties(component)) {
      ComponentOptions one = component.options();
      one.errors = {error};
      if (auto added = add(error, {}, one); !added) return added;
    }
  } else {
    for (const Slice& slice : slices(component)) {
      ComponentOptions some = component.options();
      some.methods = slice.calls;
      std::string name;
      for (const std::string& call : slice.calls) name += (name.empty() ? "" : ", ") + call;
      if (auto added = add(name, slice.fields, some); !added) return added;
    }
  }
  const auto word = disagreement(whole);
  // Which arguments are good depends on all properties at once, so parts may refuse more together
  // than the whole.
  if (word && component.options().arguments == Arguments::Angelic) {
    whole.parts.clear();
    whole.verdict.details["decomposition"] =
        "left out: with angelic arguments the parts together differ from the whole at '" + *word +
        "'";
    return {};
  }
  whole.verdict.details["decomposition"] =
      word ? "the product of the parts differs at '" + *word + "'"
           : "the product of the parts allows the same calls";
  return {};
}

} // namespace tacit
