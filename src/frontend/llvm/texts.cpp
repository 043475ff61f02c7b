// What strings that a client hands in answer to questions about what they say: `find('@')`,
// `starts_with("id-")`, `s[0]`. The answer is a fact of the argument, as its size is: the client
// knows it. It holds as long as the string says what it said on entry; a string that says something
// else answers something unknown.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "frontend/llvm/function_lowering.h"
#include "frontend/llvm/library.h"

namespace tacit {

namespace {

/// In the text form these stand between backquotes, and questions are taken apart again
/// (program/ir/text_facts.h): a number is a character or a position, the rest is a text, and digits
/// that are one stand in quotes.
std::optional<std::string> named(const std::string& text) {
  const auto plain = [](char c) {
    return c >= ' ' && c <= '~' && c != '`' && c != '"' && c != '\\' && c != ',';
  };
  if (text.empty() || text.size() > 40 || text[0] == '\'' || !std::ranges::all_of(text, plain))
    return std::nullopt;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? "'" + text + "'" : text;
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

bool FunctionLowering::asks_text(const llvm::CallBase& call, const FunctionFact& fact) const {
  if (!fact.is_instance || fact.parameters.size() + 1 != call.arg_size() ||
      !lowering_.facts().library->all.has(Attribute::AsksText, fact.contract))
    return false;
  return fact.is_const || (call.getType()->isPointerTy() && only_read(call));
}

/// The question in words. Nothing where arguments are no constants.
std::optional<FunctionLowering::TextQuestion>
FunctionLowering::text_question(const llvm::CallBase& call, const FunctionFact& fact) {
  TextQuestion made;
  std::vector<std::string> given;
  bool defaults = true; // so far, from the last one
  for (std::size_t i = fact.parameters.size(); i-- > 0;) {
    const ParameterFact& parameter = fact.parameters[i];
    const llvm::Value* argument = call.getArgOperand(static_cast<unsigned>(i) + 1);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(argument)) {
      if (constant->getBitWidth() > 64) return std::nullopt;
      const bool character = parameter.type.bits == 8;
      if (character && constant->isNegative()) return std::nullopt;
      if (defaults && parameter.otherwise && constant->getSExtValue() == *parameter.otherwise)
        continue;
      given.push_back(std::to_string(constant->getZExtValue()));
    } else {
      const auto text = argument->getType()->isPointerTy() ? literal(argument) : std::nullopt;
      if (!text) return std::nullopt;
      const std::string content = text->substr(1, text->size() - 2);
      const auto spelt = named(content);
      if (!spelt) return std::nullopt;
      given.push_back(*spelt);
    }
    defaults = false;
  }
  std::ranges::reverse(given);
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

/// `otherwise`, unless the string still says what an argument said on entry.
Term FunctionLowering::text_answer(const llvm::CallBase& call, const FunctionFact& fact,
                                   const Type& type, Term otherwise) {
  const std::string known_as = contract_class(*lowering_.facts().library, fact.in_class);
  const KeptFact* said = text_of(*lowering_.facts().library, known_as);
  const auto object = said ? followed(call.getArgOperand(0), fact.in_class) : std::nullopt;
  const StateVariable* now = object ? module_.find_state(object->name + "." + said->name) : nullptr;
  const auto asked = now ? text_question(call, fact) : std::nullopt;
  if (!asked) return otherwise;
  const Term text = now->term;
  Term answer = otherwise;
  for (const auto& [one, name] : std::map(objects_)) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(one.first);
    if (!argument || one.second != known_as || name.empty()) continue;
    if (llvm::isa_and_nonnull<llvm::Argument>(object->object) && object->object != argument)
      continue;
    const Term reference = held_.at(argument).term;
    const auto of_argument = [&](const KeptFact& asked_fact) {
      return arena_.select(lowering_.argument_fact(known_as, asked_fact), reference);
    };
    const bool position = type.low && *type.low == 0 && type.high;
    Type asked_type = asked->whether ? Type{.sort = arena_.bool_sort()} : type;
    if (position && !asked->whether) asked_type.high = *type.high - 1;
    Term here = of_argument({asked->text, asked_type});
    const Term size = of_argument({"size", Type{.sort = arena_.int_sort(), .low = 0}});
    // A position that is none of the text's stands for the largest number: so every answer is
    // possible.
    if (asked->whether)
      here = arena_.ite(here, arena_.integer(0), arena_.integer(*type.high));
    else if (position)
      here = arena_.ite(arena_.lt(here, size), here, arena_.integer(*type.high));
    answer = arena_.ite(arena_.eq(text, of_argument(*said)), here, answer);
  }
  return answer;
}

void FunctionLowering::answer_text(const llvm::CallBase& call, const FunctionFact& fact,
                                   Term result) {
  if (!asks_text(call, fact)) return;
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

/// Whether a call may change what an object says that others may have a view of: not one that it
/// makes, and not one that ends.
bool FunctionLowering::changes_texts(const LibraryCall& library, const FunctionFact* callee) const {
  const Library& known = *lowering_.facts().library;
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const std::string& class_name = library.objects[i].class_name;
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

/// What views say belongs to others. With a call: of those that are kept in the object and that it
/// may write, since nobody knows how long what they show stays as it is.
void FunctionLowering::forget_views(const LibraryCall* library) {
  const Library& known = *lowering_.facts().library;
  const auto forget_text = [&](const std::string& object) {
    if (const StateVariable* text = module_.find_state(object + ".text"))
      havoc(text->term, Chooser::Unknown);
  };
  if (library) {
    for (std::size_t i = 0; i < library->objects.size(); ++i) {
      const Followed& one = library->objects[i];
      if (!one.class_name.empty() && !one.object && !library->read_only[i] &&
          borrows(known, one.class_name))
        forget_text(one.name);
    }
    return;
  }
  for (const auto& [one, name] : objects_)
    if (!name.empty() && borrows(known, one.second)) forget_text(name);
}

} // namespace tacit
