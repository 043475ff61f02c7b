#include "frontend/java/contracts.h"

#include <algorithm>

#include "base/should.h"
#include "program/contracts/instantiate.h"
#include "program/contracts/read.h"

namespace tacit::java {

namespace {

/// Read once; they stand on their own.
const Contracts& standard() {
  static const Contracts contracts = [] {
    auto read = read_contracts(standard_contracts(), "java.tir");
    if (!read)
      should_not_be_reached("a shipped contract should be readable: " + to_string(read.error()));
    return std::move(*read);
  }();
  return contracts;
}

bool is_standard(const ContractText& text) { return text.text == standard_contracts(); }

/// The names under which a contract for this callee may stand: its own, then what it overrides.
std::vector<std::string> names_of(ClassPool& pool, const std::string& name,
                                  const Context::Opaque& callee) {
  const auto signature = parse_signature(callee.descriptor);
  std::vector<std::string> names{name};
  if (!signature) return names;
  std::vector<std::string> work{callee.owner};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!seen.insert(work[i]).second) continue;
    const std::string shown = callee.name == "<init>" ? "new" : callee.name;
    names.push_back(dotted(work[i]) + "." + shown + signature->simple());
    if (callee.name == "<init>") break;
    const ClassFile* file = pool.find(work[i]);
    if (!file) continue;
    if (!file->super.empty()) work.push_back(file->super);
    work.insert(work.end(), file->interfaces.begin(), file->interfaces.end());
  }
  return names;
}

/// The contracts under the first name that has any.
std::vector<const Contract*> contracts_for(ClassPool& pool, const Contracts& contracts,
                                           const std::string& name, const Context::Opaque& callee) {
  for (const std::string& one : names_of(pool, name, callee))
    if (auto found = contracts.named(one); !found.empty()) return found;
  return {};
}

/// The contracts of one text, in the scope of a module unless they come with Tacit.
Result<Contracts> contracts_of(const ContractText& text, const ContractReading& reading) {
  if (is_standard(text)) return standard();
  return read_contracts(text.text, text.file, reading);
}

} // namespace

std::string_view standard_contracts() {
  static constexpr std::string_view text =
#include "frontend/java/standard_contracts.inc"
      ;
  return text;
}

Result<Contracts> given_contracts(const std::vector<ContractText>& texts) {
  Contracts all;
  for (const ContractText& text : texts) {
    if (is_standard(text)) continue;
    auto read = read_contracts(text.text, text.file, {.heads_only = true});
    if (!read) return read;
    all.append(*read);
  }
  return all;
}

void declare_for_contracts(Context& context) {
  for (const ContractText& text : context.options.contracts) {
    const auto contracts = contracts_of(text, {.heads_only = true});
    if (!contracts) continue; // said when they are applied
    for (const auto& [name, callee] : context.externs())
      for (const Contract* contract : contracts_for(context.pool, *contracts, name, callee))
        for (std::string exception : contract->exceptions) {
          std::ranges::replace(exception, '.', '/');
          if (context.pool.find(exception) && context.pool.is_throwable(exception))
            context.declare_exception(exception);
        }
  }
}

Result<void> apply_contracts(ClassPool& pool, Module& module,
                             const std::map<std::string, Context::Opaque>& externs,
                             const std::vector<ContractText>& texts) {
  std::set<std::string> done; // the first contract that fits a callee is the one that counts
  for (const ContractText& text : texts) {
    const auto contracts = contracts_of(text, {.scope = &module});
    if (!contracts) return std::unexpected(contracts.error());
    for (const auto& [name, callee] : externs) {
      const auto found = contracts_for(pool, *contracts, name, callee);
      if (found.empty() || done.contains(name)) continue;
      Procedure& procedure = *module.find_procedure(name);
      const CallShape shape = shape_of(procedure.parameters, procedure.returns);
      const auto fit = std::ranges::find_if(
          found, [&](const Contract* contract) { return fits(*contract, shape); });
      if (fit == found.end())
        return fail(found.front()->where(),
                    "the contract of '{}' does not fit its calls: they have {} arguments and {} "
                    "result",
                    found.front()->name, procedure.parameters.size(),
                    procedure.returns ? "a" : "no");
      if (!can_instantiate(**fit, procedure.parameters, {})) continue;
      auto made = instantiate(**fit, module, procedure, {});
      if (!made) return std::unexpected(made.error());
      procedure = std::move(*made);
      done.insert(name);
    }
  }
  return {};
}

} // namespace tacit::java
