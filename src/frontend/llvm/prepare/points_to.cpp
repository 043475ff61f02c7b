#include "frontend/llvm/prepare/points_to.h"

#include <algorithm>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/prepare/callbacks.h"
#include "frontend/llvm/prepare/steps.h"

namespace tacit {

namespace {

constexpr std::int64_t far_off = std::int64_t{1} << 40;
constexpr std::size_t most_places = 8; // in one object, before they are taken as one
constexpr std::size_t most_pieces = 64;

bool allocates(llvm::StringRef symbol) {
  return symbol == "malloc" || symbol == "calloc" || symbol == "aligned_alloc" ||
         symbol == "__cxa_allocate_exception" || symbol.starts_with("_Znw") ||
         symbol.starts_with("_Zna");
}

bool does_nothing(llvm::StringRef symbol) {
  return symbol == "free" || symbol.starts_with("_Zdl") || symbol.starts_with("_Zda") ||
         symbol.starts_with("__cxa_guard") || symbol == "__cxa_atexit" ||
         symbol == "__cxa_end_catch" || is_assert_failure(symbol) || symbol == "abort";
}

/// Tables of the language itself; a place in them is no address that anybody keeps.
bool is_language_table(llvm::StringRef name) {
  return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTC") ||
         name.starts_with("llvm.");
}

bool meets(PointsTo::Bytes a, PointsTo::Bytes b) {
  return a.first < b.second && b.first < a.second;
}

} // namespace

PointsTo::PointsTo(const llvm::Module& code, Setting setting)
    : code_(code), setting_(std::move(setting)) {
  object(Kind::World, nullptr, true);
  object(Kind::Anything, nullptr, true);
  object(Kind::Pool, nullptr, true);
  for (const llvm::GlobalVariable& global : code.globals()) {
    const bool known = global.hasInitializer() && (global.isConstant() || global.hasLocalLinkage());
    const Object made = object(Kind::Global, &global, !known);
    if (global.hasInitializer()) initialise(made, *global.getInitializer(), 0);
    // Others can call what stands in a table that they see.
    if (!global.hasLocalLinkage() && !is_language_table(global.getName()))
      for (const auto& [range, places] : objects_[made].slots)
        for (const Place& place : places)
          if (kind(place.object) == Kind::Function)
            call_back(*llvm::cast<llvm::Function>(site(place.object)), true);
  }
  for (const Bytes& part : setting_.client_parts)
    put(object(Kind::Receiver, nullptr), part, {{world, 0, far_off}});
  // Code of libraries that is not looked into keeps functions that it names.
  for (const llvm::Function& function : code) {
    if (!setting_.may_be_kept(function)) continue;
    bool named = function.isPresplitCoroutine(); // whoever has the handle goes on with it
    for (const llvm::Use& use : function.uses()) {
      const auto* by = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      const auto* called = llvm::dyn_cast_or_null<llvm::CallBase>(by);
      named = named || (by && !(called && called->isCallee(&use)) &&
                        !setting_.looks_into(*by->getFunction()));
    }
    if (named) call_back(function, true);
  }
  for (const llvm::Function* root : setting_.roots) {
    start(*root);
    for (const llvm::Argument& argument : root->args()) {
      if (!carries(argument.getType())) continue;
      if (const auto offset = setting_.receiver(argument))
        give(&argument, {{object(Kind::Receiver, nullptr), *offset, *offset}});
      else
        give(&argument, {{world, 0, far_off}});
    }
  }
  // Calls through pointers about which nothing is found may mean anything; that is known only when
  // nothing else is left to be done.
  while (!work_.empty() || !unresolved_.empty()) {
    if (work_.empty()) {
      const std::vector<const llvm::CallBase*> calls = std::exchange(unresolved_, {});
      for (const llvm::CallBase* call : calls)
        if (at(call->getCalledOperand()).empty()) call_unknown(*call);
      continue;
    }
    const llvm::Instruction* next = work_.back();
    work_.pop_back();
    waiting_.erase(next);
    process(*next);
  }
  find_lent();
}

void PointsTo::find_lent() {
  for (Object o = 0; o < objects_.size(); ++o) {
    const auto* global = llvm::dyn_cast_or_null<llvm::GlobalVariable>(site(o));
    if (kind(o) != Kind::Global || global->hasLocalLinkage() || global->isConstant() ||
        is_language_table(global->getName()))
      continue;
    for (const auto& [range, places] : objects_[o].slots)
      lent_.insert(places.begin(), places.end());
  }
  lent_ = reach_places(lent_);
}

PointsTo::Object PointsTo::object(Kind kind, const llvm::Value* site, bool from_world) {
  const auto [at, fresh] = known_.try_emplace({kind, site}, static_cast<Object>(objects_.size()));
  if (fresh) objects_.push_back({kind, site, from_world, {}, {}});
  return at->second;
}

bool PointsTo::carries(const llvm::Type* type) const {
  return type->isPointerTy() || type->isAggregateType() || type->isIntegerTy(64) ||
         type->isVectorTy();
}

std::int64_t PointsTo::size_of(const llvm::Type* type) const {
  if (!type->isSized()) return 8;
  return static_cast<std::int64_t>(
      code_.getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)).getKnownMinValue());
}

