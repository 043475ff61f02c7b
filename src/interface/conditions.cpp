#include "interface/conditions.h"

#include <algorithm>
#include <array>

#include "logic/term/lexer.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

/// Names that libraries give to one fact, the one of the contracts first.
constexpr std::array<std::string_view, 3> names_of_size = {"size", "length", "count"};
constexpr std::array<std::string_view, 4> names_of_presence = {"set", "has_value", "isPresent",
                                                               "engaged"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Which of the variables of a set or map an expression is read for.
enum class View { Value, Keys, Size };

struct Dotted {
  std::string_view object, member;
};

Dotted split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

class ConditionScope : public Scope {
public:
  ConditionScope(const Interface& interface, const Module& module, const Procedure& procedure,
                 const std::vector<TrackedVariables>& tracked, View view)
      : interface_(interface), module_(module), arena_(*module.arena), procedure_(procedure),
        tracked_(tracked), view_(view) {}

  Term lookup(std::string_view name) const override {
    // A parameter that had to give way to a field of its name is called otherwise there.
    if (const TrackedVariables* value = tracked_named(name);
        value && procedure_.kind != ProcedureKind::Constructor && !procedure_.find_local(name))
      return viewed(*value);
    if (const auto parameter = find_parameter(procedure_, name))
      return procedure_.parameters[*parameter].term;
    if (const Term seen = observed(name).term) return seen;
    if (const TrackedVariables* value = tracked_named(name)) return viewed(*value);
    if (const Term known = fact_of_argument(name)) return known;
    // Facts are maps from references; what the client may write counts as an argument.
    const StateVariable* state = module_.find_state(name);
    const bool fact = state && state->term->sort->kind == SortKind::Map &&
                      state->term->sort->key == arena_.ref_sort();
    return state && (fact || state->client) ? state->term : nullptr;
  }

  Term enumerator(std::string_view name, Sort wanted) const override {
    if (const Term known = ModuleScope(module_).enumerator(name, wanted)) return known;
    const Dotted dotted = split(name);
    Term found = nullptr;
    for (const auto& [enumeration, values] : interface_.constants) {
      if (!dotted.object.empty() && simple_name(dotted.object) != simple_name(enumeration))
        continue;
      const auto value = values.find(std::string(dotted.member));
      if (value == values.end()) continue;
      const Term number = arena_.integer(value->second);
      if (found && found != number) return nullptr; // ambiguous
      found = number;
    }
    return found;
  }

  Term field(std::string_view object, std::string_view name) const override {
    const Typed base = argument(object);
    if (!base.term || base.term->sort != arena_.ref_sort()) return nullptr;
    const auto synonyms = is_one_of(name, names_of_size) ? std::span(names_of_size)
                          : is_one_of(name, names_of_presence)
                              ? std::span(names_of_presence)
                              : std::span<const std::string_view>();
    if (const Term known = fact(base, name)) return known;
    for (const std::string_view other : synonyms)
      if (const Term known = fact(base, other)) return known;
    // A fact that this component has no map for.
    Sort sort = nullptr;
    if (is_one_of(name, names_of_size) || name == "text") sort = arena_.int_sort();
    if (is_one_of(name, names_of_presence)) sort = arena_.bool_sort();
    if (!sort) return nullptr;
    const std::string_view canonical = synonyms.empty() ? name : synonyms.front();
    return arena_.select(
        arena_.var("." + std::string(canonical), arena_.map_sort(arena_.ref_sort(), sort)),
        base.term);
  }

  std::optional<NamedOperation> operation(std::string_view name, Sort) const override {
    const auto [object, method] = split(name);
    if (object.empty()) return shown_value(name);
    if (const TrackedVariables* value = tracked_named(object); value && value->size)
      return of_collection(*value, method);
    const auto test = [&](std::string_view of, bool empty) -> std::optional<NamedOperation> {
      const Term term = field(object, of);
      if (!term) return std::nullopt;
      return NamedOperation{{}, [this, term, empty](const std::vector<Term>&) {
                              return empty ? arena_.eq(term, arena_.integer(0)) : term;
                            }};
    };
    if (method == "empty" || method == "isEmpty") return test("size", true);
    return test(method, false);
  }

  /// By its number where the result knows one, else by itself.
  Term text(std::string_view contents, Sort wanted) const override {
    const auto texts = interface_.constants.find("text");
    if (wanted != arena_.ref_sort() && texts != interface_.constants.end())
      if (const auto known = texts->second.find(std::string(contents));
          known != texts->second.end())
        return arena_.integer(known->second);
    return arena_.var("\"" + std::string(contents) + "\"",
                      wanted == arena_.ref_sort() ? wanted : arena_.int_sort());
  }

  Term set_of(const std::vector<Term>& elements, Sort wanted) const override {
    if (!wanted) return nullptr;
    if (view_ == View::Size && wanted == arena_.int_sort()) // two may be the same
      return elements.size() < 2 ? arena_.integer(static_cast<Integer>(elements.size())) : nullptr;
    if (wanted->kind != SortKind::Map) return nullptr;
    if (wanted->value != arena_.bool_sort())
      return elements.empty() ? arena_.const_map(wanted, default_term(wanted->value)) : nullptr;
    Term set = arena_.const_map(wanted, arena_.falsehood());
    for (const Term element : elements) {
      if (element->sort != wanted->key) return nullptr;
      set = arena_.store(set, element, arena_.truth());
    }
    return set;
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> known;
    for (const Variable& parameter : procedure_.parameters)
      known.emplace_back(source_name(parameter.name()));
    for (const TrackedValue& value : interface_.tracked) known.push_back(value.name);
    if (procedure_.returns) known.emplace_back("result");
    if (!procedure_.out.empty()) known.push_back(procedure_.out);
    return known;
  }

private:
  struct Typed {
    Term term = nullptr;
    const Type* type = nullptr;
  };

  const TrackedVariables* tracked_named(std::string_view name) const {
    for (std::size_t i = 0; i < interface_.tracked.size(); ++i)
      if (interface_.tracked[i].name == name) return &tracked_[i];
    return nullptr;
  }

  Term viewed(const TrackedVariables& value) const {
    if (view_ == View::Size && value.size) return value.size;
    if (view_ == View::Keys && value.keys) return value.keys;
    return value.value;
  }

  Term default_term(Sort sort) const { return arena_.constant(sort, 0); }

  /// The result, or what was written through an out-parameter.
  Typed observed(std::string_view name) const {
    const bool shown = procedure_.shows_out && name == procedure_.out;
    if ((name == "result" || shown) && procedure_.returns)
      return {arena_.var("result", procedure_.returns->sort), &*procedure_.returns};
    if (const Variable* out = procedure_.out_variable(); out && name == out->name())
      return {out->term, &out->type};
    return {};
  }

  /// A parameter or the result, or a field of one.
  Typed argument(std::string_view name) const {
    if (const auto parameter = find_parameter(procedure_, name))
      return {procedure_.parameters[*parameter].term, &procedure_.parameters[*parameter].type};
    if (const Typed seen = observed(name); seen.term) return seen;
    const auto [object, member] = split(name);
    if (object.empty()) return {};
    const Typed base = argument(object);
    if (!base.term || !base.type || base.type->record.empty()) return {};
    const StateVariable* map = module_.find_state(base.type->record + "." + std::string(member));
    if (!map || map->term->sort->kind != SortKind::Map || !map->type.value) return {};
    return {arena_.select(map->term, base.term), map->type.value.get()};
  }

  /// `R.size[url]` as one name: a variable that stood beside the reference (attach_fields.h).
  Term fact_of_argument(std::string_view name) const {
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || !name.ends_with(']')) return nullptr;
    const auto parameter =
        find_parameter(procedure_, name.substr(open + 1, name.size() - open - 2));
    const StateVariable* map = module_.find_state(name.substr(0, open));
    if (!parameter || !map || map->term->sort->kind != SortKind::Map) return nullptr;
    const Term object = procedure_.parameters[*parameter].term;
    return object->sort == map->term->sort->key ? arena_.select(map->term, object) : nullptr;
  }

  Term fact(const Typed& base, std::string_view name) const {
    if (base.type->record.empty()) return nullptr;
    const StateVariable* map = module_.find_state(base.type->record + "." + std::string(name));
    if (!map || map->term->sort->kind != SortKind::Map) return nullptr;
    return arena_.select(map->term, base.term);
  }

  std::optional<NamedOperation> shown_value(std::string_view name) const {
    for (std::size_t i = 0; i < interface_.tracked.size(); ++i)
      if (interface_.tracked[i].shown == std::string(name) + "()")
        return NamedOperation{{},
                              [this, i](const std::vector<Term>&) { return tracked_[i].value; }};
    return std::nullopt;
  }

  std::optional<NamedOperation> of_collection(const TrackedVariables& value,
                                              std::string_view method) const {
    const Sort key = value.value->sort->key;
    const bool map = value.keys != nullptr;
    const Term in = map ? value.keys : value.value;
    using Arguments = const std::vector<Term>&;
    if (method == "contains")
      return NamedOperation{{key}, [this, in](Arguments a) { return arena_.select(in, a[0]); }};
    if (method == "get" && map)
      return NamedOperation{
          {key}, [this, &value](Arguments a) { return arena_.select(value.value, a[0]); }};
    if (method == "size") return NamedOperation{{}, [&value](Arguments) { return value.size; }};
    if (method == "empty" || method == "isEmpty")
      return NamedOperation{
          {}, [this, &value](Arguments) { return arena_.eq(value.size, arena_.integer(0)); }};
    if (method == "add") {
      std::vector<Sort> parameters{key};
      if (map) parameters.push_back(value.value->sort->value);
      return NamedOperation{std::move(parameters),
                            [this, &value](Arguments a) { return changed(value, a, true); }};
    }
    if (method == "remove")
      return NamedOperation{{key},
                            [this, &value](Arguments a) { return changed(value, a, false); }};
    return std::nullopt;
  }

  Term changed(const TrackedVariables& value, const std::vector<Term>& arguments, bool add) const {
    const bool map = value.keys != nullptr;
    const Term in = map ? value.keys : value.value;
    const Term key = arguments[0];
    switch (view_) {
    case View::Size: {
      const Term was_in = arena_.select(in, key);
      const Term one = arena_.integer(1);
      return add ? arena_.ite(was_in, value.size, arena_.add(value.size, one))
                 : arena_.ite(was_in, arena_.sub(value.size, one), value.size);
    }
    case View::Keys: return arena_.store(in, key, arena_.boolean(add));
    case View::Value: break;
    }
    if (!map) return arena_.store(in, key, arena_.boolean(add));
    return add ? arena_.store(value.value, key, arguments[1]) : value.value;
  }

  const Interface& interface_;
  const Module& module_;
  TermArena& arena_;
  const Procedure& procedure_;
  const std::vector<TrackedVariables>& tracked_;
  View view_;
};

} // namespace

