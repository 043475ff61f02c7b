// One method: its operand stack and locals become expressions, its blocks become blocks.
//
// Each block is executed symbolically. Where a block has one predecessor it goes on with what that
// left; where paths join, each stack slot and each live local has a variable of its own, which
// every edge assigns. What is known of such a slot whatever the path (that it is the receiver, that
// it is a new exception of one class) is kept in frames; they are found by lowering again until
// they no longer change. An expression that mentions a variable is put into a temporary before the
// variable changes.
#pragma once

#include "frontend/java/body_calls.h"

namespace tacit::java {

class BodyLowering : public BodyCalls {
public:
  using BodyCalls::BodyCalls;

  // body.cpp
  /// Fails for what no verifier accepts. `unsupported` tells why a body could not be lowered.
  Result<Procedure> run();
  const std::set<std::string>& approximations() const { return approximations_; }
  const std::string& unsupported() const { return unsupported_; }

private:
  // body.cpp
  void set_up();
  void find_never_stored(std::size_t locals);
  JavaValue own_object();
  void round();
  void lower_block(std::uint32_t b);
  Procedure opaque_body();
  void remember_entry_choices();

  // body_step.cpp
  void step(const Instruction& i);
  JavaValue* local(int index);
  void load_local(int index, Kind kind);
  void store_local(int index, Kind kind);
  void increment(const Instruction& i);
  void new_arrays(const Instruction& i);
  void load_constant(unsigned index);
  void arithmetic(unsigned op);
  void stack_operation(unsigned op);
  void array_load(unsigned op);
  void array_store(unsigned op);
  void new_array(const JavaValue& length, const std::string& type);
  void condition(const Instruction& i);
  void switch_on(const Instruction& i);
  void return_value(const Instruction& i);
  void throw_value();
  void cast(const Instruction& i);

  // body_fields.cpp
  void get_field(const Instruction& i);
  void put_field(const Instruction& i);
  void get_static(const Instruction& i);
  void put_static(const Instruction& i);
  void new_object(const Instruction& i);
  bool field_by_handle(const MemberRef& callee, const Signature& signature,
                       std::vector<JavaValue>& arguments, JavaValue& handle);
  bool copied(const MemberRef& callee, JavaValue& object);

  // body_invoke.cpp
  void invoke(const Instruction& i);
  bool value_method(const MemberRef& callee, const Signature& signature,
                    std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void invoke_dynamic(const Instruction& i);
  bool exception_method(const MemberRef& callee, const Signature& signature, JavaValue& object);
  bool enum_method(const MemberRef& callee, const Signature& signature,
                   std::vector<JavaValue>& arguments, JavaValue& object);
  bool intrinsic(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  bool write_text(const MemberRef& callee, const Signature& signature,
                  const std::vector<JavaValue>& arguments);
  bool optional_method(const MemberRef& callee, const Signature& signature,
                       std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
};

} // namespace tacit::java
