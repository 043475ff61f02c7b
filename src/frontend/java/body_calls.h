// Calls: of own code, of one of several bodies, of what is not looked into, and what library
// callees run.
#pragma once

#include "frontend/java/body_library.h"

namespace tacit::java {

/// Classes through which a field can be read and written by name.
bool is_field_handle(const std::string& type);

class BodyCalls : public BodyLibrary {
public:
  using BodyLibrary::BodyLibrary;

protected:
  // body_calls.cpp
  void use_class(const std::string& type);
  void call_own(const ClassFile& owner, const Method& method, int receiver,
                std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void call_opaque(const std::string& owner, const MemberRef& callee, const Method* method,
                   std::vector<JavaValue>& arguments, std::optional<JavaValue>& object,
                   bool writes_all);
  bool make_held(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments);
  bool call_library(const MemberRef& callee, const Signature& signature,
                    std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  bool hand_to_library(const LibraryCall& call, std::vector<JavaValue>& arguments,
                       const std::optional<JavaValue>& object, Context::Opaque& what,
                       std::vector<Term>& terms);
  bool call_view(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  bool writes_plainly(const JavaValue& value, const JavaType& declared);
  /// `as`: the type of what comes back, where it is not that of `result`.
  void emit_call(const std::string& name, std::vector<Term> arguments, const JavaType& result,
                 bool returns_exception, bool opaque, const std::string& hint,
                 const Type* as = nullptr);

  // dispatch.cpp
  void call_virtually(const MemberRef& ref, ClassPool::Found found, bool special,
                      std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void call_several(const ClassPool::Found& named, const ClassFile& seen_as,
                    std::vector<JavaValue>& arguments, JavaValue& object);
  bool overrides_exception(const MemberRef& callee, const JavaValue& object);
  bool writes_itself(const JavaValue& exception);
  void fill_stack_trace(const std::vector<JavaValue>& arguments,
                        std::optional<JavaValue>& exception);
  bool dispatch_body();
  Term class_of_body(const Context::OwnBody& body);
  struct DispatchTarget {
    Context::OwnBody body;
    Term when = nullptr; // null: not known
  };
  bool constant_bodies(const std::string& constants, std::vector<DispatchTarget>& targets);
  Terminator call_of(const Context::OwnBody& body, Term object,
                     const std::vector<std::pair<JavaType, Term>>& given, bool foreign = false);
  Term finish_call_of(const Context::OwnBody& body, Terminator call);
  void leave_dispatch(Term value);
  std::map<std::string, std::string> constant_classes(const std::string& enumeration);

  // callbacks.cpp
  void note_lambda(const ClassFile::DynamicRef& site);
  std::optional<Discoveries::Function> function_of(const ClassFile::DynamicRef& site,
                                                   const std::vector<JavaValue>& captured) const;
  void run_callbacks(const std::string& callee, const std::string& method,
                     const Signature& signature, const std::vector<JavaValue>& arguments,
                     const std::optional<JavaValue>& object);
  void run_by_others(const Signature& signature, const std::vector<JavaValue>& arguments,
                     const std::optional<JavaValue>& object);
  std::string type_handed(const JavaValue& value, const JavaType& wanted);
  std::vector<std::string> template_classes(const std::string& callee, const std::string& method,
                                            const JavaValue& object) const;
  void add_callbacks(std::vector<Context::OwnBody>& bodies, const std::string& type);
  /// Makes what functions are handed, in the procedure that runs them.
  using Elements = std::function<std::vector<std::pair<JavaType, Term>>()>;
  std::string callback_procedure(std::string key, const std::vector<Context::OwnBody>& bodies,
                                 bool may_throw, const Elements& elements = {},
                                 bool foreign = false, Term possible = nullptr);
  bool throw_supplied(const JavaValue& supplier, Term absent);
  void run_given(const std::vector<JavaValue>& arguments, const HeldObject& of,
                 const std::string& method);
};

} // namespace tacit::java
