// Which functions are the calls and the constructors of the component.
#include <algorithm>
#include <filesystem>
#include <set>

#include "frontend/llvm/module/lowering.h"
#include "frontend/shared/alphabet.h"
#include "logic/term/parse.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

std::string last_component(const std::string& name) {
  const std::string bare = name.substr(0, name.find('<'));
  const auto colons = bare.rfind("::");
  return colons == std::string::npos ? bare : bare.substr(colons + 2);
}

} // namespace

Result<void> Lowering::choose_roots() {
  Result<void> chosen;
  if (!facts_.subject.empty())
    chosen = choose_class();
  else if (!options_.handle.empty())
    chosen = choose_handle();
  else
    chosen = choose_functions();
  if (!chosen) return chosen;
  if (receiver_ && owns_fields())
    assume("clients do not write the fields of " + receiver_->name + " themselves");
  std::vector<Root> methods, constructors;
  for (Root& root : roots_)
    (root.kind == ProcedureKind::Method ? methods : constructors).push_back(root);
  name_roots(methods);
  name_roots(constructors);
  keep_wanted(methods);
  roots_ = std::move(constructors);
  roots_.insert(roots_.end(), methods.begin(), methods.end());
  return {};
}

/// Calls that are not wanted need not be lowered.
void Lowering::keep_wanted(std::vector<Root>& roots) const {
  std::vector<std::string> names;
  for (const Root& root : roots) names.push_back(root.name);
  const std::vector<bool> wanted = wanted_calls(names, options_.methods);
  std::vector<Root> kept;
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (wanted[i]) kept.push_back(roots[i]);
  roots = std::move(kept);
}

void Lowering::name_roots(std::vector<Root>& roots) {
  std::set<std::string> changing;
  for (const Root& root : roots)
    if (!root.fact->is_const) changing.insert(root.fact->name + root.fact->signature);
  std::vector<CallName> calls;
  for (const Root& root : roots) {
    const bool twin =
        root.fact->is_const && changing.contains(root.fact->name + root.fact->signature);
    calls.push_back({.bare = root.fact->name,
                     .parameters = root.fact->signature,
                     .variant = twin ? "const" : ""});
  }
  const std::vector<std::string> names = spell_calls(calls, '#');
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i].name = names[i];
}

Result<void> Lowering::choose_class() {
  component_ = last_component(facts_.subject);
  const auto found = facts_.records.find(facts_.subject);
  receiver_ = found == facts_.records.end() ? nullptr : &found->second;
  for (const FunctionFact& trivial : facts_.trivial_constructors)
    roots_.push_back({nullptr, ProcedureKind::Constructor, "", &trivial});
  const auto take = [&](const std::vector<std::string>& symbols, ProcedureKind kind) {
    for (const std::string& symbol : symbols) {
      const llvm::Function* function = code_.getFunction(symbol);
      const FunctionFact* known = function ? fact(*function) : nullptr;
      if (!known) continue;
      if (function->isDeclaration()) {
        assume((kind == ProcedureKind::Method ? "the method " : "the constructor ") +
               known->qualified + " has no code here and is left out");
        if (kind == ProcedureKind::Method) module_.leave_out(known->name, "it has no code here");
        continue;
      }
      roots_.push_back({function, kind, "", known});
    }
  };
  take(facts_.constructors, ProcedureKind::Constructor);
  take(facts_.methods, ProcedureKind::Method);
  for (const SourceFacts::Writer& writer : facts_.writers_left_out) {
    const llvm::Function* function =
        writer.symbol.empty() ? nullptr : code_.getFunction(writer.symbol);
    if (function && !function->isDeclaration() && !changes_state(*function)) continue;
    assume(fmt::format("clients do not {} {}, which is no call here ({}) and may change the state",
                       writer.is_class ? "use" : "call", writer.name, writer.reason));
  }
  if (std::ranges::none_of(roots_, [](const Root& r) { return r.kind == ProcedureKind::Method; }))
    return fail("the class '{}' has no public methods with code", facts_.subject);
  no_start_ = std::ranges::none_of(
      roots_, [](const Root& r) { return r.kind == ProcedureKind::Constructor; });
  if (no_start_) assume("no constructor is known: it is not known how objects start");
  return {};
}

