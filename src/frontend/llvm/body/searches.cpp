// Sequences that code searches by what their elements hold: `find_if` with a key, a loop that
// returns the element with an id. What is kept about them goes by these keys and not by the index:
// how many elements have a key, and what the first of them holds.
//
// An element is known where a search has found it, by the key that was searched for. It stays the
// first one with its key while no key is written and nobody but `push_back` and `erase` changes the
// order; what else happens to the sequence *disturbs* it: what pointers from searches lead to is
// not known any more, and neither is what the elements hold. With several keys the element that one
// of them leads to is the one that another leads to unless two elements share a key (`twice`).
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_followed(const SourceType& type) {
  using Kind = SourceType::Kind;
  return type.kind == Kind::Number || type.kind == Kind::Bool || type.kind == Kind::Enumeration;
}

/// A key that may be the next number.
bool is_counted(const FieldFact& field) {
  return field.type.kind == SourceType::Kind::Number && !field.type.is_real;
}

bool leads_to(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::set<const llvm::BasicBlock*> seen{&from};
  std::vector<const llvm::BasicBlock*> work{&from};
  while (!work.empty()) {
    const llvm::BasicBlock* at = work.back();
    work.pop_back();
    if (at == &to) return true;
    for (const llvm::BasicBlock* next : llvm::successors(at))
      if (seen.insert(next).second) work.push_back(next);
  }
  return false;
}

} // namespace

// ---- What is kept.

const FieldFact* Lowering::searched_field(const Search& search) const {
  const llvm::Function& function = *search.call->getFunction();
  llvm::APInt offset(64, 0);
  const llvm::Value* base =
      search.container->stripAndAccumulateConstantOffsets(layout(), offset, true);
  const auto* object = llvm::dyn_cast<llvm::Argument>(base);
  const FunctionFact* member = fact(function);
  const FunctionFact* begin = fact(*search.call->getCalledFunction());
  if (!receiver_ || !object || object->getArgNo() != 0 || !member || !member->is_instance || !begin)
    return nullptr;
  if (!facts_.subject_classes.contains(member->in_class)) return nullptr;
  const std::int64_t at = offset.getSExtValue() + receiver_offset(function);
  for (const FieldFact& field : receiver_->fields)
    if (field.type.kind == SourceType::Kind::Object && field.type.name == begin->in_class &&
        static_cast<std::int64_t>(field.bit_offset) == at * 8)
      return &field;
  return nullptr;
}

const std::vector<Search>& Lowering::searches() {
  if (!searches_) searches_ = searches_of(code_);
  return *searches_;
}

/// Which conditions elements are searched for.
void Lowering::find_asked(Elements& all) {
  const std::int64_t shift = all.second.value_or(0);
  const auto name = [&](std::int64_t place, unsigned bits) -> std::string {
    for (const FieldFact& field : all.fields)
      if (is_followed(field.type) && !field.type.is_real && field.bit_width == bits &&
          static_cast<std::int64_t>(field.bit_offset) == (place - shift) * 8) {
        std::string words = field.path;
        std::ranges::replace(words, '.', '_');
        return words;
      }
    return "";
  };
  for (const Search& search : searches()) {
    const FieldFact* field = searched_field(search);
    if (!field || field->path != all.container) continue;
    const auto words = closed_condition(search, facts_, name);
    if (words && std::ranges::find(all.asked, *words, &Elements::Asked::words) == all.asked.end())
      all.asked.push_back({*words, search});
  }
}

Term Lowering::element_asked(const Elements& of, std::size_t i) {
  Term& known = fields_[{StateKey::Kind::Element, of.container, "asked " + of.asked[i].words}];
  if (known) return known;
  return known = add_state(of.container + ".count." + of.asked[i].words,
                           {.sort = arena().int_sort(), .low = Integer{0}})
                     .term;
}

