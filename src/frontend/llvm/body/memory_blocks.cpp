// Memory in blocks: memset, memcpy, atomic updates, and objects on the stack that are not in
// registers.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/places.h"

namespace tacit {

namespace {

unsigned width(const llvm::DataLayout& layout, const llvm::Type* type) {
  return static_cast<unsigned>(layout.getTypeStoreSizeInBits(const_cast<llvm::Type*>(type)));
}

/// The scalars of a type, for objects that are copied as a whole.
void leaves(const llvm::DataLayout& layout, llvm::Type* type, std::int64_t offset,
            std::map<std::pair<std::int64_t, unsigned>, const llvm::Type*>& into) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      leaves(layout, structure->getElementType(i),
             offset + static_cast<std::int64_t>(places->getElementOffset(i)), into);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto step =
        static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()).getFixedValue());
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->getNumElements(), 16); ++i)
      leaves(layout, array->getElementType(), offset + static_cast<std::int64_t>(i) * step, into);
  } else if (type->isIntegerTy() || type->isPointerTy() || is_real(type)) {
    into[{offset, width(layout, type)}] = type;
  }
}

} // namespace

void FunctionLowering::fill_memory(const llvm::MemSetInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const auto* fill = llvm::dyn_cast<llvm::ConstantInt>(instruction.getValue());
  const Target target = resolve(instruction.getDest());
  if (!llvm::isa<llvm::AllocaInst>(instruction.getDest())) forget_views();
  if (target.kind == Target::Kind::Unknown) {
    lowering_.assume("memset is not followed", where(instruction));
    note_write(target, 0);
    return forget_reached(instruction.getDest());
  }
  forget_given(target, nullptr);
  if (!size || !fill || !fill->isZero() || target.index) {
    if (target.kind != Target::Kind::Exception)
      lowering_.assume("memset is not followed", where(instruction));
    if (may_be_escaped(target, nullptr)) forget_escaped();
    return forget(target, size ? size->getZExtValue() : 0, Chooser::Unknown, nullptr);
  }
  if (may_be_escaped(target, nullptr)) {
    forget_escaped();
    return forget(target, size->getZExtValue(), Chooser::Unknown, nullptr);
  }
  zero(target, size->getZExtValue());
}

void FunctionLowering::zero(const Target& target, std::uint64_t bytes) {
  const auto low = static_cast<std::uint64_t>(target.offset) * 8;
  const Held nothing = number(arena_.integer(0), Sign::Either);
  const auto set_zero = [&](const Cell& cell) {
    Held held = nothing;
    held.truth = arena_.falsehood();
    if (cell.type.kind == SourceType::Kind::Pointer) held = Held{.term = arena_.null()};
    const auto term = to_cell(held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    write_cell(cell, *term);
  };
  if (target.kind == Target::Kind::Stack) {
    const std::int64_t stop = target.offset + static_cast<std::int64_t>(bytes);
    for (auto& [place, cell] : stack_[target.root].cells) {
      const std::int64_t end = place.first + static_cast<std::int64_t>(place.second / 8);
      if (place.first >= target.offset && end <= stop)
        set_zero(cell);
      else if (place.first < stop && target.offset < end)
        havoc(cell.variable, Chooser::Unknown);
    }
    return;
  }
  if (forget_variables(target, bytes, false)) return;
  note_write(target, bytes);
  note_stray_elements(target);
  forget_twins(target, low, low + bytes * 8);
  if (is_keyed_element(target)) return forget_searched(*element_call(target.root)->of);
  if (target.kind == Target::Kind::Element) forget_answers(*element_call(target.root)->of);
  std::vector<Term> outer;
  if (target.kind == Target::Kind::Element) outer.push_back(element_key(target));
  const std::vector<FieldFact> fields = fields_of(target);
  if (target.kind == Target::Kind::Heap && !fields.empty()) {
    outer.push_back(address(target.root));
    not_null(outer[0]);
  }
  for (const FieldFact& field : fields) {
    if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float ||
        !overlaps(field, low, low + bytes * 8))
      continue;
    const Term variable = variable_of(target, field);
    if (field.count > 0) {
      zero_elements(field, {variable, outer, field.type}, low, low + bytes * 8);
      continue;
    }
    if (low <= field.bit_offset && field.bit_offset + field.bit_width <= low + bytes * 8)
      set_zero({variable, outer, field.type});
    else
      forget_cell({variable, outer, field.type}, Chooser::Unknown);
  }
}

