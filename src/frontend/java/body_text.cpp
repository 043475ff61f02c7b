// Immutable objects by what they say: texts, optionals, constants of enumerations. They have no
// identity here; what is asked of one that is not known is a fact, kept in a map that nobody
// writes.
#include <algorithm>
#include <array>

#include "frontend/java/body.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {

constexpr std::string_view text_class = "java/lang/String";

/// Questions with no argument, or one that is a constant.
constexpr std::array<std::string_view, 12> questions = {
    "length",  "isEmpty",     "isBlank", "contains",         "startsWith", "endsWith",
    "indexOf", "lastIndexOf", "charAt",  "equalsIgnoreCase", "matches",    "equals"};
constexpr std::array<std::string_view, 4> changes = {"trim", "strip", "toLowerCase", "toUpperCase"};

/// Of the text form: what stands between backquotes.
bool can_be_named(std::string_view text) {
  return text.size() <= 40 && std::ranges::all_of(text, [](char c) {
           return c >= ' ' && c <= '~' && c != '`' && c != '"' && c != '\\';
         });
}

/// Library classes whose objects own code writes down: that runs no code of others and does not
/// fail.
bool is_value_class(const std::string& type) {
  static const std::set<std::string> values = {"java/lang/String",
                                               "java/lang/Integer",
                                               "java/lang/Long",
                                               "java/lang/Short",
                                               "java/lang/Byte",
                                               "java/lang/Character",
                                               "java/lang/Boolean",
                                               "java/lang/Double",
                                               "java/lang/Float",
                                               "java/lang/Class",
                                               "java/lang/StringBuilder",
                                               "java/lang/StringBuffer",
                                               "java/net/URI",
                                               "java/net/URL",
                                               "java/util/UUID",
                                               "java/util/Locale",
                                               "java/math/BigDecimal",
                                               "java/math/BigInteger",
                                               "java/time/Instant",
                                               "java/time/Duration",
                                               "java/time/LocalDate",
                                               "java/time/LocalDateTime",
                                               "java/time/LocalTime",
                                               "java/time/ZonedDateTime",
                                               "java/time/OffsetDateTime",
                                               "java/time/Period",
                                               "java/util/Date"};
  return values.contains(type);
}

} // namespace

/// What a text answers; no value where it is not asked in a way that has a name.
std::optional<JavaValue> BodyLowering::answer(JavaValue& text, const std::string& question,
                                              const JavaType& type) {
  const bool truth = type.letter == 'Z';
  const auto loaded_as = [&](Term term) {
    if (truth && term->sort == arena_.bool_sort())
      term = arena_.ite(term, arena_.integer(1), arena_.integer(0));
    return JavaValue{.kind = Kind::Int, .term = term, .truth = truth};
  };
  if (text.text && text.lazy != 0) {
    const auto known = text_fact(context_.string_content(*text.text), question);
    if (known) return loaded_as(arena_.integer(*known));
  }
  if (text.derived) {
    const Term facts = context_.string_fact(text.derived->second + question);
    return loaded_as(arena_.select(facts, text.derived->first));
  }
  if (text.lazy != 0) return loaded_as(havoc("answer", context_.type_of(type), Chooser::Unknown));
  return loaded_as(arena_.select(context_.string_fact(question), reference(text)));
}

/// A character at an index that is no constant: any, if there is one.
bool BodyLowering::char_at(const std::string& name, const std::vector<JavaValue>& arguments,
                           JavaValue& object) {
  if (name != "charAt" || arguments[0].kind != Kind::Int) return false;
  const Term index = arguments[0].term;
  const auto length = answer(object, "length", {'I', ""});
  if (!length) return false;
  throw_if(out_of_bounds(index, length->term), "java/lang/StringIndexOutOfBoundsException");
  if (!dead_) push(Kind::Int, havoc("character", context_.type_of({'C', ""}), Chooser::Unknown));
  return true;
}

/// Methods of texts. False: it is not known what they do.
bool BodyLowering::ask_text(const MemberRef& callee, const Signature& signature,
                            std::vector<JavaValue>& arguments, JavaValue& object) {
  const std::string& name = callee.name;
  if (std::ranges::find(changes, name) != changes.end() &&
      (arguments.empty() || (arguments.size() == 1 && is_false(is_null(arguments[0]))))) {
    JavaValue made = this->object(std::string(text_class));
    if (object.derived)
      made.derived = {object.derived->first, object.derived->second + name + "()."};
    else if (object.lazy == 0 && object.term && object.term->op == Op::Var &&
             !context_.module.find_state(object.term->name))
      made.derived = {object.term, name + "()."};
    push(std::move(made));
    return true;
  }
  if (std::ranges::find(questions, name) == questions.end() || arguments.size() > 1) return false;
  std::string question = name;
  if (arguments.size() == 1) {
    JavaValue& argument = arguments[0];
    std::string given;
    if (argument.text && argument.lazy != 0)
      given = context_.string_content(*argument.text);
    else if (argument.kind == Kind::Int && argument.term->op == Op::IntConst)
      given = to_string(argument.term->number);
    else
      return char_at(name, arguments, object);
    if (!can_be_named(given)) return false;
    // A text is asked for characters by their numbers.
    const bool number = argument.kind == Kind::Int;
    if (number != (name == "charAt" || name.ends_with("ndexOf"))) return false;
    question += "(" + given + ")";
    if (name == "charAt") {
      auto length = answer(object, "length", {'I', ""});
      if (!length) return false;
      throw_if(arena_.disj(arena_.lt(argument.term, arena_.integer(0)),
                           arena_.ge(argument.term, length->term)),
               "java/lang/StringIndexOutOfBoundsException");
      if (dead_) return true;
    }
  }
  auto value = answer(object, question, signature.result);
  if (!value) return false;
  push(std::move(*value));
  return true;
}

