#include "frontend/java/tables.h"

#include <algorithm>
#include <set>

#include "frontend/java/instructions.h"

namespace tacit::java {

namespace {

using Value = FixedValue;
using K = FixedValue::Kind;

constexpr std::size_t largest_table = 200;

bool is_library(const std::string& type) { return type.starts_with("java/"); }

Value table(Table made) { return {.kind = K::Table, .table = std::make_shared<Table>(made)}; }

/// The collections that a constructor makes.
std::optional<Table> empty_collection(const std::string& type) {
  using Kind = Table::Kind;
  static const std::map<std::string, Kind> kinds = {
      {"java/util/HashSet", Kind::Set},       {"java/util/LinkedHashSet", Kind::Set},
      {"java/util/TreeSet", Kind::Set},       {"java/util/HashMap", Kind::Map},
      {"java/util/LinkedHashMap", Kind::Map}, {"java/util/TreeMap", Kind::Map},
      {"java/util/EnumMap", Kind::Map},       {"java/util/concurrent/ConcurrentHashMap", Kind::Map},
      {"java/util/ArrayList", Kind::List},    {"java/util/LinkedList", Kind::List}};
  const auto found = kinds.find(type);
  if (found == kinds.end()) return std::nullopt;
  const bool refuses = type.starts_with("java/util/Tree") || type.find("Concurrent") != type.npos;
  return Table{.kind = found->second, .refuses_nulls = refuses};
}

Value all_constants(const std::string& type, std::size_t count, Table::Kind kind) {
  Table made{.kind = kind, .type = type};
  for (std::size_t i = 1; i <= count; ++i)
    made.put({.kind = K::Constant, .type = type, .index = i}, {});
  return table(std::move(made));
}

/// The elements that are handed over, one by one or in an array.
std::optional<std::vector<Value>> elements_of(const std::vector<Value>& arguments,
                                              const Signature& signature) {
  std::vector<Value> found;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (signature.parameters[k].letter != '[') {
      found.push_back(arguments[k]);
      continue;
    }
    if (arguments[k].kind != K::Table || !arguments[k].table->known) return std::nullopt;
    for (const auto& [element, nothing] : arguments[k].table->entries) found.push_back(element);
    arguments[k].table->known = false; // lists may write through to it
  }
  return found;
}

Value made_of(const MemberRef& callee, const std::vector<Value>& arguments,
              const Signature& signature) {
  // A list over an array that has another name changes with it.
  const bool over_array = callee.owner == "java/util/Arrays";
  if (over_array && std::ranges::any_of(arguments, [](const Value& argument) {
        return argument.table && argument.table.use_count() > 1;
      }))
    return {};
  const auto elements = elements_of(arguments, signature);
  if (!elements || elements->size() > largest_table) return {};
  const std::string& type = callee.owner;
  if (type == "java/util/Map" && callee.name == "entry") {
    Table pair{.kind = Table::Kind::Map, .changeable = false};
    if (elements->size() == 2) pair.put((*elements)[0], (*elements)[1]);
    return table(std::move(pair));
  }
  const bool fixed = type != "java/util/EnumSet" && type != "java/util/Arrays";
  Table made{.kind = type == "java/util/Map"                                  ? Table::Kind::Map
                     : type == "java/util/List" || type == "java/util/Arrays" ? Table::Kind::List
                                                                              : Table::Kind::Set,
             .changeable = !fixed,
             .refuses_nulls = fixed};
  if (made.kind == Table::Kind::Map && callee.name == "ofEntries") {
    for (const Value& entry : *elements) {
      if (entry.kind != K::Table || entry.table->entries.size() != 1) return {};
      made.put(entry.table->entries[0].first, entry.table->entries[0].second);
    }
  } else if (made.kind == Table::Kind::Map) {
    for (std::size_t k = 0; k + 1 < elements->size(); k += 2)
      made.put((*elements)[k], (*elements)[k + 1]);
  } else {
    for (const Value& element : *elements) {
      if (fixed && (element.kind == K::Null || element.kind == K::Unknown)) return {};
      made.put(element, {});
    }
  }
  const std::size_t wanted = made.kind == Table::Kind::Map && callee.name == "of"
                                 ? elements->size() / 2
                                 : elements->size();
  // What equals another one, or null, is refused.
  if (made.entries.size() != wanted && type != "java/util/EnumSet") return {};
  return table(std::move(made));
}

/// `EnumSet` but for `of`.
Value enum_set(ClassPool& pool, const std::string& name, const std::vector<Value>& arguments) {
  using Kind = Table::Kind;
  const bool of_class = arguments.size() == 1 && arguments[0].kind == K::Class;
  if (name == "noneOf" && of_class) return table({.kind = Kind::Set, .type = arguments[0].text});
  if (name == "allOf" && of_class)
    return all_constants(arguments[0].text, constants_of(pool, arguments[0].text), Kind::Set);
  if (name == "range" && arguments.size() == 2 && arguments[0].kind == K::Constant &&
      arguments[1].kind == K::Constant && arguments[0].index <= arguments[1].index) {
    Table made{.kind = Kind::Set};
    Value one = arguments[0];
    for (; one.index <= arguments[1].index; ++one.index) made.put(one, {});
    return table(std::move(made));
  }
  const bool of_table = arguments.size() == 1 && arguments[0].kind == K::Table &&
                        arguments[0].table->known && arguments[0].table->kind != Kind::Map;
  if (name == "copyOf" && of_table && !arguments[0].table->entries.empty()) {
    Table made{.kind = Kind::Set};
    for (const auto& [key, nothing] : arguments[0].table->entries) made.put(key, {});
    return table(std::move(made));
  }
  if (name != "complementOf" || !of_table || arguments[0].table->type.empty()) return {};
  const std::string type = arguments[0].table->type;
  Table made{.kind = Kind::Set, .type = type};
  const std::size_t count = constants_of(pool, type);
  for (std::size_t i = 1; i <= count; ++i) {
    const Value one{.kind = K::Constant, .type = type, .index = i};
    if (!arguments[0].table->has(one)) made.put(one, {});
  }
  return table(std::move(made));
}

/// Copies and views that nobody changes.
Value unchangeable(const MemberRef& callee, const std::vector<Value>& arguments) {
  static const std::set<std::string> empty = {"emptySet", "emptyList", "emptyMap"};
  static const std::set<std::string> single = {"singleton", "singletonList", "singletonMap"};
  using Kind = Table::Kind;
  const auto kind = callee.name.ends_with("Map")    ? Kind::Map
                    : callee.name.ends_with("List") ? Kind::List
                                                    : Kind::Set;
  if (callee.owner == "java/util/Collections" && empty.contains(callee.name))
    return table({.kind = kind, .changeable = false});
  if (callee.owner == "java/util/Collections" && single.contains(callee.name)) {
    Table made{.kind = kind, .changeable = false};
    made.put(arguments[0], arguments.size() > 1 ? arguments[1] : Value{});
    return table(std::move(made));
  }
  const bool view = callee.owner == "java/util/Collections" && callee.name.starts_with("unmod");
  const bool copy = callee.name == "copyOf" &&
                    (callee.owner == "java/util/List" || callee.owner == "java/util/Set" ||
                     callee.owner == "java/util/Map");
  if ((!view && !copy) || arguments.size() != 1 || arguments[0].kind != K::Table ||
      !arguments[0].table->known)
    return {};
  Table made = *arguments[0].table;
  if (copy && callee.owner == "java/util/Set" && made.kind != Kind::Set) return {};
  made.changeable = false;
  made.refuses_nulls |= copy;
  made.viewed = false;
  arguments[0].table->viewed |= view;
  return table(std::move(made));
}

/// A class initialiser, run on values. Gives up at the first thing that it does not know. So is a
/// method that makes a table.
class Initialiser {
public:
  Initialiser(ClassPool& pool, const ClassFile& file) : pool_(pool), file_(file) {}

