#include "frontend/llvm/facts/library.h"

#include <algorithm>
#include <map>

#include "base/should.h"
#include "program/contracts/read.h"

namespace tacit {

// Generated from contracts/*.tir.
extern const char* const shipped_cpp_contracts;
extern const char* const shipped_c_contracts;

namespace {

/// Contracts that say what a function does, not only how to read it.
std::vector<const Contract*> speaking(const Contracts& contracts, const std::string& name) {
  std::vector<const Contract*> found = contracts.named(name);
  std::erase_if(found, [](const Contract* contract) {
    return contract->attributes.contains(Attribute::LookInto);
  });
  return found;
}

/// The name under which contracts speak of a function: `std::vector::size`.
std::string contract_name(const Library& library, const FunctionFact& fact) {
  if (!fact.in_system_header) return fact.qualified;
  if (fact.in_class.empty()) return without_arguments(fact.qualified);
  std::string name = fact.name;
  if (fact.is_constructor) name = without_arguments(fact.in_class);
  if (fact.is_constructor && name.rfind("::") != std::string::npos)
    name = name.substr(name.rfind("::") + 2);
  return contract_class(library, fact.in_class) + "::" + name;
}

/// Whether a contract speaks of just these classes.
bool names_classes(const Contract& contract, const CallShape& shape) {
  bool any = false;
  for (std::size_t i = 0; i < contract.parameters.size(); ++i) {
    const auto& wanted = contract.parameters[i].object_class;
    any = any || wanted;
    if (wanted && !wanted->matches(without_arguments(shape.parameters[i].object_class)))
      return false;
  }
  return any;
}

bool looked_into(const Library& library, const FunctionFact& fact) {
  if (!fact.in_class.empty())
    return library.all.class_has(Attribute::LookInto, without_arguments(fact.in_class));
  CallShape shape;
  for (const ParameterFact& parameter : fact.parameters)
    shape.parameters.push_back({Type{}, class_behind(parameter.type)});
  for (const Contract* contract : speaking(library.all, without_arguments(fact.qualified)))
    if (fits(*contract, shape) && names_classes(*contract, shape)) return false;
  return library.all.has(Attribute::LookInto, without_arguments(fact.qualified), &shape);
}

bool is_default_order(const std::string& argument) {
  return argument.starts_with("std::less<") || argument.starts_with("std::greater<") ||
         argument.starts_with("std::hash<") || argument.starts_with("std::equal_to<") ||
         argument.starts_with("std::allocator<");
}

std::string raised(const Contract& contract) {
  if (contract.body.blocks.size() != 1 || !contract.body.blocks[0].statements.empty()) return "";
  const Terminator& end = contract.body.blocks[0].end;
  if (end.kind != TerminatorKind::Throw || end.environment) return "";
  return contract.exceptions.front();
}

} // namespace

std::string class_behind(const SourceType& type) {
  return type.name.empty() && !type.is_reference ? type.pointee : type.name;
}

bool compares_by_value(const std::string& class_name) {
  const auto arguments = template_arguments(class_name);
  const std::string plain = without_arguments(class_name);
  const std::size_t elements = plain.ends_with("map") ? 2 : 1;
  return std::all_of(arguments.begin() +
                         static_cast<std::ptrdiff_t>(std::min(elements, arguments.size())),
                     arguments.end(), is_default_order);
}

bool borrows(const Library& library, const std::string& class_name) {
  const ClassFacts* kept = library.all.facts(contract_class(library, class_name));
  return kept && kept->attributes.contains(Attribute::Borrows);
}

const KeptFact* text_of(const Library& library, const std::string& class_name) {
  const ClassFacts* kept = library.all.facts(contract_class(library, class_name));
  if (!kept) return nullptr;
  const auto found = std::ranges::find(kept->facts, "text", &KeptFact::name);
  return found == kept->facts.end() ? nullptr : &*found;
}

const Contracts& shipped_contracts() {
  static const Contracts contracts = [] {
    Contracts all;
    for (const auto& [file, text] :
         {std::pair{"cpp.tir", shipped_cpp_contracts}, std::pair{"c.tir", shipped_c_contracts}}) {
      auto read = read_contracts(text, file);
      if (!read)
        should_not_be_reached("a shipped contract should be readable: " + to_string(read.error()));
      all.append(*read);
    }
    return all;
  }();
  return contracts;
}

Result<std::shared_ptr<const Library>>
read_library(const std::vector<std::pair<std::string, std::string>>& files) {
  Library library;
  for (const auto& [file, text] : files) {
    auto read = read_contracts(text, file, {.heads_only = true});
    if (!read) return std::unexpected(read.error());
    library.given.append(*read);
  }
  library.all = library.given;
  library.all.append(shipped_contracts());
  return std::make_shared<const Library>(std::move(library));
}

void describe(const Library& library, FunctionFact& fact) {
  const Contracts& all = library.all;
  fact.contract = contract_name(library, fact);
  fact.outranked = !speaking(library.given, fact.contract).empty();
  fact.pure = all.has(Attribute::Pure, fact.contract);
  fact.never_fails = fact.pure || all.has(Attribute::NeverFails, fact.contract);
  fact.keeps_elements = all.has(Attribute::KeepsElements, fact.contract);
  if (!fact.in_system_header) return;
  const auto contracts = speaking(all, fact.contract);
  fact.looked_into = looked_into(library, fact);
  // What stands for something outside, such as a thread, runs what it is made with: a contract says
  // what that makes of it, and what is run is found as for callees that are not looked into.
  const std::string own = contract_class(library, fact.in_class);
  const bool runs = fact.is_constructor && all.class_has(Attribute::Outside, own) &&
                    all.has(Attribute::Forwards, fact.contract) && !fact.parameters.empty() &&
                    contract_class(library, fact.parameters[0].type.name) != own;
  fact.tame = fact.name != "operator()" && !runs &&
              (all.has(Attribute::Tame, fact.contract) || !contracts.empty());
  fact.outranked = fact.outranked || (runs && !contracts.empty());
  fact.speaks_of_first =
      !fact.parameters.empty() && std::ranges::any_of(contracts, [](const Contract* contract) {
        return !contract->parameters.empty() && contract->parameters[0].name == "self";
      });
}

std::string contract_class(const Library& library, const std::string& class_name) {
  return library.all.whole(without_arguments(class_name));
}

bool same_facts(const Library& library, const std::string& a, const std::string& b) {
  const std::string one = contract_class(library, a), other = contract_class(library, b);
  if (one == other) return true;
  const ClassFacts* facts = library.all.facts(one);
  return facts && facts == library.all.facts(other) &&
         facts->attributes.contains(Attribute::OneObject);
}

bool may_be_one(const Library& library, const std::string& a, const std::string& b) {
  return same_facts(library, a, b) && (a == b || without_arguments(a) != without_arguments(b));
}

bool is_closed(const Library& library, const std::string& class_name) {
  const ClassFacts* kept = library.all.facts(contract_class(library, class_name));
  return kept && (kept->attributes.contains(Attribute::GivesElements) ||
                  kept->attributes.contains(Attribute::GivesPointee) ||
                  kept->attributes.contains(Attribute::OneObject));
}

std::optional<std::string> raised_by(const Library& library, const std::string& demangled) {
  for (const Contract* contract : library.all.named(demangled.substr(0, demangled.find('('))))
    if (const std::string name = raised(*contract); !name.empty()) return name;
  return std::nullopt;
}

std::vector<std::string> exceptions_of(const Library& library, const FunctionFact& fact) {
  std::vector<std::string> found;
  for (const Contract* contract : library.all.named(fact.contract))
    if (raised(*contract).empty())
      found.insert(found.end(), contract->exceptions.begin(), contract->exceptions.end());
  return found;
}

std::optional<SourceType> scalar_named(const SourceFacts& facts, const std::string& name) {
  using Kind = SourceType::Kind;
  struct Width {
    unsigned bits;
    bool is_signed;
  };
  static const std::map<std::string, Width, std::less<>> numbers = {
      {"char", {8, true}},
      {"signed char", {8, true}},
      {"unsigned char", {8, false}},
      {"short", {16, true}},
      {"unsigned short", {16, false}},
      {"int", {32, true}},
      {"unsigned int", {32, false}},
      {"long", {64, true}},
      {"unsigned long", {64, false}},
      {"long long", {64, true}},
      {"unsigned long long", {64, false}}};
  if (name.ends_with('*')) return SourceType{.kind = Kind::Pointer, .bits = 64};
  if (name == "bool") return SourceType{.kind = Kind::Bool, .bits = 8};
  if (const auto number = numbers.find(name); number != numbers.end())
    return SourceType{
        .kind = Kind::Number, .bits = number->second.bits, .is_signed = number->second.is_signed};
  if (facts.enums.contains(name))
    return SourceType{.kind = Kind::Enumeration, .bits = 32, .is_signed = true, .name = name};
  return std::nullopt;
}

} // namespace tacit
