#include "program/contracts/contracts.h"

#include <algorithm>

namespace tacit {

namespace {

/// Overloads are told apart by what both languages have: truths, references, and numbers, which
/// enumerations are.
bool same_kind(const Type& wanted, const Type& given) {
  const auto kind = [](const Type& type) {
    return type.sort->kind == SortKind::Enum ? SortKind::Int : type.sort->kind;
  };
  if (wanted.sort->kind == SortKind::Enum) return to_string(wanted.sort) == to_string(given.sort);
  if (wanted.sort->kind == SortKind::Map) return to_string(wanted.sort) == to_string(given.sort);
  return kind(wanted) == kind(given);
}

/// Whether a type that names a type parameter fits; one without values here fits everything.
bool fits_parameter(const Contract& contract, const CallShape& shape, const Type& wanted,
                    const Type& given) {
  const auto name = std::ranges::find(contract.type_parameters, wanted.sort->decl->name);
  const auto index = static_cast<std::size_t>(name - contract.type_parameters.begin());
  if (index >= shape.type_arguments.size() || !shape.type_arguments[index]) return true;
  return to_string(shape.type_arguments[index]->sort) == to_string(given.sort);
}

bool fits_class(const ContractParameter& wanted, const CallShape::Parameter& given) {
  return !wanted.told_apart || !wanted.object_class ||
         wanted.object_class->matches(without_arguments(given.object_class));
}

} // namespace

CallShape shape_of(const std::vector<Variable>& parameters, const std::optional<Type>& returns) {
  CallShape shape;
  for (const Variable& parameter : parameters) shape.parameters.push_back({parameter.type, ""});
  shape.returns = returns;
  return shape;
}

bool fits(const Contract& contract, const CallShape& shape) {
  const std::size_t count = contract.parameters.size();
  if (count > shape.parameters.size() || (count < shape.parameters.size() && !contract.open_ended))
    return false;
  const auto fits_type = [&](const Type& wanted, bool parameter, const Type& given) {
    return parameter ? fits_parameter(contract, shape, wanted, given) : same_kind(wanted, given);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const ContractParameter& wanted = contract.parameters[i];
    const CallShape::Parameter& given = shape.parameters[i];
    if (!fits_class(wanted, given)) return false;
    if (wanted.type && given.type.sort &&
        !fits_type(*wanted.type, wanted.type_parameter, given.type))
      return false;
  }
  if (contract.returns_any || !shape.returns) return true;
  return fits_type(*contract.body.returns, contract.returns_type_parameter, *shape.returns);
}

std::vector<const Contract*> Contracts::named(std::string_view name) const {
  std::vector<std::size_t> found;
  if (const auto exact = by_name_.find(name); exact != by_name_.end()) found = exact->second;
  for (const auto& [pattern, index] : wild_)
    if (pattern.matches(name)) found.push_back(index);
  std::ranges::sort(found);
  std::vector<const Contract*> contracts;
  for (const std::size_t index : found) contracts.push_back(contracts_[index].get());
  return contracts;
}

const Contract* Contracts::find(std::string_view name, const CallShape& shape) const {
  for (const Contract* contract : named(name))
    if (fits(*contract, shape)) return contract;
  return nullptr;
}

bool Contracts::said(Attribute attribute, std::string_view name, bool of_class) const {
  const auto all = about_.find(attribute);
  if (all == about_.end()) return false;
  for (const About& about : all->second)
    if (about.of_class == of_class && about.pattern.matches(name)) return about.holds;
  return false;
}

bool Contracts::has(Attribute attribute, std::string_view function, const CallShape* shape) const {
  for (const Contract* contract : named(function))
    if (contract->attributes.contains(attribute) && (!shape || fits(*contract, *shape)))
      return true;
  return said(attribute, function, false);
}

bool Contracts::class_has(Attribute attribute, std::string_view class_name) const {
  return said(attribute, class_name, true);
}

const ClassFacts* Contracts::facts(std::string_view class_name) const {
  for (const ClassFacts& one : facts_)
    for (const NamePattern& pattern : one.classes)
      if (pattern.matches(class_name)) return &one;
  return nullptr;
}

std::string Contracts::whole(const std::string& class_name) const {
  const auto found = wholes_.find(class_name);
  return found == wholes_.end() ? class_name : found->second;
}

std::string Contracts::parent(std::string_view exception) const {
  const auto found = parents_.find(exception);
  return found == parents_.end() ? "" : found->second;
}

void Contracts::append(const Contracts& more) {
  const std::size_t before = contracts_.size();
  contracts_.insert(contracts_.end(), more.contracts_.begin(), more.contracts_.end());
  for (const auto& [name, indices] : more.by_name_)
    for (const std::size_t index : indices) by_name_[name].push_back(before + index);
  for (const auto& [pattern, index] : more.wild_) wild_.emplace_back(pattern, before + index);
  facts_.insert(facts_.end(), more.facts_.begin(), more.facts_.end());
  for (const auto& [attribute, said] : more.about_)
    about_[attribute].insert(about_[attribute].end(), said.begin(), said.end());
  wholes_.insert(more.wholes_.begin(), more.wholes_.end());
  parents_.insert(more.parents_.begin(), more.parents_.end());
}

void Contracts::add(const Contract& contract, const std::vector<NamePattern>& names) {
  for (const NamePattern& name : names)
    if (name.wild)
      wild_.emplace_back(name, contracts_.size());
    else
      by_name_[name.text].push_back(contracts_.size());
  contracts_.push_back(std::make_shared<const Contract>(contract));
}

void Contracts::add(ClassFacts facts) { facts_.push_back(std::move(facts)); }

} // namespace tacit