  std::map<std::string, Value> run() {
    const Method* init = file_.find_method("<clinit>", "()V");
    if (!init || !init->code) return {};
    const auto graph = decode(*init->code, file_.name);
    if (!graph) return {};
    locals_.resize(init->code->max_locals + 2u);
    const auto& list = graph->instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].op == 0xb1)
        return i + 1 == list.size() ? fields_ : std::map<std::string, Value>{};
      if (asks_assertions(list[i])) {
        while (i < list.size() && list[i].op != 0xb3) ++i;
        pop();
        continue;
      }
      if (!step(list[i])) return {};
    }
    return {};
  }

  /// What a method returns whose object is known.
  Value returned(const Method& method, const Value& self) {
    if (!method.code) return {};
    const auto graph = decode(*method.code, file_.name);
    if (!graph) return {};
    locals_.resize(method.code->max_locals + 2u);
    locals_[0] = self;
    constexpr int longest = 200;
    const auto& list = graph->instructions;
    std::size_t at = 0;
    for (int steps = 0; at < list.size() && steps < longest; ++steps) {
      const Instruction& one = list[at];
      if (one.op == 0xb0) return pop();
      if (one.op == 0xb3) return {};
      if (const auto next = jump(one)) {
        at = *next;
        continue;
      }
      if (one.op == 0xaa || one.op == 0xab) return {};
      if (!ask(one) && !step(one)) return {};
      ++at;
    }
    return {};
  }