std::string_view source_name(std::string_view parameter) {
  const std::size_t dot = parameter.rfind('.');
  if (dot != std::string_view::npos && dot > 0 && dot + 1 < parameter.size() &&
      parameter.find_first_not_of("0123456789", dot + 1) == std::string_view::npos)
    return parameter.substr(0, dot);
  if (parameter.size() > 1 && parameter.ends_with('_'))
    return parameter.substr(0, parameter.size() - 1);
  return parameter;
}

std::optional<std::size_t> find_parameter(const Procedure& procedure, std::string_view name) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    const std::string& known = procedure.parameters[i].name();
    if (known == name) return i;
    if (source_name(known) != name) continue;
    if (found) return std::nullopt; // ambiguous
    found = i;
  }
  return found;
}

Sort tracked_sort(const Module& module, std::string_view type) {
  TermArena& arena = *module.arena;
  if (type == "int" || type == "text") return arena.int_sort();
  if (type == "bool") return arena.bool_sort();
  if (type == "ref") return arena.ref_sort();
  const bool set = type.starts_with("set<");
  if ((set || type.starts_with("map<")) && type.ends_with('>')) {
    const std::string_view inside = type.substr(4, type.size() - 5);
    const std::size_t comma = set ? inside.size() : std::min(inside.find(','), inside.size());
    const Sort key = tracked_sort(module, inside.substr(0, comma));
    const Sort value = set                     ? arena.bool_sort()
                       : comma < inside.size() ? tracked_sort(module, inside.substr(comma + 1))
                                               : nullptr;
    const bool scalar = key && key->kind != SortKind::Map;
    return scalar && value && value->kind != SortKind::Map ? arena.map_sort(key, value) : nullptr;
  }
  Sort found = nullptr;
  for (const Sort sort : module.enums) {
    if (sort->decl->name == type) return sort;
    if (simple_name(sort->decl->name) == simple_name(type)) found = sort;
  }
  return found;
}

