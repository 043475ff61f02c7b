// Where pointers may point: objects and places in them, found for all functions that are looked
// into at once, without regard to the order of statements (inclusion-based, by byte offsets).
//
// Memory that nobody here made is one object, the world: what clients hand in and what callees that
// are not looked into have of their own. Such a callee may write all that it gets to from its
// arguments, with pointers to any of it or to the world; it keeps nothing for later calls except
// functions. All objects that such callees get to are one pool, any of which may point to any
// other.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace tacit {

class PointsTo {
public:
  enum class Kind { World, Anything, Pool, Receiver, Global, Function, Stack, Heap };
  using Object = unsigned;
  static constexpr Object world = 0, anything = 1, pool = 2;
  /// A place in an object: at `low`, or somewhere from there to `high`. A pointer into an array
  /// stays in it.
  struct Place {
    Object object = 0;
    std::int64_t low = 0, high = 0;  // bytes
    std::int64_t begin = 0, end = 0; // of the array; 0: none
    bool exact() const { return low == high; }
    auto operator<=>(const Place&) const = default;
  };
  using Places = std::set<Place>;
  using Bytes = std::pair<std::int64_t, std::int64_t>; // from, up to

  /// Where a result may lead that comes from an object: into it and to all that it leads to; to
  /// what it leads to; to memory of its own; or to the object itself. But for the first, nobody
  /// keeps its address.
  enum class Gives { Anything, Pointee, Elements, Itself };

  struct Setting {
    std::vector<const llvm::Function*> roots;
    std::function<bool(const llvm::Function&)> looks_into;
    /// Whether it matters that callees may call a function.
    std::function<bool(const llvm::Function&)> may_be_kept;
    /// Where in the receiver a parameter of a root points; nothing when it does not.
    std::function<std::optional<std::int64_t>(const llvm::Argument&)> receiver;
    /// The parts of the receiver that clients set.
    std::vector<Bytes> client_parts;
    /// The parts of the receiver that a callee gets to with the address of a place in it.
    std::function<std::vector<Bytes>(std::int64_t)> handed;
    /// Whether a callee that is not looked into leaves the object behind an argument alone.
    std::function<bool(const llvm::CallBase&, unsigned)> read_only;
    /// Whether the argument points to numbers, so that there are no pointers to be had or put
    /// there.
    std::function<bool(const llvm::CallBase&, unsigned)> to_numbers;
    /// Whether it knows the argument's type, so that it may call functions in the object.
    std::function<bool(const llvm::CallBase&, unsigned)> typed;
    /// What a callee that is not looked into gives of the object behind an argument.
    std::function<Gives(const llvm::CallBase&, unsigned)> gives;
    /// Whether a call through a pointer only gives memory back, or gets fresh memory.
    std::function<bool(const llvm::CallBase&)> frees, allocates;
  };

  PointsTo(const llvm::Module& code, Setting setting);

  Kind kind(Object object) const { return objects_[object].kind; }
  const llvm::Value* site(Object object) const { return objects_[object].site; }
  /// Where a pointer may point; empty when it is null or nothing is known about it.
  Places at(const llvm::Value* pointer) const;
  /// The one place where a pointer points, if it is not null.
  std::optional<Place> only(const llvm::Value* pointer) const;
  /// All objects that can be got to from there.
  std::set<Object> reach(const Places& from) const;
  /// The same by places: where pointers lead that can be got to from there, those themselves too.
  Places reach_places(const Places& from) const;
  /// What the memory from those places on points to.
  Places behind(const Places& places) const;
  /// Where clients can get to besides what they are given as a result: addresses that were put into
  /// their memory or into variables that they see, and what those lead to.
  const Places& lent() const { return lent_; }
  /// Functions of the given code that a callee that is not looked into may call: those that it gets
  /// to from its arguments, and those that callees were handed at other calls.
  std::set<const llvm::Function*> called_back(const llvm::CallBase& call, bool also_kept) const;
  /// Functions that a call through a pointer may mean; nothing else, if `complete`.
  struct Targets {
    std::vector<const llvm::Function*> functions; // in the order of the module
    bool complete = false;
  };
  Targets targets(const llvm::CallBase& call) const;
  bool analysed(const llvm::Function& function) const { return functions_.contains(&function); }

private:
  struct ObjectFact {
    Kind kind = Kind::World;
    const llvm::Value* site = nullptr;
    bool from_world = false; // holds pointers that nobody here put there
    std::map<Bytes, Places> slots;
    std::set<Bytes> pieces; // written in what may be pieces of a pointer
    std::unordered_set<const llvm::Instruction*> readers;
  };