private:
  /// Where a jump goes that is decided by what is known.
  std::optional<std::size_t> jump(const Instruction& one) {
    if (one.op == 0xa7 || one.op == 0xc8) return one.targets[0];
    if (one.op != 0xaa && one.op != 0xab) return std::nullopt;
    const Value value = pop();
    if (value.kind != K::Number) return std::nullopt;
    for (std::size_t k = 0; k < one.keys.size(); ++k)
      if (one.keys[k] == value.number) return one.targets[k];
    return one.targets.back();
  }

  /// `$SwitchMap$E[e.ordinal()]` on a constant that is known.
  bool ask(const Instruction& one) {
    const auto index = static_cast<unsigned>(one.operand);
    const auto member = one.op == 0xb2 || one.op == 0xb6 ? file_.member_at(index) : std::nullopt;
    if (one.op == 0xb2 && member && member->name.starts_with("$SwitchMap$"))
      return push({.kind = K::Object, .type = member->owner, .text = member->name}), true;
    if (one.op == 0xb6 && member && member->name == "ordinal" && !stack_.empty() &&
        stack_.back().kind == K::Constant) {
      const Value self = pop();
      return push({.kind = K::Number, .type = self.type, .number = Integer(self.index) - 1}), true;
    }
    if (one.op != 0x2e || stack_.size() < 2) return false;
    const Value ordinal = pop(), map = pop();
    if (map.kind != K::Object || map.text.empty() || ordinal.type.empty()) return false;
    const auto found = switch_numbers(pool_, map.type, map.text);
    if (!found) return false;
    const auto known = found->find(static_cast<std::size_t>(ordinal.number) + 1);
    number(known == found->end() ? Integer(0) : known->second);
    return true;
  }

  bool asks_assertions(const Instruction& one) const {
    const auto callee =
        one.op == 0xb6 ? file_.member_at(static_cast<unsigned>(one.operand)) : std::nullopt;
    return callee && callee->name == "desiredAssertionStatus";
  }
  void push(Value value) { stack_.push_back(std::move(value)); }
  Value pop() {
    if (stack_.empty()) return {};
    Value top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }
  void number(Integer n) { push({.kind = K::Number, .number = n}); }

  bool constant(unsigned index) {
    if (index >= file_.pool.size()) return false;
    const Constant& c = file_.pool[index];
    if (c.tag == ConstantTag::Integer)
      number(static_cast<std::int32_t>(c.bits));
    else if (c.tag == ConstantTag::Long)
      number(static_cast<std::int64_t>(c.bits));
    else if (c.tag == ConstantTag::String && c.first < file_.pool.size())
      push({.kind = K::Text, .type = "java/lang/String", .text = file_.pool[c.first].text});
    else if (c.tag == ConstantTag::Class)
      push({.kind = K::Class, .text = file_.class_at(index).value_or("")});
    else
      push({});
    return c.tag != ConstantTag::Dynamic;
  }

  bool step(const Instruction& one) {
    const unsigned op = one.op;
    const auto index = static_cast<unsigned>(one.operand);
    if (op == 0x01) return push({.kind = K::Null}), true;
    if (op >= 0x02 && op <= 0x08) return number(static_cast<int>(op) - 3), true;
    if (op == 0x09 || op == 0x0a) return number(static_cast<int>(op) - 9), true;
    if (op >= 0x0b && op <= 0x0f) return push({}), true;
    if (op == 0x10 || op == 0x11) return number(one.operand), true;
    if (op >= 0x12 && op <= 0x14) return constant(index);
    if (op >= 0x15 && op <= 0x2d) return load(op >= 0x1a ? (op - 0x1a) % 4 : index);
    if (op >= 0x36 && op <= 0x4e) return store(op >= 0x3b ? (op - 0x3b) % 4 : index);
    if (op >= 0x4f && op <= 0x56) return store_element();
    switch (op) {
    case 0x57: return pop(), true;
    case 0x59:
      if (stack_.empty()) return false;
      return push(stack_.back()), true;
    case 0xb2: return get(index);
    case 0xb3: return put(index);
    case 0xb4: return pop(), push({}), true;
    case 0xb6:
    case 0xb7:
    case 0xb8:
    case 0xb9: return call(op, index);
    case 0xba: return make_function(index);
    case 0xbb: return make(index);
    case 0xbc:
    case 0xbd: return make_array(op, index);
    case 0xc0: return true;
    default: return false;
    }
  }

  bool load(std::size_t local) {
    if (local >= locals_.size()) return false;
    return push(locals_[local]), true;
  }
  bool store(std::size_t local) {
    if (local >= locals_.size()) return false;
    return locals_[local] = pop(), true;
  }
  bool store_element() {
    const Value value = pop(), at = pop(), array = pop();
    if (is_viewed(value) || is_viewed(array)) return false;
    if (array.kind != K::Table) return lose(value), true;
    auto& entries = array.table->entries;
    if (at.kind != K::Number || at.number < 0 || at.number >= Integer(entries.size())) return false;
    entries[static_cast<std::size_t>(at.number)].first = value;
    return true;
  }
  bool get(unsigned index) {
    const auto member = file_.member_at(index);
    if (!member) return false;
    const auto mine = member->owner == file_.name ? fields_.find(member->name) : fields_.end();
    push(mine != fields_.end() ? mine->second : constant_at(pool_, *member));
    return true;
  }
  bool put(unsigned index) {
    const auto member = file_.member_at(index);
    if (!member) return false;
    const Value value = pop();
    if (is_viewed(value)) return false;
    if (member->owner != file_.name) return lose(value), true;
    if (fields_.contains(member->name)) return false;
    return fields_[member->name] = value, true;
  }
  bool make(unsigned index) {
    const auto name = file_.class_at(index);
    if (!name) return false;
    if (auto made = empty_collection(*name)) return push(table(std::move(*made))), true;
    return push({.kind = K::Object, .type = *name}), true;
  }
  bool make_array(unsigned op, unsigned index) {
    const Value length = pop();
    if (length.kind != K::Number || length.number < 0 || length.number > Integer(largest_table))
      return push({.kind = K::Object}), true;
    Table made{.kind = Table::Kind::Array};
    if (op == 0xbd) made.type = file_.class_at(index).value_or("");
    const Value nothing =
        op == 0xbd ? Value{.kind = K::Null} : Value{.kind = K::Number, .number = 0};
    made.entries.assign(static_cast<std::size_t>(length.number), {nothing, {}});
    return push(table(std::move(made))), true;
  }
  bool make_function(unsigned index) {
    const auto site = file_.dynamic_at(index);
    const auto signature = site ? parse_signature(site->descriptor) : std::nullopt;
    if (!signature) return false;
    for (std::size_t k = 0; k < signature->parameters.size(); ++k) lose(pop());
    made_function_ = true;
    return push({.kind = K::Object}), true;
  }

  /// Whoever changes what there is a view of changes that.
  static bool is_viewed(const Value& value) { return value.table && value.table->viewed; }
  static bool holds(const Value& value, const Table* wanted) {
    if (!value.table) return false;
    return value.table.get() == wanted ||
           std::ranges::any_of(value.table->entries, [&](const auto& entry) {
             return holds(entry.first, wanted) || holds(entry.second, wanted);
           });
  }
  bool is_kept(const Value& value) const {
    return value.table && std::ranges::any_of(fields_, [&](const auto& field) {
             return holds(field.second, value.table.get());
           });
  }

  static void lose(const Value& value) {
    if (value.kind == K::Table) value.table->lose();
  }

  /// Whether nothing but library code runs, or own code that makes the constants.
  bool harmless(const MemberRef& callee) {
    if (is_library(callee.owner)) return true;
    const bool mine = constants_of(pool_, callee.owner) > 0;
    return mine && (callee.name == "<init>" || callee.name == "values" || callee.name == "$values");
  }

  bool call(unsigned op, unsigned index) {
    const auto callee = file_.member_at(index);
    const auto signature = callee ? parse_signature(callee->descriptor) : std::nullopt;
    if (!signature || !harmless(*callee)) return false;
    std::vector<Value> arguments(signature->parameters.size());
    for (std::size_t k = arguments.size(); k-- > 0;) arguments[k] = pop();
    Value object;
    if (op != 0xb8) object = pop();
    if (is_viewed(object) || std::ranges::any_of(arguments, is_viewed)) return false;
    Value result;
    if (op == 0xb8) result = made_table(pool_, *callee, arguments);
    if (std::ranges::any_of(arguments, is_viewed) && is_kept(arguments[0])) return false;
    if (object.kind == K::Table && change(*object.table, *callee, arguments))
      return signature->result.letter == 'V' || (push({}), true);
    if (result.kind == K::Unknown) {
      if (made_function_) return false; // which may run in there, or behind what comes out
      lose(object);
      for (const Value& argument : arguments) lose(argument);
    }
    if (signature->result.letter != 'V') push(std::move(result));
    return true;
  }

  /// A constructor or a method that adds.
  static bool change(Table& object, const MemberRef& callee, const std::vector<Value>& arguments) {
    if (!object.known || !object.changeable) return false;
    const std::size_t n = arguments.size();
    const bool of_table = n == 1 && arguments[0].kind == K::Table;
    const bool all = callee.name == "addAll" || callee.name == "putAll" || callee.name == "<init>";
    if (callee.name == "<init>" && callee.descriptor == "(Ljava/lang/Class;)V")
      return object.type = arguments[0].text, true;
    if (callee.name == "<init>" && (n == 0 || arguments[0].kind == K::Number)) return true;
    if (all && of_table && arguments[0].table->known &&
        (arguments[0].table->kind == Table::Kind::Map) == (object.kind == Table::Kind::Map)) {
      const auto from = arguments[0].table->entries;
      for (const auto& [key, value] : from) object.put(key, value);
      return true;
    }
    if (object.kind == Table::Kind::Map && callee.name == "put" && n == 2)
      return object.put(arguments[0], arguments[1]), true;
    if (object.kind != Table::Kind::Map && callee.name == "add" && n == 1)
      return object.put(arguments[0], {}), true;
    return false;
  }

  ClassPool& pool_;
  const ClassFile& file_;
  std::vector<Value> stack_, locals_;
  std::map<std::string, Value> fields_;
  bool made_function_ = false;
};

} // namespace

