#include "check/encode.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "program/graph/unroll.h"
#include "program/ir/defaults.h"
#include "program/ir/granted.h"

namespace tacit {

namespace {

/// How often the lower side follows a loop without a bound.
constexpr std::size_t lower_rounds = 3;

/// A path condition as its parts.
std::vector<Term> parts_of(Term condition) {
  if (condition->op == Op::And) return condition->args;
  if (is_true(condition)) return {};
  return {condition};
}

} // namespace

Encoder::Encoder(const Component& component, Erasure& erasure,
                 const std::map<std::string, std::size_t>& unwind, const Invariants& invariants)
    : component_(component), erasure_(erasure), unwind_(unwind), invariants_(invariants),
      prefix_("?") {
  for (const StateVariable& variable : component.module().state) {
    state_.push_back(erasure.term(variable.term));
    while (variable.name().starts_with(prefix_)) prefix_ += "?";
  }
}

/// Encodes one body; used once.
class BodyEncoder {
public:
  BodyEncoder(Encoder& shared, const Call& call, EncodingSide side)
      : shared_(shared), side_(side), arena_(shared.erasure_.arena()),
        module_(shared.component_.module()), body_(shared.component_.body(call)), call_(call) {}

  Result<BodyEncoding> run() {
    const std::size_t otherwise = side_ == EncodingSide::Lower ? lower_rounds : 0;
    auto unrolled = unroll(body_, [&](BlockId head) { return bound(head).value_or(otherwise); });
    if (!unrolled && otherwise > 0)
      unrolled = unroll(body_, [&](BlockId head) { return bound(head).value_or(0); });
    if (!unrolled) return std::unexpected(unrolled.error());
    for (const auto& [head, members] : unrolled->loops)
      if (!bound(head)) encoding_.unbounded.push_back(head);
    declare();

    incoming_.resize(unrolled->copies.size());
    incoming_[0].push_back(start());
    for (std::size_t i = 0; i < unrolled->copies.size(); ++i) {
      if (incoming_[i].empty()) continue;
      Path path = merge(std::move(incoming_[i]));
      incoming_[i].clear();
      const BlockId id = unrolled->copies[i].block;
      if (side_ == EncodingSide::Upper && open(id)) {
        oblige(id, false, path);
        any_iteration(unrolled->loops.at(id), path);
        if (const Term invariant = this->invariant(id)) require(path, evaluate(invariant, path));
      }
      const Block& block = body_.blocks[id];
      for (const Statement& statement : block.statements) {
        if (is_false(path.condition)) break;
        if (auto done = execute(statement, path); !done) return std::unexpected(done.error());
      }
      if (is_false(path.condition)) continue;
      if (auto done = leave(block.end, unrolled->copies[i], std::move(path)); !done)
        return std::unexpected(done.error());
    }
    encoding_.blocked = arena_.disj(std::move(blocked_));
    return std::move(encoding_);
  }

private:
  /// What holds on the way to a place, and the values of all variables there, in terms of state and
  /// choices.
  struct Path {
    Term condition = nullptr;
    std::vector<Term> values; // as variables_
  };

  std::optional<std::size_t> bound(BlockId head) const {
    const auto known = shared_.unwind_.find(fmt::format("{}/{}", call_.name, head));
    if (known == shared_.unwind_.end()) return std::nullopt;
    return known->second;
  }

  /// A loop head without a bound.
  bool open(BlockId block) const {
    return std::ranges::find(encoding_.unbounded, block) != encoding_.unbounded.end();
  }

  /// Null when the evidence has none.
  Term invariant(BlockId head) const {
    const auto known = shared_.invariants_.find(fmt::format("{}/{}", call_.name, head));
    return known == shared_.invariants_.end() ? nullptr : known->second;
  }

  void oblige(BlockId head, bool again, const Path& path) {
    if (const Term invariant = this->invariant(head))
      encoding_.invariants.push_back({head, again, path.condition, evaluate(invariant, path)});
  }

  /// The head as it may be met in any iteration: what the loop writes has any value.
  void any_iteration(const std::set<BlockId>& loop, Path& path) {
    for (BlockId id : loop) {
      for (const Statement& statement : body_.blocks[id].statements) {
        if (statement.kind == StatementKind::Assume) continue;
        if (statement.kind == StatementKind::New) {
          const Term before = path.values.back();
          path.values.back() = choose("next address", address_type(), Chooser::Unknown, nullptr);
          require(path, arena_.le(before, path.values.back()));
        }
      }
    }
    for (BlockId id : loop) {
      for (const Statement& statement : body_.blocks[id].statements) {
        if (statement.kind == StatementKind::Assume) continue;
        const Variable& target = *variables_[slot(statement.target)];
        path.values[slot(statement.target)] = choose(target.name(), target.type, Chooser::Unknown,
                                                     allocates_ ? path.values.back() : nullptr);
      }
    }
  }