/// By which fields a sequence is searched, and what is kept of its elements.
void Lowering::find_keys(Elements& all) {
  std::vector<SearchKey> asked;
  for (const Search& search : searches()) {
    const FieldFact* field = searched_field(search);
    if (!field || field->path != all.container) continue;
    if (auto key = key_of(search, facts_)) asked.push_back(std::move(*key));
  }
  if (asked.empty()) return;
  std::vector<FieldFact> fields;
  const auto scalar = scalar_named(facts_, all.name);
  if ((scalar && is_followed(*scalar)) || text_of(*facts_.library, all.name)) {
    FieldFact field;
    field.path = "value";
    field.type = SourceType{.kind = SourceType::Kind::Object, .name = all.name};
    if (scalar) field.type = *scalar;
    if (scalar) field.bit_width = std::max(8U, scalar->bits);
    fields.push_back(field);
  } else if (const RecordFact* fact = record(all.name);
             fact && !fact->polymorphic && !fact->copies_itself) {
    all.is_struct = true;
    for (const FieldFact& field : fact->fields) {
      const bool text =
          field.type.kind == SourceType::Kind::Object &&
          text_of(*facts_.library, field.type.name) && !borrows(*facts_.library, field.type.name) &&
          std::ranges::any_of(asked, [&](const SearchKey& key) {
            return key.bits == 0 && static_cast<std::uint64_t>(key.offset) * 8 == field.bit_offset;
          });
      if ((is_followed(field.type) || text) && field.count == 0 && !field.is_bit_field)
        fields.push_back(field);
    }
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (const SearchKey& key : asked)
      if (static_cast<std::uint64_t>(key.offset) * 8 == fields[i].bit_offset &&
          (key.bits == 0 ? fields[i].type.kind == SourceType::Kind::Object
                         : key.bits == fields[i].bit_width && !fields[i].type.is_real) &&
          std::ranges::find(all.keys, i) == all.keys.end())
        all.keys.push_back(i);
  if (all.keyed()) all.fields = std::move(fields);
}

Type Lowering::element_type(const FieldFact& field) {
  if (field.type.kind == SourceType::Kind::Object) return {.sort = arena().int_sort()};
  return field_type(field);
}

Term Lowering::element_field(const Elements& of, std::size_t field, std::size_t key) {
  const std::string& path = of.fields[field].path;
  const std::string& by = of.fields[key].path;
  Term& known = fields_[{StateKey::Kind::Element, of.container, path + " by " + by}];
  if (known) return known;
  const Type value = element_type(of.fields[field]), from = element_type(of.fields[key]);
  Type map{.sort = arena().map_sort(from.sort, value.sort)};
  map.key = std::make_shared<Type>(from);
  map.value = std::make_shared<Type>(value);
  const std::string name = of.container + "." + path + (of.keys.size() > 1 ? ".by." + by : "");
  return known = add_state(name, std::move(map)).term;
}

Term Lowering::element_count(const Elements& of, std::size_t key) {
  const std::string& by = of.fields[key].path;
  Term& known = fields_[{StateKey::Kind::Element, of.container, "count " + by}];
  if (known) return known;
  const Type from = element_type(of.fields[key]);
  const Type value{.sort = arena().int_sort(), .low = Integer{0}};
  Type map{.sort = arena().map_sort(from.sort, value.sort)};
  map.key = std::make_shared<Type>(from);
  map.value = std::make_shared<Type>(value);
  const std::string name = of.container + ".count" + (of.is_struct ? "." + by : "");
  return known = add_state(name, std::move(map)).term;
}

Term Lowering::element_twice(const Elements& of, std::size_t key) {
  const std::string& by = of.fields[key].path;
  Term& known = fields_[{StateKey::Kind::Element, of.container, "twice " + by}];
  if (known) return known;
  const std::string name = of.container + ".twice" + (of.is_struct ? "." + by : "");
  return known = add_state(name, {.sort = arena().bool_sort()}).term;
}

/// Above all keys that were ever put into it.
Term Lowering::element_top(const Elements& of, std::size_t key) {
  const std::string& by = of.fields[key].path;
  Term& known = fields_[{StateKey::Kind::Element, of.container, "top " + by}];
  if (known) return known;
  const std::string name = of.container + ".top" + (of.is_struct ? "." + by : "");
  return known = add_state(name, {.sort = arena().int_sort()}).term;
}

void Lowering::disturb_elements(const std::string& container) {
  if (disturbed_elements_.insert(container).second) strayed_ = true;
}

// ---- Searching.

const Elements* FunctionLowering::searched_elements(const llvm::CallBase& search) const {
  const FieldFact* field = search.getFunction() == &function_
                               ? held_container(search)
                               : lowering_.searched_field(search_of(search));
  return field ? lowering_.elements(*field) : nullptr;
}

void FunctionLowering::lower_search(const llvm::CallBase& call) {
  const Elements* of = searched_elements(call);
  const Term position = local("found", {.sort = arena_.ref_sort()});
  set(call, Held{.term = position});
  const Search search = search_of(call);
  if (of && of->keyed() && find_by_key(call, *of, search, position)) return;
  const FieldFact* field = held_container(call);
  const StateVariable* size = field ? module_.find_state(field->path + ".size") : nullptr;
  if (const Term count = of && !removes(call) ? count_asked(*of, search) : nullptr) {
    if (size)
      assume_true(arena_.disj(
          {arena_.le(count, arena_.integer(0)), arena_.gt(size->term, arena_.integer(0))}));
    assign(position, arena_.null());
    return when(arena_.gt(count, arena_.integer(0)), [&] {
      havoc(position, Chooser::Unknown);
      assume_true(arena_.ne(position, arena_.null()));
    });
  }
  havoc(position, Chooser::Unknown);
  if (size)
    assume_true(arena_.disj(
        {arena_.eq(position, arena_.null()), arena_.gt(size->term, arena_.integer(0))}));
  if (!of || !removes(call)) return;
  if (of->keyed()) return forget_searched(*of);
  for (const std::string& name : lowering_.element_variables(*of))
    havoc(module_.find_state(name)->term, Chooser::Unknown);
  lose_keys(*of);
}

/// How many elements fulfil the condition of a search; null where that is not kept.
Term FunctionLowering::count_asked(const Elements& of, const Search& search) {
  if (!search.holds) return nullptr;
  const std::int64_t shift = of.second.value_or(0);
  const auto words = closed_condition(
      search, lowering_.facts(), [&](std::int64_t place, unsigned bits) -> std::string {
        for (const FieldFact& field : of.fields)
          if (field.bit_width == bits && field.type.kind != SourceType::Kind::Object &&
              static_cast<std::int64_t>(field.bit_offset) == (place - shift) * 8) {
            std::string path = field.path;
            std::ranges::replace(path, '.', '_');
            return path;
          }
        return "";
      });
  const auto at =
      words ? std::ranges::find(of.asked, *words, &Elements::Asked::words) : of.asked.end();
  if (at == of.asked.end()) return nullptr;
  return lowering_.element_asked(of, static_cast<std::size_t>(at - of.asked.begin()));
}

/// Whether a condition holds of the element with a key.
Term FunctionLowering::holds(const Elements& of, const Search& search, std::size_t by, Term key) {
  const auto known = found_.find(search.call);
  const std::optional<Found> kept =
      known == found_.end() ? std::nullopt : std::optional(known->second);
  if (of.keyed()) found_[search.call] = {.of = &of, .by = by, .key = key};
  std::map<const llvm::Value*, Term> keys;
  for (const llvm::Instruction& instruction : search.body())
    if (!of.keyed() && is_element(&instruction, search, lowering_.facts())) {
      if (const auto before = element_keys_.find(&instruction); before != element_keys_.end())
        keys[&instruction] = before->second;
      element_keys_[&instruction] = key;
    }
  const Term answer = local("holds", {.sort = arena_.bool_sort()});
  if (lower_ahead(search.condition(), search))
    assign(answer, as_truth(value(search.condition())));
  else
    havoc(answer, Chooser::Unknown);
  for (const llvm::Instruction& instruction : search.body())
    if (!of.keyed() && is_element(&instruction, search, lowering_.facts()))
      element_keys_.erase(&instruction);
  for (const auto& [instruction, before] : keys) element_keys_[instruction] = before;
  if (of.keyed()) found_.erase(search.call);
  if (kept) found_[search.call] = *kept;
  return answer;
}

/// Which of the conditions that are asked for an element fulfils, if it is there.
std::vector<Term> FunctionLowering::answers(const Elements& of, std::size_t by, Term key,
                                            Term if_there) {
  std::vector<Term> all;
  for (const Elements::Asked& asked : of.asked) {
    Term answer = holds(of, asked.search, by, key);
    if (if_there) answer = arena_.conj(if_there, answer);
    all.push_back(answer);
  }
  return all;
}

void FunctionLowering::count_answers(const Elements& of, const std::vector<Term>& before,
                                     const std::vector<Term>& after) {
  const Term one = arena_.integer(1), none = arena_.integer(0);
  for (std::size_t i = 0; i < of.asked.size(); ++i) {
    const Term count = lowering_.element_asked(of, i);
    Term now = count;
    if (!before.empty()) now = arena_.sub(now, arena_.ite(before[i], one, none));
    if (!after.empty()) now = arena_.add(now, arena_.ite(after[i], one, none));
    assign(count, now);
  }
}

void FunctionLowering::forget_answers(const Elements& of) {
  for (std::size_t i = 0; i < of.asked.size(); ++i)
    havoc(lowering_.element_asked(of, i), Chooser::Unknown);
}

/// What is asked of an element that goes, before it does.
void FunctionLowering::drop_answers(const llvm::CallBase& call, const FunctionFact& fact,
                                    const std::vector<Term>& arguments, ElementChange& change) {
  const Elements& of = *change.of;
  if (of.asked.empty()) return;
  const StateVariable* has = module_.find_state(of.container + ".has");
  if (fact.name == "clear") {
    change.emptied = true;
  } else if (fact.name == "pop_back") {
    const Term last = local("last", of.key);
    assign(last, arena_.sub(module_.find_state(of.container + ".size")->term, arena_.integer(1)));
    change.dropped = answers(of, 0, last, nullptr);
  } else if (fact.name == "erase" && !of.pair.empty()) {
    Term key = nullptr, there = arena_.truth();
    if (arguments.size() == 2 && arguments[1]->sort == of.key.sort &&
        of.key.sort != arena_.ref_sort()) {
      key = arguments[1];
      there = arena_.select(has->term, key);
    } else if (const auto known = found_keys_.find(call.getArgOperand(call.arg_size() - 1));
               arguments.size() == 2 && known != found_keys_.end()) {
      key = known->second;
    }
    if (!key) {
      change.forgets_answers = true;
      return;
    }
    const Term gone = local("key", of.key), was = local("there", {.sort = arena_.bool_sort()});
    assign(gone, key);
    assign(was, there);
    change.dropped = answers(of, 0, gone, was);
  } else if (fact.name == "insert_or_assign") {
    change.forgets_answers = true;
  }
}

/// Reads what a search looks at, before it is known whether anything is found. Whether that is
/// surely there.
bool FunctionLowering::lower_ahead(const llvm::Value* value, const Search& search) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getParent() != &search.body()) return true;
  if (llvm::isa<llvm::PHINode>(instruction) || instruction->isTerminator()) return false;
  if (is_element(value, search, lowering_.facts())) return true;
  for (const llvm::Use& use : instruction->operands())
    if (!lower_ahead(use.get(), search)) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    const llvm::Value* base = load->getPointerOperand()->stripInBoundsConstantOffsets();
    const auto* argument = llvm::dyn_cast<llvm::Argument>(base);
    const bool there =
        (argument && (argument->getArgNo() == 0 || argument->getDereferenceableBytes() > 0)) ||
        llvm::isa<llvm::AllocaInst>(base) || is_element(base, search, lowering_.facts());
    if (!there) return false;
  }
  lower_instruction(*instruction);
  return true;
}

