// What depends on what: data and control dependences over a module (Ferrante, Ottenstein, Warren:
// "The Program Dependence Graph and Its Use in Optimization", 1987; across calls as in Horwitz,
// Reps, Binkley: "Interprocedural Slicing Using Dependence Graphs", 1990). The order of statements
// is not looked at: a variable depends on all that is ever assigned to it.
//
// The nodes are
//   a variable             state variables once, parameters and locals by procedure
//   the run of a block     whether it is run
//   the choice of a block  where its terminator leads
//   a procedure's result   what it returns
//   a procedure's effect   that it writes state that counts, throws or errs
// A policy says which edges are drawn. A Cone is a set of nodes that is closed under the edges: the
// backward slice of the sinks that were added to it. Which sinks there are is up to the user:
// errors, outcomes, returned values, chosen variables.
//
// A graph refers to its module, and a cone to its graph; rewriting blocks leaves both valid for
// questions about variables and block numbers as they were.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/graph/postdominators.h"
#include "program/ir/module.h"

namespace tacit {

enum class Control {
  None,    ///< no edges: conditions are sinks, or do not count
  Decides, ///< a block depends on the branches that decide whether it is run (postdominators.h)
  Behind   ///< a block depends on all branches and assumptions on ways to it
};

struct DependencePolicy {
  Control control = Control::None;
  bool calls = false;   ///< between arguments and parameters, results and what is returned, and on
                        ///< callees with an effect; callees should have bodies
  bool choices = false; ///< an assumption binds choices: they depend on what else it mentions
  bool by_name = false; ///< locals of one name are one node in all procedures
  /// Whether what an assignment reads flows into its target; empty: always.
  std::function<bool(const Statement& assignment, Term read)> flows;
  /// Where a run can go on after a block; empty: as its terminator says.
  std::function<std::vector<BlockId>(const Block&)> successors;
  /// Procedures whose blocks are looked at; empty: all.
  std::function<bool(std::size_t procedure)> covers;
};

class DependenceGraph {
public:
  using Node = std::uint32_t;
  struct Edge {
    Node to;
    Node when; ///< drawn only where this node is reached, too; the edge's own source: always
  };

  DependenceGraph(const Module& module, DependencePolicy policy);

  const Module& module() const { return module_; }
  std::size_t size() const { return edges_.size(); }
  const std::vector<Edge>& edges(Node node) const { return edges_[node]; }

  /// None: no such variable is declared or mentioned.
  std::optional<Node> variable(std::size_t procedure, Term variable) const;
  std::optional<Node> state(Term variable) const;
  Node run(std::size_t procedure, BlockId block) const {
    return first_block_[procedure] + 2 * block;
  }
  Node choice(std::size_t procedure, BlockId block) const { return run(procedure, block) + 1; }
  Node result(std::size_t procedure) const { return first_procedure_ + 2 * Node(procedure); }
  Node effect(std::size_t procedure) const { return result(procedure) + 1; }

  /// Of a procedure that is covered, with Control::Decides.
  const Postdominators& postdominators(std::size_t procedure) const {
    return postdominators_[procedure];
  }

private:
  void number();
  void connect(std::size_t procedure);
  void connect_statements(std::size_t procedure, BlockId block);
  void connect_end(std::size_t procedure, BlockId block);
  void connect_call(std::size_t procedure, BlockId block);
  void connect_control(std::size_t procedure);
  void bind_choices(std::size_t procedure);
  void edge(Node from, Node to) { edges_[from].push_back({to, from}); }
  void edges_to(Node from, std::size_t procedure, Term read);
  Node known(std::size_t procedure, Term variable) const;

  const Module& module_;
  DependencePolicy policy_;
  std::unordered_map<Term, Node> state_;
  std::vector<std::unordered_map<Term, Node>> locals_;
  std::vector<Node> first_block_;
  Node first_procedure_ = 0;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<Postdominators> postdominators_;
};

/// What some sinks depend on. Adding a sink adds all that it depends on.
class Cone {
public:
  explicit Cone(const DependenceGraph& graph) : graph_(graph), reached_(graph.size(), false) {}

  void add(DependenceGraph::Node sink);
  /// All variables of a term, which may be null.
  void add(std::size_t procedure, Term term);
  /// As above, of a term over the state alone.
  void add_state(Term term);

  bool contains(DependenceGraph::Node node) const { return reached_[node]; }
  /// Whether the cone has a variable, and all variables of a term.
  bool has(std::size_t procedure, Term variable) const;
  bool has_all(std::size_t procedure, Term term) const;
  bool has_state(Term variable) const;

private:
  const DependenceGraph& graph_;
  std::vector<bool> reached_;
};

} // namespace tacit