  Type address_type() {
    Type type;
    type.sort = arena_.int_sort();
    type.low = 1;
    return type;
  }

  void declare() {
    const auto add = [&](const Variable& variable) {
      slots_.emplace(variable.term, variables_.size());
      variables_.push_back(&variable);
      erased_.push_back(shared_.erasure_.term(variable.term));
    };
    for (const Variable& variable : module_.state) add(variable);
    for (const Variable& variable : body_.parameters) add(variable);
    for (const Variable& variable : body_.locals) add(variable);
    allocates_ = std::ranges::any_of(body_.blocks, [](const Block& block) {
      return std::ranges::any_of(block.statements, [](const Statement& statement) {
        return statement.kind == StatementKind::New;
      });
    });
    if (allocates_)
      encoding_.fresh = choose("next address", address_type(), Chooser::Client, nullptr);
  }

  Path start() {
    Path path{arena_.truth(), {}};
    for (std::size_t i = 0; i < module_.state.size(); ++i) path.values.push_back(shared_.state_[i]);
    for (const Variable& parameter : body_.parameters)
      path.values.push_back(choose(parameter.name(), parameter.type, Chooser::Client,
                                   encoding_.fresh, parameter.term));
    for (const Variable& local : body_.locals)
      path.values.push_back(shared_.erasure_.term(default_term(arena_, local.type)));
    if (allocates_) path.values.push_back(encoding_.fresh);
    return path;
  }

  Term choose(const std::string& name, const Type& type, Chooser chooser, Term below,
              Term target = nullptr) {
    const bool client = chooser == Chooser::Client;
    const std::string_view tag = client ? "" : side_ == EncodingSide::Upper ? "upper " : "lower ";
    const Term term =
        arena_.var(fmt::format("{}{}{} {}.{}", shared_.prefix_, tag, call_.procedure, name,
                               client ? client_choices_++ : encoding_.choices.size()),
                   shared_.erasure_.sort(type.sort));
    encoding_.choices.push_back({term, type, chooser, name, target, below});
    return term;
  }

  /// Paths exclude each other, so what tells the first apart from the others selects its values.
  /// Parts that both conditions have in common are factored out, which undoes the branch when
  /// nothing happened on either side.
  Path merge(std::vector<Path> paths) {
    Path merged = std::move(paths.back());
    for (std::size_t i = paths.size() - 1; i-- > 0;) {
      Path& path = paths[i];
      const auto mine = parts_of(path.condition), theirs = parts_of(merged.condition);
      const std::set<Term, TermById> known_mine(mine.begin(), mine.end()),
          known_theirs(theirs.begin(), theirs.end());
      std::vector<Term> common, only_mine, only_theirs;
      for (Term part : mine) (known_theirs.contains(part) ? common : only_mine).push_back(part);
      for (Term part : theirs)
        if (!known_mine.contains(part)) only_theirs.push_back(part);
      const Term here = arena_.conj(std::move(only_mine)),
                 there = arena_.conj(std::move(only_theirs));
      for (std::size_t slot = 0; slot < merged.values.size(); ++slot)
        merged.values[slot] = arena_.ite(here, path.values[slot], merged.values[slot]);
      common.push_back(arena_.disj(here, there));
      merged.condition = arena_.conj(std::move(common));
    }
    return merged;
  }

  Term evaluate(Term term, const Path& path) {
    Substitution by;
    for (Term variable : variables(term))
      by.emplace(erased_[slot(variable)], path.values[slot(variable)]);
    return substitute(arena_, shared_.erasure_.term(term), by);
  }

  std::size_t slot(Term variable) const { return slots_.at(variable); }

  void require(Path& path, Term condition) {
    path.condition = arena_.conj(path.condition, condition);
  }

  /// What the program demands: without it there is no run. (That values stay in their ranges, and
  /// what is granted, are assumptions that components list.)
  void demand(Path& path, Term condition) {
    blocked_.push_back(arena_.conj(path.condition, arena_.negate(condition)));
    require(path, condition);
  }

