// Values: numbers, texts and boxes by what they hold, tests of types, monitors, and tables of
// constants.
#pragma once

#include "frontend/java/body_code.h"

namespace tacit::java {

/// The boxes of numbers and truths, by class: the letter of the type inside, and the method that
/// asks for it.
const std::map<std::string, std::pair<char, std::string>>& boxes();

class BodyValues : public BodyCode {
public:
  using BodyCode::BodyCode;

protected:
  // body_values.cpp
  Term stored(const JavaType& type, JavaValue slot);
  Term truth(Term integer);
  Term compare(int relation, Term a, Term b);
  Term bits(unsigned op, int width, const JavaValue& first, const JavaValue& second);
  Term argument_field(const JavaValue& object, const MemberRef& field, const JavaType& type);
  Term type_test(JavaValue& value, const std::string& type);
  Term class_test(JavaValue& value, const std::string& type);
  // Objects without identity: what they hold is all that matters.
  JavaValue string(const std::string& content);
  Term text_of(JavaValue& value);
  JavaValue boxed(const std::string& type, Term value);
  JavaValue coded(const std::string& type, Term code);
  /// What equal texts, or boxes of one class, have in common; null is a number of its own.
  Term code_of(JavaValue& value);
  std::optional<Term> equal_values(JavaValue& a, JavaValue& b);
  static bool without_identity(const JavaValue& value);
  void give_entry(const JavaValue& value);
  bool may_run_code(const JavaValue& value, const JavaType& declared);
  void note_handed(const JavaValue& value, const JavaType& declared);
  std::optional<JavaValue> constant_field(const JavaValue& object, const ClassFile& owner,
                                          const Field& field, const JavaType& type);

  // body_text.cpp
  JavaValue optional_content(JavaValue& optional, const JavaType& type);
  // Texts and what does not matter (body_text.cpp).
  bool ask_text(const MemberRef& callee, const Signature& signature,
                std::vector<JavaValue>& arguments, JavaValue& object);
  bool char_at(const std::string& name, const std::vector<JavaValue>& arguments, JavaValue& object);
  std::optional<JavaValue> answer(JavaValue& text, const std::string& question,
                                  const JavaType& type);
  std::string exception_made_by(const BootstrapMethod& made) const;

  // body_tables.cpp
  // Collections whose contents stand in the code (body_tables.cpp).
  void push_table(const std::string& type, TableView view, Term absent);
  bool make_table(const MemberRef& callee, const Signature& signature,
                  const std::vector<JavaValue>& arguments);
  bool table_by_constant(const MemberRef& callee, const Signature& signature, JavaValue& object,
                         const std::map<std::string, std::string>& classes);
  FixedValue fixed(const JavaValue& value) const;
  bool call_table(const MemberRef& callee, std::vector<JavaValue>& arguments,
                  const JavaValue& object);
  bool load_element(const JavaValue& array, Term index, const JavaType& type);
  Term table_size(const TableView& view);
  std::optional<Term> table_key(JavaValue& value, const TableView& view);
  Term key_is(Term key, const FixedValue& fixed);
  struct Choice {
    Term when = nullptr;
    FixedValue value;
  };
  bool push_choice(const std::vector<Choice>& choices, const std::string& field,
                   const JavaValue* otherwise);
  Term switch_table(const FieldName& table, Term index);

  // checks.cpp
  Monitor monitor_of(JavaValue& object);
  bool holds(const Monitor& monitor) const;
  void enter_monitor(JavaValue& object, bool leave);
  void check_monitor(const MemberRef& callee, JavaValue& object);
  void note_unlocked(const std::string& key, int receiver);
  void check_store(const JavaValue& array, JavaValue& value);
  void note_array(const std::string& field, const JavaType& type, const JavaValue& value);
  void note_limits();
};

} // namespace tacit::java