bool Table::has(const FixedValue& key) const {
  return std::ranges::any_of(entries, [&](const auto& entry) { return entry.first == key; });
}

void Table::put(const FixedValue& key, const FixedValue& value) {
  const bool by_key = kind == Kind::Set || kind == Kind::Map;
  if (by_key && (!key.is_key() || (!entries.empty() && entries[0].first.kind != key.kind)))
    known = false;
  if (entries.size() > largest_table) known = false;
  if (!known) return;
  if (key.kind == FixedValue::Kind::Constant || key.kind == FixedValue::Kind::Number ||
      key.kind == FixedValue::Kind::Text) {
    if (type.empty()) type = key.type;
    if (type != key.type) known = false;
  }
  const auto same =
      by_key ? std::ranges::find_if(entries, [&](const auto& e) { return e.first == key; })
             : entries.end();
  if (same == entries.end())
    entries.emplace_back(key, value);
  else
    same->second = value;
}

bool Table::ever_changes() const {
  return changeable || std::ranges::any_of(entries, [](const auto& entry) {
           const auto changes = [](const FixedValue& v) {
             return v.table && v.table->ever_changes();
           };
           return changes(entry.first) || changes(entry.second);
         });
}

void Table::lose() {
  if (changeable) known = false;
  for (auto& [key, value] : entries)
    for (const FixedValue* one : {&key, &value})
      if (one->table) one->table->lose();
}

