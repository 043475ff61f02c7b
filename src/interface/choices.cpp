#include "interface/choices.h"

#include <algorithm>

#include "program/ir/reals.h"

namespace tacit {

namespace {

using Kind = WrittenValue::Kind;

/// Longer texts are not made up.
constexpr Integer longest_text = 64;

WrittenValue number(Integer value) { return {Kind::Number, {}, value, {}}; }
WrittenValue text(std::string contents) { return {Kind::Text, std::move(contents), 0, {}}; }

/// As a client would write it; nullopt when nothing is known.
std::optional<WrittenValue> written(const ClientValue& value, Sort sort) {
  switch (value.kind) {
  case ClientValue::Kind::Bool: return WrittenValue{Kind::Bool, {}, value.number, {}};
  case ClientValue::Kind::Int: return number(value.number);
  case ClientValue::Kind::Enum: return WrittenValue{Kind::Bare, to_string(value, sort), 0, {}};
  case ClientValue::Kind::Null: return WrittenValue{Kind::Null, {}, 0, {}};
  case ClientValue::Kind::Text: return text(value.text);
  case ClientValue::Kind::Object: return WrittenValue{Kind::Object, value.text, 0, {}};
  default: return std::nullopt;
  }
}

} // namespace

void ClientChoices::add_term(Term term) {
  if (term->op == Op::IntConst) numbers_.insert(term->number);
  if (term->op == Op::Var && (term->name == "result" || term->name.starts_with('*')))
    results_matter_ = true;
  if (term->op == Op::Var && term->name.starts_with('"'))
    texts_.insert(term->name.substr(1, term->name.size() - 2));
  for (const Term part : term->args) add_term(part);
}

void ClientChoices::add_terms(const Walk& walk) {
  for (const Term term : walk.terms()) add_term(term);
  const auto texts = walk.interface().constants.find("text");
  if (texts == walk.interface().constants.end()) return;
  for (const auto& [contents, stands_for] : texts->second) texts_.insert(contents);
}

std::vector<WrittenValue> ClientChoices::of(const Type& type, const Place* place) const {
  std::vector<WrittenValue> values;
  const auto add = [&](WrittenValue value) {
    if (std::ranges::find(values, value) == values.end() && values.size() < limits_.per_parameter)
      values.push_back(std::move(value));
  };
  const auto add_number = [&](Integer value) {
    if ((!type.low || *type.low <= value) && (!type.high || value <= *type.high))
      add(is_real(type) ? WrittenValue{Kind::Other, real_text(value), 0, {}} : number(value));
  };
  switch (type.sort->kind) {
  case SortKind::Bool:
    add({Kind::Bool, {}, 0, {}});
    add({Kind::Bool, {}, 1, {}});
    return values;
  case SortKind::Enum:
    for (const Enumerator& value : type.sort->decl->values) add({Kind::Bare, value.name, 0, {}});
    return values;
  case SortKind::Map: return values;
  default: break;
  }
  // Elements of tracked sets are as good as tracked values.
  for (const TrackedClientValue& tracked :
       place ? place->tracked : std::vector<TrackedClientValue>{}) {
    std::vector<ClientValue> known{tracked.value};
    if (tracked.value.array)
      for (const auto& [key, in] : tracked.value.array->entries) known.push_back(key);
    for (const ClientValue& value : known) {
      if (type.sort->kind == SortKind::Int && value.kind == ClientValue::Kind::Int)
        for (const int step : {0, -1, 1}) add_number(value.number + step);
      const bool reference =
          value.kind == ClientValue::Kind::Text || value.kind == ClientValue::Kind::Object;
      if (type.sort->kind == SortKind::Ref && reference)
        if (auto same = written(value, type.sort)) add(std::move(*same));
    }
  }
  if (type.sort->kind == SortKind::Int) {
    for (const int step : {0, -1, 1})
      for (const Integer value : numbers_) add_number(value + step);
    return values;
  }
  add({Kind::Null, {}, 0, {}});
  for (const std::string& contents : texts_) add(text(contents));
  for (const Integer size : numbers_)
    for (const int step : {0, 1})
      if (const Integer length = size + step; length >= 0 && length <= longest_text)
        add(text(std::string(static_cast<std::size_t>(length), 'a')));
  add({Kind::Object, "<a>", 0, {}});
  add({Kind::Object, "<b>", 0, {}});
  return values;
}

std::vector<std::vector<WrittenValue>>
ClientChoices::arguments(const Procedure& procedure, const Place* place, bool& complete) const {
  std::vector<std::vector<WrittenValue>> tuples{{}};
  for (const Variable& parameter : procedure.parameters) {
    std::vector<WrittenValue> values = of(parameter.type, place);
    if (values.empty()) values.push_back({});
    std::vector<std::vector<WrittenValue>> longer;
    for (const WrittenValue& value : values)
      for (const std::vector<WrittenValue>& tuple : tuples) {
        if (longer.size() >= limits_.tuples) {
          complete = false;
          break;
        }
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    tuples = std::move(longer);
  }
  return tuples;
}

} // namespace tacit
