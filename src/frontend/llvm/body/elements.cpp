// Elements of containers that the component holds by value: numbers, truths, enumerators, and
// structs as far as they are made of these. What they hold is a map per field, from the index or
// the key to the value: `stack_.scope[stack_.size - 1]`.
//
// A pointer leads to an element where it is known to come from the container, `back()`, `at(key)`,
// or an iterator; where that is the one that was found last its key is known, else it is some
// element. All or nothing: a pointer of which that is not known and that may lead there, or an
// address that is kept or lent, and the elements of the container are not followed at all; lowering
// begins again.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

bool is_scalar(const SourceType& type) {
  using Kind = SourceType::Kind;
  return type.kind == Kind::Number || type.kind == Kind::Bool || type.kind == Kind::Enumeration;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_sequence(const std::string& contract) {
  return is_one_of(contract, {"std::vector", "std::deque"});
}

bool is_map(const std::string& contract) {
  return is_one_of(contract, {"std::map", "std::unordered_map"});
}

/// Whether pointers to elements stay valid in a call after which some have another index or key.
bool moves_others(const Library& library, const FunctionFact& member) {
  const std::string contract = contract_class(library, member.in_class);
  if (is_one_of(member.name, {"swap", "operator="})) return true;
  if (is_map(contract)) return is_one_of(member.name, {"extract", "merge"});
  return contract == "std::deque" &&
         is_one_of(member.name,
                   {"push_front", "emplace_front", "pop_front", "insert", "emplace", "erase"});
}

/// What an iterator leads to, by its class: the type of the elements, or of the container.
std::string led_to(const std::string& iterator) {
  for (const char* name :
       {"std::_Rb_tree_iterator<", "std::_Rb_tree_const_iterator<",
        "std::__detail::_Node_iterator<", "std::__detail::_Node_const_iterator<"})
    if (iterator.starts_with(name)) return template_arguments(iterator)[0];
  if (iterator.starts_with("__gnu_cxx::__normal_iterator<"))
    if (const auto arguments = template_arguments(iterator); arguments.size() > 1)
      return arguments[1];
  return "";
}

} // namespace

// ---- What is followed.

/// Null where they are not.
const Elements* Lowering::elements(const FieldFact& container) {
  if (container.type.kind != SourceType::Kind::Object || container.count > 0 ||
      facts_.language != "cpp" || unfollowed_elements_.contains(container.path))
    return nullptr;
  const auto known = elements_.find(container.path);
  if (known != elements_.end()) return known->second ? &*known->second : nullptr;
  auto& made = elements_[container.path];
  const std::string contract = contract_class(*facts_.library, container.type.name);
  if ((!is_sequence(contract) && !is_map(contract)) || clients_write(container)) return nullptr;
  const auto arguments = template_arguments(container.type.name);
  if (arguments.size() != (is_map(contract) ? 2 : 1)) return nullptr;
  if (ghosts(container.path, container.type.name).empty()) return nullptr;
  Elements all;
  all.container = container.path;
  all.class_name = container.type.name;
  all.key = Type{.sort = arena().int_sort()};
  const std::string& element = arguments.back();
  if (is_map(contract)) {
    const StateVariable* has = module_.find_state(container.path + ".has");
    if (!has) return nullptr;
    all.key = *has->type.key;
    all.pair = "std::pair<const " + arguments[0] + ", " + element + ">";
  }
  all.name = element;
  if (!is_map(contract)) find_keys(all);
  if (all.keyed()) {
    find_asked(all);
    made = std::move(all);
    return &*made;
  }
  if (const auto scalar = scalar_named(facts_, element); scalar && is_scalar(*scalar)) {
    FieldFact field;
    field.path = "value";
    field.bit_width = std::max(8U, scalar->bits);
    field.type = *scalar;
    all.fields.push_back(field);
  } else if (const RecordFact* fact = record(element);
             fact && !fact->polymorphic && !fact->copies_itself) {
    all.is_struct = true;
    for (const FieldFact& field : fact->fields)
      if (is_scalar(field.type) && field.count == 0 && !field.is_bit_field)
        all.fields.push_back(field);
  }
  if (all.fields.empty()) return nullptr;
  if (const RecordFact* pair = record(all.pair))
    for (const FieldFact& field : pair->fields)
      if (field.path == (all.is_struct ? "second." + all.fields[0].path : "second"))
        all.second = static_cast<std::int64_t>((field.bit_offset - all.fields[0].bit_offset) / 8);
  find_asked(all);
  made = std::move(all);
  return &*made;
}

