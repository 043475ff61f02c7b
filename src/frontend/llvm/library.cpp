#include "frontend/llvm/library.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

#include "program/text/externs.h"
#include "program/text/print.h"

namespace tacit {
// Generated from contracts/*.tir.
extern const char* const shipped_cpp_contracts;
extern const char* const shipped_c_contracts;
} // namespace tacit

namespace tacit {

std::optional<std::string> library_exception(const std::string& demangled) {
  static const std::map<std::string, std::string, std::less<>> thrown = {
      {"std::__throw_system_error", "std::system_error"},
      {"std::__throw_logic_error", "std::logic_error"},
      {"std::__throw_runtime_error", "std::runtime_error"},
      {"std::__throw_length_error", "std::length_error"},
      {"std::__throw_out_of_range", "std::out_of_range"},
      {"std::__throw_out_of_range_fmt", "std::out_of_range"},
      {"std::__throw_invalid_argument", "std::invalid_argument"},
      {"std::__throw_domain_error", "std::domain_error"},
      {"std::__throw_range_error", "std::range_error"},
      {"std::__throw_overflow_error", "std::overflow_error"},
      {"std::__throw_underflow_error", "std::underflow_error"},
      {"std::__throw_bad_alloc", "std::bad_alloc"},
      {"std::__throw_bad_array_new_length", "std::bad_array_new_length"},
      {"std::__throw_bad_cast", "std::bad_cast"},
      {"std::__throw_bad_typeid", "std::bad_typeid"},
      {"std::__throw_bad_exception", "std::bad_exception"},
      {"std::__throw_bad_function_call", "std::bad_function_call"},
      {"std::__throw_bad_optional_access", "std::bad_optional_access"},
      {"std::__throw_bad_variant_access", "std::bad_variant_access"},
      {"std::__throw_bad_weak_ptr", "std::bad_weak_ptr"},
      {"std::__throw_future_error", "std::future_error"},
      {"std::__throw_ios_failure", "std::ios_base::failure"},
      {"std::__throw_regex_error", "std::regex_error"}};
  const auto found = thrown.find(demangled.substr(0, demangled.find('(')));
  if (found == thrown.end()) return std::nullopt;
  return found->second;
}

std::string library_parent(const std::string& exception) {
  static const std::map<std::string, std::string, std::less<>> parents = {
      {"std::logic_error", "std::exception"},
      {"std::runtime_error", "std::exception"},
      {"std::bad_alloc", "std::exception"},
      {"std::bad_cast", "std::exception"},
      {"std::bad_typeid", "std::exception"},
      {"std::bad_exception", "std::exception"},
      {"std::bad_function_call", "std::exception"},
      {"std::bad_optional_access", "std::exception"},
      {"std::bad_variant_access", "std::exception"},
      {"std::bad_weak_ptr", "std::exception"},
      {"std::bad_array_new_length", "std::bad_alloc"},
      {"std::invalid_argument", "std::logic_error"},
      {"std::domain_error", "std::logic_error"},
      {"std::length_error", "std::logic_error"},
      {"std::out_of_range", "std::logic_error"},
      {"std::future_error", "std::logic_error"},
      {"std::range_error", "std::runtime_error"},
      {"std::overflow_error", "std::runtime_error"},
      {"std::underflow_error", "std::runtime_error"},
      {"std::regex_error", "std::runtime_error"},
      {"std::system_error", "std::runtime_error"},
      {"std::ios_base::failure", "std::system_error"}};
  const auto found = parents.find(exception);
  return found == parents.end() ? "" : found->second;
}

bool fails_only_for_memory(const std::string& qualified) {
  static constexpr std::array known = {"std::basic_string",  "std::vector",
                                       "std::deque",         "std::list",
                                       "std::forward_list",  "std::map",
                                       "std::set",           "std::multimap",
                                       "std::multiset",      "std::unordered_",
                                       "std::allocator",     "std::shared_ptr",
                                       "std::make_shared",   "std::__shared",
                                       "std::function",      "std::to_string",
                                       "std::operator+",     "std::operator<<",
                                       "std::basic_ostream", "std::basic_string_view",
                                       "std::__cxx11::",     "std::queue",
                                       "std::stack",         "std::priority_queue",
                                       "std::_Vector_base",  "std::__new_allocator",
                                       "std::operator==",    "std::operator<",
                                       "std::_Rb_tree",      "std::operator!=",
                                       "std::_Deque",        "std::endl",
                                       "std::string"};
  if (qualified.ends_with("::at") || qualified.ends_with("::substr") ||
      qualified.ends_with("::operator()"))
    return false;
  return std::ranges::any_of(
      known, [&](std::string_view prefix) { return qualified.starts_with(prefix); });
}

namespace {

/// One line of a contract file, for one of the names it gives.
struct ContractItem {
  bool is_record = false;
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters; // name and type
  bool open_ended = false;                                     // `...`: any further ones
  std::string returns;                                         // empty: nothing, or it is not said
  std::string text;                                            // what follows the signature
};

std::string trimmed(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// `std::(map|set)::size` stands for two names.
std::vector<std::string> names_of(const std::string& pattern) {
  const auto open = pattern.find('('), close = pattern.find(')');
  if (open == std::string::npos || close == std::string::npos || close == open + 1)
    return {pattern};
  std::vector<std::string> made;
  for (const std::string& choice : split(pattern.substr(open + 1, close - open - 1), '|')) {
    std::string name = pattern.substr(0, open) + choice + pattern.substr(close + 1);
    // A constructor bears the name of its class.
    if (const auto mark = name.find('%'); mark != std::string::npos) name.replace(mark, 1, choice);
    made.push_back(name);
  }
  return made;
}

void read_signature(ContractItem& item) {
  const auto close = item.text.find(')');
  for (const std::string& part : split(item.text.substr(1, close - 1), ',')) {
    const std::string one = trimmed(part);
    if (one == "...") item.open_ended = true;
    const auto colon = one.find(" : ");
    if (colon != std::string::npos)
      item.parameters.emplace_back(one.substr(0, colon), one.substr(colon + 3));
  }
  item.text = item.text.substr(close + 1);
  if (!item.text.starts_with(" : ")) return;
  const auto end = std::min(item.text.find_first_of(" ;{", 3), item.text.size());
  item.returns = item.text.substr(3, end - 3);
  item.text = item.text.substr(end);
}

std::vector<ContractItem> read_items(std::string_view text) {
  std::vector<ContractItem> items;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ContractItem item;
    item.is_record = line.starts_with("record ");
    if (!item.is_record && !line.starts_with("extern ")) continue;
    std::size_t at = 7;
    std::string pattern;
    if (line[at] == '`') {
      const auto close = line.find('`', at + 1);
      pattern = line.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      const auto close = line.find_first_of(" (", at);
      pattern = line.substr(at, close - at);
      at = close;
    }
    item.text = line.substr(at);
    if (!item.is_record) read_signature(item);
    for (const std::string& name : names_of(pattern)) {
      items.push_back(item);
      items.back().name = name;
    }
  }
  return items;
}

const std::vector<ContractItem>& shipped_items() {
  static const std::vector<ContractItem> items = [] {
    auto all = read_items(shipped_cpp_contracts);
    for (ContractItem& item : read_items(shipped_c_contracts)) all.push_back(std::move(item));
    return all;
  }();
  return items;
}

std::string_view kind_of(const Type& type) {
  switch (type.sort->kind) {
  case SortKind::Bool: return "bool";
  case SortKind::Ref: return "ref";
  default: return "int";
  }
}

/// The name under which a contract stands.
std::string contract_key(const std::string& function, const std::string& made_by) {
  return made_by.empty() ? function : function + "<-" + made_by;
}

/// The first contract that fits what the call hands over and takes back.
const ContractItem* find_contract(const std::string& name, const std::vector<Variable>& parameters,
                                  const std::optional<Type>& returns) {
  for (const ContractItem& item : shipped_items()) {
    if (item.is_record || item.name != name) continue;
    if (item.parameters.size() > parameters.size() ||
        (item.parameters.size() < parameters.size() && !item.open_ended))
      continue;
    bool fits = item.returns.empty() || !returns || item.returns == kind_of(*returns);
    for (std::size_t i = 0; i < item.parameters.size(); ++i)
      fits = fits && (item.parameters[i].second == "any" ||
                      item.parameters[i].second == kind_of(parameters[i].type));
    if (fits) return &item;
  }
  return nullptr;
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

} // namespace

std::string without_arguments(const std::string& name) {
  std::string made;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator =
        made.ends_with("operator") || made.ends_with("operator<") || made.ends_with("operator-");
    if (name[i] == '<' && !is_operator) ++depth;
    if (depth == 0) made += name[i];
    if (name[i] == '>' && depth > 0) --depth;
  }
  return made;
}

std::string contract_class(const std::string& class_name) {
  static const std::map<std::string, std::string> parts = {
      {"std::__shared_ptr", "std::shared_ptr"}, {"std::__shared_ptr_access", "std::shared_ptr"},
      {"std::__weak_ptr", "std::weak_ptr"},     {"std::_Function_base", "std::function"},
      {"std::_Vector_base", "std::vector"},     {"std::__mutex_base", "std::mutex"}};
  std::string plain = without_arguments(class_name);
  const auto found = parts.find(plain);
  return found == parts.end() ? plain : found->second;
}

std::string contract_name(const FunctionFact& fact) {
  if (!fact.in_system_header) return fact.qualified;
  if (fact.in_class.empty()) return without_arguments(fact.qualified);
  std::string name = fact.name;
  if (fact.is_constructor) name = without_arguments(fact.in_class);
  if (fact.is_constructor && name.rfind("::") != std::string::npos)
    name = name.substr(name.rfind("::") + 2);
  return contract_class(fact.in_class) + "::" + name;
}

bool is_tame_library(const FunctionFact& fact) {
  if (!fact.in_system_header || fact.name == "operator()") return false;
  const std::string name = contract_name(fact);
  return fails_only_for_memory(name) ||
         std::ranges::any_of(shipped_items(), [&](const ContractItem& item) {
           return !item.is_record && item.name == name;
         });
}

bool same_facts(const std::string& a, const std::string& b) {
  const std::string one = contract_class(a), other = contract_class(b);
  const auto is_stream = [](const std::string& name) {
    return name.ends_with("stream") || name.ends_with("basic_ios") || name.ends_with("ios_base");
  };
  return one == other || (is_stream(one) && is_stream(other));
}

const std::vector<Ghost>& library_ghosts(const std::string& class_name) {
  static const std::map<std::string, std::vector<Ghost>> known = [] {
    std::map<std::string, std::vector<Ghost>> made;
    for (const ContractItem& item : shipped_items()) {
      if (!item.is_record) continue;
      std::string fields = item.text.substr(item.text.find('{') + 1);
      for (std::size_t at = 0; at != std::string::npos;) {
        const auto colon = fields.find(':', at);
        if (colon == std::string::npos) break;
        std::string name = fields.substr(at, colon - at);
        std::erase(name, ' ');
        made[item.name].push_back({name, fields.substr(colon).starts_with(": bool")});
        const auto comma = fields.find(',', colon);
        at = comma == std::string::npos ? comma : comma + 1;
      }
    }
    return made;
  }();
  static const std::vector<Ghost> none;
  const auto found = known.find(contract_class(class_name));
  return found == known.end() ? none : found->second;
}

bool has_library_contract(const std::string& name, const std::string& made_by,
                          const std::vector<Variable>& parameters,
                          const std::optional<Type>& returns) {
  return find_contract(contract_key(name, made_by), parameters, returns) != nullptr;
}

bool speaks_of_object(const FunctionFact& fact) {
  if (fact.is_instance) return true;
  const std::string name = contract_name(fact);
  return fact.in_system_header && !fact.parameters.empty() &&
         std::ranges::any_of(shipped_items(), [&](const ContractItem& item) {
           return item.name == name && !item.parameters.empty() &&
                  item.parameters[0].first == "self";
         });
}

std::vector<std::string> library_exceptions(const FunctionFact& fact) {
  std::vector<std::string> found;
  static const std::regex thrown("throws? `([^`]*)`");
  const std::string name = contract_name(fact);
  for (const ContractItem& item : shipped_items()) {
    if (item.is_record || item.name != name) continue;
    for (auto one = std::sregex_iterator(item.text.begin(), item.text.end(), thrown);
         one != std::sregex_iterator(); ++one)
      found.push_back((*one)[1]);
  }
  return found;
}

namespace {

/// The contract in the types of the call, with names that no name of a component is like.
std::string instance(const ContractItem& contract, const Procedure& procedure,
                     const std::string& object) {
  std::string signature, body = contract.text;
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    const bool named = i < contract.parameters.size();
    const std::string name = named ? contract.parameters[i].first : "more" + std::to_string(i);
    signature += (i ? ", " : "") + name + "$ : " + to_string(procedure.parameters[i].type);
    if (named) body = std::regex_replace(body, std::regex("\\b" + name + "\\b"), name + "$$");
  }
  static const std::regex local(R"(var (\w+) :)");
  std::set<std::string> locals;
  for (auto found = std::sregex_iterator(body.begin(), body.end(), local);
       found != std::sregex_iterator(); ++found)
    locals.insert((*found)[1]);
  for (const std::string& name : locals)
    body = std::regex_replace(body, std::regex("\\b" + name + "\\b"), name + "$$");
  body = std::regex_replace(body, std::regex("self\\$\\.(\\w+)"), "`" + object + ".$1`");
  std::string failures;
  for (const std::string& name : procedure.throws) failures += "if (*) throw `" + name + "`; ";
  replace_all(body, "fail; ", failures);
  if (!procedure.returns) {
    body = std::regex_replace(body, std::regex("return [^;]+;"), "return;");
  } else if (contract.returns.empty() && body.find('{') != std::string::npos) {
    const std::string type = to_string(*procedure.returns);
    body = std::regex_replace(body, std::regex("return;"), "havoc any$$; return any$$;");
    body.insert(body.find('{') + 1, " var any$ : " + type + ";");
  }
  const std::string returns =
      procedure.returns ? " : " + to_string(*procedure.returns) : std::string();
  return "extern `" + procedure.name + "`(" + signature + ")" + returns + body + "\n";
}

} // namespace

Result<void> add_library_contracts(Module& module) {
  std::string text;
  for (const Procedure& procedure : module.procedures) {
    if (procedure.kind != ProcedureKind::Extern || !procedure.blocks.empty() ||
        !procedure.beside.empty())
      continue;
    const std::string& object = procedure.object;
    const ContractItem* contract =
        find_contract(contract_key(procedure.shown_name(), procedure.made_by), procedure.parameters,
                      procedure.returns);
    if (!contract) continue;
    const bool speaks = contract->text.find("self.") != std::string::npos;
    if (speaks && object.empty()) continue; // of an object that is not followed
    text += instance(*contract, procedure, object);
  }
  if (text.empty()) return {};
  if (auto added = add_contracts(module, text, "contracts"); !added)
    return std::unexpected(added.error());
  return {};
}

bool is_longjmp(const std::string& symbol) {
  return symbol == "longjmp" || symbol == "_longjmp" || symbol == "siglongjmp" ||
         symbol == "__longjmp_chk";
}

bool is_setjmp(const std::string& symbol) {
  return symbol == "setjmp" || symbol == "_setjmp" || symbol == "sigsetjmp" ||
         symbol == "__sigsetjmp";
}

} // namespace tacit
