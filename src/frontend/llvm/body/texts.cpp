// What strings that a client hands in answer to questions about what they say: `find('@')`,
// `starts_with("id-")`, `s[0]`. The answer is a fact of the argument, as its size is: the client
// knows it. It holds as long as the string says what it said on entry; a string that says something
// else answers something unknown.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"

namespace tacit {

namespace {

/// In the text form these stand between backquotes, and questions are taken apart again
/// (program/ir/text_facts.h): a number is a character or a position, the rest is a text, and digits
/// that are one stand in quotes.
std::optional<std::string> named(const std::string& text) {
  const auto plain = [](char c) {
    return c >= ' ' && c <= '~' && c != '`' && c != '"' && c != '\\' && c != ',' && c != '[' &&
           c != ']';
  };
  if (text.empty() || text.size() > 40 || text[0] == '\'' || !std::ranges::all_of(text, plain))
    return std::nullopt;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? "'" + text + "'" : text;
}

/// Read and written through, and not handed on.
bool only_used_here(const llvm::Value& pointer) {
  return std::ranges::all_of(pointer.users(), [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return llvm::isa<llvm::LoadInst>(user) || (store && store->getValueOperand() != &pointer);
  });
}

/// Nobody asks for more than the sign.
bool only_signs(const llvm::CallBase& call) {
  return std::ranges::all_of(call.users(), [](const llvm::User* user) {
    const auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
    const auto* with = test ? llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1)) : nullptr;
    return with && with->isZero();
  });
}

/// Nobody asks where something was found, but whether it was.
bool only_whether(const llvm::CallBase& call) {
  return call.getType()->isIntegerTy(64) &&
         std::ranges::all_of(call.users(), [](const llvm::User* user) {
           const auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
           const auto* with =
               test ? llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1)) : nullptr;
           return with && test->isEquality() && with->isMinusOne();
         });
}

bool only_read(const llvm::Value& pointer) {
  return std::ranges::all_of(
      pointer.users(), [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); });
}

} // namespace

namespace {

/// The characters of a constant array up to the zero.
std::optional<std::string> characters_of(const llvm::GlobalVariable& global) {
  if (!global.isConstant() || !global.hasInitializer()) return std::nullopt;
  const llvm::Type* type = global.getValueType();
  if (llvm::isa<llvm::ConstantAggregateZero>(global.getInitializer()))
    return type->isArrayTy() && type->getArrayElementType()->isIntegerTy(8)
               ? std::optional(std::string())
               : std::nullopt;
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global.getInitializer());
  if (!data || !data->isCString()) return std::nullopt;
  return data->getAsCString().str();
}

/// `constexpr std::string_view scheme = "http://"`: a length and the characters.
std::optional<std::string> viewed_by(const llvm::GlobalVariable& global) {
  const auto* parts = global.hasInitializer()
                          ? llvm::dyn_cast<llvm::ConstantStruct>(global.getInitializer())
                          : nullptr;
  if (!global.isConstant() || !parts || parts->getNumOperands() != 2) return std::nullopt;
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(parts->getOperand(0));
  const auto* of = llvm::dyn_cast<llvm::GlobalVariable>(parts->getOperand(1));
  const auto text = of ? characters_of(*of) : std::nullopt;
  if (!length || !text || length->getZExtValue() > text->size()) return std::nullopt;
  return text->substr(0, length->getZExtValue());
}

} // namespace

/// What a text says that the source spells out, or a constant string or view made from one, which
/// nobody writes.
std::optional<std::string>
FunctionLowering::constant_text(const llvm::GlobalVariable& global) const {
  if (auto text = characters_of(global)) return text;
  const Library& library = *lowering_.facts().library;
  const GlobalFact* known = lowering_.global(global);
  if (!known || !known->is_const || known->fields.size() != 1 || known->fields[0].is_mutable ||
      known->fields[0].count > 0 || !text_of(library, known->fields[0].type.name))
    return std::nullopt;
  if (borrows(library, known->fields[0].type.name)) return viewed_by(global);
  std::optional<std::string> made;
  for (const llvm::User* user : global.users()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    if (!fact || !fact->is_constructor || call->getArgOperand(0) != &global) continue;
    if (!text_of(library, fact->in_class)) return std::nullopt;
    const bool from_text = !made && fact->parameters.size() == 2 && call->arg_size() == 3 &&
                           fact->parameters[0].type.kind == SourceType::Kind::Pointer &&
                           fact->parameters[1].type.is_reference;
    const auto* of =
        from_text ? llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(1)) : nullptr;
    made = of ? characters_of(*of) : std::nullopt;
    if (!made) return std::nullopt;
  }
  return made;
}