std::vector<const Elements*> Lowering::all_elements() {
  std::vector<const Elements*> found;
  if (receiver_)
    for (const FieldFact& field : receiver_->fields)
      if (const Elements* one = elements(field)) found.push_back(one);
  return found;
}

void Lowering::unfollow_elements(const std::string& container) {
  if (unfollowed_elements_.insert(container).second) strayed_ = true;
}

Term Lowering::element_field(const Elements& of, const FieldFact& field) {
  Term& known = fields_[{StateKey::Kind::Element, of.container, field.path}];
  if (known) return known;
  const Type value = field_type(field);
  Type map{.sort = arena().map_sort(of.key.sort, value.sort)};
  map.key = std::make_shared<Type>(of.key);
  map.value = std::make_shared<Type>(value);
  return known = add_state(of.container + "." + field.path, std::move(map)).term;
}

std::vector<std::string> Lowering::element_variables(const Elements& of) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < of.asked.size(); ++i) names.push_back(element_asked(of, i)->name);
  for (const std::size_t key : of.keys) {
    names.push_back(element_count(of, key)->name);
    names.push_back(element_twice(of, key)->name);
    if (of.fields[key].type.kind == SourceType::Kind::Number)
      names.push_back(element_top(of, key)->name);
    for (std::size_t field = 0; field < of.fields.size(); ++field)
      names.push_back(element_field(of, field, key)->name);
  }
  if (of.keyed()) return names;
  for (const FieldFact& field : of.fields) names.push_back(element_field(of, field)->name);
  return names;
}

// ---- Pointers to elements.

/// The container whose elements an iterator leads to, where there is no other of its kind.
const Elements* FunctionLowering::iterated(const std::string& led) const {
  const Elements* found = nullptr;
  if (led.empty() || !lowering_.receiver_record()) return nullptr;
  for (const Elements* one : lowering_.all_elements())
    if (one->pair == led || one->class_name == led) {
      if (found) return nullptr;
      found = one;
    }
  return found;
}

std::optional<FunctionLowering::ElementCall>
FunctionLowering::element_call(const llvm::Value* made) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(made);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  if (!fact || !fact->is_instance || !call->getType()->isPointerTy() || call->arg_empty())
    return std::nullopt;
  using How = ElementCall::How;
  if (const std::string led = led_to(fact->in_class); !led.empty()) {
    const Elements* of = iterated(led);
    if (!is_one_of(fact->name, {"operator*", "operator->"})) return std::nullopt;
    if (const auto* search = search_behind(call->getArgOperand(0), lowering_.facts()))
      if (const Elements* in = searched_elements(*search)) {
        if (in->keyed()) return ElementCall{in, How::Searched, 0, search};
        if (in->pair.empty()) return ElementCall{in, How::Some, 0, search};
        if (in->second) return ElementCall{in, How::Found, *in->second, search};
      }
    if (!of) return std::nullopt;
    if (of->pair.empty()) return ElementCall{of, How::Some, 0};
    if (!of->second) return std::nullopt;
    return ElementCall{of, How::Found, *of->second};
  }
  const FieldFact* field = held_container(*call);
  const Elements* of = field ? lowering_.elements(*field) : nullptr;
  if (!of) return std::nullopt;
  if (of->keyed())
    return is_one_of(fact->name, {"front", "back", "at", "operator[]"})
               ? std::optional(ElementCall{of, How::Some, 0})
               : std::nullopt;
  if (fact->name == "front") return ElementCall{of, How::First, 0};
  if (fact->name == "back") return ElementCall{of, How::Last, 0};
  if (is_one_of(fact->name, {"at", "operator[]"})) return ElementCall{of, How::Key, 0};
  return std::nullopt;
}

