// What the lowering of all methods of one component shares: types, fields, exceptions, callees.
//
// Exceptions, and which fields are flattened, must be known before the first method is lowered, but
// are found while lowering. The context therefore collects what was missing and asks for another
// round
// (`again`); rounds end because the sets only grow.
#pragma once

#include "frontend/java/procedures.h"

namespace tacit::java {

class Context : public Procedures {
public:
  using Procedures::Procedures;

  // context_library.cpp
  /// Leaks what code touches that may run where nobody sees it: what is not lowered, and functions
  /// that others keep.
  void leak_unseen();
  /// What the class initialiser has put into a static field of own code; null: not known.
  std::shared_ptr<const Table> table_of(const std::string& owner, const Field& field);
  void leak_table(const std::string& field);
  /// Where a fact is kept; null when the object has no such fact.
  Term held_fact(const HeldObject& object, const std::string& fact, Term owner);
  /// The field itself, which tells whether there is an object.
  Term held_reference(const HeldObject& object);
  /// The types of the type parameters that its facts have.
  std::vector<std::optional<Type>> held_types(const HeldField& field);
  /// `items`, or `Entry.postings` for objects of which there may be many.
  std::string held_name(const HeldObject& object);
  /// The maps of facts, by the object whose field holds the library object.
  const std::set<Term, TermById>& fact_maps() const { return fact_maps_; }
  /// The contracts for a method of a class, under the first name that has any.
  std::vector<const Contract*> contracts_for(const std::string& type, const std::string& method,
                                             const std::string& descriptor);

  // context.cpp
  struct Opaque {
    std::string owner, name, descriptor;
    const Method* method = nullptr; // null when it is not known
    bool with_receiver = false;
    bool gets_component = false; // `this` or an enclosing instance is handed to it
    bool may_run_code = false;   // of a client, by what it is handed: equals, or a function
    bool writes_all = false;     // own code that is not followed
    bool brought = false;        // the client, or another callee, brought the object
    /// Parameters that are library objects of own code, the object being the first.
    std::map<std::size_t, HeldObject> held;
    /// Keys, values and elements are kept in types of their own (held_types): by parameter, the
    /// object not counted.
    std::map<std::size_t, Type> typed;
    std::optional<Type> returns;
    bool fills = false; // the function that it is handed never returns null
  };
  /// Whether a callee is a collaborator's or the outside world: what the client brings, interfaces
  /// and methods without code that others bring. What has code that is not looked into, or no class
  /// at all, is unknown; so are library objects that own code made.
  bool brings(const Opaque& callee);
  /// The name of the extern; `caught` are the exceptions that handlers around the call tell apart:
  /// calls within others fail in other ways.
  std::string opaque(const Opaque& callee, const std::set<std::string>& caught);
  const std::map<std::string, Opaque>& externs() const { return externs_; }

private:
  // context_library.cpp
  void leak_unseen_table(const ClassFile& file, unsigned index, const Method& method);
  /// Objects of own code without an `equals` of their own.
  bool same_only_to_themselves(const std::string& type);
  bool is_counted(const HeldField& field);
  std::optional<Type> held_argument(const HeldField& field, std::size_t parameter);

  // context.cpp
  std::set<std::string> failures(const Opaque& callee, const std::set<std::string>& caught);

  std::map<std::string, Opaque> externs_; // by name
  std::map<std::string, std::string> extern_names_;
  std::map<std::string, std::map<std::string, std::shared_ptr<const Table>>> tables_; // by class
  std::set<Term, TermById> fact_maps_;
};

} // namespace tacit::java