  Result<void> execute(const Statement& statement, Path& path) {
    switch (statement.kind) {
    case StatementKind::Assume: {
      const Term condition = evaluate(statement.value, path);
      is_granted(statement) ? require(path, condition) : demand(path, condition);
      return {};
    }
    case StatementKind::Assign: {
      const Variable& target = *variables_[slot(statement.target)];
      const TypeOf type_of = [&](Term variable) { return &variables_[slot(variable)]->type; };
      const Term fits = in_type(arena_, target.type, statement.value, type_of);
      if (fits == nullptr)
        return fail(statement.where,
                    "the range of the map assigned to '{}' cannot be put into a formula",
                    target.name());
      require(path, evaluate(fits, path));
      path.values[slot(statement.target)] = evaluate(statement.value, path);
      return {};
    }
    case StatementKind::Havoc: {
      const Variable& target = *variables_[slot(statement.target)];
      path.values[slot(statement.target)] =
          choose(target.name(), target.type, statement.chooser,
                 allocates_ ? path.values.back() : nullptr, statement.target);
      return {};
    }
    case StatementKind::New: {
      path.values[slot(statement.target)] = path.values.back();
      path.values.back() = arena_.add(path.values.back(), arena_.integer(1));
      return {};
    }
    }
    return {};
  }

  Result<void> leave(const Terminator& end, const BlockCopy& copy, Path path) {
    switch (end.kind) {
    case TerminatorKind::Goto: follow(copy.edges[0], std::move(path)); return {};
    case TerminatorKind::Branch: {
      const Term condition = evaluate(end.value, path);
      Path other = path;
      require(path, condition);
      require(other, arena_.negate(condition));
      follow(copy.edges[0], std::move(path));
      follow(copy.edges[1], std::move(other));
      return {};
    }
    case TerminatorKind::Return:
    case TerminatorKind::Throw: {
      if (end.outcome < 0 || static_cast<std::size_t>(end.outcome) >= call_.outcomes.size())
        return fail(end.where, "an exit of '{}' has no outcome", call_.name);
      Exit exit = exit_of(Exit::Kind::Outcome, path, end.where);
      exit.outcome = static_cast<std::size_t>(end.outcome);
      exit.rejecting = end.rejecting;
      exit.returned = end.kind == TerminatorKind::Return;
      exit.environment = end.environment;
      if (exit.returned && end.value != nullptr) exit.value = evaluate(end.value, path);
      path.values.resize(module_.state.size());
      exit.after = std::move(path.values);
      encoding_.exits.push_back(std::move(exit));
      return {};
    }
    case TerminatorKind::Error: {
      Exit exit = exit_of(Exit::Kind::Error, path, end.where);
      exit.error = end.name;
      exit.procedure = end.procedure.empty() ? body_.name : end.procedure;
      encoding_.exits.push_back(std::move(exit));
      return {};
    }
    case TerminatorKind::Call: break;
    }
    return fail(end.where, "the body of '{}' still holds a call of '{}'", call_.name, end.name);
  }

  static Exit exit_of(Exit::Kind kind, const Path& path, const Location& where) {
    Exit exit;
    exit.kind = kind;
    exit.condition = path.condition;
    exit.where = where;
    return exit;
  }

  void follow(const UnrolledEdge& edge, Path path) {
    if (is_false(path.condition)) return;
    if (edge.beyond && open(*edge.beyond)) {
      // Upper: another iteration of the head; lower: not followed.
      if (side_ == EncodingSide::Upper) oblige(*edge.beyond, true, path);
      return;
    }
    if (edge.beyond) {
      Exit exit = exit_of(Exit::Kind::Beyond, path, {});
      exit.head = *edge.beyond;
      encoding_.exits.push_back(std::move(exit));
      return;
    }
    incoming_[edge.to].push_back(std::move(path));
  }

  Encoder& shared_;
  EncodingSide side_;
  TermArena& arena_;
  const Module& module_;
  const Procedure& body_;
  const Call& call_;
  BodyEncoding encoding_;
  std::unordered_map<Term, std::size_t> slots_; // unerased variable -> index
  std::vector<const Variable*> variables_;      // state, parameters, locals
  std::vector<Term> erased_;
  std::vector<std::vector<Path>> incoming_;
  std::vector<Term> blocked_;
  std::size_t client_choices_ = 0;
  bool allocates_ = false; // then the last value is the next fresh address
};

Result<BodyEncoding> Encoder::encode(const Call& call, EncodingSide side) {
  return BodyEncoder(*this, call, side).run();
}

} // namespace tacit