/// What elements are compared with; null: that is not known.
Term FunctionLowering::key_searched(const SearchKey& key, const FieldFact& field,
                                    const Search& search) {
  if (!lower_ahead(key.with, search)) return nullptr;
  if (llvm::isa<llvm::Instruction>(key.with) && !key.with->getType()->isPointerTy() &&
      !held_.contains(key.with))
    return nullptr;
  if (field.type.kind == SourceType::Kind::Object) {
    const FunctionFact* equal =
        lowering_.fact(*llvm::cast<llvm::CallBase>(key.test)->getCalledFunction());
    const ParameterFact& other = equal->parameters[key.left ? 1 : 0];
    const auto text = followed(key.with, class_behind(other.type));
    if (!text) return nullptr;
    const StateVariable* says = module_.find_state(text->name + ".text");
    return says ? says->term : nullptr;
  }
  const auto term = to_cell(value(key.with), field.type);
  return term ? *term : nullptr;
}

bool FunctionLowering::find_by_key(const llvm::CallBase& call, const Elements& of,
                                   const Search& search, Term position) {
  const auto key = key_of(search, lowering_.facts());
  if (!key) return false;
  const auto by = std::ranges::find_if(of.keys, [&](std::size_t field) {
    return of.fields[field].bit_offset == static_cast<std::uint64_t>(key->offset) * 8;
  });
  if (by == of.keys.end()) return false;
  const Term with = key_searched(*key, of.fields[*by], search);
  if (!with || with->sort != lowering_.element_type(of.fields[*by]).sort) return false;
  Found& found = found_[&call];
  found = {.of = &of, .by = *by};
  found.key = local("key", lowering_.element_type(of.fields[*by]));
  assign(found.key, with);
  found.there = local("there", {.sort = arena_.bool_sort()});
  const Term count = arena_.select(lowering_.element_count(of, *by), found.key);
  Term there = arena_.gt(count, arena_.integer(0));
  const Term twice = lowering_.element_twice(of, *by);
  const bool more = !key->others.empty();
  if (more || lowering_.disturbed(of)) {
    found.lost = local("lost", {.sort = arena_.bool_sort()});
    assign(found.lost, arena_.falsehood());
  }
  for (const llvm::Value* test : key->others) {
    if (!lower_ahead(test, search)) {
      found_.erase(&call);
      return false;
    }
    there = arena_.conj({there, as_truth(value(test))});
  }
  assign(found.there, there);
  if (more) {
    // The first with the key may not be the one.
    assign(found.lost, twice);
    const Term several = arena_.conj({twice, arena_.gt(count, arena_.integer(0))});
    when(several, [&] { havoc(found.there, Chooser::Unknown); });
  }
  const StateVariable* size = module_.find_state(of.container + ".size");
  assume_true(arena_.disj({arena_.negate(found.there), arena_.gt(size->term, arena_.integer(0))}));
  assign(position, arena_.null());
  when(found.there, [&] {
    havoc(position, Chooser::Unknown);
    assume_true(arena_.ne(position, arena_.null()));
  });
  if (!removes(call)) return true;
  // Until they are erased, nobody knows where the elements are.
  found.size = local("size", {.sort = arena_.int_sort()});
  assign(found.size, size->term);
  for (const std::string& name : lowering_.element_variables(of)) {
    const StateVariable* variable = module_.find_state(name);
    const Term before = local("before", variable->type);
    assign(before, variable->term);
    found.before.emplace_back(variable->term, before);
  }
  when(found.there, [&] {
    for (const auto& [variable, before] : found.before) havoc(variable, Chooser::Unknown);
  });
  return true;
}