std::size_t constants_of(ClassPool& pool, const std::string& type) {
  const ClassFile* file = pool.find(type);
  if (!file || !file->is(access::is_enum)) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      file->fields, [](const Field& f) { return (f.flags & access::is_enum) != 0; }));
}

FixedValue constant_at(ClassPool& pool, const MemberRef& member) {
  // The class of a constant with a body names the others as its own.
  const ClassFile* file = pool.find(member.owner);
  std::string type = member.owner;
  if (file && !file->find_field(member.name)) type = file->super;
  if (file && type != member.owner) file = pool.find(type);
  std::size_t index = 1;
  if (!file || "L" + type + ";" != member.descriptor) return {};
  for (const Field& f : file->fields) {
    const bool is_constant = (f.flags & access::is_enum) != 0;
    if (is_constant && f.name == member.name)
      return {.kind = K::Constant, .type = type, .index = index};
    index += is_constant ? 1 : 0;
  }
  return {};
}

std::optional<std::map<std::size_t, Integer>>
switch_numbers(ClassPool& pool, const std::string& type, const std::string& field) {
  const ClassFile* owner = pool.find(type);
  const Method* init = owner ? owner->find_method("<clinit>", "()V") : nullptr;
  if (!init || !init->code) return std::nullopt;
  const auto graph = decode(*init->code, owner->name);
  if (!graph) return std::nullopt;
  const auto constant = [](const Instruction& one) -> std::optional<Integer> {
    if (one.op >= 2 && one.op <= 8) return static_cast<int>(one.op) - 3;
    if (one.op == 0x10 || one.op == 0x11) return one.operand;
    return std::nullopt;
  };
  std::map<std::size_t, Integer> found;
  const auto& list = graph->instructions;
  for (std::size_t k = 0; k + 4 < list.size(); ++k) {
    if (list[k].op != 0xb2 || list[k + 1].op != 0xb2 || list[k + 2].op != 0xb6 ||
        list[k + 4].op != 0x4f)
      continue;
    const auto array = owner->member_at(static_cast<unsigned>(list[k].operand));
    const auto member = owner->member_at(static_cast<unsigned>(list[k + 1].operand));
    const auto number = constant(list[k + 3]);
    if (!array || array->name != field || !member || !number) continue;
    const FixedValue one = constant_at(pool, *member);
    if (one.kind != K::Constant) return std::nullopt;
    found[one.index] = *number;
  }
  return found;
}