void PointsTo::start(const llvm::Function& function) {
  if (function.isDeclaration() || !functions_.insert(&function).second) return;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) wait(instruction);
}

/// Several places in one object are taken as anywhere in it, so that steps in loops end.
bool PointsTo::insert(Places& into, const Place& place) const {
  const auto at = into.lower_bound(place);
  if (at != into.end() && *at == place) return false;
  const Place all{place.object, -far_off, far_off, 0, 0}, any{pool, -far_off, far_off, 0, 0};
  if (into.contains(all)) return false;
  // The pool stands for its members.
  if (place.object == pool)
    std::erase_if(into, [&](const Place& one) { return members_.contains(one.object); });
  else if (members_.contains(place.object) && into.contains(any))
    return false;
  into.insert(place);
  std::size_t count = 0;
  const auto first = into.lower_bound({place.object, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN});
  auto last = first;
  for (; last != into.end() && last->object == place.object; ++last) ++count;
  if (count > most_places) {
    into.erase(first, last);
    into.insert(all);
  }
  return true;
}

void PointsTo::give(const llvm::Value* to, const Places& more) {
  if (more.empty()) return;
  Places& known = values_[to];
  bool grown = false;
  for (const Place& place : more) grown |= insert(known, place);
  if (!grown) return;
  for (const llvm::User* user : to->users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
        instruction && functions_.contains(instruction->getFunction()))
      wait(*instruction);
}

PointsTo::Places PointsTo::constant(const llvm::Constant& value) const {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&value))
    return alias->getAliasee() ? constant(*alias->getAliasee()) : Places{};
  if (llvm::isa<llvm::Function>(value) || llvm::isa<llvm::GlobalVariable>(value)) {
    const Kind kind = llvm::isa<llvm::Function>(value) ? Kind::Function : Kind::Global;
    if (const auto found = known_.find({kind, &value}); found != known_.end())
      return {{found->second, 0, 0}};
    return const_cast<PointsTo*>(this)->object(kind, &value), constant(value);
  }
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) return step(*gep);
  Places found;
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value)) {
    for (const llvm::Use& operand : expression->operands())
      for (const Place& place : constant(*llvm::cast<llvm::Constant>(operand)))
        insert(found, place);
    if (expression->getOpcode() == llvm::Instruction::IntToPtr && found.empty())
      insert(found, {anything, 0, far_off});
  } else if (llvm::isa<llvm::ConstantAggregate>(value)) {
    for (const llvm::Use& operand : value.operands())
      for (const Place& place : constant(*llvm::cast<llvm::Constant>(operand)))
        insert(found, place);
  }
  return found;
}

PointsTo::Places PointsTo::at(const llvm::Value* pointer) const {
  return spread(places_of(pointer));
}

PointsTo::Places PointsTo::places_of(const llvm::Value* pointer) const {
  if (const auto* value = llvm::dyn_cast<llvm::Constant>(pointer)) return constant(*value);
  const auto known = values_.find(pointer);
  return known == values_.end() ? Places{} : known->second;
}

/// With the pool's members in its place.
PointsTo::Places PointsTo::spread(const Places& places) const {
  const auto at = places.lower_bound({pool, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN});
  if (at == places.end() || at->object != pool) return places;
  Places all;
  for (const Place& place : places)
    if (place.object != pool) all.insert(place);
  for (const Object member : members_) all.insert({member, -far_off, far_off, 0, 0});
  return all;
}

std::optional<PointsTo::Place> PointsTo::only(const llvm::Value* pointer) const {
  const auto found = values_.find(pointer);
  if (found == values_.end() || found->second.size() != 1 || !found->second.begin()->exact())
    return std::nullopt;
  return *found->second.begin();
}