/// The elements of an array that lie between two places; the ones that do in part are forgotten.
void FunctionLowering::zero_elements(const FieldFact& field, const Cell& array, std::uint64_t low,
                                     std::uint64_t high) {
  const bool pointer = field.type.kind == SourceType::Kind::Pointer;
  const auto element = to_cell(
      pointer ? Held{.term = arena_.null()} : number(arena_.integer(0), Sign::Either), field.type);
  if (!element) lowering_.open_enum(field.type.name);
  const std::uint64_t bits = element_bits(field);
  const std::uint64_t end = field.bit_offset + (field.count - 1) * field.stride + bits;
  if (low <= field.bit_offset && end <= high)
    return write_cell(array, arena_.const_map(lowering_.field_type(field).sort, *element));
  constexpr std::uint64_t most = 16;
  std::uint64_t i = first_behind(field, low);
  if (field.count - i > most) return forget_cell(array, Chooser::Unknown);
  for (; i < field.count && field.bit_offset + i * field.stride < high; ++i) {
    const std::uint64_t at = field.bit_offset + i * field.stride;
    Cell one = array;
    one.keys.push_back(arena_.integer(static_cast<Integer>(i)));
    if (low <= at && at + bits <= high)
      write_cell(one, *element);
    else
      forget_cell(one, Chooser::Unknown);
  }
}

/// A bit-field of an object that is copied, as the source has it.
std::optional<Held> FunctionLowering::bits_from(const Target& from, const Target& to,
                                                const FieldFact& field) {
  const std::int64_t apart = (from.offset - to.offset) * 8;
  const std::int64_t low = static_cast<std::int64_t>(field.bit_offset) + apart;
  if (from.kind == Target::Kind::Stack) {
    for (const auto& [place, cell] : stack_[from.root].cells) {
      const std::int64_t start = place.first * 8, end = start + place.second;
      if (cell.type.kind != SourceType::Kind::Number || cell.type.is_real || low < start ||
          low + field.bit_width > end)
        continue;
      const Held all = from_cell(cell, read_cell(cell));
      FieldFact plain = field;
      plain.type = {.kind = SourceType::Kind::Number,
                    .bits = field.bit_width,
                    .is_signed = field.type.is_signed};
      return number(bits_of(all, place.second, static_cast<unsigned>(low - start), plain),
                    field.type.is_signed ? Sign::Signed : Sign::Unsigned);
    }
    return std::nullopt;
  }
  if (from.kind != Target::Kind::Receiver && from.kind != Target::Kind::Global &&
      from.kind != Target::Kind::Heap)
    return std::nullopt;
  for (const FieldFact& twin : fields_of(from)) {
    if (static_cast<std::int64_t>(twin.bit_offset) != low || twin.count > 0 ||
        twin.bit_width != field.bit_width || !twin.is_bit_field ||
        twin.type.kind != field.type.kind || twin.type.name != field.type.name)
      continue;
    Access found;
    found.facts.push_back(twin);
    if (may_be_escaped(from, nullptr) || is_astray(from, found) || receiver_twin(from, twin))
      return std::nullopt;
    Cell cell{variable_of(from, twin), {}, twin.type};
    if (from.kind == Target::Kind::Heap) {
      cell.keys.push_back(address(from.root));
      not_null(cell.keys[0]);
    }
    const Term copy = local(twin.path, lowering_.scalar_type(twin.type));
    assign(copy, read_cell(cell));
    return from_cell(cell, copy);
  }
  return std::nullopt;
}

