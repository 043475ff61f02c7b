#include "base/statistics.h"

#include <fmt/format.h>

#include "base/should.h"

namespace tacit {

Statistics::Value& Statistics::slot(std::string_view key) {
  for (Entry& entry : entries_)
    if (entry.key == key) return entry.value;
  return entries_.emplace_back(Entry{std::string(key), std::int64_t{0}}).value;
}

const Statistics::Value* Statistics::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

void Statistics::add(std::string_view key, std::int64_t amount) {
  Value& value = slot(key);
  if (auto* number = std::get_if<std::int64_t>(&value))
    *number += amount;
  else if (auto* real = std::get_if<double>(&value))
    *real += static_cast<double>(amount);
  else
    should_not_be_reached("a figure that is added to should be a number");
}

void Statistics::add_seconds(std::string_view key, double amount) {
  Value& value = slot(key);
  if (auto* number = std::get_if<std::int64_t>(&value))
    value = static_cast<double>(*number) + amount;
  else if (auto* real = std::get_if<double>(&value))
    *real += amount;
  else
    should_not_be_reached("a figure that is added to should be a number");
}

std::int64_t Statistics::count(std::string_view key) const {
  const Value* value = find(key);
  if (!value) return 0;
  if (auto* number = std::get_if<std::int64_t>(value)) return *number;
  if (auto* real = std::get_if<double>(value)) return static_cast<std::int64_t>(*real);
  return 0;
}

void Statistics::merge(const Statistics& other) {
  for (const Entry& entry : other) {
    if (auto* number = std::get_if<std::int64_t>(&entry.value))
      add(entry.key, *number);
    else if (auto* real = std::get_if<double>(&entry.value))
      add_seconds(entry.key, *real);
    else
      slot(entry.key) = entry.value;
  }
}

std::string figure_text(const Statistics::Value& value) {
  if (auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (auto* real = std::get_if<double>(&value)) return fmt::format("{:.3f}", *real);
  return std::get<std::string>(value);
}

} // namespace tacit
