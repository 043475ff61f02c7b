#include "frontend/llvm/library.h"

#include <algorithm>
#include <array>
#include <map>

#include "program/externs.h"
#include "program/print.h"

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
  static constexpr std::array known = {
      "std::basic_string", "std::vector",   "std::deque",     "std::list",
      "std::forward_list", "std::map",      "std::set",       "std::multimap",
      "std::multiset",     "std::unordered_", "std::allocator", "std::shared_ptr",
      "std::make_shared",  "std::__shared", "std::function",  "std::to_string",
      "std::operator+",    "std::operator<<", "std::basic_ostream", "std::basic_string_view",
      "std::__cxx11::",    "std::queue",    "std::stack",     "std::priority_queue",
      "std::_Vector_base", "std::__new_allocator", "std::operator==", "std::operator<",
      "std::_Rb_tree",     "std::operator!=", "std::_Deque", "std::endl", "std::string"};
  if (qualified.ends_with("::at") || qualified.ends_with("::substr") ||
      qualified.ends_with("::operator()"))
    return false;
  return std::ranges::any_of(
      known, [&](std::string_view prefix) { return qualified.starts_with(prefix); });
}

Result<std::vector<std::string>> add_library_contracts(Module& module) {
  (void)module;
  return std::vector<std::string>{};
}

} // namespace tacit