/// Its constructor says nothing new about a constant text.
bool FunctionLowering::makes_constant_text(const llvm::CallBase& call,
                                           const FunctionFact& fact) const {
  if (!fact.is_constructor || call.arg_size() == 0) return false;
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0));
  return global && constant_text(*global);
}

namespace {

/// A text that is returned goes by address, before the arguments.
unsigned hidden_arguments(const llvm::CallBase& call) {
  return call.arg_size() > 0 && call.paramHasAttr(0, llvm::Attribute::StructRet) ? 1 : 0;
}

} // namespace

bool FunctionLowering::asks_text(const llvm::CallBase& call, const FunctionFact& fact) const {
  if (!fact.is_instance || fact.parameters.size() + 1 + hidden_arguments(call) != call.arg_size() ||
      !lowering_.facts().library->all.has(Attribute::AsksText, fact.contract))
    return false;
  return fact.is_const || (call.getType()->isPointerTy() && only_read(call));
}

/// What an argument says that is a constant text, or a copy that is made of one for this call.
std::optional<std::string> FunctionLowering::text_behind(const llvm::Value* argument,
                                                         const llvm::CallBase& call) const {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(argument))
    return constant_text(*global);
  if (!llvm::isa<llvm::AllocaInst>(argument)) return std::nullopt;
  std::optional<std::string> text;
  for (const llvm::User* user : argument->users()) {
    if (user == &call || llvm::isa<llvm::LifetimeIntrinsic>(user)) continue;
    const auto* made = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = made ? made->getCalledFunction() : nullptr;
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    if (!fact || !fact->is_constructor || !fact->in_system_header || text ||
        made->arg_size() != 2 || made->getArgOperand(0) != argument ||
        !text_of(*lowering_.facts().library, fact->in_class))
      return std::nullopt;
    const auto* of = llvm::dyn_cast<llvm::GlobalVariable>(made->getArgOperand(1));
    text = of ? constant_text(*of) : std::nullopt;
    if (!text) return std::nullopt;
  }
  return text;
}

/// `scheme.size()` of a constant.
std::optional<std::size_t> FunctionLowering::constant_length(const llvm::Value* value) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  const bool length = fact && fact->in_system_header && fact->is_instance &&
                      (fact->name == "size" || fact->name == "length") && call->arg_size() == 1;
  const auto* global =
      length ? llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)) : nullptr;
  const auto text = global ? constant_text(*global) : std::nullopt;
  return text ? std::optional(text->size()) : std::nullopt;
}

/// The question in words. Nothing where arguments are no constants.
std::optional<FunctionLowering::TextQuestion>
FunctionLowering::text_question(const llvm::CallBase& call, const FunctionFact& fact) {
  TextQuestion made;
  std::vector<std::string> given;
  bool defaults = true; // so far, from the last one
  for (std::size_t i = fact.parameters.size(); i-- > 0;) {
    const ParameterFact& parameter = fact.parameters[i];
    const llvm::Value* argument =
        call.getArgOperand(static_cast<unsigned>(i) + 1 + hidden_arguments(call));
    if (const auto length = constant_length(argument)) {
      given.push_back(std::to_string(*length));
    } else if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(argument)) {
      if (constant->getBitWidth() > 64) return std::nullopt;
      const bool character = parameter.type.bits == 8;
      if (character && constant->isNegative()) return std::nullopt;
      const bool to_the_end =
          constant->isMinusOne() && constant->getBitWidth() == 64 &&
          (fact.name == "substr" || fact.name == "rfind" || fact.name.starts_with("find_last"));
      if (defaults &&
          (to_the_end || (parameter.otherwise && constant->getSExtValue() == *parameter.otherwise)))
        continue;
      given.push_back(std::to_string(constant->getZExtValue()));
    } else {
      const auto text = text_behind(argument, call);
      const auto spelt = text ? named(*text) : std::nullopt;
      if (!spelt) return std::nullopt;
      given.push_back(*spelt);
    }
    defaults = false;
  }
  std::ranges::reverse(given);
  // Nobody says more about an order than its sign.
  if (fact.name == "compare" && !only_signs(call)) return std::nullopt;
  const bool first = fact.name == "front";
  made.text = first || fact.name == "operator[]" ? "at" : fact.name;
  made.whether =
      (fact.name == "find" || fact.name == "rfind") && given.size() == 1 && only_whether(call);
  if (made.whether) made.text = "contains";
  if (first) given.emplace_back("0");
  for (std::size_t i = 0; i < given.size(); ++i) made.text += (i == 0 ? "(" : ",") + given[i];
  if (!given.empty()) made.text += ")";
  return made;
}

