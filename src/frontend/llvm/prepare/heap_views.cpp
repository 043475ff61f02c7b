#include "frontend/llvm/prepare/heap_views.h"

#include <algorithm>

#include <llvm/IR/Operator.h>

namespace tacit {

namespace {

constexpr std::int64_t everywhere = std::int64_t{1} << 50;

/// Static objects are among those behind pointers when pointers lead to them.
bool is_object(const PointsTo& points_to, PointsTo::Object object) {
  const PointsTo::Kind kind = points_to.kind(object);
  return kind == PointsTo::Kind::Heap || kind == PointsTo::Kind::Global;
}

/// Whether a struct lies within a type, and not only at its start unless that is asked for.
bool lies_within(const llvm::Type* type, const std::set<const llvm::StructType*>& wanted,
                 bool start, bool at_start) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const llvm::Type* element = array->getElementType();
    if (!at_start && array->getNumElements() > 1)
      if (const auto* structure = llvm::dyn_cast<llvm::StructType>(element);
          structure && wanted.contains(structure))
        return true;
    return lies_within(element, wanted, start && array->getNumElements() <= 1, at_start);
  }
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure) return false;
  for (unsigned i = 0; i < structure->getNumElements(); ++i) {
    const bool first = start && i == 0;
    if (at_start && !first) continue;
    const auto* part = llvm::dyn_cast<llvm::StructType>(structure->getElementType(i));
    if (part && wanted.contains(part) && first == at_start) return true;
    if (lies_within(structure->getElementType(i), wanted, first, at_start)) return true;
  }
  return false;
}

} // namespace

HeapViews::HeapViews(const llvm::Module& code, const PointsTo& points_to, const Setting& setting)
    : points_to_(points_to) {
  const auto see = [&](const llvm::Value* pointer, const RecordFact* record) {
    const PointsTo::Places places = points_to.at(pointer);
    for (const PointsTo::Place& place : places)
      if (is_object(points_to, place.object) && place.exact())
        views_[place.object].insert({record, place.low});
      else if (points_to.kind(place.object) == PointsTo::Kind::World)
        views_[place.object].insert({record, 0});
  };
  for (const llvm::StructType* type : code.getIdentifiedStructTypes())
    if (const RecordFact* record = setting.record_of(type)) types_[record].insert(type);
  for (const llvm::GlobalVariable& global : code.globals())
    if (const RecordFact* record = setting.record_of(global.getValueType())) see(&global, record);
  for (const llvm::Function& function : code) {
    if (!points_to.analysed(function)) continue;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        // The step next to where the pointer comes from says what the object is.
        if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
          if (llvm::isa<llvm::GEPOperator>(gep->getPointerOperand())) continue;
          if (const RecordFact* record = setting.record_of(gep->getSourceElementType()))
            see(gep->getPointerOperand(), record);
        } else if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
                   pointer && !llvm::isa<llvm::GEPOperator>(pointer)) {
          if (const RecordFact* record = setting.record_of_access(instruction))
            see(pointer, record);
        }
      }
  }
}

/// Whether one struct has the other in it: at its start, or elsewhere.
bool HeapViews::contains(const RecordFact& outer, const RecordFact& inner, bool at_start) const {
  const auto whole = types_.find(&outer), part = types_.find(&inner);
  if (whole == types_.end() || part == types_.end()) return false;
  return std::ranges::any_of(whole->second, [&](const llvm::StructType* type) {
    return lies_within(type, part->second, true, at_start);
  });
}

const RecordFact* HeapViews::record_at(const PointsTo::Places& places) const {
  const RecordFact* found = nullptr;
  for (const PointsTo::Place& place : places) {
    if (points_to_.kind(place.object) == PointsTo::Kind::World) continue;
    if (!is_object(points_to_, place.object) || place.low != 0 || !place.exact()) return nullptr;
    const auto known = views_.find(place.object);
    if (known == views_.end()) continue;
    for (const View& view : known->second) {
      if (view.at != 0) return nullptr;
      if (!found || contains(*view.record, *found, true))
        found = view.record;
      else if (view.record != found && !contains(*found, *view.record, true))
        return nullptr;
    }
  }
  return found;
}

