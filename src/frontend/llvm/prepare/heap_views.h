// As which structs the objects on the heap are seen. A field of a struct is one map over objects
// (Burstall), which is right as long as all code sees an object in the same way. Where it does not
// (a pointer to a struct inside another, to an element of an array, to bytes), what is written in
// one way is not known in the other: such writes and reads stray.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/source_facts.h"
#include "frontend/llvm/prepare/points_to.h"

namespace tacit {

class HeapViews {
public:
  struct Setting {
    std::function<const RecordFact*(const llvm::Type*)> record_of;
    /// By the type of the access, where no step says it.
    std::function<const RecordFact*(const llvm::Instruction&)> record_of_access;
  };

  HeapViews(const llvm::Module& code, const PointsTo& points_to, const Setting& setting);

  /// The struct that starts at all of these places, the world apart; null when there is none or
  /// several.
  const RecordFact* record_at(const PointsTo::Places& places) const;
  std::set<const RecordFact*> records(PointsTo::Object object) const;
  /// Whether an access to objects of the record, or of none, may be to what other code sees in
  /// another way.
  bool strays(const PointsTo::Places& places, const RecordFact* record) const;
  /// A write that strays; says whether that is news.
  bool write(const PointsTo::Places& places, const RecordFact* record, std::int64_t low,
             std::int64_t high);
  /// Whether a write that strays may have changed the field.
  bool overwritten(const RecordFact& record, const FieldFact& field) const;

private:
  struct View {
    const RecordFact* record = nullptr;
    std::int64_t at = 0; // bytes
    auto operator<=>(const View&) const = default;
  };
  static bool overlap(const View& view, std::int64_t at, const RecordFact& record);
  bool contains(const RecordFact& outer, const RecordFact& inner, bool at_start) const;

  const PointsTo& points_to_;
  std::map<PointsTo::Object, std::set<View>> views_;
  std::map<const RecordFact*, std::set<const llvm::StructType*>> types_;
  std::map<PointsTo::Object, std::set<PointsTo::Bytes>> stray_writes_;
  std::set<const RecordFact*> stray_records_; // written in the world, within larger structs
  bool everything_ = false;                   // a write that may be to anything
};

} // namespace tacit