/// The first array that a step goes into, as bytes from its start.
static std::optional<PointsTo::Bytes> array_in(const llvm::GEPOperator& gep,
                                               const llvm::DataLayout& layout) {
  std::int64_t offset = 0;
  for (auto at = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); at != end; ++at) {
    const auto bytes = constant_step(at, layout);
    if (!bytes) return std::nullopt;
    offset += *bytes;
    if (llvm::Type* into = at.getIndexedType(); into->isArrayTy())
      return PointsTo::Bytes{offset, offset + static_cast<std::int64_t>(
                                                  layout.getTypeAllocSize(into).getFixedValue())};
  }
  return std::nullopt;
}

PointsTo::Places PointsTo::step(const llvm::GEPOperator& gep) const {
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt fixed(64, 0);
  const llvm::DataLayout& layout = code_.getDataLayout();
  const bool known = gep.getType()->isPointerTy() &&
                     gep.collectOffset(layout, 64, variable, fixed) && variable.empty();
  const std::optional<Bytes> array = array_in(gep, layout);
  Places found;
  for (const Place& place : places_of(gep.getPointerOperand())) {
    const std::int64_t by = known ? fixed.getSExtValue() : 0;
    Place next = place;
    if (place.exact() && array) {
      next.begin = place.low + array->first;
      next.end = place.low + array->second;
    }
    const bool bounded = next.begin < next.end;
    if (known && place.exact() && std::abs(place.low + by) < far_off) {
      next.low = next.high = place.low + by;
      if (next.low < next.begin || next.low >= next.end) next.begin = next.end = 0;
    } else if (bounded) {
      next.low = next.begin;
      next.high = next.end - 1;
    } else {
      next.low = -far_off;
      next.high = far_off;
    }
    insert(found, next);
  }
  return found;
}

void PointsTo::initialise(Object global, const llvm::Constant& value, std::int64_t offset) {
  const llvm::DataLayout& layout = code_.getDataLayout();
  if (value.getType()->isPointerTy()) {
    const Places places = constant(value); // may add objects
    if (!places.empty()) put(global, {offset, offset + 8}, places);
  } else if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      initialise(global, *structure->getOperand(i),
                 offset + static_cast<std::int64_t>(places->getElementOffset(i)));
  } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    const std::int64_t each = size_of(array->getType()->getElementType());
    for (unsigned i = 0; i < array->getNumOperands(); ++i)
      initialise(global, *array->getOperand(i), offset + each * i);
  } else if (llvm::isa<llvm::ConstantExpr>(value)) {
    put(global, {offset, offset + 8}, constant(value));
  }
}

// Memory.

PointsTo::Places PointsTo::read(const Places& from, std::int64_t bytes,
                                const llvm::Instruction* reader) {
  Places found;
  const auto take = [&](const Places& places) {
    for (const Place& one : places) insert(found, one);
  };
  for (const Place& place : from) {
    if (kind(place.object) == Kind::World || kind(place.object) == Kind::Anything) {
      insert(found, {place.object, 0, far_off});
      continue;
    }
    ObjectFact& fact = objects_[place.object];
    if (reader) fact.readers.insert(reader);
    if (fact.from_world) insert(found, {world, 0, far_off});
    const bool pooled = place.object == pool || members_.contains(place.object);
    if (pooled) {
      if (reader) objects_[pool].readers.insert(reader);
      insert(found, {world, 0, far_off});
      insert(found, {pool, -far_off, far_off});
      for (const auto& [range, places] : objects_[pool].slots) take(places);
    }
    if (place.object == pool) take(in_pool_);
    for (const auto& [range, places] : fact.slots)
      if (meets(range, {place.low, place.high + bytes})) take(places);
  }
  return found;
}

void PointsTo::wake(Object object) {
  for (const llvm::Instruction* reader : objects_[object].readers) wait(*reader);
}

void PointsTo::wait(const llvm::Instruction& instruction) {
  if (waiting_.insert(&instruction).second) work_.push_back(&instruction);
}

void PointsTo::put(Object object, Bytes range, const Places& what) {
  if (what.empty()) return;
  Places& known = objects_[object].slots[range];
  bool grown = false;
  for (const Place& place : what) grown |= insert(known, place);
  if (!grown) return;
  ++changes_;
  wake(object);
  if (!members_.contains(object)) return;
  bool news = false;
  for (const Place& place : what) news |= insert(in_pool_, place);
  if (news) wake(pool);
}

/// A callee that is not looked into gets to the object.
void PointsTo::join_pool(Object object) {
  const Kind what = kind(object);
  if (what == Kind::World || what == Kind::Anything || what == Kind::Pool) return;
  if (what == Kind::Function) return put(pool, {-far_off, far_off}, {{object, 0, 0}});
  if (what == Kind::Receiver) return; // by parts
  if (!members_.insert(object).second) return;
  ++changes_;
  for (const auto& [range, places] : objects_[object].slots)
    for (const Place& place : places) insert(in_pool_, place);
  wake(object);
  wake(pool);
}