void FunctionLowering::copy_memory(const llvm::MemTransferInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const Target to = resolve(instruction.getDest()), from = resolve(instruction.getSource());
  if (!llvm::isa<llvm::AllocaInst>(instruction.getDest())) forget_views();
  if (clients_see(instruction.getDest())) {
    const PointsTo& points_to = lowering_.points_to();
    lend_places(points_to.behind(points_to.at(instruction.getSource())));
  }
  if (to.kind == Target::Kind::Exception) return;
  forget_given(to, nullptr);
  const auto give_up = [&] {
    if (may_be_escaped(to, nullptr)) forget_escaped();
    if (to.kind == Target::Kind::Unknown) return forget_reached(instruction.getDest());
    forget(to, size ? size->getZExtValue() : 0, Chooser::Unknown, nullptr);
  };
  const bool elsewhere = to.index && (to.kind == Target::Kind::Stack || !to.within);
  if (!size || elsewhere || to.kind == Target::Kind::Unknown || may_be_escaped(to, nullptr))
    return give_up();
  if (forget_variables(to, size->getZExtValue(), false)) return;
  note_write(to, size->getZExtValue());
  // Field by field, as the target lays them out; what the source does not hold is not known.
  const std::uint64_t bytes = size->getZExtValue();
  std::vector<std::pair<Cell, std::optional<Held>>> moves;
  const auto from_source = [&](std::int64_t offset, unsigned bits,
                               bool real) -> std::optional<Held> {
    Target source = from;
    source.offset = from.offset + (offset - to.offset);
    auto& context = function_.getContext();
    const llvm::Type* type = !real        ? llvm::Type::getIntNTy(context, bits)
                             : bits == 32 ? llvm::Type::getFloatTy(context)
                                          : llvm::Type::getDoubleTy(context);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(from.root);
        global && global->isConstant() && global->hasInitializer())
      return read_constant(*global, source, type, "copied");
    if (source.kind == Target::Kind::Unknown || source.kind == Target::Kind::Exception)
      return std::nullopt;
    const Access found = access(source, bits);
    if (!found.exact || !same_kind(found, type) || may_be_escaped(source, nullptr) ||
        is_astray(source, found))
      return std::nullopt;
    return read_access(found, source, "copied");
  };
  if (to.kind == Target::Kind::Stack) {
    const std::int64_t stop = to.offset + static_cast<std::int64_t>(bytes);
    for (auto& [place, cell] : stack_[to.root].cells) {
      const std::int64_t end = place.first + static_cast<std::int64_t>(place.second / 8);
      if (place.first >= to.offset && end <= stop)
        moves.emplace_back(cell, from_source(place.first, place.second, cell.type.is_real));
      else if (place.first < stop && to.offset < end)
        moves.emplace_back(cell, std::nullopt);
    }
  } else {
    const auto low = static_cast<std::uint64_t>(to.offset) * 8;
    forget_twins(to, to.index ? 0 : low, to.index ? UINT64_MAX : low + bytes * 8);
    note_stray_elements(to);
    if (is_keyed_element(to)) return forget_searched(*element_call(to.root)->of);
    if (to.kind == Target::Kind::Element) forget_answers(*element_call(to.root)->of);
    std::vector<Term> outer;
    if (to.kind == Target::Kind::Element) outer.push_back(element_key(to));
    const std::vector<FieldFact> fields = fields_of(to);
    if (to.kind == Target::Kind::Heap && !fields.empty()) {
      outer.push_back(address(to.root));
      not_null(outer[0]);
    }
    for (const FieldFact& field : fields) {
      if (!may_reach(to, field, low, low + bytes * 8)) continue;
      if (field.type.kind == SourceType::Kind::Object && to.kind != Target::Kind::Heap)
        for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
          havoc(module_.find_state(ghost)->term, Chooser::Unknown);
      if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
        continue;
      Cell cell{variable_of(to, field), outer, field.type};
      const std::uint64_t high = low + bytes * 8;
      const bool inside =
          field.bit_offset >= low && field.bit_offset + std::uint64_t{field.bit_width} <= high;
      if (to.index) {
        const auto behind = in_step(to, field, low);
        std::optional<Held> held;
        if (behind && *behind + element_bits(field) <= bytes * 8) {
          cell.keys.push_back(element_at(to, field, low, *behind));
          if (!field.is_bit_field)
            held = from_source(to.offset + static_cast<std::int64_t>(*behind / 8), field.bit_width,
                               field.type.is_real);
        }
        moves.emplace_back(std::move(cell), held);
        continue;
      }
      constexpr std::uint64_t most = 16;
      if (field.count > 0 && field.count <= most) {
        for (std::uint64_t i = first_behind(field, low); i < field.count; ++i) {
          const std::uint64_t at = field.bit_offset + i * field.stride;
          if (at >= high) break;
          Cell element = cell;
          element.keys.push_back(arena_.integer(static_cast<Integer>(i)));
          const bool all = low <= at && at + element_bits(field) <= high;
          moves.emplace_back(std::move(element),
                             all ? from_source(static_cast<std::int64_t>(at / 8), field.bit_width,
                                               field.type.is_real)
                                 : std::nullopt);
        }
        continue;
      }
      std::optional<Held> held;
      if (inside && field.count == 0)
        held = field.is_bit_field ? bits_from(from, to, field)
                                  : from_source(static_cast<std::int64_t>(field.bit_offset / 8),
                                                field.bit_width, field.type.is_real);
      moves.emplace_back(std::move(cell), held);
    }
  }
  for (const auto& [cell, held] : moves) {
    const bool is_reference = held && held->term && held->term->sort->kind == SortKind::Ref;
    const bool fits = held && (held->term || held->composite) &&
                      is_reference == (cell.type.kind == SourceType::Kind::Pointer);
    if (!fits) {
      forget_cell(cell, Chooser::Unknown);
      continue;
    }
    const auto term = to_cell(*held, cell.type);
    if (!term) lowering_.open_enum(cell.type.name);
    write_cell(cell, *term);
  }
}