FixedValue returned_table(ClassPool& pool, const ClassFile& owner, const Method& method,
                          const FixedValue& self) {
  FixedValue value = Initialiser(pool, owner).returned(method, self);
  return value.kind == K::Table && value.table->known ? value : FixedValue{};
}

FixedValue made_table(ClassPool& pool, const MemberRef& callee,
                      const std::vector<FixedValue>& arguments) {
  const auto signature = parse_signature(callee.descriptor);
  if (!signature || signature->parameters.size() != arguments.size()) return {};
  static const std::set<std::string> boxes = {"java/lang/Integer",   "java/lang/Long",
                                              "java/lang/Short",     "java/lang/Byte",
                                              "java/lang/Character", "java/lang/Boolean"};
  if (boxes.contains(callee.owner) && callee.name == "valueOf" && arguments.size() == 1 &&
      arguments[0].kind == K::Number && !signature->parameters[0].is_reference()) {
    Value boxed = arguments[0];
    boxed.type = callee.owner;
    return boxed;
  }
  const bool collects = callee.owner == "java/util/Set" || callee.owner == "java/util/List" ||
                        callee.owner == "java/util/Map" || callee.owner == "java/util/EnumSet";
  if (collects && (callee.name == "of" || callee.name == "ofEntries" || callee.name == "entry"))
    return made_of(callee, arguments, *signature);
  if (callee.owner == "java/util/Arrays" && callee.name == "asList")
    return made_of(callee, arguments, *signature);
  if (callee.owner == "java/util/EnumSet") return enum_set(pool, callee.name, arguments);
  if (callee.name == "values" && arguments.empty() && constants_of(pool, callee.owner) > 0)
    return all_constants(callee.owner, constants_of(pool, callee.owner), Table::Kind::Array);
  return unchangeable(callee, arguments);
}