/// A callee that is not looked into has the address of a part of the component, or of all of it.
PointsTo::Places PointsTo::hand_part(const Place& place) {
  Places handed{place};
  if (place.exact())
    for (const auto& [first, last] : setting_.handed(place.low))
      if (first > -far_off && last < far_off && last - first > 1 && first <= place.low &&
          place.low < last)
        handed.insert({place.object, first, last - 1, first, last});
  put(pool, {-far_off, far_off}, handed);
  return handed;
}

void PointsTo::write(const Places& to, const Places& what, std::int64_t bytes) {
  for (const Place& place : to) {
    switch (kind(place.object)) {
    case Kind::World:
      // The client has it now.
      for (const Place& one : what)
        if (kind(one.object) == Kind::Function)
          call_back(*llvm::cast<llvm::Function>(site(one.object)), true);
        else
          lent_.insert(one);
      break;
    case Kind::Anything:
      for (Object o = pool; o < objects_.size(); ++o)
        if (kind(o) != Kind::Function) put(o, {-far_off, far_off}, what);
      break;
    case Kind::Function: break;
    case Kind::Pool: put(pool, {-far_off, far_off}, what); break;
    default:
      put(place.object, {place.low, place.high + bytes}, what);
      // What a callee gave back it may have itself.
      if (kind(place.object) == Kind::Heap && objects_[place.object].from_world)
        write({{world, 0, far_off}}, what, bytes);
    }
  }
}

/// Numbers that are no pointers may be put where a pointer is read: bytes of one that are copied
/// one by one, or the halves that a union has. Where it leads is not known then. Only characters
/// are written into whatever lies there; other numbers where that is known to be.
void PointsTo::write_pieces(const Places& to, std::int64_t bytes, bool any_type) {
  for (const Place& place : to) {
    const Kind what = kind(place.object);
    if (what == Kind::World || what == Kind::Function || (!place.exact() && !any_type)) continue;
    if (what == Kind::Anything || what == Kind::Pool) {
      for (Object o = pool; o < objects_.size(); ++o)
        if (kind(o) != Kind::Function && (what == Kind::Anything || pooled(o)))
          cut(o, {-far_off, far_off});
      continue;
    }
    cut(place.object, {place.low, place.high + bytes});
  }
}

/// Whether a pointer that is read there may have been written in pieces.
bool PointsTo::read_in_pieces(const Places& from) const {
  return std::ranges::any_of(from, [&](const Place& place) {
    return std::ranges::any_of(objects_[place.object].pieces, [&](const Bytes& piece) {
      return meets(piece, {place.low, place.high + 8});
    });
  });
}

void PointsTo::cut(Object object, Bytes range) {
  auto& known = objects_[object].pieces;
  if (std::ranges::any_of(known, [&](const Bytes& one) {
        return one.first <= range.first && range.second <= one.second;
      }))
    return;
  if (known.size() >= most_pieces) {
    known.clear();
    range = {-far_off, far_off};
  }
  known.insert(range);
  ++changes_;
  wake(object);
}

void PointsTo::copy(const llvm::MemTransferInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const std::int64_t bytes = size ? static_cast<std::int64_t>(size->getZExtValue()) : far_off;
  const Places to = places_of(instruction.getDest()), from = places_of(instruction.getSource());
  for (const Place& source : from) {
    const bool held = kind(source.object) != Kind::World && kind(source.object) != Kind::Anything;
    if (!held || objects_[source.object].from_world || members_.contains(source.object) ||
        !source.exact()) {
      write(to, read({source}, bytes, &instruction), bytes);
      if (!held) continue;
    }
    objects_[source.object].readers.insert(&instruction);
    if (std::ranges::any_of(std::set(objects_[source.object].pieces), [&](const Bytes& piece) {
          return meets(piece, {source.low, source.high + bytes});
        }))
      write_pieces(to, bytes, true);
    const auto slots = objects_[source.object].slots; // the target may be the same object
    for (const auto& [range, places] : slots) {
      if (!meets(range, {source.low, source.high + bytes})) continue;
      for (const Place& target : to)
        if (target.exact() && source.exact() && range.second - range.first == 8)
          write({{target.object, target.low + range.first - source.low,
                  target.low + range.first - source.low}},
                places, 8);
        else
          write({target}, places, bytes);
    }
  }
}

