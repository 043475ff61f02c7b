// The right interface of a finite component. Worlds are explored as in reference.cpp, with every
// call allowed that is surely legal; then variables whose value is always known are taken out of
// the worlds, and what is left are the states. Every guard, cell and update is first a table over
// all values, and then written over as few variables as it needs.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/guarded_reading.h"
#include "support/random_guarded.h"
#include "support/reference_words.h"

namespace tacit {

namespace {

using Values = std::vector<Value>;

struct Column {
  std::string name;
  Sort sort = nullptr;
};

/// A table from rows of values to a class, and texts of conditions for its classes.
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(Values row, std::size_t into) { rows_[std::move(row)] = into; }
  std::size_t size() const { return rows_.size(); }

  /// Of each class: over columns that are needed to tell classes apart. "" for the only one.
  std::map<std::size_t, std::string> conditions() const {
    std::vector<bool> used(columns_.size(), true);
    for (std::size_t i = 0; i < used.size(); ++i) {
      used[i] = false;
      if (!is_function(used)) used[i] = true;
    }
    std::map<std::size_t, std::set<std::string>> parts;
    for (const auto& [row, into] : rows_) {
      std::vector<std::string> equations;
      for (std::size_t i = 0; i < row.size(); ++i)
        if (used[i])
          equations.push_back(
              fmt::format("{} == {}", columns_[i].name, to_string(row[i], columns_[i].sort)));
      parts[into].insert(fmt::format("{}", fmt::join(equations, " && ")));
    }
    std::map<std::size_t, std::string> texts;
    for (const auto& [into, cases] : parts)
      texts[into] = parts.size() == 1   ? ""
                    : cases.size() == 1 ? *cases.begin()
                                        : fmt::format("({})", fmt::join(cases, ") || ("));
    return texts;
  }

private:
  bool is_function(const std::vector<bool>& used) const {
    std::map<Values, std::size_t> seen;
    for (const auto& [row, into] : rows_) {
      Values key;
      for (std::size_t i = 0; i < row.size(); ++i)
        if (used[i]) key.push_back(row[i]);
      if (seen.emplace(key, into).first->second != into) return false;
    }
    return true;
  }

  std::vector<Column> columns_;
  std::map<Values, std::size_t> rows_;
};

struct Letter {
  Values arguments;
  Observation seen;
  std::size_t to = 0; // node
};

struct Node {
  Worlds worlds;
  // Per call:
  std::vector<std::map<Values, Legality>> legality;
  std::vector<std::vector<Letter>> letters;
  // Of the interface:
  State q = 0;
  Values tracked;
};

class Maker {
public:
  Maker(const RandomGuarded& random, const Component& component)
      : random_(random), component_(component), semantics_(component) {}

  std::optional<Interface> run() {
    if (!explore() || nodes_.empty()) return std::nullopt;
    choose_tracked();
    fold();
    if (states_ > most_states) return std::nullopt;
    Interface& i = made_;
    i.component_name = component_.name();
    i.language = "tir";
    i.sources = {"random.tir"};
    i.tir = random_.tir;
    i.options = random_.options;
    i.engine = "enumeration";
    i.errors = component_.errors();
    for (const Call& call : component_.calls()) i.calls.push_back({call.name, call.outcomes});
    for (const Call& call : component_.constructors()) i.constructors.push_back(call.name);
    i.states.assign(states_, {std::vector<bool>(i.calls.size(), false), ""});
    i.verdict.safe = i.verdict.permissive = i.verdict.full = Claim::Proved;
    i.verdict.assumptions = component_.assumptions();
    for (std::size_t v : tracked_) {
      const StateVariable& variable = component_.module().state[v];
      i.tracked.push_back(
          {"t_" + variable.name(), to_string(variable.type.sort), variable.name(), ""});
    }
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) write_starts(k);
    for (State q = 0; q < states_; ++q)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) write_call(q, c);
    std::ranges::stable_sort(i.transitions, [&](const auto& a, const auto& b) {
      return std::tuple(a.from, i.calls[a.call].name, i.calls[a.call].outcomes[a.outcome]) <
             std::tuple(b.from, i.calls[b.call].name, i.calls[b.call].outcomes[b.outcome]);
    });
    if (semantics_.failure() || impossible_) return std::nullopt;
    return std::move(made_);
  }

