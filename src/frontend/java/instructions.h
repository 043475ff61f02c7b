// Byte code of one method as a list of instructions and basic blocks.
//
// Blocks begin at targets of jumps, at handlers, behind instructions that do not fall through, and
// at the ends of exception ranges, so that all instructions of a block have the same handlers.
// Handlers that only leave a monitor and throw on are left out: locks mean nothing here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/java/class_file.h"

namespace tacit::java {

struct Instruction {
  std::uint16_t pc = 0;
  std::uint8_t op = 0;
  bool wide = false;
  std::int32_t operand = 0;           // index, constant, local or target
  std::int32_t second = 0;            // iinc's constant, dimensions
  std::vector<std::int32_t> keys;     // switches
  std::vector<std::uint32_t> targets; // jumps and switches: instruction numbers; default last
};

struct CodeBlock {
  std::uint32_t first = 0, end = 0;      // instructions
  std::vector<std::uint32_t> handlers;   // into Code::handlers, in order
  std::vector<std::uint32_t> successors; // blocks, without handlers
};

struct CodeGraph {
  std::vector<Instruction> instructions;
  std::vector<CodeBlock> blocks;            // by address
  std::vector<std::uint32_t> block_of;      // per instruction
  std::vector<std::uint32_t> handler_block; // per entry of Code::handlers
  std::vector<std::uint32_t> order;         // reachable blocks in reverse postorder
  std::vector<std::uint32_t>
      predecessors;                    // edges into each reachable block, handler edges once each
  std::vector<std::vector<bool>> live; // per block: locals that may be read before written
};

/// Fails on what no verifier would accept: operands past the end, jumps into the middle.
Result<CodeGraph> decode(const Code& code, const std::string& where);

} // namespace tacit::java