// ---- Elements that were found.

const FunctionLowering::Found* FunctionLowering::found_element(const Target& target) const {
  const auto element = element_call(target.root);
  if (!element || !element->search) return nullptr;
  const auto known = found_.find(element->search);
  return known == found_.end() || removes(*element->search) ? nullptr : &known->second;
}

bool FunctionLowering::is_keyed_element(const Target& target) const {
  return target.kind == Target::Kind::Element && element_call(target.root)->of->keyed();
}

/// Whether it is a text by which the sequence is searched.
bool FunctionLowering::is_key_text(const Target& target) const {
  if (!is_keyed_element(target)) return false;
  const Elements& of = *element_call(target.root)->of;
  return std::ranges::any_of(of.keys, [&](std::size_t key) {
    const FieldFact& field = of.fields[key];
    return field.type.kind == SourceType::Kind::Object &&
           (target.index || static_cast<std::uint64_t>(target.offset) * 8 == field.bit_offset);
  });
}

Term FunctionLowering::element_variable(const ElementCall& element, const FieldFact& field) {
  const Elements& of = *element.of;
  if (!of.keyed()) return lowering_.element_field(of, field);
  const auto at = std::ranges::find(of.fields, field.path, &FieldFact::path);
  const auto found = element.search ? found_.find(element.search) : found_.end();
  const std::size_t by = found == found_.end() ? of.keys[0] : found->second.by;
  return lowering_.element_field(of, static_cast<std::size_t>(at - of.fields.begin()), by);
}