/// The container of the component that a member function is called on.
const FieldFact* FunctionLowering::held_container(const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  const unsigned self = call.arg_size() > 0 && call.paramHasAttr(0, llvm::Attribute::StructRet);
  if (!fact || !fact->is_instance || call.arg_size() <= self) return nullptr;
  const llvm::Value* object = call.getArgOperand(self);
  if (resolve(object).kind != Target::Kind::Receiver) return nullptr;
  const FieldFact* field = object_field(object);
  const Library& library = *lowering_.facts().library;
  if (!field ||
      contract_class(library, field->type.name) != contract_class(library, fact->in_class))
    return nullptr;
  return field;
}

void FunctionLowering::note_found(const llvm::CallBase& call, const std::vector<Term>& arguments) {
  const llvm::Function* callee = call.getCalledFunction();
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  const FieldFact* field = fact && fact->name == "find" ? held_container(call) : nullptr;
  const Elements* of = field ? lowering_.elements(*field) : nullptr;
  if (!of || arguments.size() < 2 || arguments[1]->sort != of->key.sort) return;
  found_keys_[&call] = local("key", of->key);
  assign(found_keys_[&call], arguments[1]);
}

/// The key of the element that a call leads to, kept for accesses through what it returns.
void FunctionLowering::note_element(const llvm::CallBase& call, const std::vector<Term>& arguments,
                                    Term iterator) {
  note_found(call, arguments);
  const auto element = element_call(&call);
  if (!element || element->of->keyed()) return;
  const Elements& of = *element->of;
  Term& key = element_keys_[&call];
  if (!key) key = local("key", of.key);
  const auto fact = [&](const char* name) { return module_.find_state(of.container + name); };
  using How = ElementCall::How;
  const bool given = arguments.size() > 1 && arguments[1]->sort == of.key.sort;
  if (element->how == How::First) {
    assign(key, arena_.integer(0));
  } else if (element->how == How::Last) {
    assign(key, arena_.sub(fact(".size")->term, arena_.integer(1)));
  } else if (element->how == How::Key && given) {
    assign(key, arguments[1]);
  } else {
    if (element->how == How::Found)
      if (const Term found = found_key(call)) return assign(key, found);
    havoc(key, Chooser::Unknown);
    if (element->how == How::Found && iterator && fact(".found") && fact(".at"))
      assign(key, arena_.ite(arena_.eq(iterator, fact(".found")->term), fact(".at")->term, key));
  }
}

/// The key that an iterator was found by, where it was set once and has not moved.
Term FunctionLowering::found_key(const llvm::CallBase& call) const {
  const auto* iterator = llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(0));
  if (!iterator) return nullptr;
  const llvm::Value* set = nullptr;
  std::vector<const llvm::Value*> work{iterator};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    for (const llvm::Use& use : at->uses()) {
      const llvm::User* user = use.getUser();
      if (llvm::isa<llvm::GEPOperator>(user)) {
        work.push_back(user);
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (set || store->getValueOperand() == at) return nullptr;
        set = store->getValueOperand();
      } else if (const auto* by = llvm::dyn_cast<llvm::CallBase>(user)) {
        if (!llvm::isa<llvm::LifetimeIntrinsic>(by) &&
            !lowering_.leaves_alone(*by, by->getArgOperandNo(&use)))
          return nullptr;
      } else if (!llvm::isa<llvm::LoadInst>(user)) {
        return nullptr;
      }
    }
  }
  const auto known = found_keys_.find(set);
  return known == found_keys_.end() ? nullptr : known->second;
}

/// Where an iterator stands, before what it leads to is asked for.
Term FunctionLowering::iterator_place(const llvm::CallBase& call) {
  const auto element = element_call(&call);
  if (!element || element->how != ElementCall::How::Found) return nullptr;
  const Held held =
      read(call.getArgOperand(0), llvm::PointerType::get(call.getContext(), 0), "iterator");
  return held.term && held.term->sort == arena_.ref_sort() ? held.term : nullptr;
}

Term FunctionLowering::element_key(const Target& target) {
  if (const Found* found = is_keyed_element(target) ? found_element(target) : nullptr)
    return found->key;
  Term& key = element_keys_[target.root];
  if (!key) {
    key = local("key", element_call(target.root)->of->key);
    havoc(key, Chooser::Unknown);
  }
  return key;
}

