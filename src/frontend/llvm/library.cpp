#include "frontend/llvm/library.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

#include "program/externs.h"
#include "program/print.h"

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

std::vector<std::string> library_exceptions(const std::string& demangled) {
  const auto has = [&](std::string_view text) { return demangled.find(text) != std::string::npos; };
  if (has("mutex::lock") || has("mutex::try_lock") || has("condition_variable"))
    return {"std::system_error"};
  if (has("::at(") || has("::substr(")) return {"std::out_of_range"};
  if (demangled.starts_with("std::function<") && has("::operator()("))
    return {"std::bad_function_call"};
  return {};
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

/// One line of a contract file.
struct ContractItem {
  bool is_record = false;
  std::string name, text;
  std::size_t parameters = 0;
};

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
    if (line[at] == '`') {
      const auto close = line.find('`', at + 1);
      item.name = line.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      const auto close = line.find_first_of(" (", at);
      item.name = line.substr(at, close - at);
      at = close;
    }
    item.text = line.substr(at);
    if (!item.is_record && item.text[1] != ')')
      item.parameters = 1 + static_cast<std::size_t>(
                                std::ranges::count(item.text.substr(0, item.text.find(')')), ','));
    items.push_back(std::move(item));
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

const ContractItem* find_contract(const std::string& name, std::size_t parameters) {
  for (const ContractItem& item : shipped_items())
    if (!item.is_record && item.name == name && item.parameters == parameters) return &item;
  return nullptr;
}

/// Names of the contract's own, which no name of a component is like.
void rename_own(std::string& text) {
  static const std::regex parameter(R"((\w+) : (ref|int|bool))");
  std::set<std::string> own;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), parameter);
       found != std::sregex_iterator(); ++found)
    own.insert((*found)[1]);
  for (const std::string& name : own)
    text = std::regex_replace(text, std::regex("\\b" + name + "\\b"), name + "$$");
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

std::string contract_name(const FunctionFact& fact) {
  if (!fact.in_system_header) return fact.qualified;
  return fact.in_class.empty() ? without_arguments(fact.qualified)
                               : without_arguments(fact.in_class) + "::" + fact.name;
}

bool is_tame_library(const FunctionFact& fact) {
  if (!fact.in_system_header || fact.name == "operator()") return false;
  const std::string name = contract_name(fact);
  return fails_only_for_memory(name) ||
         std::ranges::any_of(shipped_items(), [&](const ContractItem& item) {
           return !item.is_record && item.name == name;
         });
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
  const auto found = known.find(without_arguments(class_name));
  return found == known.end() ? none : found->second;
}

bool has_library_contract(const std::string& name, std::size_t parameters) {
  return find_contract(name, parameters) != nullptr;
}

Result<void> add_library_contracts(Module& module) {
  std::string text;
  for (const Procedure& procedure : module.procedures) {
    if (procedure.kind != ProcedureKind::Extern || !procedure.blocks.empty()) continue;
    std::string base = procedure.name.substr(0, procedure.name.find('#'));
    const auto at = base.find('@');
    const std::string object = at == std::string::npos ? "" : base.substr(at + 1);
    base = base.substr(0, at);
    const ContractItem* contract = find_contract(base, procedure.parameters.size());
    if (!contract) continue;
    std::string body = contract->text;
    const bool speaks = body.find("self.") != std::string::npos;
    if (speaks && object.empty()) continue; // of an object that is not followed
    rename_own(body);
    for (const Ghost& ghost : library_ghosts(base.substr(0, base.rfind("::"))))
      replace_all(body, "self$." + ghost.name, "`" + object + "." + ghost.name + "`");
    text += "extern `" + procedure.name + "`" + body + "\n";
  }
  if (text.empty()) return {};
  if (auto added = add_contracts(module, text, "contracts"); !added)
    return std::unexpected(added.error());
  return {};
}

} // namespace tacit
