// What a body is compiled to: flat trees over slots of a frame. Written by BodyCompiler, followed
// by BodyRunner; nobody else looks inside.
#pragma once

#include <map>

#include "finite/compiled.h"

namespace tacit {

struct CompiledNode {
  Op op = Op::BoolConst;
  std::int64_t number = 0; // constants; Var: slot; Wrap: bits
  std::uint32_t first = 0; // children in `children`
  std::uint32_t count = 0;
  const Type* type = nullptr; // of maps
  std::size_t width = 1;
  Sort sort = nullptr;
};

struct CompiledInput {
  std::size_t slot = 0;
  const Type* type = nullptr;
  std::uint64_t size = 0;
};

struct CompiledStatement {
  StatementKind kind = StatementKind::Assume;
  std::size_t slot = 0;
  std::size_t width = 1;
  const Type* type = nullptr;
  std::uint32_t value = 0;
  std::uint64_t choices = 0;
};

struct CompiledBlock {
  std::vector<CompiledStatement> statements;
  const Terminator* end = nullptr;
  std::uint32_t condition = 0;
};

struct CompiledBody {
  std::vector<CompiledNode> nodes;
  std::vector<std::uint32_t> children;
  std::vector<CompiledBlock> blocks;
  std::vector<CompiledInput> client; // parameters, then the client's havocs at the entry
  std::vector<bool> cyclic;          // per block: on a cycle
  mutable std::vector<std::size_t> most_visits;
  bool has_cycle = false;
  bool chooses_in_cycle = false;
  mutable bool endless = false; // choices can lead back to where a run has been: no loop is bounded
  std::size_t client_statements = 0; // how many statements of block 0 those are
  std::size_t state_slots = 0;
  Frame locals; // defaults of what follows the state in a frame
};

/// Compiles one procedure. `first_slot` per state variable; `slots` is how many the state has.
Result<std::unique_ptr<CompiledBody>> compile_body(const Module& module, const Procedure& procedure,
                                                   const std::vector<std::size_t>& first_slot,
                                                   std::size_t slots);

/// The inputs of a run: scalars by type.
using ChosenInputs = std::vector<std::pair<const Type*, Frame>>;

/// Enumerates the runs of one body from one state; `chosen` holds the inputs of the run being
/// visited. The reason when it fails.
std::optional<std::string> run_body(const CompiledBody& body, const Frame& state,
                                    const std::function<bool()>& argument,
                                    const CompiledComponent::RunVisitor& visit,
                                    ChosenInputs& chosen);

} // namespace tacit
