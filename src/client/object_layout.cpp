#include "client/object_layout.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "frontend/llvm/lower.h"

namespace tacit {

namespace {

constexpr std::uint64_t byte = 8; // bits

/// The first name of `inner.count`.
std::string first_part(const std::string& path) { return path.substr(0, path.find('.')); }

class Layout {
public:
  Layout(const RecordFact& record, const std::set<std::string>& state) : size_(record.bits / byte) {
    std::set<std::string> parts;
    for (const std::string& name : state) parts.insert(first_part(name));
    const auto has_any = [&](const FieldFact& field) {
      return parts.contains(first_part(field.path));
    };
    const bool known = std::ranges::any_of(record.fields, has_any);
    for (const FieldFact& field : record.fields)
      if (!field.is_bit_field && field.count == 0 && (!known || has_any(field)))
        room_[field.bit_offset / byte] = field.bit_width / byte;
  }

  std::optional<ObjectLayout> place(const std::vector<LayoutItem>& items) {
    for (const LayoutItem& item : items)
      if (!put(item)) return std::nullopt;
    ObjectLayout made;
    made.wide_state = put({"int", "tacit_state", 4});
    if (!made.wide_state && !put({"unsigned char", "tacit_state", 1})) return std::nullopt;
    for (const auto& [at, bytes] : room_)
      if (bytes >= 4 && !used_.contains(at)) {
        const LayoutItem mark{bytes == 8 ? "long" : "int",
                              fmt::format("tacit_mark{}", made.marks.size()), bytes == 8 ? 8U : 4U};
        if (put_at(mark, at, bytes)) made.marks.push_back(mark.name);
      }
    std::uint64_t end = 0;
    for (const auto& [at, item] : placed_) {
      if (at > end) made.fields += fmt::format("unsigned char {}{}[{}]; ", padding, end, at - end);
      made.fields += fmt::format("{} {}; ", item.type, item.name);
      end = at + item.bytes;
    }
    made.bytes = std::max(size_, (end + byte - 1) / byte * byte);
    return made;
  }

private:
  bool put(const LayoutItem& item) {
    return std::ranges::any_of(
        room_, [&](auto& field) { return put_at(item, field.first, field.second); });
  }

  /// What a field already holds takes its first bytes.
  bool put_at(const LayoutItem& item, std::uint64_t field, std::uint64_t bytes) {
    std::uint64_t at = field + used_[field];
    at = (at + item.bytes - 1) / item.bytes * item.bytes;
    if (at + item.bytes > field + bytes) {
      if (used_[field] == 0) used_.erase(field);
      return false;
    }
    placed_[at] = item;
    used_[field] = at + item.bytes - field;
    return true;
  }

  std::uint64_t size_;
  std::map<std::uint64_t, std::uint64_t> room_; // by offset, in bytes
  std::map<std::uint64_t, std::uint64_t> used_; // of a field
  std::map<std::uint64_t, LayoutItem> placed_;
};

/// From the first byte on.
ObjectLayout packed(const std::vector<LayoutItem>& items) {
  ObjectLayout made{.fields = "unsigned char tacit_state;", .bytes = 1};
  for (const LayoutItem& item : items) {
    made.fields += fmt::format(" {} {};", item.type, item.name);
    made.bytes = (made.bytes + item.bytes - 1) / item.bytes * item.bytes + item.bytes;
  }
  return made;
}

} // namespace

ObjectLayout lay_out(const RecordFact* record, const std::set<std::string>& state,
                     const std::vector<LayoutItem>& items) {
  if (!record || record->bits == 0) return packed(items);
  if (auto made = Layout(*record, state).place(items)) return *made;
  ObjectLayout made = packed(items);
  if (made.bytes > record->bits / byte) return {};
  made.bytes = record->bits / byte;
  return made;
}

} // namespace tacit
