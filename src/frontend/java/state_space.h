// Types, exceptions and state variables of one component.
#pragma once

#include "frontend/java/own_classes.h"

namespace tacit::java {

class StateSpace : public OwnClasses {
public:
  using OwnClasses::OwnClasses;

  // state_space.cpp
  // Types.
  Type type_of(const JavaType& type);
  Type machine_type(Kind kind);
  Kind kind_of(const JavaType& type);
  Sort enum_sort(const std::string& name);
  Term enum_null(const std::string& name) { return arena.enumerator(enum_sort(name), 0); }
  // Exceptions, by internal name.
  Term exception(const std::string& name);
  Term is_exception(Term value, const std::string& name);
  Type exception_type() const;
  void declare_exception(const std::string& name);
  // State.
  Term field(std::size_t receiver, const ClassFile& owner, const Field& field);
  /// Fields of an object of own code that its native methods are taken to write: those that are
  /// not final and that no code of the class assigns outside of constructors.
  std::vector<Term> native_fields(std::size_t receiver);
  /// Those of them that no code assigns at all: they have their defaults until the object exists.
  const std::set<Term, TermById>& never_assigned() const { return never_assigned_; }
  Term field_map(const ClassFile& owner, const Field& field);
  /// With `followed`, its class initialiser is run; otherwise nobody knows what it starts with.
  Term static_field(const std::string& owner, const std::string& name, const JavaType& type,
                    bool followed);
  /// `StandardCharsets.UTF_8` and the like: an object, the same one always.
  bool is_library_constant(const std::string& owner, const std::string& name);
  /// A final reference of own code that is not looked into: some object that stays.
  bool is_fixed(const std::string& owner, const Field* field, const JavaType& type);
  Term array_length();
  Term receiver_term(std::size_t receiver);
  /// A new object in this variable is a copy of a receiver.
  void add_clone(Term variable, std::size_t receiver) { clones_[variable] = receiver; }
  const std::map<Term, std::size_t, TermById>& clones() const { return clones_; }
  /// The field of a receiver that a map of a record holds for other objects.
  Term field_like(std::size_t receiver, const StateVariable& map);
  const std::map<std::string, std::string>& static_owners() const { return static_owners_; }
  /// Static fields of which nobody knows what they start with, and whether that is an object.
  const std::vector<std::pair<Term, bool>>& hidden_statics() const { return hidden_statics_; }
  /// Hides the start of all static fields of a class.
  void hide_statics(const std::string& owner);

  // object_values.cpp
  /// What a string says, by number: for a constant one whose remainder is its hash code.
  Term string_text() {
    return object_value("String", "text", {.sort = arena.int_sort(), .low = -(Integer{1} << 63)});
  }
  Integer string_number(const std::string& content);
  /// What can be asked of texts (program/ir/text_facts.h), for those that are not known.
  Term string_fact(const std::string& question);
  /// The constant that a number stands for.
  std::string string_content(Integer number) const;
  /// The number in an Integer, Boolean and the like.
  Term boxed_value() { return object_value("box", "value"); }
  /// Whether an Optional holds something: 0 or 1.
  Term optional_presence() { return object_value("Optional", "present"); }
  /// Of which class of own code an object is that own code made, an enumerator of class_sort(); for
  /// others nobody knows.
  Term class_of_objects();
  /// The classes of own code of which lowered code makes objects; the first enumerator is none.
  Sort class_sort();
  /// Null when lowered code makes no object of the class.
  Term class_constant(const std::string& name);
  /// A new object is of a class.
  Term with_class(Term object, const std::string& name);
  /// Whether all objects of a type are of classes that class_sort() has.
  bool knows_classes(const std::string& type);
  /// The maps of what strings and boxes hold, as far as there are any.
  std::vector<Term> held_values() const;
  /// What is kept about objects of the component whose client this is: declared before bodies are
  /// lowered. A new object has nothing yet.
  void keep_component();
  /// Whether a reference of this type may lead to such an object.
  bool may_be_component(const JavaType& type);
  /// Whether code of a client may be run by somebody who has such an object.
  bool leads_to_code(const JavaType& type);
  const std::vector<Term>& kept() const { return kept_; }
  /// Is set to what is put where it is not followed further; null where no client is lowered.
  Term handed() const { return handed_; }
  Term null_code();
  /// The value that stands for null in a type of `held_types`.
  Term null_of(const Type& type);

protected:
  // state_space.cpp
  void add_state(const std::string& wanted, const Type& type, Term initial, bool client);

  // object_values.cpp
  /// What objects of a kind hold, which never changes.
  Term object_value(const std::string& record, const std::string& field);
  Term object_value(const std::string& record, const std::string& field, const Type& value);

  std::map<std::string, Sort> enums_;
  Sort class_sort_ = nullptr;
  std::map<std::string, Term> class_constants_;
  std::map<JavaStateKey, Term> state_;
  std::map<std::string, std::string> static_owners_; // own classes with static state
  std::vector<std::pair<Term, bool>> hidden_statics_;
  std::set<Term, TermById> never_assigned_;
  std::map<Term, std::size_t, TermById> clones_;
  std::map<std::string, Integer> strings_; // constants, by what they say
  std::vector<Term> kept_;
  Term handed_ = nullptr;
};

} // namespace tacit::java