void FunctionLowering::write_element(const Target& target, const llvm::Type* type,
                                     const Held& held) {
  const unsigned bits = store_bits(type);
  if (element_call(target.root)->of->keyed()) return write_searched(target, type, held);
  const Access found = access(target, bits);
  if (!found.exact || !whole(found, bits) || type->isFloatingPointTy() || type->isAggregateType() ||
      type->isVectorTy())
    return forget(target, bits / 8, Chooser::Unknown, nullptr);
  const auto term = to_cell(held, found.cells[0].type);
  if (!term) lowering_.open_enum(found.cells[0].type.name);
  const Elements& of = *element_call(target.root)->of;
  const auto before = answers(of, 0, element_key(target), nullptr);
  write_cell(found.cells[0], *term);
  count_answers(of, before, answers(of, 0, element_key(target), nullptr));
}

/// An access through a pointer of which nothing is known may be one to an element.
void FunctionLowering::note_stray_elements(const Target& target) {
  if (target.kind != Target::Kind::Heap && target.kind != Target::Kind::Unknown) return;
  if (!target.root || !lowering_.receiver_record()) return;
  const PointsTo::Places places = lowering_.points_to().at(target.root);
  const bool reaches = places.empty() || std::ranges::any_of(places, [&](const auto& place) {
                         const PointsTo::Kind kind = lowering_.points_to().kind(place.object);
                         return kind == PointsTo::Kind::Heap || kind == PointsTo::Kind::Pool ||
                                kind == PointsTo::Kind::Anything;
                       });
  if (!reaches) return;
  // What members of other library classes give are elements of theirs.
  const auto* call = llvm::dyn_cast<llvm::CallBase>(target.root);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  const Library& library = *lowering_.facts().library;
  if (fact && is_of_iterator(*fact) && fact->name == "base") return;
  std::string from; // the class, or what its iterators lead to
  if (fact && fact->is_instance) from = led_to(fact->in_class);
  if (fact && fact->is_instance && is_closed(library, fact->in_class)) from = fact->in_class;
  const RecordFact* seen = target.kind == Target::Kind::Heap ? record_at(target) : nullptr;
  for (const Elements* one : lowering_.all_elements()) {
    const bool other = !from.empty() && from != one->class_name && from != one->pair;
    const bool apart = seen && seen->name != one->name && seen->name != one->pair &&
                       std::ranges::none_of(one->fields, [&](const FieldFact& field) {
                         return field.owner == seen->name;
                       });
    if (!other && !apart) lowering_.unfollow_elements(one->container);
  }
}

/// The address of an element goes where it is not followed.
void FunctionLowering::lose_element(const llvm::Value* pointer) {
  for (const llvm::Value* source : sources_of(pointer))
    if (const auto element = element_call(source))
      lowering_.unfollow_elements(element->of->container);
}

// ---- Calls of containers.