/// What is done where a condition holds.
void FunctionLowering::when(Term condition, const std::function<void()>& then) {
  if (is_false(condition)) return;
  const BlockId yes = new_block(), after = new_block();
  branch(condition, yes, after);
  current_ = yes;
  open_ = true;
  then();
  go(after);
  current_ = after;
  open_ = true;
}

void FunctionLowering::forget_when(Term condition, const std::vector<std::string>& variables) {
  if (variables.empty()) return;
  when(condition, [&] {
    for (const std::string& name : variables)
      havoc(module_.find_state(name)->term, Chooser::Unknown);
  });
}

Held FunctionLowering::unless_lost(const Target& target, const Held& held, const llvm::Type* type,
                                   const std::string& base) {
  const Found* found = is_keyed_element(target) ? found_element(target) : nullptr;
  if (!found || !found->lost) return held;
  return choose(found->lost, unknown(type, base), held, type);
}

void FunctionLowering::write_searched(const Target& target, const llvm::Type* type,
                                      const Held& held) {
  const Elements& of = *element_call(target.root)->of;
  const Found* found = found_element(target);
  const unsigned bits = store_bits(type);
  const Access place = access(target, bits);
  if (!found || !place.exact || !whole(place, bits) || type->isFloatingPointTy() ||
      type->isAggregateType() || type->isVectorTy())
    return forget_searched(of);
  const auto at = static_cast<std::size_t>(
      std::ranges::find(of.fields, place.facts[0].path, &FieldFact::path) - of.fields.begin());
  if (std::ranges::find(of.keys, at) != of.keys.end()) return forget_searched(of);
  const auto term = to_cell(held, place.cells[0].type);
  if (!term) lowering_.open_enum(place.cells[0].type.name);
  const auto before = answers(of, found->by, found->key, nullptr);
  for (const std::size_t key : of.keys) {
    const Term map = lowering_.element_field(of, at, key);
    const Term with = key == found->by
                          ? found->key
                          : arena_.select(lowering_.element_field(of, key, found->by), found->key);
    assign(map, arena_.store(map, with, *term));
    if (key != found->by) forget_when(lowering_.element_twice(of, key), {map->name});
    if (found->lost) forget_when(found->lost, {map->name});
  }
  count_answers(of, before, answers(of, found->by, found->key, nullptr));
  if (found->lost) when(found->lost, [&] { forget_answers(of); });
}

// ---- Changes of the sequence.