  Object object(Kind kind, const llvm::Value* site, bool from_world = false);
  void start(const llvm::Function& function);
  void process(const llvm::Instruction& instruction);
  void call(const llvm::CallBase& call);
  void call_function(const llvm::CallBase& call, const llvm::Function& callee);
  void call_unknown(const llvm::CallBase& call); // through a pointer
  void call_opaque(const llvm::CallBase& call);
  bool makes_memory(const llvm::Function& function);
  void call_back(const llvm::Function& function, bool kept);
  void copy(const llvm::MemTransferInst& instruction);
  void give(const llvm::Value* to, const Places& more);
  Places read(const Places& from, std::int64_t bytes, const llvm::Instruction* reader);
  void write(const Places& to, const Places& what, std::int64_t bytes);
  void write_pieces(const Places& to, std::int64_t bytes, bool any_type);
  void cut(Object object, Bytes range);
  bool read_in_pieces(const Places& from) const;
  void put(Object object, Bytes range, const Places& what);
  void wake(Object object);
  void join_pool(Object object);
  Places hand_part(const Place& place);
  Places held_in(const Place& place) const;
  void find_lent();
  Places places_of(const llvm::Value* pointer) const;
  Places spread(const Places& places) const;
  void initialise(Object global, const llvm::Constant& value, std::int64_t offset);
  Places constant(const llvm::Constant& value) const;
  Places step(const llvm::GEPOperator& gep) const;
  std::vector<Bytes> handed_parts(const Place& place) const;
  std::set<Object> reach(const Places& from, const llvm::Instruction* reader);
  bool pooled(Object object) const;
  const std::set<Object>& pool_reach();
  void read_pool(const llvm::Instruction& reader);
  void follow(Places work, const llvm::Instruction* reader, std::set<Object>& found);
  void wait(const llvm::Instruction& instruction);
  bool carries(const llvm::Type* type) const;
  std::int64_t size_of(const llvm::Type* type) const;
  bool insert(Places& into, const Place& place) const;

  const llvm::Module& code_;
  const Setting setting_;
  std::vector<ObjectFact> objects_;
  std::map<std::pair<Kind, const llvm::Value*>, Object> known_;
  std::unordered_map<const llvm::Value*, Places> values_;
  std::set<const llvm::Function*> functions_;
  std::map<const llvm::Function*, std::set<const llvm::CallBase*>> callers_;
  std::map<const llvm::Function*, bool> makers_;
  std::vector<const llvm::Instruction*> work_;
  std::unordered_set<const llvm::Instruction*> waiting_;
  std::set<Object> members_; // of the pool
  Places in_pool_;           // what own code wrote into its members
  std::vector<const llvm::CallBase*> unresolved_;
  std::set<const llvm::CallBase*> deferred_;
  std::set<const llvm::Function*> kept_; // functions that callees have for good
  std::map<const llvm::CallBase*, std::set<const llvm::Function*>> called_back_;
  std::set<const llvm::Function*> callbacks_;
  bool receiver_handed_ = false;
  Places lent_;
  std::uint64_t changes_ = 1;       // of what is known about memory
  std::uint64_t pool_reach_at_ = 0; // what was known then
  std::set<Object> pool_reach_;
  std::vector<Object> outside_pool_; // what of it is no member
};

} // namespace tacit