/// Whether a function that is no call may change what calls depend on: variables of the given code,
/// or an object of the component that it is handed.
bool Lowering::changes_state(const llvm::Function& function) const {
  if (const FunctionFact* known = fact(function); known && callbacks_.runs_own_code(function)) {
    if (known->is_instance) return true;
    for (const ParameterFact& parameter : known->parameters)
      if (parameter.type.kind == SourceType::Kind::Pointer && !parameter.type.pointee_const &&
          (facts_.subject_classes.contains(parameter.type.name) ||
           (receiver_ && parameter.type.name == receiver_->name)))
        return true;
  }
  std::set<const llvm::Function*> seen{&function};
  std::vector<const llvm::Function*> work{&function};
  while (!work.empty()) {
    const llvm::Function* at = work.back();
    work.pop_back();
    for (const llvm::BasicBlock& block : *at)
      for (const llvm::Instruction& instruction : block) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function* callee = call->getCalledFunction();
              callee && !callee->isDeclaration() && seen.insert(callee).second)
            work.push_back(callee);
        if (llvm::isa<llvm::LoadInst>(instruction)) continue;
        for (const llvm::Use& operand : instruction.operands()) {
          const auto* variable =
              llvm::dyn_cast<llvm::GlobalVariable>(operand->stripInBoundsConstantOffsets());
          const GlobalFact* known = variable ? global(*variable) : nullptr;
          if (known && !variable->isConstant() && !known->in_system_header) return true;
        }
      }
  }
  return false;
}

Result<void> Lowering::choose_handle() {
  component_ = last_component(options_.handle);
  const RecordFact* found = record(options_.handle);
  if (const auto alias = facts_.aliases.find(options_.handle);
      !found && alias != facts_.aliases.end())
    found = record(alias->second);
  if (!found) {
    std::vector<std::string> known;
    for (const auto& [name, fact] : facts_.records)
      if (!fact.in_system_header) known.push_back(name);
    return fail("--handle: there is no struct '{}' with a definition{}", options_.handle,
                suggestion(options_.handle, known));
  }
  receiver_ = facts_.around_handle.empty() ? found : record(facts_.around_handle);
  handle_hidden_ = found->hidden || found->in_main_file;
  std::vector<std::string> candidates;
  for (const llvm::Function& function : code_) {
    const FunctionFact* known = fact(function);
    if (!known || function.isDeclaration() || known->in_system_header || known->is_static) continue;
    if (known->parameters.empty() || known->parameters[0].type.kind != SourceType::Kind::Pointer ||
        known->parameters[0].type.name != found->name) {
      if (known->name == "main") continue;
      module_.leave_out(known->name, "it does not take the handle first");
      if (!known->makes_handle && changes_state(function))
        assume("clients do not call " + known->name +
               ", which is no call here (it does not take the handle first) and may change the "
               "state");
      continue;
    }
    candidates.push_back(known->name);
    const bool starts =
        std::ranges::find(options_.constructors, known->name) != options_.constructors.end();
    roots_.push_back(
        {&function, starts ? ProcedureKind::Constructor : ProcedureKind::Method, "", known});
  }
  for (const std::string& name : options_.constructors)
    if (std::ranges::find(candidates, name) == candidates.end())
      return fail("--constructor: there is no function '{}' on {}*{}", name, options_.handle,
                  suggestion(name, candidates));
  assume("the handle is not null, stays where it is, and its private part is zero before a "
         "constructor is called");
  if (std::ranges::none_of(roots_, [](const Root& r) { return r.kind == ProcedureKind::Method; }))
    return fail("no function with code takes a pointer to '{}' first", options_.handle);
  return {};
}

Result<void> Lowering::choose_functions() {
  component_ = std::filesystem::path(options_.sources.front()).stem().string();
  std::vector<std::string> candidates;
  for (const llvm::Function& function : code_) {
    const FunctionFact* known = fact(function);
    if (!known || function.isDeclaration()) continue;
    const bool named = options_.roots.contains(function.getName().str());
    const bool callable = !known->in_system_header && !known->is_static &&
                          known->in_class.empty() && known->name != "main";
    if (options_.roots.empty() ? !callable : !named) continue;
    candidates.push_back(known->name);
    const bool starts =
        std::ranges::find(options_.constructors, known->name) != options_.constructors.end();
    roots_.push_back(
        {&function, starts ? ProcedureKind::Constructor : ProcedureKind::Method, "", known});
  }
  for (const std::string& name : options_.constructors)
    if (std::ranges::find(candidates, name) == candidates.end())
      return fail("--constructor: there is no function '{}'{}", name, suggestion(name, candidates));
  if (std::ranges::none_of(roots_, [](const Root& r) { return r.kind == ProcedureKind::Method; }))
    return fail(Location{options_.sources.front()},
                "no function that a client can call has code here; name a class with --class");
  return {};
}

} // namespace tacit
