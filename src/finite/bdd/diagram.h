// Binary decision diagrams: a handle on the nodes of BuDDy, which keeps one table of nodes per
// process.
//
// A session stands for that table. It lives as long as someone holds it, so several oracles share
// one table and its variables; each oracle has its own meaning for the variables. Variables are
// ordered by number, for good: there is no dynamic reordering. Every diagram must die before the
// last holder of the session does.
//
// Operations that run out of nodes, or of the budget of the current BddScope, throw BddGaveUp. It
// is the one exception inside finite/bdd; BddOracle turns it into failure().
//
// Threads: one. A second thread that opens a session while the first one's lives is refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"

namespace tacit {

struct BddGaveUp {
  std::string reason;
};

class BddSession {
public:
  static Result<std::shared_ptr<BddSession>> open();
  ~BddSession();
  BddSession(const BddSession&) = delete;
  BddSession& operator=(const BddSession&) = delete;

  /// Variables 0 … count - 1 exist afterwards.
  void need_variables(std::size_t count);

private:
  BddSession();
  std::thread::id thread_;
};

/// How closely a budget is watched: only in operations that collect garbage, which are the long
/// ones, so that those who watch it themselves get the answer to their last question; or in all of
/// them.
enum class Watch { LongOperations, AllOperations };

/// While it lives, operations watch this budget. Scopes nest.
class BddScope {
public:
  BddScope(Budget& budget, Watch watch);
  ~BddScope();
  BddScope(const BddScope&) = delete;
  BddScope& operator=(const BddScope&) = delete;

private:
  Budget* outer_;
  Watch outer_watch_;
};

/// Throws when the budget of the current scope is exhausted.
void check_budget();

/// A Boolean function. Equal functions have equal numbers.
class Bdd {
public:
  Bdd() = default; // false
  explicit Bdd(bool value) : id_(value ? 1 : 0) {}
  Bdd(const Bdd& other) : id_(other.id_) { hold(); }
  Bdd(Bdd&& other) noexcept : id_(other.id_) { other.id_ = 0; }
  Bdd& operator=(const Bdd& other);
  Bdd& operator=(Bdd&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Bdd() { release(); }

  static Bdd variable(std::size_t number);
  static Bdd literal(std::size_t number, bool value);
  /// Takes over a number that a call to BuDDy has just returned.
  static Bdd of_result(int id);

  int id() const { return id_; }
  bool is_false() const { return id_ == 0; }
  bool is_true() const { return id_ == 1; }
  bool is_constant() const { return id_ < 2; }
  bool operator==(const Bdd& other) const { return id_ == other.id_; }

  // Of a diagram that is no constant.
  std::size_t top() const;
  Bdd low() const;
  Bdd high() const;

  Bdd& operator&=(const Bdd& other) { return *this = *this & other; }
  Bdd& operator|=(const Bdd& other) { return *this = *this | other; }
  friend Bdd operator&(const Bdd& a, const Bdd& b);
  friend Bdd operator|(const Bdd& a, const Bdd& b);
  friend Bdd operator^(const Bdd& a, const Bdd& b);
  friend Bdd operator!(const Bdd& a);

private:
  void hold() const;
  void release() const;
  int id_ = 0;
};

Bdd ite(const Bdd& condition, const Bdd& then_, const Bdd& else_);
Bdd same(const Bdd& a, const Bdd& b);
Bdd without(const Bdd& a, const Bdd& b); // a and not b

/// The conjunction of variables, as the quantifiers want them.
Bdd variable_set(std::vector<std::size_t> variables);
Bdd exists(const Bdd& a, const Bdd& variables);
Bdd and_exists(const Bdd& a, const Bdd& b, const Bdd& variables);
/// `literals` is a conjunction of literals, whose values are filled in.
Bdd cofactor(const Bdd& a, const Bdd& literals);

/// A renaming of variables. The order of the variables that occur must stay the same.
class Renaming {
public:
  Renaming(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to);
  ~Renaming();
  Renaming(Renaming&& other) noexcept : pair_(other.pair_) { other.pair_ = nullptr; }
  Renaming& operator=(Renaming&& other) noexcept {
    std::swap(pair_, other.pair_);
    return *this;
  }
  Bdd operator()(const Bdd& a) const;

private:
  void* pair_ = nullptr; // bddPair
};

/// The variables that occur, ascending.
std::vector<std::size_t> support(const Bdd& a);
/// Nodes, without the constants.
std::size_t node_count(const Bdd& a);

} // namespace tacit