/// From which bytes of the object a callee goes on.
std::vector<PointsTo::Bytes> PointsTo::handed_parts(const Place& place) const {
  if (kind(place.object) != Kind::Receiver) return {{-far_off, far_off}};
  if (place.exact()) return setting_.handed(place.low);
  return {{-far_off, far_off}};
}

/// Where the pointers lead that a callee finds in an object whose address it is handed; the pool
/// stands for its members.
PointsTo::Places PointsTo::held_in(const Place& place) const {
  Places found;
  for (const Bytes& part : handed_parts(place))
    for (const auto& [range, places] : objects_[place.object].slots)
      if (meets(range, part)) found.insert(places.begin(), places.end());
  return found;
}

PointsTo::Places PointsTo::reach_places(const Places& from) const {
  Places found, work = from;
  bool all = false; // the pool's members are in: once is enough, and there may be thousands
  while (!work.empty()) {
    const Place place = *work.begin();
    work.erase(work.begin());
    if (place.object != pool) {
      if (!found.insert(place).second) continue;
      work.merge(held_in(place));
    }
    if (!pooled(place.object) || std::exchange(all, true)) continue;
    for (const Object member : members_) work.insert({member, -far_off, far_off, 0, 0});
    for (const auto& [range, places] : objects_[pool].slots)
      work.insert(places.begin(), places.end());
  }
  return found;
}

std::set<PointsTo::Object> PointsTo::reach(const Places& from) const {
  return const_cast<PointsTo*>(this)->reach(from, nullptr);
}

std::set<PointsTo::Object> PointsTo::reach(const Places& from, const llvm::Instruction* reader) {
  std::set<Object> found;
  if (std::ranges::any_of(from, [&](const Place& place) { return pooled(place.object); })) {
    found = pool_reach();
    if (reader) read_pool(*reader);
  }
  Places work;
  for (const Place& place : from)
    if (!pooled(place.object)) work.insert(place);
  follow(work, reader, found);
  return found;
}

bool PointsTo::pooled(Object object) const { return object == pool || members_.contains(object); }

/// What can be got to from any member of the pool.
const std::set<PointsTo::Object>& PointsTo::pool_reach() {
  if (pool_reach_at_ == changes_) return pool_reach_;
  pool_reach_at_ = changes_;
  pool_reach_ = {world};
  Places work;
  for (const auto& [range, places] : objects_[pool].slots)
    work.insert(places.begin(), places.end());
  for (const Object member : members_) {
    pool_reach_.insert(member);
    for (const auto& [range, places] : objects_[member].slots)
      for (const Place& place : places)
        if (!pooled(place.object)) work.insert(place);
  }
  std::erase_if(work, [&](const Place& place) { return pooled(place.object); });
  follow(work, nullptr, pool_reach_);
  outside_pool_.clear();
  for (const Object object : pool_reach_)
    if (!pooled(object)) outside_pool_.push_back(object);
  return pool_reach_;
}

/// What is new in a member is news for the pool.
void PointsTo::read_pool(const llvm::Instruction& reader) {
  objects_[pool].readers.insert(&reader);
  for (const Object object : outside_pool_) objects_[object].readers.insert(&reader);
}

/// Adds all that can be got to from places outside of the pool.
void PointsTo::follow(Places work, const llvm::Instruction* reader, std::set<Object>& found) {
  std::set<std::pair<Object, Bytes>> seen;
  while (!work.empty()) {
    const Place place = *work.begin();
    work.erase(work.begin());
    found.insert(place.object);
    ObjectFact& fact = objects_[place.object];
    if (reader) fact.readers.insert(reader);
    if (fact.from_world) found.insert(world);
    for (const Bytes& part : handed_parts(place)) {
      if (!seen.insert({place.object, part}).second) continue;
      for (const auto& [range, places] : fact.slots) {
        if (!meets(range, part)) continue;
        for (const Place& next : places)
          if (!pooled(next.object)) {
            work.insert(next);
          } else if (!found.contains(pool)) {
            found.insert(pool); // a mark
            if (&found != &pool_reach_) {
              const std::set<Object>& all = pool_reach();
              found.insert(all.begin(), all.end());
              if (reader) read_pool(*reader);
            }
          }
      }
    }
  }
  found.erase(pool);
}

PointsTo::Places PointsTo::behind(const Places& places) const {
  return spread(const_cast<PointsTo*>(this)->read(places, far_off, nullptr));
}

// Instructions.