Term BodyLowering::unknown_object(std::string_view hint) {
  // An assumption would end runs; whatever nobody chooses has to be there.
  context_.need_record("Object");
  const Term some = temporary(hint, {.sort = arena_.ref_sort()});
  emit({.kind = StatementKind::New, .target = some, .record = "Object"});
  const Term other = havoc("other", {.sort = arena_.ref_sort()}, Chooser::Unknown);
  assign(some, arena_.ite(arena_.eq(other, arena_.null()), some, other));
  return some;
}

/// What a text that says this answers to all that is asked of texts.
Term BodyLowering::answers(Term text, const std::string& content) {
  std::vector<Term> all;
  const auto asked = context_.discovered.text_questions;
  for (const std::string& question : asked) {
    const auto changed = changed_text(content, question);
    const auto known = changed ? context_.string_number(*changed) : text_fact(content, question);
    if (!known) continue;
    const Term answer = arena_.select(context_.string_fact(question), text);
    all.push_back(arena_.eq(answer, answer->sort == arena_.bool_sort() ? arena_.boolean(*known != 0)
                                                                       : arena_.integer(*known)));
  }
  return arena_.conj(std::move(all));
}

/// What a text says matters only if somebody looks, and writing down values does not fail.
bool BodyLowering::write_text(const MemberRef& callee, const Signature& signature,
                              const std::vector<JavaValue>& arguments) {
  const bool writes =
      (callee.owner == "java/lang/String" && callee.name == "valueOf" && arguments.size() == 1) ||
      (callee.owner == "java/util/Objects" && callee.name == "toString" && !arguments.empty());
  if (!writes || !writes_plainly(arguments[0], signature.parameters[0])) return false;
  push(object("java/lang/String"));
  return true;
}

/// Whether writing a value into a text neither fails nor runs own code, but for that which writes
/// down the elements of a collection and runs here.
bool BodyLowering::writes_plainly(const JavaValue& value, const JavaType& declared) {
  if (!declared.is_reference() || value.type == "null") return true;
  if (value.kind == Kind::Exception) return !writes_itself(value);
  if (value.held) {
    // It writes down what it holds.
    run_callbacks("java/lang/Object", "toString", {.parameters = {declared}, .result = {'V', ""}},
                  {{.kind = Kind::Reference, .type = "java/lang/Object"}}, std::nullopt);
    return true;
  }
  const std::string& type = value.type.empty() ? declared.name : value.type;
  if (value.kind == Kind::Enumeration)
    return context_.overriding(type, "toString", "()Ljava/lang/String;").empty();
  return value.kind == Kind::Reference && value.receiver < 0 &&
         (is_value_class(type) || type.starts_with("["));
}

/// The exception that a function makes and returns; empty when it does anything else.
std::string BodyLowering::exception_made_by(const BootstrapMethod& made) const {
  constexpr unsigned new_invoke_special = 8, new_object = 0xbb, set_static = 0xb3, set_field = 0xb5,
                     first_call = 0xb6, last_call = 0xb9;
  for (const std::uint16_t argument : made.arguments) {
    if (argument >= what_.owner->pool.size()) continue;
    const Constant& c = what_.owner->pool[argument];
    if (c.tag != ConstantTag::MethodHandle) continue;
    const auto target = what_.owner->member_at(c.second);
    if (!target) return "";
    if (c.first == new_invoke_special)
      return context_.pool.is_throwable(target->owner) && !context_.is_own(target->owner)
                 ? target->owner
                 : "";
    const ClassFile* file = context_.pool.find(target->owner);
    const Method* method = file ? file->find_method(target->name, target->descriptor) : nullptr;
    const auto graph =
        method && method->code ? decode(*method->code, file->name) : Result<CodeGraph>(CodeGraph{});
    if (!graph || graph->blocks.size() != 1) return "";
    std::string found;
    for (const Instruction& i : graph->instructions) {
      const auto index = static_cast<unsigned>(i.operand);
      if (i.op == set_static || i.op == set_field) return "";
      if (i.op == new_object) {
        const auto type = file->class_at(index);
        if (!type || !found.empty() || !context_.pool.is_throwable(*type)) return "";
        found = *type;
      }
      if (i.op < first_call || i.op > last_call) continue;
      const auto callee = file->member_at(index);
      const bool constructor = callee && callee->name == "<init>" && callee->owner == found;
      if (!callee || (context_.is_own(callee->owner) && !constructor)) return "";
    }
    return found;
  }
  return "";
}

