#include <algorithm>
#include <unordered_map>

#include "base/should.h"
#include "finite/compiled_body.h"
#include "finite/shape.h"
#include "logic/term/print.h"
#include "program/graph/call_graph.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

constexpr std::uint64_t max_choices = 1 << 20; // values of one input

class BodyCompiler {
public:
  BodyCompiler(const Module& module, const Procedure& procedure,
               const std::vector<std::size_t>& first_slot, std::size_t slots)
      : module_(module), procedure_(procedure), first_slot_(first_slot), slots_(slots) {}

  Result<std::unique_ptr<CompiledBody>> run() {
    auto body = std::make_unique<CompiledBody>();
    body_ = body.get();
    body->state_slots = slots_;
    std::size_t next = slots_;
    for (const auto* list : {&procedure_.parameters, &procedure_.locals})
      for (const Variable& v : *list) {
        const std::size_t width = width_of(v.type);
        if (width == 0)
          return fail(procedure_.where, "'{}' of type {} has no finite shape", v.name(),
                      to_string(v.type));
        slot_of_[v.term] = next;
        type_of_[v.term] = &v.type;
        for (Integer scalar : scalars_of(v.type, default_value(v.type)))
          body->locals.push_back(static_cast<std::int64_t>(scalar));
        next += width;
      }
    for (std::size_t i = 0; i < module_.state.size(); ++i) {
      slot_of_[module_.state[i].term] = first_slot_[i];
      type_of_[module_.state[i].term] = &module_.state[i].type;
    }
    for (const Variable& p : procedure_.parameters)
      if (auto ok = client_input(p.term); !ok) return std::unexpected(ok.error());
    for (const Statement& s : procedure_.blocks[0].statements) {
      if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Client) break;
      if (auto ok = client_input(s.target); !ok) return std::unexpected(ok.error());
      ++body->client_statements;
    }
    for (const Block& b : procedure_.blocks)
      if (auto ok = block(b); !ok) return std::unexpected(ok.error());
    find_cycles();
    return body;
  }

private:
  Result<std::uint64_t> choices(Term variable) {
    const Type& type = *type_of_.at(variable);
    const auto size = domain_size(type);
    if (!size)
      return fail(procedure_.where, "'{}' in '{}' can be any {}: not a finite choice",
                  variable->name, procedure_.name, to_string(type));
    if (*size > max_choices)
      return fail(procedure_.where, "'{}' in '{}' has {} values: too many to enumerate",
                  variable->name, procedure_.name, *size);
    return *size;
  }

  Result<void> client_input(Term variable) {
    auto size = choices(variable);
    if (!size) return std::unexpected(size.error());
    body_->client.push_back({slot_of_.at(variable), type_of_.at(variable), *size});
    return {};
  }

  Result<void> block(const Block& b) {
    CompiledBlock out;
    for (const Statement& s : b.statements) {
      CompiledStatement c{.kind = s.kind};
      if (s.kind == StatementKind::New)
        return fail(procedure_.where, "'{}' allocates memory: its states are not finite",
                    procedure_.name);
      if (s.target) {
        c.slot = slot_of_.at(s.target);
        c.type = type_of_.at(s.target);
        c.width = width_of(*c.type);
      }
      if (s.kind == StatementKind::Havoc) {
        auto size = choices(s.target);
        if (!size) return std::unexpected(size.error());
        c.choices = *size;
      }
      if (s.value) {
        auto node = compile(s.value, c.type);
        if (!node) return std::unexpected(node.error());
        c.value = *node;
      }
      out.statements.push_back(c);
    }
    out.end = &b.end;
    if (b.end.kind == TerminatorKind::Branch) {
      auto node = compile(b.end.value, nullptr);
      if (!node) return std::unexpected(node.error());
      out.condition = *node;
    }
    should(b.end.kind != TerminatorKind::Call, "a component's bodies should be free of calls");
    body_->blocks.push_back(std::move(out));
    return {};
  }

  void find_cycles() {
    const auto& blocks = procedure_.blocks;
    body_->cyclic = blocks_in_cycles(procedure_);
    body_->most_visits.assign(blocks.size(), 0);
    for (BlockId b = 0; b < blocks.size(); ++b) {
      if (!body_->cyclic[b]) continue;
      body_->has_cycle = true;
      body_->chooses_in_cycle = body_->chooses_in_cycle ||
                                std::ranges::any_of(blocks[b].statements, [](const Statement& s) {
                                  return s.kind == StatementKind::Havoc;
                                });
    }
  }

  /// The type of a map-valued term; constant maps take it from the context.
  const Type* type_of(Term t, const Type* wanted) {
    switch (t->op) {
    case Op::Var: return type_of_.at(t);
    case Op::Store: return type_of(t->args[0], wanted);
    case Op::Ite: {
      const Type* first = type_of(t->args[1], nullptr);
      return first ? first : type_of(t->args[2], wanted);
    }
    case Op::Select: {
      const Type* map = type_of(t->args[0], nullptr);
      return map ? map->value.get() : nullptr;
    }
    default: return wanted;
    }
  }

  Result<std::uint32_t> compile(Term t, const Type* wanted) {
    CompiledNode node{.op = t->op, .number = static_cast<std::int64_t>(t->number), .sort = t->sort};
    if (t->op == Op::IntConst && (t->number > INT64_MAX || t->number < INT64_MIN))
      return fail(procedure_.where, "the number {} is too large for finite exploration",
                  to_string(t->number));
    if (t->sort->kind == SortKind::Map) {
      node.type = type_of(t, wanted);
      if (!node.type)
        return fail(procedure_.where, "cannot tell the type of the map '{}'", to_string(t));
      node.width = width_of(*node.type);
      if (node.width == 0)
        return fail(procedure_.where, "the map '{}' has no finite shape", to_string(t));
    }
    if (t->op == Op::Var) node.number = static_cast<std::int64_t>(slot_of_.at(t));
    std::vector<std::uint32_t> args;
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      const Type* context = nullptr;
      if (t->args[i]->sort->kind == SortKind::Map) {
        context = node.type;
        if (t->op == Op::Eq) context = type_of(t->args[1 - i], type_of(t->args[i], nullptr));
        if (t->op == Op::ConstMap || (t->op == Op::Store && i == 2))
          context = node.type->value.get();
        if (t->op == Op::Select) context = type_of(t->args[i], nullptr);
      }
      auto arg = compile(t->args[i], context);
      if (!arg) return arg;
      args.push_back(*arg);
    }
    node.first = static_cast<std::uint32_t>(body_->children.size());
    node.count = static_cast<std::uint32_t>(args.size());
    body_->children.insert(body_->children.end(), args.begin(), args.end());
    body_->nodes.push_back(node);
    return static_cast<std::uint32_t>(body_->nodes.size() - 1);
  }

  const Module& module_;
  const Procedure& procedure_;
  const std::vector<std::size_t>& first_slot_;
  std::size_t slots_;
  CompiledBody* body_ = nullptr;
  std::unordered_map<Term, std::size_t> slot_of_;
  std::unordered_map<Term, const Type*> type_of_;
};

} // namespace

Result<std::unique_ptr<CompiledBody>> compile_body(const Module& module, const Procedure& procedure,
                                                   const std::vector<std::size_t>& first_slot,
                                                   std::size_t slots) {
  return BodyCompiler(module, procedure, first_slot, slots).run();
}

} // namespace tacit
