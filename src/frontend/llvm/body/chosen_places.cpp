// Pointers that may mean a few known variables: fields of the object, globals and parts of them. An
// access through such a pointer is a choice among these by the address that the pointer holds, so
// that nothing has to be forgotten.
#include <llvm/IR/Constants.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"

namespace tacit {

/// The variables that a pointer may mean, with their addresses; nothing when it may mean something
/// else, or when one of them is not read and written as a whole.
std::optional<std::vector<FunctionLowering::Candidate>>
FunctionLowering::candidates(const Target& target, const llvm::Type* type) {
  constexpr std::size_t most = 6;
  if ((target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) || target.index ||
      !target.root || llvm::isa<llvm::Constant>(target.root) ||
      (!type->isIntegerTy() && !type->isPointerTy()))
    return std::nullopt;
  const PointsTo& points = lowering_.points_to();
  const PointsTo::Places places = points.at(target.root);
  if (places.empty() || places.size() > most) return std::nullopt;
  const unsigned bits = store_bits(type);
  std::vector<Candidate> found;
  for (const PointsTo::Place& place : places) {
    Candidate one;
    one.place = {.root = target.root, .offset = place.low + target.offset};
    if (!place.exact() || one.place.offset < 0) return std::nullopt;
    if (points.kind(place.object) == PointsTo::Kind::Receiver && lowering_.receiver_record()) {
      one.place.kind = Target::Kind::Receiver;
    } else if (points.kind(place.object) == PointsTo::Kind::Global) {
      const auto* global = llvm::cast<llvm::GlobalVariable>(points.site(place.object));
      if (global->isConstant() || lowering_.on_heap(*global)) return std::nullopt;
      one.place.kind = Target::Kind::Global;
      one.place.root = global;
    } else {
      return std::nullopt;
    }
    const Access there = access(one.place, bits);
    if (!there.exact || !whole(there, bits) || there.facts[0].type.is_real ||
        type->isPointerTy() != (there.facts[0].type.kind == SourceType::Kind::Pointer))
      return std::nullopt;
    if (places.size() > 1) {
      if (one.place.kind == Target::Kind::Global)
        one.address =
            lowering_.global_address(*llvm::cast<llvm::GlobalVariable>(one.place.root), place.low);
      else
        one.address =
            place.low == 0 ? lowering_.receiver_address() : lowering_.part_address(place.low);
    }
    found.push_back(one);
  }
  return found;
}

Held FunctionLowering::read_candidates(const std::vector<Candidate>& places, const Target& target,
                                       const llvm::Type* type, const std::string& base) {
  std::optional<Held> all;
  for (const Candidate& one : places) {
    const Held held = read_access(access(one.place, store_bits(type)), one.place, base);
    all = all ? choose(arena_.eq(address(target.root), one.address), held, *all, type) : held;
  }
  return *all;
}

void FunctionLowering::write_candidates(const std::vector<Candidate>& places, const Target& target,
                                        const llvm::Type* type, const Held& held) {
  // The first is meant when none of the others is.
  std::vector<Term> conditions(places.size(), arena_.truth());
  for (std::size_t i = places.size(); i-- > 1;) {
    conditions[i] = arena_.eq(address(target.root), places[i].address);
    conditions[0] = arena_.conj(conditions[0], arena_.negate(conditions[i]));
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Access found = access(places[i].place, store_bits(type));
    const Cell& cell = found.cells[0];
    const auto term = to_cell(held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    write_cell(cell, arena_.ite(conditions[i], *term, read_cell(cell)));
  }
}

/// The parts of variables that a pointer may mean, with their sizes in bytes: a pointer that goes
/// through an array stays in it. Tells whether it may mean nothing else. The component as a whole
/// is known by its address (`receiver_twin`).
bool FunctionLowering::variable_parts(const Target& target, std::uint64_t bytes,
                                      std::vector<std::pair<Target, std::uint64_t>>& parts) const {
  if ((target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) || !target.root ||
      llvm::isa<llvm::Constant>(target.root))
    return false;
  const PointsTo& points = lowering_.points_to();
  const PointsTo::Places places = points.at(target.root);
  bool all = !places.empty();
  for (const PointsTo::Place& place : places) {
    Target part{.root = target.root};
    const bool in_array = place.end > place.begin;
    const bool bounded = in_array || (place.exact() && !target.index);
    if (points.kind(place.object) == PointsTo::Kind::Receiver && lowering_.receiver_record()) {
      const RecordFact* seen = target.kind == Target::Kind::Heap ? record_at(target) : nullptr;
      const bool whole = place.exact() && place.low == 0 && seen &&
                         (seen == lowering_.receiver_record() ||
                          lowering_.facts().subject_classes.contains(seen->name));
      part.kind = whole ? Target::Kind::Unknown : Target::Kind::Receiver;
    } else if (points.kind(place.object) == PointsTo::Kind::Global) {
      const auto* global = llvm::cast<llvm::GlobalVariable>(points.site(place.object));
      if (!global->isConstant() && !lowering_.on_heap(*global) && lowering_.global(*global))
        part.kind = Target::Kind::Global;
      part.root = global;
    }
    part.offset = in_array ? place.begin : place.low + target.offset;
    if (part.kind == Target::Kind::Unknown || !bounded || part.offset < 0) {
      all = false;
      continue;
    }
    parts.emplace_back(part,
                       in_array ? static_cast<std::uint64_t>(place.end - place.begin) : bytes);
  }
  return all;
}

/// The same for an access to a number or a pointer: code outside of the library does not look into
/// closed objects.
bool FunctionLowering::scalar_parts(const Target& target, std::uint64_t bytes,
                                    std::vector<std::pair<Target, std::uint64_t>>& parts) const {
  const bool all = variable_parts(target, bytes, parts);
  if (bytes == 1) return all;
  const Library& library = *lowering_.facts().library;
  std::erase_if(parts, [&](const auto& part) {
    const auto low = static_cast<std::uint64_t>(part.first.offset) * 8;
    return std::ranges::any_of(fields_of(part.first), [&](const FieldFact& field) {
      return field.type.kind == SourceType::Kind::Object && is_closed(library, field.type.name) &&
             field.count == 0 && field.bit_offset <= low &&
             low + part.second * 8 <= field.bit_offset + field.bit_width;
    });
  });
  return all && !parts.empty();
}

/// Forgets the parts of variables that a write through a pointer may change. Returns whether it
/// changes nothing else.
bool FunctionLowering::forget_variables(const Target& target, std::uint64_t bytes, bool scalar) {
  std::vector<std::pair<Target, std::uint64_t>> parts;
  const bool all =
      scalar ? scalar_parts(target, bytes, parts) : variable_parts(target, bytes, parts);
  if (parts.empty()) return false;
  lowering_.assume("it is not known what is written", where(*at_));
  for (const auto& [part, size] : parts) forget(part, size, Chooser::Unknown, nullptr);
  return all;
}

unsigned FunctionLowering::store_bits(const llvm::Type* type) const {
  return static_cast<unsigned>(
      lowering_.layout().getTypeStoreSizeInBits(const_cast<llvm::Type*>(type)).getFixedValue());
}

} // namespace tacit