/// `otherwise`, unless the string still says what an argument said on entry, or a part of it.
Term FunctionLowering::text_answer(const llvm::CallBase& call, const FunctionFact& fact,
                                   const Type& type, Term otherwise) {
  const std::string known_as = contract_class(*lowering_.facts().library, fact.in_class);
  const KeptFact* said = text_of(*lowering_.facts().library, known_as);
  const auto object =
      said ? followed(call.getArgOperand(hidden_arguments(call)), fact.in_class) : std::nullopt;
  const StateVariable* now = object ? module_.find_state(object->name + "." + said->name) : nullptr;
  const StateVariable* length = object ? module_.find_state(object->name + ".size") : nullptr;
  const auto asked = now && length ? text_question(call, fact) : std::nullopt;
  if (!asked) return otherwise;
  const Term text = now->term, size = length->term;
  const bool position = type.low && *type.low == 0 && type.high;
  Type asked_type = asked->whether ? Type{.sort = arena_.bool_sort()} : type;
  if (position && !asked->whether) asked_type.high = *type.high - 1;
  Term answer = otherwise;
  for (const auto& [one, name] : std::map(objects_)) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(one.first);
    if (!argument || !text_of(*lowering_.facts().library, one.second) || name.empty()) continue;
    if (llvm::isa_and_nonnull<llvm::Argument>(object->object) && object->object != argument)
      continue;
    for (const std::string& part : parts_asked(*argument)) {
      const auto of_part = [&](const std::string& question, const Type& of) {
        return arena_.select(lowering_.argument_fact(one.second, {part + question, of}),
                             held_.at(argument).term);
      };
      Term here = of_part(asked->text + (hidden_arguments(call) > 0 ? ".text" : ""), asked_type);
      // A position that is none of the text's stands for the largest number: so every answer is
      // possible.
      if (asked->whether)
        here = arena_.ite(here, arena_.integer(0), arena_.integer(*type.high));
      else if (position)
        here = arena_.ite(arena_.lt(here, size), here, arena_.integer(*type.high));
      answer = arena_.ite(arena_.eq(text, of_part(said->name, said->type)), here, answer);
    }
  }
  return answer;
}

/// The parts of an argument that were taken so far, as questions begin: the whole first.
std::vector<std::string> FunctionLowering::parts_asked(const llvm::Argument& argument) const {
  std::vector<std::string> parts{""};
  if (const auto known = text_parts_.find(&argument); known != text_parts_.end())
    parts.insert(parts.end(), known->second.begin(), known->second.end());
  return parts;
}

/// A part of a text is known by where it is cut.
void FunctionLowering::take_part(const llvm::CallBase& call, const FunctionFact& fact) {
  constexpr std::size_t most_parts = 4;
  const auto asked = text_question(call, fact);
  const auto made = asked ? followed(call.getArgOperand(0), fact.returns.name) : std::nullopt;
  const StateVariable* text = made ? module_.find_state(made->name + ".text") : nullptr;
  if (!text) return;
  const Term said = text->term;
  assign(said, text_answer(call, fact, Type{.sort = arena_.int_sort()}, said));
  const auto* argument = llvm::dyn_cast<llvm::Argument>(call.getArgOperand(1));
  if (argument && argument_types_.contains(argument) && text_parts_[argument].size() < most_parts)
    text_parts_[argument].insert(asked->text + ".");
}

