// Name resolution over a module. Look-ups are linear: modules have dozens of variables, and what is
// read once is a pointer afterwards.
#include "program/ir/scope.h"

#include <algorithm>

#include "program/ir/names.h"

namespace tacit {

namespace {

std::optional<std::size_t> index_in(const EnumDecl& decl, std::string_view name) {
  const auto named = [&](const Enumerator& value) { return value.name == name; };
  const auto found = std::ranges::find_if(decl.values, named);
  if (found == decl.values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - decl.values.begin());
}

/// `NAME`, or `ENUM.NAME` where ENUM is this enumeration, both as far qualified as the source may
/// have them (`acme::Status::Bad`). Names may hold dots themselves, so the qualifier is compared as
/// a whole and not found by splitting. Constants that are no enumeration's go by their last name.
std::optional<std::size_t> resolve_in(const EnumDecl& decl, std::string_view name) {
  if (const auto index = index_in(decl, name)) return index;
  const bool qualified = name.size() > decl.name.size() + 1 && name.starts_with(decl.name) &&
                         name[decl.name.size()] == '.';
  if (qualified) return index_in(decl, name.substr(decl.name.size() + 1));
  const std::size_t end = name.find_last_of(".:");
  if (end == std::string_view::npos || end == 0 || end + 1 == name.size()) return std::nullopt;
  const std::string_view qualifier = name.substr(0, name[end] == ':' ? end - 1 : end);
  if (!decl.numbers && !name_matches(qualifier, decl.name)) return std::nullopt;
  return index_in(decl, name.substr(end + 1));
}

std::vector<Sort> enumerations(const Module& module) {
  std::vector<Sort> sorts = module.enums;
  if (module.exception_sort != nullptr &&
      std::ranges::find(sorts, module.exception_sort) == sorts.end())
    sorts.push_back(module.exception_sort);
  return sorts;
}

} // namespace

std::optional<ModuleScope::Typed> ModuleScope::variable(std::string_view name) const {
  if (procedure_ != nullptr) {
    if (const Variable* local = procedure_->find_local(name))
      return Typed{local->term, &local->type};
    if (name == "result" && procedure_->kind == ProcedureKind::Extern && procedure_->returns)
      return Typed{module_.arena->var(name, procedure_->returns->sort), &*procedure_->returns};
  }
  if (const StateVariable* state = module_.find_state(name))
    return Typed{state->term, &state->type};
  return std::nullopt;
}

std::optional<ModuleScope::Typed> ModuleScope::field_of(const Typed& object,
                                                        std::string_view field) const {
  if (object.type->record.empty()) return std::nullopt;
  const StateVariable* map = module_.find_state(object.type->record + "." + std::string(field));
  if (map == nullptr || map->type.sort->kind != SortKind::Map || !map->type.value)
    return std::nullopt;
  return Typed{module_.arena->select(map->term, object.term), map->type.value.get()};
}

std::optional<ModuleScope::Typed> ModuleScope::path(std::string_view name) const {
  if (const auto known = variable(name)) return known;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto object = path(name.substr(0, dot));
  return object ? field_of(*object, name.substr(dot + 1)) : std::nullopt;
}

Term ModuleScope::lookup(std::string_view name) const {
  const auto known = variable(name);
  return known ? known->term : nullptr;
}

Term ModuleScope::enumerator(std::string_view name, Sort wanted) const {
  TermArena& arena = *module_.arena;
  if (wanted != nullptr && wanted->kind == SortKind::Enum) {
    if (const auto index = resolve_in(*wanted->decl, name)) return arena.enumerator(wanted, *index);
  }
  Term found = nullptr;
  for (const Sort sort : enumerations(module_)) {
    const auto index = resolve_in(*sort->decl, name);
    if (!index) continue;
    if (found != nullptr) return nullptr; // ambiguous
    found = arena.enumerator(sort, *index);
  }
  return found;
}

Term ModuleScope::field(std::string_view object, std::string_view field) const {
  const auto base = path(object);
  if (!base) return nullptr;
  const auto value = field_of(*base, field);
  return value ? value->term : nullptr;
}

Term ModuleScope::is_exception(Term exception, std::string_view type) const {
  if (exception->sort != module_.exception_sort || (type != "*" && !module_.find_exception(type)))
    return nullptr;
  std::vector<Term> cases;
  for (std::size_t i = 0; i < module_.exceptions.size(); ++i)
    if (module_.exception_is(module_.exceptions[i].name, type))
      cases.push_back(
          module_.arena->eq(exception, module_.arena->enumerator(module_.exception_sort, i)));
  return module_.arena->disj(std::move(cases));
}

std::vector<std::string> ModuleScope::names() const {
  std::vector<std::string> known;
  if (procedure_ != nullptr) {
    for (const Variable& parameter : procedure_->parameters) known.push_back(parameter.name());
    for (const Variable& local : procedure_->locals) known.push_back(local.name());
  }
  for (const StateVariable& state : module_.state) known.push_back(state.name());
  for (const Sort sort : enumerations(module_))
    for (const Enumerator& value : sort->decl->values) known.push_back(value.name);
  return known;
}

} // namespace tacit
