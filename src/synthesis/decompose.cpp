#include "synthesis/decompose.h"

#include <algorithm>
#include <deque>
#include <set>

#include <fmt/ranges.h>

#include "program/graph/dependence.h"
#include "program/graph/uses.h"

namespace tacit {

namespace {

/// One slice grows from the errors of a call: state that they depend on, the calls that write it,
/// what their writes and errors depend on, and so on. Conditions count for everything behind them.
class SliceGrowth {
public:
  SliceGrowth(const Component& component, const DependenceGraph& graph)
      : component_(component), graph_(graph), kept_(graph) {}

  Slice from(const Call& first) {
    add(first);
    for (std::size_t before = 0; before != calls_.size();) {
      before = calls_.size();
      for (const Call& call : component_.calls())
        if (!calls_.contains(call.name) && writes_kept(call)) add(call);
    }
    Slice made{{calls_.begin(), calls_.end()}, {}};
    for (const StateVariable& v : component_.module().state)
      if (kept_.has_state(v.term)) made.fields.push_back(v.name());
    std::ranges::sort(made.fields);
    return made;
  }

private:
  void add(const Call& call) {
    calls_.insert(call.name);
    const auto& blocks = component_.body(call).blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
      if (blocks[b].end.kind == TerminatorKind::Error) kept_.add(graph_.run(call.procedure, b));
  }

  bool writes_kept(const Call& call) const {
    bool found = false;
    each_write(component_.body(call),
               [&](Term target, Term) { found = found || kept_.has_state(target); });
    return found;
  }

  const Component& component_;
  const DependenceGraph& graph_;
  Cone kept_;
  std::set<std::string> calls_;
};

bool may_err(const Procedure& body) {
  return std::ranges::any_of(body.blocks,
                             [](const Block& b) { return b.end.kind == TerminatorKind::Error; });
}

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
  const Module& module = component.module();
  const DependenceGraph graph(module,
                              {.control = Control::Behind, .covers = [&](std::size_t procedure) {
                                 return module.procedures[procedure].kind == ProcedureKind::Method;
                               }});
  std::vector<Slice> found;
  for (const Call& call : component.calls())
    if (may_err(component.body(call))) found.push_back(SliceGrowth(component, graph).from(call));
  std::vector<Slice> largest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool covered = false;
    for (std::size_t j = 0; j < found.size() && !covered; ++j)
      covered = j != i && within(found[i], found[j]) && (!within(found[j], found[i]) || j < i);
    if (!covered) largest.push_back(found[i]);
  }
  return largest;
}

std::vector<PartPlan> plan_parts(Decomposition by, const Component& component) {
  std::vector<PartPlan> plans;
  if (by == Decomposition::ByErrors) {
    for (const std::string& error : properties(component)) {
      ComponentOptions one = component.options();
      one.errors = {error};
      plans.push_back({error, {}, std::move(one)});
    }
    return plans;
  }
  for (const Slice& slice : slices(component)) {
    ComponentOptions some = component.options();
    some.methods = slice.calls;
    plans.push_back(
        {fmt::format("{}", fmt::join(slice.calls, ", ")), slice.fields, std::move(some)});
  }
  return plans;
}

void compare_parts(Interface& whole) {
  const auto word = disagreement(whole);
  // Which arguments are good depends on all properties at once, so parts may refuse more together
  // than the whole.
  if (word && whole.options.arguments == Arguments::Angelic) {
    whole.parts.clear();
    whole.verdict.details["decomposition"] =
        "left out: with angelic arguments the parts together differ from the whole at '" + *word +
        "'";
    return;
  }
  whole.verdict.details["decomposition"] =
      word ? "the product of the parts differs at '" + *word + "'"
           : "the product of the parts allows the same calls";
}

void tell_product(Interface& whole) {
  const auto settled = [](const Interface& one) {
    return one.verdict.safe == Claim::Proved && one.verdict.permissive == Claim::Proved;
  };
  if (settled(whole) || !std::ranges::all_of(whole.parts, [&](const InterfacePart& part) {
        return settled(part.interface);
      }))
    return;
  whole.verdict.details["decomposition"] = fmt::format(
      "the whole is open, and its {} parts are proved: a word is legal when all of them "
      "allow it (\"Permissive Interfaces\", Proposition 7)",
      whole.parts.size());
}

} // namespace tacit