Result<Conditions> Conditions::of(const Interface& interface, const Module& module) {
  Conditions conditions(interface, module);
  TermArena& arena = *module.arena;
  for (const TrackedValue& value : interface.tracked) {
    const Sort sort = tracked_sort(module, value.type);
    if (!sort)
      return fail("tracked value '{}' is of type '{}', which the component does not have",
                  value.name, value.type);
    for (const Procedure& procedure : module.procedures) {
      const bool called =
          procedure.kind == ProcedureKind::Method || procedure.kind == ProcedureKind::Constructor;
      if (called && std::ranges::find(procedure.parameters, value.name, &Variable::name) !=
                        procedure.parameters.end())
        return fail("tracked value '{}' has the name of a parameter of '{}'", value.name,
                    procedure.name);
    }
    TrackedVariables variables;
    variables.value = arena.var(value.name, sort);
    if (sort->kind == SortKind::Map)
      variables.size = arena.var(value.name + ".size()", arena.int_sort());
    if (value.type.starts_with("map<"))
      variables.keys =
          arena.var(value.name + ".keys()", arena.map_sort(sort->key, arena.bool_sort()));
    conditions.tracked_.push_back(variables);
  }
  return conditions;
}

Result<Term> Conditions::condition(std::string_view text, const Procedure& procedure) const {
  TermArena& arena = *module_->arena;
  if (text.empty()) return arena.truth();
  const ConditionScope scope(*interface_, *module_, procedure, tracked_, View::Value);
  return parse_expression(text, "", arena, scope, arena.bool_sort());
}

