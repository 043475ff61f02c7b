// Library objects and arrays that fields hold: what becomes of their facts.
#pragma once

#include "frontend/java/body_values.h"

namespace tacit::java {

class BodyLibrary : public BodyValues {
public:
  using BodyValues::BodyValues;

protected:
  // body_library.cpp
  bool runs_only_given(const LibraryCall& call, const HeldField& of,
                       const std::vector<JavaValue>& arguments);
  // Library objects that fields hold (body_library.cpp).
  std::optional<HeldObject> held_object(const JavaValue& owner, const ClassFile& declared,
                                        const Field& field);
  struct PlaceFor {
    const HeldField* field = nullptr; // null: none
    ClassPool::FoundField found;
    std::vector<std::string> wrappers; // on the way
  };
  PlaceFor place_for(std::uint32_t at);
  bool wrap_held(const MemberRef& callee, std::vector<JavaValue>& arguments);
  bool set_held(const HeldField& field, const HeldObject& object, JavaValue& value);
  bool find_contract(LibraryCall& call, const std::optional<JavaValue>& object);
  Term kept_as(const HeldField& of, std::size_t parameter, const Type& type, JavaValue& value);
  void give_kept(const LibraryCall& call, const HeldField& of, Term absent);
  Term absence(const LibraryCall& call, const HeldObject& of, const std::vector<Term>& arguments);
  void keep_from(const HeldField& field);
  bool append_constant(const MemberRef& callee, std::vector<JavaValue>& arguments,
                       const JavaValue& object);
  bool looks_inside(const LibraryCall& call, const HeldField& of);
  void note_nulls(const LibraryCall& call, const HeldField& of);
  /// Whether the user says what a callee does.
  bool given_contract(const MemberRef& callee);

  // body_views.cpp
  Term size_before(const HeldObject& object);
  void outdate_iterators(const HeldField& field, const HeldObject* but);
  std::optional<JavaValue> element_of(const HeldObject& of, Term size);
  bool call_iterator(const MemberRef& callee, const HeldObject& of, Term size);
  bool call_stream(const MemberRef& callee, const std::vector<JavaValue>& arguments,
                   JavaValue& object);
  /// Null: nobody knows.
  void set_fact(const HeldObject& object, const std::string& fact, Term value);
  void lose_elements(const HeldObject& object, Term size);
  bool add_up(const MemberRef& callee, std::vector<JavaValue>& arguments, const JavaValue& object);
  Term sum_after(const LibraryCall& call, const HeldObject& of, const std::vector<Term>& arguments,
                 bool& known);
  bool make_view(const MemberRef& callee, const JavaValue& object);

  // body_arrays.cpp
  // Arrays that fields hold (body_arrays.cpp).
  bool make_held_array(Term length, const std::string& type);
  Term held_length(const HeldObject& array);
  void load_held(const HeldObject& array, Term index, const JavaType& type);
  void store_held(const HeldObject& array, Term index, JavaValue& value);
  bool array_function(const MemberRef& callee, std::vector<JavaValue>& arguments);
  bool copy_held_array(std::vector<JavaValue>& arguments);
  Term nothing_in(const HeldObject& array);

  // body_refusals.cpp
  void check_changes(const MemberRef& callee, const std::string& type, const JavaValue& object);
  void check_index(const MemberRef& callee, const std::string& type, const JavaValue& index,
                   const JavaValue& object);
  void check_elements(const MemberRef& callee, std::vector<JavaValue>& arguments,
                      const JavaValue& object);
};

} // namespace tacit::java