/// What an Optional holds that is there.
JavaValue BodyLowering::optional_content(JavaValue& optional, const JavaType& type) {
  if (!type.is_reference())
    return loaded(type, havoc("value", context_.type_of(type), Chooser::Unknown));
  if (!context_.discovered.opens_optionals)
    context_.discovered.opens_optionals = context_.again = true;
  JavaValue value = loaded(type, optional.inside ? optional.inside : unknown_object("value"));
  value.nonnull = value.element = true;
  return value;
}

/// Optionals are there or not; what they hold is known where they are made.
bool BodyLowering::optional_method(const MemberRef& callee, const Signature& signature,
                                   std::vector<JavaValue>& arguments,
                                   std::optional<JavaValue>& object) {
  constexpr std::string_view prefix = "java/util/Optional";
  if (!callee.owner.starts_with(prefix)) return false;
  const std::string& name = callee.name;
  const auto is_present = [&](Term optional) {
    return arena_.ne(arena_.select(context_.optional_presence(), optional), arena_.integer(0));
  };
  if (!object) {
    Term present = arena_.truth();
    if (name == "empty" && arguments.empty()) present = arena_.falsehood();
    if (name == "ofNullable" && arguments.size() == 1)
      present = arena_.negate(is_null(arguments[0]));
    else if (name == "of" && arguments.size() == 1 && signature.parameters[0].is_reference())
      null_check(arguments[0]);
    else if (name != "empty" && name != "of")
      return false;
    if (dead_) return true;
    if (!arguments.empty()) note_handed(arguments[0], signature.parameters[0]);
    Term held = nullptr;
    if (context_.discovered.opens_optionals && name != "empty" && arguments.size() == 1 &&
        arguments[0].kind == Kind::Reference) {
      held = temporary("held", {.sort = arena_.ref_sort()});
      assign(held, reference(arguments[0]));
    }
    const Term made = havoc("optional", {.sort = arena_.ref_sort()}, Chooser::Environment);
    emit({.kind = StatementKind::Assume,
          .value =
              arena_.conj(arena_.ne(made, arena_.null()),
                          arena_.eq(arena_.select(context_.optional_presence(), made),
                                    arena_.ite(present, arena_.integer(1), arena_.integer(0))))});
    push({.kind = Kind::Reference,
          .term = made,
          .type = callee.owner,
          .nonnull = true,
          .inside = held});
    return true;
  }
  if (name == "orElseThrow" && arguments.size() == 1 && arguments[0].thrown_by.empty()) {
    const Term absent = arena_.negate(is_present(reference(*object)));
    if (!throw_supplied(arguments[0], absent)) return false;
    push(optional_content(*object, signature.result));
    return true;
  }
  if (name == "orElse" && arguments.size() == 1 && signature.result.is_reference() &&
      arguments[0].kind == Kind::Reference) {
    const Term other = reference(arguments[0]);
    JavaValue value = optional_content(*object, signature.result);
    value.term = arena_.ite(is_present(reference(*object)), value.term, other);
    value.nonnull = arguments[0].nonnull;
    push(std::move(value));
    return true;
  }
  const bool supplied =
      name == "orElseThrow" && arguments.size() == 1 && !arguments[0].thrown_by.empty();
  if (!arguments.empty() && !supplied) return false;
  if (name == "isPresent" || name == "isEmpty") {
    const Term present = is_present(reference(*object));
    push({.kind = Kind::Int,
          .term = arena_.ite(name == "isPresent" ? present : arena_.negate(present),
                             arena_.integer(1), arena_.integer(0)),
          .truth = true});
    return true;
  }
  if (!name.starts_with("get") && name != "orElseThrow") return false;
  throw_if(arena_.negate(is_present(reference(*object))),
           supplied ? arguments[0].thrown_by : "java/util/NoSuchElementException");
  if (dead_) return true;
  push(optional_content(*object, signature.result));
  return true;
}

/// A final field of a constant of an enumeration, which its constructor sets to a constant.
std::optional<JavaValue> BodyLowering::constant_field(const JavaValue& object,
                                                      const ClassFile& owner, const Field& field,
                                                      const JavaType& type) {
  const auto values = context_.constant_fields(owner, field);
  if (values.empty() || context_.enum_sort(owner.name) != object.term->sort) return std::nullopt;
  Term made = arena_.integer(values.front());
  for (std::size_t i = 1; i < values.size(); ++i)
    made = arena_.ite(arena_.eq(object.term, arena_.enumerator(object.term->sort, i + 1)),
                      arena_.integer(values[i]), made);
  return JavaValue{.kind = context_.kind_of(type), .term = made, .truth = type.letter == 'Z'};
}

} // namespace tacit::java