Result<UpdateTerms> Conditions::update(std::size_t tracked, std::string_view text,
                                       const Procedure& procedure) const {
  const TrackedVariables& variables = tracked_.at(tracked);
  const auto read = [&](View view, Term like) {
    const ConditionScope scope(*interface_, *module_, procedure, tracked_, view);
    return parse_expression(text, "", *module_->arena, scope, like->sort);
  };
  auto value = read(View::Value, variables.value);
  if (!value) return std::unexpected(value.error());
  UpdateTerms terms{*value, nullptr, nullptr};
  if (variables.keys)
    if (const auto keys = read(View::Keys, variables.keys)) terms.keys = *keys;
  if (variables.size)
    if (const auto size = read(View::Size, variables.size)) terms.size = *size;
  return terms;
}

Term Conditions::result(const Procedure& procedure) const {
  return procedure.returns ? module_->arena->var("result", procedure.returns->sort) : nullptr;
}

Term Conditions::out(const Procedure& procedure) {
  const Variable* out = procedure.out_variable();
  return out ? out->term : nullptr;
}

Result<Substitution> Conditions::over_state() const {
  Substitution terms;
  const ModuleScope scope(*module_);
  const auto read = [&](const TrackedValue& value, Term variable,
                        const std::string& text) -> Result<void> {
    auto term = parse_expression(text, "", *module_->arena, scope, variable->sort);
    if (!term)
      return fail("the term of tracked value '{}' cannot be read: {}", value.name,
                  term.error().message);
    terms[variable] = *term;
    return {};
  };
  for (std::size_t i = 0; i < tracked_.size(); ++i) {
    const TrackedValue& value = interface_->tracked[i];
    const TrackedVariables& variables = tracked_[i];
    if (auto ok = read(value, variables.value, value.term); !ok) return std::unexpected(ok.error());
    if (variables.keys && !value.keys.empty())
      if (auto ok = read(value, variables.keys, value.keys); !ok)
        return std::unexpected(ok.error());
    if (variables.size && !value.size.empty())
      if (auto ok = read(value, variables.size, value.size); !ok)
        return std::unexpected(ok.error());
  }
  return terms;
}

} // namespace tacit
