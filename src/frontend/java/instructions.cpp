#include "frontend/java/instructions.h"

#include <algorithm>
#include <array>
#include <map>

namespace tacit::java {

namespace {

/// Operand bytes of each instruction; 14 tableswitch, 15 lookupswitch, 13 wide, 12 unknown.
constexpr std::array<std::uint8_t, 256> operand_bytes = [] {
  std::array<std::uint8_t, 256> size{};
  for (unsigned op = 0xca; op < 256; ++op) size[op] = 12;
  for (const unsigned op : {0x10u, 0x12u, 0x15u, 0x16u, 0x17u, 0x18u, 0x19u, 0x36u, 0x37u, 0x38u,
                            0x39u, 0x3au, 0xa9u, 0xbcu})
    size[op] = 1;
  for (const unsigned op : {0x11u, 0x13u, 0x14u, 0x84u, 0xb2u, 0xb3u, 0xb4u, 0xb5u, 0xb6u, 0xb7u,
                            0xb8u, 0xbbu, 0xbdu, 0xc0u, 0xc1u, 0xc6u, 0xc7u})
    size[op] = 2;
  for (unsigned op = 0x99; op <= 0xa8; ++op) size[op] = 2;
  size[0xc5] = 3;
  size[0xb9] = size[0xba] = size[0xc8] = size[0xc9] = 4;
  size[0xaa] = 14;
  size[0xab] = 15;
  size[0xc4] = 13;
  return size;
}();

bool is_jump(unsigned op) {
  return (op >= 0x99 && op <= 0xa8) || op == 0xc6 || op == 0xc7 || op == 0xc8 || op == 0xc9;
}
bool is_switch(unsigned op) { return op == 0xaa || op == 0xab; }
bool ends_path(unsigned op) {
  return op == 0xa7 || op == 0xc8 || (op >= 0xa9 && op <= 0xb1) || op == 0xbf;
}

class Decoder {
public:
  Decoder(const Code& code, const std::string& where) : code_(code), where_{where} {}

  Result<CodeGraph> run() {
    if (auto read = instructions(); !read) return std::unexpected(read.error());
    if (auto read = resolve(); !read) return std::unexpected(read.error());
    copy_subroutines();
    find_lock_handlers();
    if (auto made = blocks(); !made) return std::unexpected(made.error());
    order();
    liveness();
    return std::move(graph_);
  }

private:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  std::unexpected<Diagnostic> bad(std::size_t pc, std::string_view what) const {
    return fail(where_, "byte code at {}: {}", pc, what);
  }

  Result<void> instructions() {
    at_.assign(code_.bytes.size() + 1, nowhere);
    ByteReader in(code_.bytes);
    while (in.left() > 0) {
      Instruction made;
      const std::size_t pc = in.position();
      made.pc = static_cast<std::uint16_t>(pc);
      made.op = in.u1();
      at_[pc] = static_cast<std::uint32_t>(graph_.instructions.size());
      const unsigned op = made.op;
      switch (operand_bytes[op]) {
      case 0: break;
      case 1: made.operand = op == 0x10 ? in.s1() : in.u1(); break;
      case 2:
        if (op == 0x84) {
          made.operand = in.u1();
          made.second = in.s1();
        } else if (is_jump(op)) {
          jump(made, in.s2());
        } else {
          made.operand = op == 0x11 ? in.s2() : in.u2();
        }
        break;
      case 3:
        made.operand = in.u2();
        made.second = in.u1();
        break;
      case 4:
        if (is_jump(op)) {
          jump(made, in.s4());
        } else {
          made.operand = in.u2();
          in.u2();
        }
        break;
      case 13: {
        made.wide = true;
        made.op = in.u1();
        made.operand = in.u2();
        if (made.op == 0x84)
          made.second = in.s2();
        else if (operand_bytes[made.op] != 1 || made.op == 0x10 || made.op == 0x12 ||
                 made.op == 0xbc)
          return bad(pc, "'wide' before an instruction that has no wide form");
        break;
      }
      case 14:
      case 15:
        if (auto read = jump_table(made, in); !read) return read;
        break;
      default: return bad(pc, fmt::format("there is no instruction {:#x}", op));
      }
      if (!in.ok()) return bad(pc, "the code ends inside an instruction");
      graph_.instructions.push_back(std::move(made));
    }
    return {};
  }

  static void jump(Instruction& made, std::int32_t offset) {
    made.targets.push_back(static_cast<std::uint32_t>(std::int64_t{made.pc} + offset));
  }