void PointsTo::process(const llvm::Instruction& instruction) {
  using namespace llvm;
  if (const auto* site = dyn_cast<AllocaInst>(&instruction))
    return give(site, {{object(Kind::Stack, site), 0, 0}});
  if (const auto* gep = dyn_cast<GEPOperator>(&instruction)) return give(&instruction, step(*gep));
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
    if (!carries(load->getType())) return;
    const Places from = places_of(load->getPointerOperand());
    give(load, read(from, size_of(load->getType()), load));
    if (load->getType()->isPointerTy() && read_in_pieces(from))
      give(load, {{anything, 0, far_off}});
    return;
  }
  if (const auto* stored = dyn_cast<StoreInst>(&instruction)) {
    const llvm::Value* value = stored->getValueOperand();
    const Places to = places_of(stored->getPointerOperand());
    if (carries(value->getType()))
      write(to, places_of(value), size_of(value->getType()));
    else if (!llvm::isa<llvm::Constant>(value))
      write_pieces(to, size_of(value->getType()), value->getType()->isIntegerTy(8));
    return;
  }
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (!carries(update->getType())) return;
    give(update, read(places_of(update->getPointerOperand()), 8, update));
    return write(places_of(update->getPointerOperand()), places_of(update->getValOperand()), 8);
  }
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    if (!carries(exchange->getNewValOperand()->getType())) return;
    give(exchange, read(places_of(exchange->getPointerOperand()), 8, exchange));
    return write(places_of(exchange->getPointerOperand()), places_of(exchange->getNewValOperand()),
                 8);
  }
  if (const auto* move = dyn_cast<MemTransferInst>(&instruction)) return copy(*move);
  if (const auto* made = dyn_cast<CallBase>(&instruction)) return call(*made);
  if (const auto* returned = dyn_cast<ReturnInst>(&instruction)) {
    const llvm::Value* value = returned->getReturnValue();
    if (!value || !carries(value->getType())) return;
    if (!makes_memory(*instruction.getFunction()))
      for (const CallBase* caller : callers_[instruction.getFunction()])
        give(caller, places_of(value));
    if (std::ranges::find(setting_.roots, instruction.getFunction()) != setting_.roots.end())
      for (const Place& one : places_of(value))
        if (kind(one.object) == Kind::Function)
          call_back(*llvm::cast<llvm::Function>(site(one.object)), true);
    return;
  }
  if (!carries(instruction.getType()) || isa<LandingPadInst>(instruction)) return;
  // Merges, selections, casts; numbers that a pointer went into point anywhere in its object.
  const bool computed = isa<BinaryOperator>(instruction);
  Places found;
  for (const Use& operand : instruction.operands())
    if (carries(operand->getType()))
      for (const Place& place : places_of(operand))
        insert(found, computed && kind(place.object) != Kind::World
                          ? Place{place.object, -far_off, far_off}
                          : place);
  if (isa<IntToPtrInst>(instruction) && found.empty()) insert(found, {anything, 0, far_off});
  give(&instruction, found);
}

/// A function that returns what an allocator gives it and does nothing else with that: each call of
/// it makes an object of its own.
bool PointsTo::makes_memory(const llvm::Function& function) {
  const auto [known, fresh] = makers_.try_emplace(&function, false);
  if (!fresh) return known->second;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work;
  for (const llvm::BasicBlock& block : function)
    if (const auto* returned = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      if (const llvm::Value* value = returned->getReturnValue()) work.push_back(value);
  bool any = false;
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second || llvm::isa<llvm::ConstantPointerNull>(at)) continue;
    if (llvm::isa<llvm::PHINode>(at) || llvm::isa<llvm::SelectInst>(at)) {
      for (const llvm::Use& operand : llvm::cast<llvm::User>(at)->operands())
        if (operand->getType()->isPointerTy()) work.push_back(operand);
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(at)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (!callee || !(allocates(callee->getName()) || makes_memory(*callee))) return false;
      any = true;
    } else {
      return false;
    }
    for (const llvm::User* user : at->users()) {
      const bool kept = llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user);
      if (kept && !seen.contains(user)) return false;
      if (!kept && !llvm::isa<llvm::ICmpInst>(user) && !llvm::isa<llvm::ReturnInst>(user) &&
          !llvm::isa<llvm::MemSetInst>(user))
        return false;
    }
  }
  return makers_[&function] = any;
}