void FunctionLowering::not_null(Term reference) {
  if (!known_not_null_.insert(reference).second) return;
  if (lowering_.is_address(reference)) return;
  lowering_.assume("pointers that are followed are valid");
  assume_true(arena_.ne(reference, arena_.null()));
}

void FunctionLowering::update_atomic(const llvm::AtomicRMWInst& instruction) {
  using Rmw = llvm::AtomicRMWInst;
  const Held old =
      read(instruction.getPointerOperand(), instruction.getType(), name_of(instruction));
  const Held by = value(instruction.getValOperand());
  held_[&instruction] = old;
  const unsigned bits =
      instruction.getType()->isIntegerTy() ? instruction.getType()->getIntegerBitWidth() : 64;
  Held made;
  switch (instruction.getOperation()) {
  case Rmw::Xchg: made = by; break;
  case Rmw::Add:
  case Rmw::Sub: {
    const bool is_unsigned = old.sign == Sign::Unsigned;
    const Term a = as(old, bits, old.sign), b = as(by, bits, by.sign);
    made = number(
        arena_.wrap(static_cast<int>(bits), !is_unsigned,
                    instruction.getOperation() == Rmw::Add ? arena_.add(a, b) : arena_.sub(a, b)),
        is_unsigned ? Sign::Unsigned : Sign::Signed);
    break;
  }
  default: made = unknown(instruction.getType(), name_of(instruction));
  }
  write(instruction.getPointerOperand(), instruction.getType(), made);
}

void FunctionLowering::exchange_atomic(const llvm::AtomicCmpXchgInst& instruction) {
  const llvm::Type* type = instruction.getNewValOperand()->getType();
  const Held old = read(instruction.getPointerOperand(), type, name_of(instruction));
  const Held expected = value(instruction.getCompareOperand());
  const Held fresh = value(instruction.getNewValOperand());
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
  const Term same =
      type->isPointerTy() ? arena_.eq(old.term, expected.term) : equal(old, expected, bits);
  Term done = same;
  if (instruction.isWeak()) { // may fail for no reason
    const Term luck = local("luck", {.sort = arena_.bool_sort()});
    havoc(luck, Chooser::Environment);
    done = arena_.conj(same, luck);
  }
  write(instruction.getPointerOperand(), type, choose(done, fresh, old, type));
  pairs_[&instruction] = {old, truth(done)};
}

// Stack objects.