  Result<void> jump_table(Instruction& made, ByteReader& in) {
    while (in.ok() && in.position() % 4 != 0) in.u1();
    const std::int32_t otherwise = in.s4();
    if (made.op == 0xaa) {
      const std::int64_t low = in.s4(), high = in.s4();
      if (!in.ok() || high < low || static_cast<std::uint64_t>(high - low) >= in.left())
        return bad(made.pc, "the switch has a wrong size");
      for (std::int64_t key = low; key <= high; ++key) {
        made.keys.push_back(static_cast<std::int32_t>(key));
        jump(made, in.s4());
      }
    } else {
      const std::int32_t count = in.s4();
      if (!in.ok() || count < 0 || static_cast<std::size_t>(count) > in.left() / 8)
        return bad(made.pc, "the switch has a wrong size");
      for (std::int32_t i = 0; i < count; ++i) {
        made.keys.push_back(in.s4());
        jump(made, in.s4());
      }
    }
    jump(made, otherwise);
    return {};
  }

  /// Addresses of targets become instruction numbers.
  Result<void> resolve() {
    for (Instruction& i : graph_.instructions)
      for (std::uint32_t& target : i.targets) {
        if (target >= code_.bytes.size() || at_[target] == nowhere)
          return bad(i.pc, "a jump leads into the middle of an instruction or out of the code");
        target = at_[target];
      }
    at_[code_.bytes.size()] = static_cast<std::uint32_t>(graph_.instructions.size());
    for (const ExceptionEntry& e : code_.handlers)
      if (at_[e.start] == nowhere || at_[e.end] == nowhere || at_[e.handler] == nowhere)
        return bad(e.handler, "an exception table names the middle of an instruction");
    return {};
  }

  // --- subroutines of old compilers: `jsr` calls one, `ret` goes back behind the call

  static bool calls_subroutine(unsigned op) { return op == 0xa8 || op == 0xc9; }
  static constexpr unsigned return_op = 0xa9;
  static constexpr std::size_t most_copied = 60'000, most_contexts = 2'000;

  /// A call that has not returned.
  struct Subroutine {
    std::uint32_t parent = 0, back = 0; // the call around it, and where `ret` goes
    bool operator==(const Subroutine&) const = default;
  };

  /// Whether going on from an instruction may meet a `ret` of the subroutine that it is part of.
  bool meets_return(std::uint32_t from) const {
    std::vector<bool> seen(graph_.instructions.size(), false);
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t i = work.back();
      work.pop_back();
      if (i >= graph_.instructions.size() || seen[i]) continue;
      seen[i] = true;
      const Instruction& one = graph_.instructions[i];
      if (one.op == return_op) return true;
      if (calls_subroutine(one.op)) {
        work.push_back(i + 1);
        continue;
      }
      work.insert(work.end(), one.targets.begin(), one.targets.end());
      if (!ends_path(one.op) && !is_switch(one.op)) work.push_back(i + 1);
    }
    return false;
  }

