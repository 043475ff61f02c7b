#include "frontend/java/contracts.h"

#include <algorithm>

#include "base/should.h"
#include "program/contracts/instantiate.h"
#include "program/contracts/read.h"

namespace tacit::java {

namespace {

bool is_standard(const ContractText& text) { return text.text == standard_contracts(); }

/// The contracts under the first name that has any.
std::vector<const Contract*> contracts_for(ClassPool& pool, const Contracts& contracts,
                                           const std::string& name, const Context::Opaque& callee) {
  if (auto found = contracts.named(name); !found.empty()) return found;
  for (const std::string& one : contract_names(pool, callee.owner, callee.name, callee.descriptor))
    if (auto found = contracts.named(one); !found.empty()) return found;
  return {};
}

/// The contracts of one text, in the scope of a module unless they come with Tacit.
Result<Contracts> contracts_of(const ContractText& text, const ContractReading& reading) {
  if (is_standard(text)) return shipped_java_contracts();
  return read_contracts(text.text, text.file, reading);
}

/// Where the facts of library objects are that a callee is called on or with.
ContractSite site_of(Context& context, const Context::Opaque& callee) {
  ContractSite site;
  if (const auto self = callee.held.find(0); self != callee.held.end())
    site.type_arguments = context.held_types(*self->second.of);
  site.fact = [&context, &callee](std::size_t parameter, Term object,
                                  const std::string& fact) -> Term {
    const auto held = callee.held.find(parameter);
    if (fact == leaves_value && callee.fills && held != callee.held.end())
      return context.arena.truth();
    return held == callee.held.end() ? nullptr : context.held_fact(held->second, fact, object);
  };
  return site;
}

} // namespace

/// Read once; they stand on their own.
const Contracts& shipped_java_contracts() {
  static const Contracts contracts = [] {
    auto read = read_contracts(standard_contracts(), "java.tir");
    if (!read)
      should_not_be_reached("a shipped contract should be readable: " + to_string(read.error()));
    return std::move(*read);
  }();
  return contracts;
}

std::vector<std::string> contract_names(ClassPool& pool, const std::string& owner,
                                        const std::string& method, const std::string& descriptor) {
  const auto signature = parse_signature(descriptor);
  std::vector<std::string> names;
  if (!signature) return names;
  std::vector<std::string> work{owner};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!seen.insert(work[i]).second) continue;
    const std::string shown = method == "<init>" ? "new" : method;
    names.push_back(dotted(work[i]) + "." + shown + signature->simple());
    if (method == "<init>") break;
    const ClassFile* file = pool.find(work[i]);
    if (!file) continue;
    if (!file->super.empty()) work.push_back(file->super);
    work.insert(work.end(), file->interfaces.begin(), file->interfaces.end());
  }
  return names;
}

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

Contracts all_contracts(const Contracts& given, const std::vector<ContractText>& texts) {
  Contracts all = given;
  if (std::ranges::any_of(texts, is_standard)) all.append(shipped_java_contracts());
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

Result<void> apply_contracts(Context& context) {
  Module& module = context.module;
  std::set<std::string> done; // the first contract that fits a callee is the one that counts
  for (const ContractText& text : context.options.contracts) {
    const auto contracts = contracts_of(text, {.scope = &module});
    if (!contracts) return std::unexpected(contracts.error());
    for (const auto& [name, callee] : context.externs()) {
      const auto found = contracts_for(context.pool, *contracts, name, callee);
      if (found.empty() || done.contains(name)) continue;
      Procedure& procedure = *module.find_procedure(name);
      CallShape shape = shape_of(procedure.parameters, procedure.returns);
      const ContractSite site = site_of(context, callee);
      shape.type_arguments = site.type_arguments;
      // What the client brings does as it likes; of what own code made only facts are not known.
      const auto usable = [&](const Contract* contract) {
        return !callee.brought || can_instantiate(*contract, procedure.parameters, site);
      };
      const auto fit = std::ranges::find_if(found, [&](const Contract* contract) {
        return fits(*contract, shape) && usable(contract);
      });
      if (fit == found.end() && (is_standard(text) || callee.brought)) continue;
      if (fit == found.end())
        return fail(found.front()->where(),
                    "the contract of '{}' does not fit its calls: they have {} arguments and {} "
                    "result",
                    found.front()->name, procedure.parameters.size(),
                    procedure.returns ? "a" : "no");
      auto made = instantiate(**fit, module, procedure, site);
      if (!made) return std::unexpected(made.error());
      // Clauses leave open what comes out: of library code nobody chooses that.
      const bool unknown = procedure.origin == Origin::Unknown && made->blocks.empty();
      procedure = std::move(*made);
      if (unknown) procedure.origin = Origin::Unknown;
      done.insert(name);
    }
  }
  return {};
}

} // namespace tacit::java