void FunctionLowering::searched_change(const llvm::CallBase& call, const FunctionFact& fact,
                                       ElementChange& change) {
  using What = ElementChange::What;
  const auto& parameters = fact.parameters;
  const unsigned hidden = call.paramHasAttr(0, llvm::Attribute::StructRet) ? 2 : 1;
  if (fact.is_constructor) {
    change.what = parameters.empty() ? What::Start : What::Forget;
  } else if (fact.name == "clear") {
    change.what = What::Start;
  } else if (is_one_of(fact.name, {"reserve", "shrink_to_fit", "begin", "end", "rbegin", "rend",
                                   "at", "back", "front", "operator[]"})) {
    return;
  } else if (is_one_of(fact.name, {"push_back", "emplace_back"}) && parameters.size() == 1) {
    change.what = What::Put;
    read_put(call, parameters[0].type, 0, change);
  } else if (fact.name == "erase" && call.arg_size() > hidden) {
    change.what = What::Forget;
    const llvm::CallBase* search = search_behind(call.getArgOperand(hidden), lowering_.facts());
    const auto found = search ? found_.find(search) : found_.end();
    if (found == found_.end() || found->second.of != change.of) return;
    const bool all = removes(*search);
    if (all != (parameters.size() == 2) || (all && !ends_removal(call, hidden, *search))) return;
    change.what = all ? What::Remove : What::Erase;
    change.search = search;
  } else {
    change.what = What::Forget;
  }
}

/// Whether nothing happens to a sequence from a removal until the rest is erased.
bool FunctionLowering::ends_removal(const llvm::CallBase& erase, unsigned first,
                                    const llvm::CallBase& search) const {
  const auto* end = llvm::dyn_cast<llvm::CallBase>(erase.getArgOperand(first + 1));
  const FunctionFact* stop =
      end && end->getCalledFunction() ? lowering_.fact(*end->getCalledFunction()) : nullptr;
  if (!stop || (stop->name != "end" && stop->name != "cend") || !held_container(*end) ||
      held_container(*end) != held_container(erase))
    return false;
  const auto harmless = [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call)
      return !llvm::isa<llvm::StoreInst>(instruction) ||
             llvm::isa<llvm::AllocaInst>(
                 llvm::cast<llvm::StoreInst>(instruction).getPointerOperand());
    if (call == &search || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    const FunctionFact* fact =
        call->getCalledFunction() ? lowering_.fact(*call->getCalledFunction()) : nullptr;
    return fact && fact->in_system_header &&
           (is_of_iterator(*fact) || fact->is_const || fact->pure || fact->keeps_elements ||
            fact->name == "operator==");
  };
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::Instruction*> work{&search};
  while (!work.empty()) {
    const llvm::Instruction* at = work.back();
    work.pop_back();
    for (; at && at != &erase; at = at->getNextNode()) {
      if (!harmless(*at)) return false;
      if (!at->isTerminator()) continue;
      for (const llvm::BasicBlock* next : llvm::successors(at->getParent()))
        if (leads_to(*next, *erase.getParent()) && seen.insert(next).second)
          work.push_back(&next->front());
    }
  }
  return true;
}

void FunctionLowering::change_searched(const ElementChange& change) {
  using What = ElementChange::What;
  const Elements& of = *change.of;
  switch (change.what) {
  case What::Nothing: return;
  case What::Start:
    for (std::size_t i = 0; i < of.asked.size(); ++i)
      assign(lowering_.element_asked(of, i), arena_.integer(0));
    for (const std::size_t key : of.keys) {
      const Term count = lowering_.element_count(of, key);
      assign(count, arena_.const_map(count->sort, arena_.integer(0)));
      assign(lowering_.element_twice(of, key), arena_.falsehood());
      if (is_counted(of.fields[key])) assign(lowering_.element_top(of, key), arena_.integer(0));
      for (std::size_t field = 0; field < of.fields.size(); ++field) {
        const Term map = lowering_.element_field(of, field, key);
        assign(map, arena_.const_map(
                        map->sort, default_term(arena_, lowering_.element_type(of.fields[field]))));
      }
    }
    return;
  case What::Put: return put_searched(change);
  case What::Erase: return erase_found(found_.at(change.search));
  case What::Remove: return remove_found(found_.at(change.search));
  case What::Forget: return forget_searched(of);
  }
}