void FunctionLowering::answer_text(const llvm::CallBase& call, const FunctionFact& fact,
                                   Term result) {
  if (!asks_text(call, fact)) return;
  if (hidden_arguments(call) > 0) return take_part(call, fact);
  if (!call.getType()->isPointerTy()) {
    const SourceType declared = lowering_.declared_result(call);
    if (declared.kind != SourceType::Kind::Bool && declared.kind != SourceType::Kind::Number)
      return;
    const Type type = lowering_.scalar_type(declared);
    if (result && result->sort == type.sort) assign(result, text_answer(call, fact, type, result));
    return;
  }
  if (!only_read(call)) return;
  const Type character =
      lowering_.scalar_type({.kind = SourceType::Kind::Number, .bits = 8, .is_signed = true});
  const Term any = local("character", character);
  havoc(any, Chooser::Unknown);
  const Term answer = text_answer(call, fact, character, any);
  if (answer != any) {
    assign(any, answer);
    characters_[&call] = any;
  }
}

/// What a reference to a character of a text leads to.
std::optional<Held> FunctionLowering::text_character(const llvm::Value* pointer,
                                                     const llvm::Type* type) {
  const auto known = characters_.find(pointer);
  if (known == characters_.end() || !type->isIntegerTy(8)) return std::nullopt;
  return number(known->second, Sign::Signed);
}

/// A call gives out a way to change a string's characters, which may be used at any time.
void FunctionLowering::open_text(const llvm::CallBase& call, const FunctionFact& fact,
                                 const LibraryCall& library) {
  const SourceType& given = fact.returns;
  const bool character =
      given.kind == SourceType::Kind::Pointer && given.pointee == "char" && !given.pointee_const;
  const bool iterator = given.kind == SourceType::Kind::Object && given.name.contains("iterator") &&
                        !given.name.contains("const char");
  if (!fact.is_instance || fact.is_const || (!character && !iterator) || only_read(call)) return;
  const std::size_t self = library.makes ? 1 : 0;
  if (self >= library.objects.size()) return;
  const Followed& object = library.objects[self];
  if (object.class_name.empty() || !text_of(*lowering_.facts().library, object.class_name)) return;
  if (only_used_here(call))
    written_texts_[&call] = object.name;
  else
    lowering_.open_text(object.name);
}

/// A character is written that a string gave a reference to.
void FunctionLowering::forget_written(const llvm::Value* pointer) {
  if (const auto known = written_texts_.find(pointer); known != written_texts_.end())
    forget_text(known->second);
}

/// What such strings say is unknown whenever somebody looks.
void FunctionLowering::forget_open_texts(const LibraryCall& library) {
  for (const Followed& object : library.objects)
    if (lowering_.has_open_text(object.name)) forget_text(object.name);
}

/// Whether a call may change what an object says that others may have a view of: not one that it
/// makes, and not one that ends.
bool FunctionLowering::changes_texts(const LibraryCall& library, const FunctionFact* callee) const {
  const Library& known = *lowering_.facts().library;
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const std::string& class_name = library.call.classes[i];
    if (class_name.empty() || library.read_only[i] || !text_of(known, class_name) ||
        borrows(known, class_name))
      continue;
    const bool begins_or_ends =
        i == 0 &&
        (library.makes || (callee && (callee->is_constructor || callee->name.starts_with("~"))));
    if (!begins_or_ends) return true;
  }
  return false;
}

/// What views say belongs to others.
void FunctionLowering::forget_views() {
  for (const auto& [one, name] : objects_)
    if (!name.empty() && borrows(*lowering_.facts().library, one.second)) forget_text(name);
}

/// Of views that a call may write and that are kept in the object nobody knows how long what they
/// show stays as it is.
void FunctionLowering::forget_kept_views(const LibraryCall& library) {
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const Followed& one = library.objects[i];
    if (!one.class_name.empty() && !one.object && !library.read_only[i] &&
        borrows(*lowering_.facts().library, one.class_name))
      forget_text(one.name);
  }
}

void FunctionLowering::forget_text(const std::string& object) {
  if (const StateVariable* text = module_.find_state(object + ".text"))
    havoc(text->term, Chooser::Unknown);
}

} // namespace tacit