std::set<const RecordFact*> HeapViews::records(PointsTo::Object object) const {
  std::set<const RecordFact*> found;
  if (const auto known = views_.find(object); known != views_.end())
    for (const View& view : known->second) found.insert(view.record);
  return found;
}

/// Whether structs that have nothing to do with each other lie in the same bytes.
bool HeapViews::overlap(const View& view, std::int64_t at, const RecordFact& record) {
  const auto bytes = [](const RecordFact& r) { return static_cast<std::int64_t>(r.bits / 8); };
  return view.at < at + bytes(record) && at < view.at + bytes(*view.record);
}

bool HeapViews::strays(const PointsTo::Places& places, const RecordFact* record) const {
  return std::ranges::any_of(places, [&](const PointsTo::Place& place) {
    if (points_to_.kind(place.object) == PointsTo::Kind::Anything) return true;
    const bool in_world = points_to_.kind(place.object) == PointsTo::Kind::World;
    if (!is_object(points_to_, place.object) && !in_world) return false;
    const auto known = views_.find(place.object);
    if (known == views_.end()) return false;
    // Clients are taken to keep bytes and structs apart.
    if (!record) return !in_world;
    if (in_world)
      return std::ranges::any_of(
          known->second, [&](const View& view) { return contains(*view.record, *record, false); });
    // The largest struct is the one that counts, and in arrays the first.
    std::size_t same = 0;
    for (const View& view : known->second) {
      if (view.record == record) {
        ++same;
        if (place.exact() && view.at < place.low) return true;
      } else if (contains(*view.record, *record, false)) {
        return true;
      } else if (place.exact() && !contains(*record, *view.record, false)) {
        const bool starts =
            contains(*view.record, *record, true) || contains(*record, *view.record, true);
        if (starts ? view.at != place.low : overlap(view, place.low, *record)) return true;
      }
    }
    if (place.exact()) return false;
    return same > 1;
  });
}

bool HeapViews::write(const PointsTo::Places& places, const RecordFact* record, std::int64_t low,
                      std::int64_t high) {
  bool news = false;
  for (const PointsTo::Place& place : places) {
    if (points_to_.kind(place.object) == PointsTo::Kind::World && record)
      news = stray_records_.insert(record).second || news;
    if (points_to_.kind(place.object) == PointsTo::Kind::Anything) {
      news = news || !everything_;
      everything_ = true;
    }
    if (!is_object(points_to_, place.object)) continue;
    // An index that is not known stays in its array.
    PointsTo::Bytes bytes{place.low + low, place.high + high};
    if (low < -everywhere && place.begin < place.end) bytes = {place.begin, place.end};
    auto& known = stray_writes_[place.object];
    if (known.size() > 32) { // all of it
      known.clear();
      known.insert({INT64_MIN / 2, INT64_MAX / 2});
      news = true;
    }
    const bool covered = std::ranges::any_of(known, [&](const PointsTo::Bytes& other) {
      return other.first <= bytes.first && bytes.second <= other.second;
    });
    if (covered) continue;
    known.insert(bytes);
    news = true;
  }
  return news;
}

bool HeapViews::overwritten(const RecordFact& record, const FieldFact& field) const {
  if (everything_) return true;
  if (std::ranges::any_of(stray_records_,
                          [&](const RecordFact* inner) { return contains(record, *inner, false); }))
    return true;
  const std::uint64_t bits = field.count > 0 ? field.count * field.stride : field.bit_width;
  const auto low = static_cast<std::int64_t>(field.bit_offset / 8);
  const auto high = static_cast<std::int64_t>((field.bit_offset + bits + 7) / 8);
  return std::ranges::any_of(stray_writes_, [&](const auto& entry) {
    const auto known = views_.find(entry.first);
    if (known == views_.end()) return false;
    return std::ranges::any_of(known->second, [&](const View& view) {
      if (view.record != &record && !contains(*view.record, record, true) &&
          !contains(record, *view.record, true))
        return false;
      return std::ranges::any_of(entry.second, [&](const PointsTo::Bytes& bytes) {
        return bytes.first < view.at + high && view.at + low < bytes.second;
      });
    });
  });
}

} // namespace tacit