/// Whether a use takes what lies there for an unsigned number: how a cell is best read, which costs
/// nothing but terms.
bool FunctionLowering::uses_unsigned(const llvm::User* user, const llvm::Value* pointer) const {
  const auto is_unsigned = [](const SourceType& type) {
    return type.kind == SourceType::Kind::Number && !type.is_signed && !type.is_real;
  };
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(store->getValueOperand());
    const auto known = argument_types_.find(argument);
    return argument && known != argument_types_.end() && is_unsigned(known->second);
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  if (!fact || call->arg_size() < fact->parameters.size()) return false;
  const std::size_t hidden = call->arg_size() - fact->parameters.size();
  for (std::size_t i = 0; i < fact->parameters.size(); ++i) {
    if (call->getArgOperand(static_cast<unsigned>(hidden + i)) != pointer) continue;
    const Handed handed{.value = pointer, .declared = &fact->parameters[i].type};
    if (const auto scalar = value_behind(handed); scalar && is_unsigned(*scalar)) return true;
  }
  return false;
}

void FunctionLowering::find_stack() {
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      const auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!object) continue;
      StackObject& known = stack_[object];
      std::map<std::pair<std::int64_t, unsigned>, const llvm::Type*> uses;
      std::vector<std::pair<const llvm::Value*, std::int64_t>> work{{object, 0}};
      std::set<std::int64_t> without_sign; // where these start
      bool copied = false;
      while (!work.empty()) {
        const auto [at, offset] = work.back();
        work.pop_back();
        for (const llvm::User* user : at->users()) {
          const llvm::Type* type = nullptr;
          if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user)) {
            llvm::APInt step(64, 0);
            if (gep->accumulateConstantOffset(lowering_.layout(), step))
              work.emplace_back(user, offset + step.getSExtValue());
            else
              known.opaque = true;
          } else if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(user)) {
            type = read->getType();
          } else if (const auto* written = llvm::dyn_cast<llvm::StoreInst>(user)) {
            if (written->getValueOperand() == at)
              known.opaque = true;
            else
              type = written->getValueOperand()->getType();
          } else if (llvm::isa<llvm::AtomicRMWInst>(user) ||
                     llvm::isa<llvm::AtomicCmpXchgInst>(user) || llvm::isa<llvm::PHINode>(user) ||
                     llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::PtrToIntInst>(user)) {
            known.opaque = true;
          }
          copied = copied || llvm::isa<llvm::MemIntrinsic>(user);
          if (uses_unsigned(user, at)) without_sign.insert(offset);
          if (type) uses[{offset, width(lowering_.layout(), type)}] = type;
        }
      }
      if (copied && object->getAllocatedType()->isStructTy())
        leaves(lowering_.layout(), object->getAllocatedType(), 0, uses);
      if (known.opaque) continue;
      // Accesses may nest or overlap: the object is cut wherever one of them starts or ends.
      std::set<std::int64_t> cuts;
      for (const auto& [place, type] : uses) {
        cuts.insert(place.first);
        cuts.insert(place.first + static_cast<std::int64_t>(place.second / 8));
      }
      for (auto start = cuts.begin(); start != cuts.end() && std::next(start) != cuts.end();
           ++start) {
        const std::int64_t low = *start, high = *std::next(start);
        const auto bits = static_cast<unsigned>((high - low) * 8);
        bool used = false, pointer = false, number = false, real = false;
        for (const auto& [place, type] : uses) {
          const std::int64_t end = place.first + static_cast<std::int64_t>(place.second / 8);
          if (place.first >= high || low >= end) continue;
          used = true;
          (type->isPointerTy() ? pointer : is_real(type) ? real : number) = true;
          if (!type->isIntegerTy() && (place.first != low || end != high)) known.opaque = true;
          if (!type->isPointerTy() && !type->isIntegerTy() && !is_real(type)) known.opaque = true;
        }
        if (pointer + number + real > 1) known.opaque = true;
        if (!used || bits > 64 || known.opaque) continue;
        const SourceType source = pointer
                                      ? SourceType{.kind = SourceType::Kind::Pointer, .bits = 64}
                                      : SourceType{.kind = SourceType::Kind::Number,
                                                   .bits = bits,
                                                   .is_signed = !without_sign.contains(low),
                                                   .is_real = real};
        const Type plain{.sort = pointer ? arena_.ref_sort() : arena_.int_sort()};
        known.cells[{low, bits}] = {local(name_of(*object), plain), {}, source};
      }
    }
}

} // namespace tacit