  /// Gives every call of a subroutine a copy of it, so that no `jsr` and `ret` are left. Code that
  /// would need too many copies, or catches exceptions within a subroutine, stays as it is.
  void copy_subroutines() {
    const auto count = static_cast<std::uint32_t>(graph_.instructions.size());
    if (std::ranges::none_of(graph_.instructions,
                             [](const Instruction& i) { return calls_subroutine(i.op); }))
      return;
    for (const ExceptionEntry& e : code_.handlers)
      if (meets_return(at_[e.handler])) return;

    std::vector<Subroutine> contexts{{}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> place; // context, instruction
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work;
    auto visit = [&](std::uint32_t context, std::uint32_t i) {
      if (i < count && place.try_emplace({context, i}, 0).second) work.emplace_back(context, i);
    };
    auto entered = [&](const Subroutine& wanted) {
      const auto known = static_cast<std::size_t>(
          std::find(contexts.begin() + 1, contexts.end(), wanted) - contexts.begin());
      if (known == contexts.size()) contexts.push_back(wanted);
      return static_cast<std::uint32_t>(known);
    };
    visit(0, 0);
    while (!work.empty()) {
      const auto [context, i] = work.back();
      work.pop_back();
      const Instruction& one = graph_.instructions[i];
      if (place.size() > most_copied || contexts.size() > most_contexts) return;
      // A subroutine does not call itself, and who returns has been called.
      if (one.op == return_op && context == 0) return;
      for (const ExceptionEntry& e : code_.handlers)
        if (e.start <= one.pc && one.pc < e.end) visit(0, at_[e.handler]);
      if (calls_subroutine(one.op)) {
        for (std::uint32_t c = context; c != 0; c = contexts[c].parent)
          if (contexts[c].back == i + 1) return;
        visit(entered({context, i + 1}), one.targets[0]);
      } else if (one.op == return_op) {
        visit(contexts[context].parent, contexts[context].back);
      } else {
        for (const std::uint32_t target : one.targets) visit(context, target);
        if (ends_path(one.op) || is_switch(one.op)) continue;
        if (i + 1 == count) return;
        visit(context, i + 1);
      }
    }

    std::uint32_t next = 0;
    for (auto& [where, number] : place) {
      number = next;
      next += calls_subroutine(graph_.instructions[where.second].op) ? 2 : 1;
    }
    std::vector<Instruction> made;
    for (const auto& [where, number] : place) {
      const auto [context, i] = where;
      Instruction one = graph_.instructions[i];
      if (calls_subroutine(one.op)) {
        // The address that it would push is never looked at.
        made.push_back({.pc = one.pc, .op = 0x01, .keys = {}, .targets = {}});
        one.op = 0xa7;
        one.targets[0] = place.at({entered({context, i + 1}), one.targets[0]});
      } else if (one.op == return_op) {
        const auto back = place.find({contexts[context].parent, contexts[context].back});
        if (back == place.end()) return;
        one.op = 0xa7;
        one.targets = {back->second};
      } else {
        for (std::uint32_t& target : one.targets) target = place.at({context, target});
      }
      made.push_back(std::move(one));
    }
    for (std::uint32_t& at : at_) {
      const auto there = at == nowhere ? place.end() : place.find({0, at});
      at = there == place.end() ? nowhere : there->second;
    }
    at_[code_.bytes.size()] = static_cast<std::uint32_t>(made.size());
    graph_.instructions = std::move(made);
    copied_ = true;
  }

  std::uint8_t op_at(std::uint32_t i) const {
    return i < graph_.instructions.size() ? graph_.instructions[i].op : 0;
  }
  static bool stores_reference(unsigned op) { return op == 0x3a || (op >= 0x4b && op <= 0x4e); }
  static bool loads_reference(unsigned op) { return op == 0x19 || (op >= 0x2a && op <= 0x2d); }

  /// `astore x; aload lock; monitorexit; aload x; athrow`, which synchronized blocks end with.
  void find_lock_handlers() {
    for (const ExceptionEntry& e : code_.handlers) {
      const std::uint32_t i = at_[e.handler];
      ignored_.push_back(e.type.empty() && stores_reference(op_at(i)) &&
                         loads_reference(op_at(i + 1)) && op_at(i + 2) == 0xc3 &&
                         loads_reference(op_at(i + 3)) && op_at(i + 4) == 0xbf);
    }
  }

  Result<void> blocks() {
    const auto count = static_cast<std::uint32_t>(graph_.instructions.size());
    std::vector<bool> leader(count + 1, false);
    leader[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Instruction& one = graph_.instructions[i];
      for (const std::uint32_t target : one.targets) leader[target] = true;
      if (!one.targets.empty() || ends_path(one.op)) leader[i + 1] = true;
    }
    for (std::size_t h = 0; h < code_.handlers.size(); ++h) {
      const ExceptionEntry& e = code_.handlers[h];
      if (!copied_) {
        leader[at_[e.start]] = leader[at_[e.end]] = leader[at_[e.handler]] = true;
        continue;
      }
      // Copies have the addresses of what they were copied from.
      for (std::uint32_t i = 0; i < count; ++i)
        if (const auto pc = graph_.instructions[i].pc; pc == e.start || pc == e.end)
          leader[i] = true;
      if (at_[e.handler] != nowhere) leader[at_[e.handler]] = true;
    }
    // A copy may end where the next one begins.
    if (copied_)
      for (std::uint32_t i = 0; i + 1 < count; ++i)
        if (graph_.instructions[i + 1].pc < graph_.instructions[i].pc) leader[i + 1] = true;
    graph_.block_of.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (leader[i])
        graph_.blocks.push_back({.first = i, .end = i, .handlers = {}, .successors = {}});
      graph_.blocks.back().end = i + 1;
      graph_.block_of[i] = static_cast<std::uint32_t>(graph_.blocks.size() - 1);
    }
    for (const ExceptionEntry& e : code_.handlers)
      graph_.handler_block.push_back(at_[e.handler] == nowhere ? 0
                                                               : graph_.block_of[at_[e.handler]]);
    for (std::uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      CodeBlock& block = graph_.blocks[b];
      const Instruction& last = graph_.instructions[block.end - 1];
      for (const std::uint32_t target : last.targets)
        block.successors.push_back(graph_.block_of[target]);
      if (!ends_path(last.op) && !is_switch(last.op)) {
        if (block.end == count) {
          falls_off_ = b;
        } else {
          block.successors.push_back(b + 1);
        }
      }
      const std::uint16_t pc = graph_.instructions[block.first].pc;
      for (std::uint32_t h = 0; h < code_.handlers.size(); ++h)
        if (!ignored_[h] && code_.handlers[h].start <= pc && pc < code_.handlers[h].end)
          block.handlers.push_back(h);
    }
    return {};
  }

