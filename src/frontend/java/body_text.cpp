// Immutable objects by what they say: texts, optionals, constants of enumerations. They have no
// identity here; what is asked of one that is not known is a fact, kept in a map that nobody
// writes.
#include <algorithm>
#include <array>

#include "frontend/java/body_values.h"
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
} // namespace

/// What a text answers; no value where it is not asked in a way that has a name.
std::optional<JavaValue> BodyValues::answer(JavaValue& text, const std::string& question,
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
bool BodyValues::char_at(const std::string& name, const std::vector<JavaValue>& arguments,
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
bool BodyValues::ask_text(const MemberRef& callee, const Signature& signature,
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

/// The exception that a function makes and returns; empty when it does anything else.
std::string BodyValues::exception_made_by(const BootstrapMethod& made) const {
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
JavaValue BodyValues::optional_content(JavaValue& optional, const JavaType& type) {
  if (!type.is_reference())
    return loaded(type, havoc("value", context_.type_of(type), Chooser::Unknown));
  if (!context_.discovered.opens_optionals)
    context_.discovered.opens_optionals = context_.again = true;
  JavaValue value = loaded(type, optional.inside ? optional.inside : unknown_object("value"));
  value.nonnull = value.element = true;
  return value;
}

} // namespace tacit::java