void PointsTo::call_function(const llvm::CallBase& call, const llvm::Function& callee) {
  start(callee);
  callers_[&callee].insert(&call);
  for (const llvm::Argument& parameter : callee.args())
    if (parameter.getArgNo() < call.arg_size() && carries(parameter.getType()))
      give(&parameter, places_of(call.getArgOperand(parameter.getArgNo())));
  if (callee.isVarArg()) // found through `va_list`
    for (unsigned i = static_cast<unsigned>(callee.arg_size()); i < call.arg_size(); ++i)
      if (carries(call.getArgOperand(i)->getType()))
        put(object(Kind::Stack, &callee, true), {-far_off, far_off},
            places_of(call.getArgOperand(i)));
  if (makes_memory(callee)) return give(&call, {{object(Kind::Heap, &call), 0, 0}});
  for (const llvm::BasicBlock& block : callee)
    if (const auto* returned = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      if (const llvm::Value* value = returned->getReturnValue(); value && carries(value->getType()))
        give(&call, places_of(value));
}

void PointsTo::call(const llvm::CallBase& call) {
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  const bool result = carries(call.getType());
  if (callee) {
    const llvm::StringRef symbol = callee->getName();
    if (llvm::isa<llvm::VAStartInst>(call)) {
      const Object more = object(Kind::Stack, call.getFunction(), true);
      put(more, {-far_off, far_off}, {{more, -far_off, far_off}});
      return write(places_of(call.getArgOperand(0)), {{more, -far_off, far_off}}, far_off);
    }
    if (const auto* same = llvm::dyn_cast<llvm::VACopyInst>(&call))
      return write(places_of(same->getDest()), read(places_of(same->getSrc()), far_off, same),
                   far_off);
    if (llvm::isa<llvm::IntrinsicInst>(call)) {
      if (result && call.arg_size() > 0 && carries(call.getArgOperand(0)->getType()))
        give(&call, places_of(call.getArgOperand(0)));
      return;
    }
    if (does_nothing(symbol)) return;
    if (allocates(symbol)) return give(&call, {{object(Kind::Heap, &call), 0, 0}});
    if (symbol == "realloc" && call.arg_size() == 2) {
      give(&call, places_of(call.getArgOperand(0)));
      return give(&call, {{object(Kind::Heap, &call), 0, 0}});
    }
    if (setting_.looks_into(*callee)) return call_function(call, *callee);
    return call_opaque(call);
  }
  if (!call.isInlineAsm() && places_of(call.getCalledOperand()).empty()) {
    if (deferred_.insert(&call).second) unresolved_.push_back(&call);
    return;
  }
  call_unknown(call);
}

void PointsTo::call_unknown(const llvm::CallBase& call) {
  const Targets found = targets(call);
  for (const llvm::Function* function : found.functions) call_function(call, *function);
  if (!found.complete) call_opaque(call);
}

PointsTo::Targets PointsTo::targets(const llvm::CallBase& call) const {
  Targets found;
  found.complete = !call.isInlineAsm();
  const Places places = places_of(call.getCalledOperand());
  if (places.empty()) found.complete = false;
  std::set<const llvm::Function*> seen;
  for (const Place& place : places) {
    const auto* function = llvm::dyn_cast_or_null<llvm::Function>(site(place.object));
    if (function && setting_.looks_into(*function) &&
        function->getFunctionType() == call.getFunctionType())
      seen.insert(function);
    else
      found.complete = false;
  }
  if (!found.complete)
    for (const llvm::Function* function : kept_)
      if (setting_.looks_into(*function) && function->getFunctionType() == call.getFunctionType())
        seen.insert(function);
  if (seen.empty()) return found;
  for (const llvm::Function& function : code_)
    if (seen.contains(&function)) found.functions.push_back(&function);
  return found;
}

void PointsTo::call_opaque(const llvm::CallBase& call) {
  if (setting_.frees(call)) return;
  if (setting_.allocates(call)) return give(&call, {{object(Kind::Heap, &call), 0, 0}});
  Places given, apart, itself, numbers, written, typed;
  bool elements = false;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.paramHasAttr(i, llvm::Attribute::StructRet) &&
        std::ranges::any_of(places_of(call.getArgOperand(i)),
                            [](const Place& place) { return place.object == world; }))
      for (const llvm::Use& argument : call.args()) { // what is returned may hold its address
        const bool led = argument->getType()->isPointerTy() &&
                         setting_.gives(call, argument.getOperandNo()) == Gives::Pointee;
        for (const Place& place : places_of(argument))
          if (led)
            lent_.merge(held_in(place));
          else if (kind(place.object) != Kind::Function)
            lent_.insert(place);
      }
    if (!carries(call.getArgOperand(i)->getType())) continue;
    const bool direct = setting_.read_only(call, i), known = setting_.typed(call, i);
    if (setting_.to_numbers(call, i)) {
      if (!direct)
        for (const Place& place : places_of(call.getArgOperand(i))) insert(numbers, place);
      continue;
    }
    const Gives gives = setting_.gives(call, i);
    elements = elements || gives == Gives::Elements;
    for (const Place& place : places_of(call.getArgOperand(i))) {
      insert(gives == Gives::Anything ? given : apart, place);
      if (gives == Gives::Itself) insert(itself, place);
      if (known) insert(typed, place);
      if (kind(place.object) == Kind::Function) {
        const auto* function = llvm::cast<llvm::Function>(site(place.object));
        called_back_[&call].insert(function);
        call_back(*function, true);
      }
      if (!direct) insert(written, place);
    }
  }
  Places all = given;
  all.insert(apart.begin(), apart.end());
  // Where it can put pointers, it can put those to numbers, too.
  if (std::ranges::any_of(written, [&](const Place& place) {
        return place.object != world && !apart.contains(place);
      })) {
    for (const Place& place : numbers) join_pool(place.object);
    given.merge(numbers);
  }
  const std::set<Object> reached = reach(all, &call);
  for (const Place& place : apart) given.merge(held_in(place));
  Places parts; // of the component, that it has the addresses of
  for (const Place& place : reach_places(given))
    if (kind(place.object) == Kind::Receiver) parts.merge(hand_part(place));
  bool any = false;
  for (const Object object : reached) {
    any = any || object != world;
    join_pool(object);
    if (kind(object) == Kind::Receiver && !receiver_handed_) {
      receiver_handed_ = true;
      for (const llvm::Function* function : std::set(callbacks_)) call_back(*function, false);
    }
  }
  Places back{{world, 0, far_off}, {pool, -far_off, far_off}};
  back.insert(parts.begin(), parts.end());
  if (!call.onlyReadsMemory())
    for (const Place& place : written)
      if (kind(place.object) == Kind::Receiver)
        for (const Bytes& part : handed_parts(place)) put(place.object, part, back);
  Places on_stack;
  for (const Place& place : typed)
    if (kind(place.object) == Kind::Stack) on_stack.insert(place);
  std::set<Object> kept; // what is handed over in a struct on the stack is there to be kept
  if (!on_stack.empty()) kept = reach(on_stack, nullptr);
  for (const Object object : reach(typed, &call)) {
    if (kind(object) != Kind::Function) continue;
    const auto* function = llvm::cast<llvm::Function>(site(object));
    called_back_[&call].insert(function);
    call_back(*function, kept.contains(object));
  }
  if (!call.getType()->isPointerTy() && !call.getType()->isAggregateType()) return;
  const Object made = object(Kind::Heap, &call, true);
  Places result{{made, 0, 0}};
  if (any) {
    join_pool(made);
    insert(result, {pool, -far_off, far_off});
  }
  if (elements) return give(&call, result);
  for (const Place& part : parts) insert(result, part);
  for (const llvm::Use& argument : call.args())
    for (const Place& place : places_of(argument))
      if (itself.contains(place)) {
        insert(result, place);
      } else if (apart.contains(place)) {
        continue;
      } else if (kind(place.object) == Kind::Receiver && place.exact()) {
        insert(result, place);
        for (const auto& [first, last] : handed_parts(place))
          insert(result, {place.object, std::max(first, -far_off), std::min(last - 1, far_off),
                          std::max(first, -far_off), std::min(last, far_off)});
      } else if (place.object != world && kind(place.object) != Kind::Function) {
        insert(result, place.exact() ? Place{place.object, -far_off, far_off} : place);
      }
  give(&call, result);
}

/// A function that others call: with all that any of them has.
void PointsTo::call_back(const llvm::Function& function, bool kept) {
  callbacks_.insert(&function);
  if (kept) kept_.insert(&function);
  if (!setting_.looks_into(function) || !setting_.may_be_kept(function)) return;
  start(function);
  for (const llvm::Argument& parameter : function.args()) {
    if (!carries(parameter.getType())) continue;
    give(&parameter, {{world, 0, far_off}});
    give(&parameter, {{pool, -far_off, far_off}});
    if (receiver_handed_) give(&parameter, {{object(Kind::Receiver, nullptr), -far_off, far_off}});
  }
}

std::set<const llvm::Function*> PointsTo::called_back(const llvm::CallBase& call,
                                                      bool also_kept) const {
  std::set<const llvm::Function*> found;
  if (also_kept) found = kept_;
  if (const auto own = called_back_.find(&call); own != called_back_.end())
    found.insert(own->second.begin(), own->second.end());
  return found;
}

} // namespace tacit