  std::vector<std::uint32_t> next(std::uint32_t b) const {
    std::vector<std::uint32_t> all = graph_.blocks[b].successors;
    for (const std::uint32_t h : graph_.blocks[b].handlers) all.push_back(graph_.handler_block[h]);
    return all;
  }

  void order() {
    std::vector<bool> seen(graph_.blocks.size(), false);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
    std::vector<std::vector<std::uint32_t>> follow(graph_.blocks.size());
    graph_.predecessors.assign(graph_.blocks.size(), 0);
    graph_.predecessors[0] = 1;
    seen[0] = true;
    follow[0] = next(0);
    while (!stack.empty()) {
      auto& [b, i] = stack.back();
      if (i == follow[b].size()) {
        graph_.order.push_back(b);
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = follow[b][i++];
      ++graph_.predecessors[to];
      if (seen[to]) continue;
      seen[to] = true;
      follow[to] = next(to);
      stack.push_back({to, 0});
    }
    std::ranges::reverse(graph_.order);
    // A handler is entered from many places within one block.
    for (const std::uint32_t h : graph_.handler_block) graph_.predecessors[h] += 1;
  }

  /// Locals that an instruction reads or writes.
  static int read_local(const Instruction& i) {
    if (i.op >= 0x15 && i.op <= 0x19) return i.operand;
    if (i.op >= 0x1a && i.op <= 0x2d) return (i.op - 0x1a) % 4;
    if (i.op == 0x84 || i.op == 0xa9) return i.operand;
    return -1;
  }
  static int written_local(const Instruction& i) {
    if (i.op >= 0x36 && i.op <= 0x3a) return i.operand;
    if (i.op >= 0x3b && i.op <= 0x4e) return (i.op - 0x3b) % 4;
    return -1;
  }

  void liveness() {
    const std::size_t locals = code_.max_locals;
    auto& live = graph_.live;
    live.assign(graph_.blocks.size(), std::vector<bool>(locals, false));
    for (bool changed = true; changed;) {
      changed = false;
      for (auto it = graph_.order.rbegin(); it != graph_.order.rend(); ++it) {
        const CodeBlock& block = graph_.blocks[*it];
        std::vector<bool> now(locals, false);
        auto join = [&](std::uint32_t from) {
          for (std::size_t l = 0; l < locals; ++l)
            if (live[from][l]) now[l] = true;
        };
        for (const std::uint32_t s : block.successors) join(s);
        for (std::uint32_t i = block.end; i-- > block.first;) {
          const int written = written_local(graph_.instructions[i]);
          const int read = read_local(graph_.instructions[i]);
          if (written >= 0 && static_cast<std::size_t>(written) < locals)
            now[static_cast<std::size_t>(written)] = false;
          if (read >= 0 && static_cast<std::size_t>(read) < locals)
            now[static_cast<std::size_t>(read)] = true;
        }
        // What a handler reads may be read from any place in here.
        for (const std::uint32_t h : block.handlers) join(graph_.handler_block[h]);
        if (now != live[*it]) {
          live[*it] = std::move(now);
          changed = true;
        }
      }
    }
  }

  const Code& code_;
  Location where_;
  CodeGraph graph_;
  std::vector<std::uint32_t> at_; // instruction number by address
  std::vector<bool> ignored_;     // handlers
  bool copied_ = false;           // subroutines
  std::uint32_t falls_off_ = nowhere;
};

} // namespace

Result<CodeGraph> decode(const Code& code, const std::string& where) {
  return Decoder(code, where).run();
}

} // namespace tacit::java