namespace {

/// The tables that a value leads to and that may change.
void changing_in(const Value& value, std::set<const Table*>& found) {
  if (!value.table || !value.table->ever_changes()) return;
  if (value.table->changeable) found.insert(value.table.get());
  for (const auto& [key, held] : value.table->entries) {
    changing_in(key, found);
    changing_in(held, found);
  }
}

/// Tables that several fields lead to: whoever changes one through a field changes the others.
std::set<const Table*> shared_tables(const std::map<std::string, Value>& fields) {
  std::map<const Table*, int> times;
  for (const auto& [name, value] : fields) {
    std::set<const Table*> found;
    changing_in(value, found);
    for (const Table* one : found) ++times[one];
  }
  std::set<const Table*> shared;
  for (const auto& [one, count] : times)
    if (count > 1) shared.insert(one);
  return shared;
}

} // namespace

std::map<std::string, std::shared_ptr<const Table>> tables_of(ClassPool& pool,
                                                              const ClassFile& file) {
  std::map<std::string, std::shared_ptr<const Table>> found;
  const std::map<std::string, Value> fields = Initialiser(pool, file).run();
  const std::set<const Table*> shared = shared_tables(fields);
  for (const auto& [name, value] : fields) {
    std::set<const Table*> changing;
    changing_in(value, changing);
    if (std::ranges::any_of(changing, [&](const Table* one) { return shared.contains(one); }))
      continue;
    const Field* field = file.find_field(name);
    const bool is_final = field && (field->flags & access::is_final);
    if (!is_final || value.kind != K::Table || !value.table->known) continue;
    if (!(field->flags & access::is_private) && value.table->ever_changes()) continue;
    found[name] = value.table;
  }
  return found;
}

} // namespace tacit::java