/// What a call puts into a container that the component holds, before it is emitted.
FunctionLowering::ElementChange
FunctionLowering::element_change(const llvm::CallBase& call, const FunctionFact* fact,
                                 const std::vector<Term>& arguments) {
  ElementChange change;
  const FieldFact* field = held_container(call);
  change.of = field ? lowering_.elements(*field) : nullptr;
  // Another container of the class, whose elements iterators cannot tell from these.
  if (fact && fact->is_instance)
    for (const Elements* one : lowering_.all_elements())
      if (one != change.of && one->class_name == fact->in_class)
        lowering_.unfollow_elements(one->container);
  if (!change.of || fact->is_const || fact->name.starts_with("~")) return change;
  if (change.of->keyed()) {
    searched_change(call, *fact, change);
    return change;
  }
  change.moves = moves_others(*lowering_.facts().library, *fact);
  using What = ElementChange::What;
  const Elements& of = *change.of;
  const bool keyed = !of.pair.empty();
  const auto& parameters = fact->parameters;
  if (fact->is_constructor) {
    change.what = parameters.empty() ? What::Start : What::Forget;
    return change;
  }
  drop_answers(call, *fact, arguments, change);
  if (is_one_of(fact->name,
                {"pop_back", "clear", "reserve", "shrink_to_fit", "begin", "end", "rbegin", "rend",
                 "find", "at", "back", "front", "lower_bound", "upper_bound"}) ||
      (keyed && fact->name == "erase") || (!keyed && fact->name == "operator[]"))
    return change;
  change.what = What::Forget;
  std::size_t from = 0; // the parameter that has the value
  if (!keyed && is_one_of(fact->name, {"push_back", "emplace_back"})) {
    if (parameters.size() != 1) return change;
    change.what = What::Put;
    change.key = local("key", of.key);
    assign(change.key, module_.find_state(of.container + ".size")->term);
  } else if (keyed && is_one_of(fact->name, {"operator[]", "emplace", "try_emplace", "insert",
                                             "insert_or_assign"})) {
    const bool pair = parameters.size() == 1 && parameters[0].type.name.starts_with("std::pair<");
    const bool made =
        fact->name == "operator[]" || (fact->name == "try_emplace" && parameters.size() == 1);
    if (arguments.size() < 2 || arguments[1]->sort != of.key.sort ||
        parameters.size() != (made || pair ? 1U : 2U) || (pair && !of.second))
      return change;
    change.what = What::Put;
    change.key = local("key", of.key);
    assign(change.key, arguments[1]);
    if (fact->name != "insert_or_assign") {
      change.there = local("there", {.sort = arena_.bool_sort()});
      assign(change.there,
             arena_.select(module_.find_state(of.container + ".has")->term, change.key));
    }
    if (made) {
      for (const FieldFact& one : of.fields) {
        const Type type = lowering_.field_type(one);
        change.values.push_back(!of.is_struct ? default_term(arena_, type)
                                : one.made    ? constant_of(arena_, type, *one.made)
                                              : nullptr);
      }
      return change;
    }
    from = pair ? 0 : 1;
    change.shift = pair ? *of.second : 0;
  } else {
    return change;
  }
  read_put(call, parameters[from].type, static_cast<unsigned>(from), change);
  return change;
}

/// The fields of what is handed over by reference.
void FunctionLowering::read_put(const llvm::CallBase& call, const SourceType& type, unsigned from,
                                ElementChange& change) {
  const Elements& of = *change.of;
  const unsigned hidden = call.paramHasAttr(0, llvm::Attribute::StructRet) ? 2 : 1;
  const std::string& name = type.name.empty() ? type.pointee : type.name;
  const bool same = change.shift > 0 || name == of.name;
  const llvm::Value* source =
      from + hidden < call.arg_size() ? call.getArgOperand(from + hidden) : nullptr;
  for (const FieldFact& field : of.fields) {
    change.values.push_back(nullptr);
    if (field.type.kind == SourceType::Kind::Object) {
      change.values.back() = source && same ? put_text(source, field) : nullptr;
      continue;
    }
    if (!same || !source || !source->getType()->isPointerTy()) continue;
    Target target = resolve(source);
    if (target.kind == Target::Kind::Unknown || target.kind == Target::Kind::Exception) continue;
    target.offset += change.shift + static_cast<std::int64_t>(field.bit_offset / 8);
    const Access found = access(target, field.bit_width);
    if (!found.exact || !whole(found, field.bit_width) || may_be_escaped(target, nullptr) ||
        is_astray(target, found))
      continue;
    const auto term = to_cell(read_access(found, target, "put"), field.type);
    if (!term) lowering_.open_enum(field.type.name);
    change.values.back() = *term;
  }
}

/// Elements have moved about, so that nobody knows any more which ones pointers lead to.
void FunctionLowering::lose_keys(const Elements& of) {
  if (of.keyed()) return lose_found(of);
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& made : block) {
      if (const auto element = element_call(&made); element && element->of == &of) {
        Term& key = element_keys_[&made];
        if (!key) key = local("key", of.key);
        havoc(key, Chooser::Unknown);
      }
      const auto found = found_keys_.find(&made);
      if (found == found_keys_.end()) continue;
      const FieldFact* field = held_container(llvm::cast<llvm::CallBase>(made));
      if (field && field->path == of.container) havoc(found->second, Chooser::Unknown);
    }
}

