// The bodies of own code: what is lowered, which of them a call may run, and what they may do.
#pragma once

#include "frontend/java/state_space.h"

namespace tacit::java {

class Procedures : public StateSpace {
public:
  using StateSpace::StateSpace;

  // own_bodies.cpp
  // Callees.
  struct Body {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr;
    int receiver = no_receiver;
    ProcedureKind kind = ProcedureKind::Internal;
    std::string name;
    std::string shown;                  // without the class; empty: by its name
    const ClassFile* seen_as = nullptr; // of several bodies: the type that the call names
    std::string key;                    // of the procedure
  };
  /// A body of own code that a call through a type may run.
  struct OwnBody {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr; // null: a library function, named by `function`
    int receiver = by_reference;
    std::set<std::string> classes;                   // of the objects that have it
    const Discoveries::Function* function = nullptr; // a lambda expression or method reference
  };
  using OwnBodies = std::shared_ptr<const std::vector<OwnBody>>;
  OwnBodies bodies_below(const std::string& type, const std::string& name,
                         const std::string& descriptor);
  /// Methods by which library callees may run own code on objects of a type, or any type if empty:
  /// on objects that own code makes, since what the client hands in is a collaborator.
  const std::vector<OwnBody>& library_callbacks(const std::string& type);
  /// The procedure that runs one of several bodies.
  std::string dispatcher(const ClassPool::Found& named, const ClassFile& seen_as);
  static std::string dispatcher_key(const ClassFile& owner, const Method& method,
                                    const ClassFile& seen_as);
  /// The name of a procedure that is made by hand, and whether it is new.
  std::pair<std::string, bool> made_procedure(const std::string& key, const std::string& wanted);
  /// The name of the procedure for own code; it is lowered later.
  std::string procedure(const ClassFile& owner, const Method& method, int receiver,
                        bool apart = false);
  static std::string procedure_key(const ClassFile& owner, const Method& method, int receiver);
  void add_root(Body body);
  /// A method runs while the constructor of `owner` has set only these final fields.
  void early_call(const ClassFile& owner, const std::set<std::string>& assigned);
  bool is_method(const std::string& key) const { return methods_.contains(key); }
  /// Whether a body may change the component or raise an error.
  bool acts(const ClassFile& file, const Method& method);
  /// Types whose methods are what others make of them, and not of the library.
  static bool others_implement(const std::string& type);
  /// Whether it calls what others bring, which may fail.
  bool may_fail(const ClassFile& file, const Method& method);
  /// Methods of the nest's classes below a type that a call may mean.
  std::vector<std::pair<const ClassFile*, const Method*>>
  overriding(const std::string& type, const std::string& name, const std::string& descriptor);
  bool next_body(Body& body);

  // class_init.cpp
  // Class initialisers (class_init.cpp).
  const Method* initialiser(const std::string& type);
  /// Own classes whose initialisers run before the component's constructor: of the objects around
  /// it and of itself, superclasses first.
  std::vector<std::string> starting_classes() const;
  /// Whether the initialiser depends on other static fields than its own, or sets them.
  bool reaches_others(const std::string& type);
  bool starts_lazily(const std::string& type);
  /// Whether the initialiser may throw by itself.
  bool may_fail(const std::string& type);
  void note_failing(const std::string& type, const std::string& procedure);
  /// The procedures of initialisers that run at the first use.
  const std::map<std::string, std::string>& initialisers() const { return initialisers_; }
  /// What has become of a class: it is `initialised`, or that has `failed`.
  Term initialised(const std::string& type, const std::string& what = "initialised");
  std::string first_use(const std::string& type);

protected:
  // own_bodies.cpp
  std::vector<OwnBody> find_callbacks(const std::string& type);
  std::size_t known_functions() const;
  std::vector<OwnBody> find_bodies(const std::string& type, const std::string& name,
                                   const std::string& descriptor);
  bool acts(const ClassFile& file, const Method& method, std::set<const Method*>& seen);
  bool may_fail(const ClassFile& file, const Method& method, std::set<const Method*>& seen);
  bool touches_held(const ClassFile& file, unsigned index);
  bool call_acts(const MemberRef& callee, bool is_virtual, std::set<const Method*>& seen);
  bool dynamic_acts(const ClassFile& file, unsigned index, std::set<const Method*>& seen);
  bool some_callback_acts();

  // class_init.cpp
  bool keeps_to_itself(const std::string& type, const ClassFile& file, const Method& method,
                       std::set<const Method*>& seen);
  bool has_throw(const ClassFile& file, const Method& method, std::set<const Method*>& seen);
  std::vector<Handler> fail_first_use(const std::string& type, Procedure& made, BlockId done,
                                      BlockId failed);

  std::map<std::string, std::string> procedures_; // by owner, method and receiver
  std::set<std::string> procedure_names_, constructor_names_;
  std::set<std::string> methods_; // keys of calls of the component
  // Answers, until more functions or classes of objects are known.
  std::map<const Method*, bool> acts_;
  std::map<std::string, std::vector<OwnBody>> callbacks_;
  std::map<std::string, OwnBodies> bodies_;
  std::size_t acts_stamp_ = 0, callbacks_stamp_ = 0, bodies_stamp_ = 0;
  bool callbacks_act_ = false;
  std::vector<Body> work_;
  std::size_t done_ = 0;
  std::map<std::string, bool> lazy_classes_;
  std::map<std::string, std::string> initialisers_;
};

} // namespace tacit::java