/// A new last element.
void FunctionLowering::put_searched(const ElementChange& change) {
  const Elements& of = *change.of;
  if (std::ranges::any_of(of.keys, [&](std::size_t key) { return !change.values[key]; }))
    return forget_searched(of);
  std::vector<Term> values;
  for (std::size_t i = 0; i < of.fields.size(); ++i) {
    values.push_back(local("put", lowering_.element_type(of.fields[i])));
    if (change.values[i])
      assign(values.back(), change.values[i]);
    else
      havoc(values.back(), Chooser::Unknown);
  }
  for (const std::size_t key : of.keys) {
    const Term count = lowering_.element_count(of, key), with = values[key];
    const Term was = local("was", {.sort = arena_.bool_sort()});
    Term there = arena_.gt(arena_.select(count, with), arena_.integer(0));
    if (is_counted(of.fields[key])) {
      // Numbers that are given out one after the other are new.
      const Term top = lowering_.element_top(of, key);
      there = arena_.conj(arena_.lt(with, top), there);
      assign(was, there);
      there = was;
      assign(top, arena_.ite(arena_.lt(with, top), top, arena_.add(with, arena_.integer(1))));
    }
    assign(was, there);
    const Term twice = lowering_.element_twice(of, key);
    assign(twice, arena_.disj({twice, was}));
    assign(count,
           arena_.store(count, with, arena_.add(arena_.select(count, with), arena_.integer(1))));
    for (std::size_t i = 0; i < of.fields.size(); ++i) {
      const Term map = lowering_.element_field(of, i, key);
      assign(map, arena_.store(map, with, arena_.ite(was, arena_.select(map, with), values[i])));
    }
    if (key != of.keys[0] || of.asked.empty()) continue;
    count_answers(of, {}, answers(of, key, with, nullptr));
    when(was, [&] { forget_answers(of); });
  }
}

/// Takes away as many elements with the key as `gone` says, all of them having what the first one
/// has unless there are several.
void FunctionLowering::take_away(const Found& found, Term gone) {
  const Elements& of = *found.of;
  std::vector<Term> with;
  for (const std::size_t key : of.keys) {
    with.push_back(local("key", lowering_.element_type(of.fields[key])));
    assign(with.back(), key == found.by
                            ? found.key
                            : arena_.select(lowering_.element_field(of, key, found.by), found.key));
  }
  for (std::size_t i = 0; i < of.keys.size(); ++i) {
    const std::size_t key = of.keys[i];
    const Term count = lowering_.element_count(of, key), twice = lowering_.element_twice(of, key);
    assign(count, arena_.store(count, with[i], arena_.sub(arena_.select(count, with[i]), gone)));
    std::vector<std::string> fields;
    for (std::size_t field = 0; field < of.fields.size(); ++field)
      fields.push_back(lowering_.element_field(of, field, key)->name);
    forget_when(twice, fields);
  }
}

void FunctionLowering::erase_found(const Found& found) {
  count_answers(*found.of, answers(*found.of, found.by, found.key, nullptr), {});
  take_away(found, arena_.integer(1));
  if (found.lost) forget_when(found.lost, lowering_.element_variables(*found.of));
}

/// All that a removal was about: with the key, and unless there are several like that.
void FunctionLowering::remove_found(const Found& found) {
  for (const auto& [variable, before] : found.before) assign(variable, before);
  const Elements& of = *found.of;
  const Term several = local("several", {.sort = arena_.bool_sort()});
  const Term gone = local("gone", {.sort = arena_.int_sort()});
  const bool alone = of.keys.size() == 1 && !found.lost;
  // The others with the key have other keys that nobody knows, or do not fit what else was asked.
  assign(several, alone ? arena_.falsehood() : lowering_.element_twice(of, found.by));
  assign(gone,
         arena_.ite(found.there,
                    found.lost ? arena_.integer(1)
                               : arena_.select(lowering_.element_count(of, found.by), found.key),
                    arena_.integer(0)));
  const StateVariable* size = module_.find_state(of.container + ".size");
  assume_true(arena_.le(gone, found.size));
  if (!of.asked.empty()) {
    count_answers(of, answers(of, found.by, found.key, found.there), {});
    when(lowering_.element_twice(of, found.by), [&] { forget_answers(of); });
  }
  take_away(found, gone);
  assign(size->term, arena_.sub(found.size, gone));
  std::vector<std::string> all = lowering_.element_variables(of);
  all.push_back(size->term->name);
  forget_when(several, all);
}

void FunctionLowering::forget_searched(const Elements& of) {
  for (const std::string& name : lowering_.element_variables(of))
    havoc(module_.find_state(name)->term, Chooser::Unknown);
  disturb(of);
}

void FunctionLowering::disturb(const Elements& of) {
  lowering_.disturb_elements(of.container);
  lose_found(of);
}

void FunctionLowering::lose_found(const Elements& of) {
  for (auto& [search, found] : found_)
    if (found.of == &of && found.lost) assign(found.lost, arena_.truth());
}

// ---- Texts that are parts of objects on the stack.

namespace {

bool is_text_object(const llvm::AllocaInst& object) {
  const auto* type = llvm::dyn_cast<llvm::StructType>(object.getAllocatedType());
  return type && type->hasName() && type->getName().contains("basic_string");
}

} // namespace