private:
  static constexpr std::size_t most_nodes = 40, most_states = 20;

  /// Client-owned variables are written by the client before anyone reads them again.
  std::size_t node(const Worlds& seen) {
    Worlds worlds;
    for (const StateBelief& belief : seen) {
      StateBelief rest;
      for (ConcreteState s : belief) {
        for (std::size_t v = 0; v < s.values.size(); ++v)
          if (component_.module().state[v].client) s.values[v] = Value(0);
        rest.insert(std::move(s));
      }
      worlds.insert(std::move(rest));
    }
    const auto [at, fresh] = known_.emplace(worlds, nodes_.size());
    if (fresh) nodes_.push_back({std::move(worlds), {}, {}, 0, {}});
    return at->second;
  }

  bool explore() {
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      starts_.emplace_back();
      for (const Values& arguments : semantics_.arguments(component_.constructors()[k])) {
        const Resolutions ways = semantics_.constructor_ways(k, arguments);
        if (ConcreteSemantics::constructor_legality(ways) != Legality::Legal) continue;
        if (ConcreteSemantics::seen(ways, true).size() > 1)
          return false; // no start tells them apart
        for (const Observation& seen : ConcreteSemantics::seen(ways, true))
          starts_.back().emplace_back(arguments, node(ConcreteSemantics::after(ways, seen, true)));
      }
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_.size() > most_nodes || semantics_.failure()) return false;
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        nodes_[n].legality.emplace_back();
        nodes_[n].letters.emplace_back();
        for (const Values& arguments : semantics_.arguments(component_.calls()[c])) {
          const Resolutions ways = semantics_.ways(nodes_[n].worlds, c, arguments);
          const Legality legality = ConcreteSemantics::legality(ways);
          nodes_[n].legality[c][arguments] = legality;
          if (legality != Legality::Legal) continue;
          for (const Observation& seen : ConcreteSemantics::seen(ways)) {
            const std::size_t to = node(ConcreteSemantics::after(ways, seen));
            nodes_[n].letters[c].push_back({arguments, seen, to});
          }
        }
      }
    }
    return true;
  }

  /// The value of a variable in all worlds of a node, if they agree.
  static std::optional<Value> known_value(const Node& node, std::size_t variable) {
    std::optional<Value> value;
    for (const StateBelief& belief : node.worlds)
      for (const ConcreteState& s : belief) {
        if (value && !(*value == s.values[variable])) return std::nullopt;
        value = s.values[variable];
      }
    return value;
  }

  void choose_tracked() {
    if (random_.seed % 3 == 0) return;
    for (std::size_t v = 0; v < component_.module().state.size(); ++v) {
      if (component_.module().state[v].client || tracked_.size() > random_.seed % 2) continue;
      if (std::ranges::all_of(nodes_, [&](const Node& n) { return known_value(n, v).has_value(); }))
        tracked_.push_back(v);
    }
  }

  /// What is left of the worlds without the tracked variables is a state.
  void fold() {
    std::map<std::set<std::set<Values>>, State> states;
    for (Node& n : nodes_) {
      std::set<std::set<Values>> rest;
      for (const StateBelief& belief : n.worlds) {
        std::set<Values> some;
        for (const ConcreteState& s : belief) {
          Values values = s.values;
          for (std::size_t v : tracked_) values[v] = Value(0);
          some.insert(std::move(values));
        }
        rest.insert(std::move(some));
      }
      n.q = states.emplace(std::move(rest), static_cast<State>(states.size())).first->second;
      for (std::size_t v : tracked_) n.tracked.push_back(*known_value(n, v));
    }
    states_ = states.size();
  }

  std::vector<Column> columns(const Call& call, bool tracked, bool result) const {
    std::vector<Column> list;
    for (const Variable& v : argument_variables(component_, call))
      list.push_back({v.name(), v.type.sort});
    for (std::size_t i = 0; i < made_.tracked.size() && tracked; ++i)
      list.push_back({made_.tracked[i].name, component_.module().state[tracked_[i]].type.sort});
    const Procedure& body = component_.body(call);
    if (result && body.returns && !call.blind) list.push_back({"result", body.returns->sort});
    return list;
  }

  /// One step of the interface: a row of values, where it leads and what is tracked afterwards.
  struct Step {
    Values row; // of the columns
    State to = 0;
    Values after;
  };

  /// A text for what the i-th tracked value becomes in all these steps; "" when there is none.
  std::string update(const std::vector<Column>& columns, const std::vector<Step>& steps,
                     std::size_t i) const {
    const Sort sort = component_.module().state[tracked_[i]].type.sort;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].sort != sort) continue;
      for (const Integer d : {Integer(0), Integer(1), Integer(-1)}) {
        if (d != 0 && sort->kind != SortKind::Int) break;
        if (std::ranges::all_of(
                steps, [&](const Step& s) { return s.after[i].number == s.row[c].number + d; }))
          return d == 0 ? columns[c].name
                        : fmt::format("{} {} 1", columns[c].name, d > 0 ? '+' : '-');
      }
    }
    if (std::ranges::all_of(steps, [&](const Step& s) { return s.after[i] == steps[0].after[i]; }))
      return to_string(steps[0].after[i], sort);
    return "";
  }

  std::optional<TrackedUpdate> updates(const std::vector<Column>& columns,
                                       const std::vector<Step>& steps) const {
    TrackedUpdate set;
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      const std::string text = update(columns, steps, i);
      if (text.empty()) return std::nullopt;
      set[made_.tracked[i].name] = text;
    }
    return set;
  }

  /// Cells of these steps: by target, and finer where no update fits all of them; with every third
  /// seed one cell for each letter.
  struct Cell {
    State to = 0;
    std::string when;
    TrackedUpdate set;
    std::vector<Step> steps;
  };

  std::vector<Cell> cells(const std::vector<Column>& columns, const std::vector<Step>& steps) {
    const bool fine = random_.seed % 3 == 1;
    std::map<std::tuple<State, Values, Values>, std::vector<Step>> groups;
    for (const Step& s : steps) groups[{s.to, {}, fine ? s.row : Values{}}].push_back(s);
    for (auto at = groups.begin(); at != groups.end();) {
      const auto& [to, after, row] = at->first;
      if (updates(columns, at->second) || !after.empty()) {
        ++at;
        continue;
      }
      for (const Step& s : at->second) groups[{to, s.after, row}].push_back(s);
      at = groups.erase(at);
    }
    Table table(columns);
    std::size_t index = 0;
    std::vector<Cell> found;
    for (const auto& [key, some] : groups) {
      for (const Step& s : some) table.add(s.row, index);
      found.push_back({std::get<0>(key), "", *updates(columns, some), some});
      ++index;
    }
    // What only client-owned state tells apart no cell can tell.
    std::size_t rows = 0;
    for (const Cell& cell : found) {
      std::set<Values> own;
      for (const Step& s : cell.steps) own.insert(s.row);
      rows += own.size();
    }
    if (rows != table.size()) impossible_ = true;
    for (const auto& [into, text] : table.conditions()) found[into].when = text;
    return found;
  }

  void write_starts(std::size_t k) {
    const Call& call = component_.constructors()[k];
    const std::vector<Column> over = columns(call, false, false);
    std::vector<Step> steps;
    for (const auto& [arguments, n] : starts_[k])
      steps.push_back({arguments, nodes_[n].q, nodes_[n].tracked});
    if (steps.empty()) return;
    Table table(over);
    constexpr std::size_t refused = 1000;
    const std::vector<Cell> found = cells(over, steps);
    for (const Values& arguments : semantics_.arguments(call)) table.add(arguments, refused);
    for (std::size_t c = 0; c < found.size(); ++c)
      for (const Step& s : found[c].steps) table.add(s.row, c);
    for (const auto& [c, text] : table.conditions())
      if (c != refused) made_.initial.push_back({call.name, found[c].to, text, found[c].set});
  }

  void write_call(State q, std::size_t c) {
    const Call& call = component_.calls()[c];
    Table guard(columns(call, true, false));
    bool some = false;
    std::map<std::size_t, std::vector<Step>> steps; // by outcome
    const std::vector<Column> over = columns(call, true, true);
    for (const Node& n : nodes_) {
      if (n.q != q) continue;
      for (const auto& [arguments, legality] : n.legality[c]) {
        Values row = arguments;
        row.insert(row.end(), n.tracked.begin(), n.tracked.end());
        const bool allowed = legality == Legality::Legal || legality == Legality::NoRun;
        guard.add(row, allowed ? 1 : 0);
        some = some || allowed;
      }
      for (const Letter& l : n.letters[c]) {
        Values row = l.arguments;
        row.insert(row.end(), n.tracked.begin(), n.tracked.end());
        if (over.size() > row.size()) row.push_back(l.seen.result.value_or(Value(0)));
        steps[l.seen.outcome].push_back({row, nodes_[l.to].q, nodes_[l.to].tracked});
      }
    }
    if (!some) return;
    made_.states[q].allows[c] = true;
    const std::string when = guard.conditions()[1];
    if (!when.empty()) made_.guards.push_back({q, c, when});
    if (steps.empty()) made_.transitions.push_back({q, c, 0, q});
    for (const auto& [outcome, list] : steps) {
      const bool shown = std::ranges::any_of(nodes_, [&](const Node& n) {
        return std::ranges::any_of(n.letters[c], [&](const Letter& l) {
          return l.seen.outcome == outcome && l.seen.result.has_value();
        });
      });
      std::vector<Column> known = over;
      std::vector<Step> rows = list;
      if (!shown && over.size() > columns(call, true, false).size()) {
        known.pop_back();
        for (Step& s : rows) s.row.pop_back();
      }
      for (Cell& cell : cells(known, rows)) {
        std::erase_if(cell.set, [](const auto& u) { return u.first == u.second; });
        made_.transitions.push_back({q, c, outcome, cell.to, cell.when, cell.set});
      }
    }
  }

  const RandomGuarded& random_;
  const Component& component_;
  ConcreteSemantics semantics_;
  std::deque<Node> nodes_;
  std::map<Worlds, std::size_t> known_;
  std::vector<std::vector<std::pair<Values, std::size_t>>> starts_; // per constructor
  std::vector<std::size_t> tracked_;                                // state variables
  std::size_t states_ = 0;
  bool impossible_ = false; // no interface tells apart what would have to be told apart
  Interface made_;
};

} // namespace

std::optional<Interface> right_interface(const RandomGuarded& random, const Component& component) {
  return Maker(random, component).run();
}

} // namespace tacit