/// After a call that runs own code, which may move elements.
void FunctionLowering::lose_keys() {
  for (const Elements* one : lowering_.all_elements())
    if (one->keyed() ? lowering_.disturbed(*one) : lowering_.moves_elements(*one)) lose_keys(*one);
}

/// Whether something that is called anywhere may move elements of such a container.
bool Lowering::moves_elements(const Elements& of) const {
  return std::any_of(code_.begin(), code_.end(), [&](const llvm::Function& callee) {
    const FunctionFact* member = callee.use_empty() ? nullptr : fact(callee);
    return member &&
           (member->in_class == of.class_name ? moves_others(*facts_.library, *member)
                                              : member->name == "swap" && member->in_system_header);
  });
}

/// Afterwards.
void FunctionLowering::change_elements(const ElementChange& change) {
  using What = ElementChange::What;
  if (!change.of) return;
  const Elements& of = *change.of;
  if (change.emptied)
    for (std::size_t i = 0; i < of.asked.size(); ++i)
      assign(lowering_.element_asked(of, i), arena_.integer(0));
  if (change.forgets_answers || change.what == What::Forget) forget_answers(of);
  if (!change.dropped.empty()) count_answers(of, change.dropped, {});
  if (change.what == What::Nothing) return;
  if (change.moves) lose_keys(of);
  if (of.keyed()) return change_searched(change);
  std::vector<Term> before;
  if (change.what == What::Put && change.there) before = answers(of, 0, change.key, change.there);
  if (change.what == What::Start)
    for (std::size_t i = 0; i < of.asked.size(); ++i)
      assign(lowering_.element_asked(of, i), arena_.integer(0));
  for (std::size_t i = 0; i < of.fields.size(); ++i) {
    const Term variable = lowering_.element_field(of, of.fields[i]);
    const Type type = lowering_.field_type(of.fields[i]);
    if (change.what == What::Start) {
      assign(variable, arena_.const_map(variable->sort, default_term(arena_, type)));
      continue;
    }
    if (change.what == What::Forget) {
      havoc(variable, Chooser::Unknown);
      continue;
    }
    Term value = change.values[i];
    if (!value) {
      value = local("put", type);
      havoc(value, Chooser::Unknown);
    }
    if (change.there) value = arena_.ite(change.there, arena_.select(variable, change.key), value);
    assign(variable, arena_.store(variable, change.key, value));
  }
  if (change.what == What::Put) count_answers(of, before, answers(of, 0, change.key, nullptr));
}

/// Elements that a callee may write which is no member of their container.
void FunctionLowering::forget_elements(const llvm::CallBase& call, const FunctionFact* fact,
                                       const Elements* self, OpaqueEffect& effect) {
  if (fact && !led_to(fact->in_class).empty()) return; // iterators only go about
  const bool member = fact && fact->is_instance && fact->in_system_header;
  for (const Elements* one : lowering_.all_elements()) {
    if (one == self) continue;
    bool reached = effect.everything || effect.heap ||
                   effect.writes.contains(one->container + ".size") ||
                   effect.doubtful.contains(one->container + ".size") ||
                   effect.records.contains(one->name) || effect.records.contains(one->pair);
    if (!reached && !member && !(fact && (fact->pure || fact->tame)))
      for (unsigned i = 0; i < call.arg_size(); ++i) {
        if (!call.getArgOperand(i)->getType()->isPointerTy() || lowering_.leaves_alone(call, i))
          continue;
        for (const PointsTo::Place& place : lowering_.points_to().at(call.getArgOperand(i)))
          reached = reached || lowering_.points_to().kind(place.object) == PointsTo::Kind::Heap ||
                    lowering_.points_to().kind(place.object) == PointsTo::Kind::Pool;
      }
    if (!reached) continue;
    for (const std::string& name : lowering_.element_variables(*one)) effect.doubtful.insert(name);
    if (one->keyed())
      disturb(*one);
    else if (lowering_.moves_elements(*one))
      lose_keys(*one);
  }
}

} // namespace tacit