/// Whether nothing but members of the text itself, and containers that take the object around it,
/// get to a text.
bool FunctionLowering::part_stays(const llvm::Value& at, std::int64_t behind,
                                  const std::string& class_name) const {
  const llvm::DataLayout& layout = lowering_.layout();
  const Library& library = *lowering_.facts().library;
  constexpr std::int64_t text_bytes = 32;
  const auto apart = [&](std::int64_t bytes) { return behind < 0 ? false : behind >= bytes; };
  return std::all_of(at.use_begin(), at.use_end(), [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::LifetimeIntrinsic>(user) || llvm::isa<llvm::ICmpInst>(user)) return true;
    if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt offset(64, 0);
      return step->accumulateConstantOffset(layout, offset) &&
             part_stays(*step, behind - offset.getSExtValue(), class_name);
    }
    const auto clear = [&](const llvm::Type* type) {
      const auto bytes = static_cast<std::int64_t>(
          layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue());
      return apart(bytes) || behind + text_bytes <= 0;
    };
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return clear(load->getType());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == &at && clear(store->getValueOperand()->getType());
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    if (!fact || !fact->in_system_header || lowering_.looks_into(*callee) ||
        !call->isArgOperand(&use))
      return false;
    const unsigned index = call->getArgOperandNo(&use);
    const bool made = call->paramHasAttr(index, llvm::Attribute::StructRet);
    const unsigned hidden = call->paramHasAttr(0, llvm::Attribute::StructRet) ? 1 : 0;
    if (made)
      return behind == 0 &&
             contract_class(library, fact->returns.name) == contract_class(library, class_name);
    std::string as;
    const unsigned first = hidden + (fact->is_instance ? 1 : 0);
    if (fact->is_instance && index == hidden)
      as = fact->in_class;
    else if (index >= first && index - first < fact->parameters.size())
      as = class_behind(fact->parameters[index - first].type);
    // A member of another part keeps to that; a container takes the whole.
    if (contract_class(library, as) == contract_class(library, class_name)) return true;
    if (fact->is_instance && index == hidden) return is_closed(library, as) && behind != 0;
    return is_one_of(fact->name, {"push_back", "emplace_back"});
  });
}

std::optional<FunctionLowering::Followed>
FunctionLowering::text_part(const llvm::AllocaInst& object, std::int64_t offset,
                            const std::string& class_name) {
  const Library& library = *lowering_.facts().library;
  if (offset < 0 || !text_of(library, class_name) || borrows(library, class_name) ||
      class_name == "char" || lowering_.unfollowed(object) ||
      !part_stays(object, offset, class_name))
    return std::nullopt;
  const std::string key = contract_class(library, class_name) + "+" + std::to_string(offset);
  const auto [known, fresh] = objects_.try_emplace({&object, key});
  if (fresh) {
    known->second = lowering_.object_name(std::string(bare_name(procedure_.name)) + "." +
                                          name_of(object) + "." + std::to_string(offset));
    if (lowering_.ghosts(known->second, class_name).empty()) known->second.clear();
  }
  if (known->second.empty()) return std::nullopt;
  return Followed{known->second, class_name, &object};
}

/// A text by its address, where that leads into an object around it.
std::optional<FunctionLowering::Followed>
FunctionLowering::text_in_object(const llvm::Value* pointer, const std::string& class_name,
                                 std::int64_t behind) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base =
      pointer->stripAndAccumulateConstantOffsets(lowering_.layout(), offset, true);
  const auto* object = llvm::dyn_cast<llvm::AllocaInst>(base);
  if (!object || !llvm::isa<llvm::StructType>(object->getAllocatedType()) ||
      is_text_object(*object))
    return std::nullopt;
  return text_part(*object, behind + offset.getSExtValue(), class_name);
}

/// What is taken from an object around texts is not known afterwards.
void FunctionLowering::forget_taken_parts(const llvm::CallBase& call, const FunctionFact& fact) {
  if (!is_one_of(fact.name, {"push_back", "emplace_back"})) return;
  for (const llvm::Value* argument : call.args())
    if (const auto* object = llvm::dyn_cast<llvm::AllocaInst>(argument->stripPointerCasts()))
      for (const auto& [known, name] : objects_)
        if (known.first == object && known.second.find('+') != std::string::npos && !name.empty())
          forget_text(name);
}

/// What a text says that is put into a sequence, by itself or as part of an element.
Term FunctionLowering::put_text(const llvm::Value* source, const FieldFact& field) {
  const auto behind = static_cast<std::int64_t>(field.bit_offset / 8);
  auto text = text_in_object(source, field.type.name, behind);
  if (!text && field.path == "value") text = followed(source, field.type.name);
  const StateVariable* says = text ? module_.find_state(text->name + ".text") : nullptr;
  if (!says) return nullptr;
  const Term kept = local("text", says->type);
  assign(kept, says->term);
  return kept;
}

} // namespace tacit
