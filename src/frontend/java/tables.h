// Collections and arrays whose contents stand in the code: tables of transitions in static fields
// that the class initialiser fills, `Set.of(A, B)`.
//
// An initialiser is run here on values, as far as it has no branches and runs no other own code; a
// table that gets anywhere else is not known. Code that changes one later, or may, makes its
// field an ordinary one (Context::leak_table). body_tables.cpp looks things up.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/integer.h"
#include "frontend/java/class_pool.h"
#include "frontend/java/descriptor.h"

namespace tacit::java {

struct Table;

/// A value that the code fixes.
struct FixedValue {
  enum class Kind {
    Unknown,
    Null,
    Object,   // some object
    Constant, // of the enumeration `type`
    Number,   // int, or in a box of class `type`
    Text,
    Class, // named `text`
    Table
  };
  Kind kind = Kind::Unknown;
  std::string type;
  std::size_t index = 0; // of a constant; null is 0
  Integer number = 0;
  std::string text;
  std::shared_ptr<Table> table;

  bool operator==(const FixedValue&) const = default;
  /// Whether it says by itself what it equals.
  bool is_key() const {
    return kind == Kind::Constant || kind == Kind::Number || kind == Kind::Text;
  }
};

struct Table {
  enum class Kind { Set, Map, List, Array };
  Kind kind = Kind::Set;
  std::string type;           // of keys, where one class is named; else of the first
  bool known = true;          // false: it has got where nobody follows it
  bool changeable = true;     // the object itself
  bool viewed = false;        // there is a view of it that would change with it
  bool refuses_nulls = false; // also when it is only asked for one
  /// Of maps keys and values, of others the elements alone.
  std::vector<std::pair<FixedValue, FixedValue>> entries;

  bool has(const FixedValue& key) const;
  /// Adds, or replaces what the key led to; not known any more where keys are not told apart.
  void put(const FixedValue& key, const FixedValue& value);
  /// Whether it, or a table in it, may be changed by whoever gets it.
  bool ever_changes() const;
  /// Somebody may change it.
  void lose();
};

/// The tables of static final fields of a class, by field.
std::map<std::string, std::shared_ptr<const Table>> tables_of(ClassPool& pool,
                                                              const ClassFile& file);

/// What a static method of the library makes of values: `Set.of`, `EnumSet.range`. Unknown for
/// others.
FixedValue made_table(ClassPool& pool, const MemberRef& callee,
                      const std::vector<FixedValue>& arguments);

/// `$SwitchMap$E`: javac's numbers for the constants that a switch names, by their place from 1 on,
/// read from the class initialiser that fills it: getstatic table, getstatic constant, ordinal,
/// number, iastore.
std::optional<std::map<std::size_t, Integer>>
switch_numbers(ClassPool& pool, const std::string& type, const std::string& field);

/// What a method without parameters returns on a constant of an enumeration, as far as it only
/// makes tables of constants, perhaps by a switch over the constant. Unknown for others.
FixedValue returned_table(ClassPool& pool, const ClassFile& owner, const Method& method,
                          const FixedValue& self);

/// How many constants an enumeration has; 0 for other classes.
std::size_t constants_of(ClassPool& pool, const std::string& type);
/// The constant that a static field holds.
FixedValue constant_at(ClassPool& pool, const MemberRef& field);

} // namespace tacit::java
