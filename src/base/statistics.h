// Named figures about a run, in the order in which they were first mentioned;
// they end up under "stats" in the result file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tacit {

/// A small ordered record: look-up is linear, as there are a dozen entries.
/// Not for concurrent use; a worker fills its own and merge() joins them.
class Statistics {
public:
  using Value = std::variant<std::int64_t, double, std::string>;

  struct Entry {
    std::string key;
    Value value;

    bool operator==(const Entry&) const = default;
  };

  /// Adds to a number. A new key starts at zero; a sum with a double is a double.
  /// The key should not hold a text.
  void add(std::string_view key, std::int64_t amount = 1);
  void add_seconds(std::string_view key, double amount);

  /// Sets or replaces; the place of an existing key does not change.
  void set(std::string_view key, std::int64_t value) { slot(key) = value; }
  void set(std::string_view key, int value) { slot(key) = std::int64_t{value}; }
  void set(std::string_view key, std::size_t value) {
    slot(key) = static_cast<std::int64_t>(value);
  }
  void set(std::string_view key, double value) { slot(key) = value; }
  void set(std::string_view key, std::string value) { slot(key) = std::move(value); }
  void set(std::string_view key, const char* value) { slot(key) = std::string(value); }

  /// Null when there is no such key. Valid until the next change.
  const Value* find(std::string_view key) const;

  /// The number as an integer; 0 for a missing key or a text.
  std::int64_t count(std::string_view key) const;

  /// Adds the numbers of another record to this one's; texts replace.
  void merge(const Statistics& other);

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  bool operator==(const Statistics&) const = default;

private:
  Value& slot(std::string_view key);

  std::vector<Entry> entries_;
};

/// The value as people read it: doubles with three decimals.
std::string figure_text(const Statistics::Value& value);

} // namespace tacit
