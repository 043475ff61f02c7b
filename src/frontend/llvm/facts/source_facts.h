// What the Clang AST says about the code: the interface side of a component, free of Clang types.
//
// LLVM IR carries the meaning (lower.h); these facts give it names. Records are flattened: every
// scalar that lies in an object, directly, in a nested struct or in a base, is one field with its
// place in bits from the start of the object. What is not flattened is one field of kind Object: a
// class of the library, a union, something too large.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

struct Library;

struct SourceType {
  enum class Kind { Void, Bool, Number, Enumeration, Pointer, Float, Object };
  Kind kind = Kind::Void;
  unsigned bits = 0;
  bool is_signed = false;
  bool is_real = false;        // Number: of floating point (program/ir/reals.h)
  bool is_reference = false;   // Pointer: never null
  bool is_rvalue = false;      // Pointer: a reference to what may be moved from
  bool is_function = false;    // Pointer: to a function
  bool pointee_const = false;  // Pointer
  bool pointee_opaque = false; // Pointer: to void or to a type that its header leaves incomplete
  unsigned pointee_bits = 0;   // Pointer: to a number of that size
  std::vector<SourceType> parameters; // Pointer: of the function
  std::vector<SourceType> result;     // Pointer: of the function, one
  std::string name;    // Enumeration, Object: qualified; Pointer: the record pointed to
  std::string pointee; // Pointer: the scalar pointed to, as `scalar_named` has it (library.h)
  std::string alias;   // Pointer to void: the typedef that it was written as
};

struct FieldFact {
  /// `inner.count`; no two fields of an object have the same. Fields of bases are told apart from
  /// others of their name by the bases that lead to them: `Writer$open`. A dot is for what is
  /// nested.
  std::string path;
  /// The record whose objects it lies in: the innermost that starts where the object does. A
  /// pointer to the object and one to that part of it are the same.
  std::string owner;
  std::string owner_path; // `count`, from there
  std::uint64_t bit_offset = 0;
  unsigned bit_width = 0;
  SourceType type;
  bool is_public = true;
  bool is_mutable = false; // const member functions may write it
  bool is_bit_field = false;
  std::uint64_t count = 0;  // above 0: an array, and `type` that of its elements
  std::uint64_t stride = 0; // bits from one element to the next
  /// What it holds in an object that is made from nothing, `T()`; none: that is not known.
  std::optional<std::int64_t> made;
  bool is_alternative = false; // a variant may hold another one instead
};

struct RecordFact {
  std::string name; // qualified
  std::uint64_t bits = 0;
  bool in_system_header = false;
  bool in_main_file = false; // not in a header: no client sees its definition
  bool polymorphic = false;
  bool copies_itself = false;    // given code says what a copy of it, or of a part of it, holds
  bool empty = false;            // a class without anything in it
  bool hidden = false;           // C: one header names it, another one defines it
  std::vector<FieldFact> fields; // by offset
};

struct EnumFact {
  std::string name; // qualified
  std::vector<std::pair<std::string, std::int64_t>> values;
};

struct ParameterFact {
  std::string name;
  SourceType type;
  std::optional<std::int64_t> otherwise =
      std::nullopt; // its default argument, where that is a number
};

struct FunctionFact {
  std::string symbol;    // as in LLVM IR
  std::string qualified; // `std::mutex::lock`
  std::string name;      // `lock`; `Name` and `~Name` for constructors and destructors
  std::string signature; // `(byte[],int)`: simple types without spaces
  std::string in_class;  // qualified name of the class, empty for functions
  std::vector<ParameterFact> parameters; // without `this`
  SourceType returns;
  bool is_instance = false; // has a `this`
  bool is_const = false;
  bool is_virtual = false;
  bool in_system_header = false;
  bool is_own = false; // docs/semantics.md, 2.2: errors it raises are errors of the component
  bool is_static = false;
  bool is_constructor = false;
  bool makes_handle = false, zeroes_handle = false; // of C, with memory of its own
  bool is_trivial = false;              // a constructor that does nothing and has no code
  std::optional<std::int64_t> constant; // what a constexpr function without parameters returns
  Location where;
  Location declared; // where it was declared first: in a header, if there is one

  // What contracts say about it (library.h).
  std::string contract;         // the name under which they speak of it: `std::vector::size`
  bool outranked = false;       // a contract of the user's goes before its code
  bool pure = false;            // changes nothing, and does not fail
  bool never_fails = false;     // but for want of memory
  bool keeps_elements = false;  // looks but does not touch, although it is not const
  bool looked_into = false;     // a library function that is read like given code
  bool tame = false;            // runs no code but that of the elements it holds
  bool speaks_of_first = false; // its first parameter is the object that contracts speak of
};

struct GlobalFact {
  std::string symbol, name;
  std::vector<FieldFact> fields; // with the global's name as prefix
  bool in_system_header = false;
  bool is_const = false;
  bool is_public = false;   // visible to clients through a header
  bool is_reachable = true; // others can name it: external linkage, and no private member
};

struct SourceFacts {
  std::shared_ptr<const Library> library; // what contracts say
  std::string language = "c";             // or "cpp"
  std::map<std::string, RecordFact> records;
  std::map<std::string, std::string> aliases; // typedef -> the record that it names or points to
  std::map<std::string, EnumFact> enums;
  std::map<std::string, FunctionFact> functions; // by symbol
  std::map<std::string, GlobalFact> globals;     // by symbol
  std::map<std::string, std::string> parents;    // class -> its first base
  /// class -> the bases by which a handler catches it: public and unambiguous, near ones first.
  std::map<std::string, std::vector<std::string>> caught_as;
  std::map<std::string, std::set<std::string>> derived; // class -> classes that name it as a base
  std::map<std::string, std::int64_t> constants;        // integer macros of the given code
  std::vector<std::string> notes;                       // approximations made while reading
  std::vector<std::pair<std::string, std::string>> left_out; // methods that are no calls, and why
  struct Writer {
    std::string name, reason, symbol; // no symbol: a class, or no code here
    bool is_class = false;
  };
  std::vector<Writer> writers_left_out; // those that might change the state

  /// The struct that constructors make, when the handle is only its first part.
  std::string around_handle;

  // The subject, when it is a class.
  std::string subject;                              // qualified name of the record
  std::set<std::string> subject_classes;            // the class and its bases
  std::map<std::string, std::int64_t> base_offsets; // bytes from the start of the subject
  std::vector<std::string> methods;                 // symbols, in source order
  std::vector<std::string> constructors;            // symbols
  std::vector<FunctionFact> trivial_constructors;
};

} // namespace tacit
