// Reads error specifications. Only their shape is checked here; whether the names exist is for
// instrument.cpp, which has the module.
#include "program/observe/instrument.h"

#include <string_view>

#include "program/ir/names.h"

namespace tacit {

namespace {

constexpr std::string_view forms =
    "assert, throws:TYPE, throws:*, throws:TYPE@Class.method, throws:TYPE@file:line, returns:COND, "
    "METHOD=returns:COND (METHOD may have wildcards *), reach:FUNCTION, state:COND, error:NAME, "
    "error:*";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

/// What follows `prefix`, without spaces around it; empty when the text does not start so.
std::string after(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? trimmed(text.substr(prefix.size())) : "";
}

bool read_throws(ErrorSpec& spec, const std::string& rest) {
  const std::size_t at = rest.find('@');
  spec.kind = ErrorSpec::Kind::Throws;
  spec.subject = trimmed(rest.substr(0, at));
  if (at != std::string::npos) spec.site = trimmed(rest.substr(at + 1));
  return !spec.subject.empty() && (at == std::string::npos || !spec.site.empty());
}

bool read_returns(ErrorSpec& spec, std::string_view text) {
  constexpr std::string_view keyword = "returns:";
  const std::size_t start = text.find(keyword);
  if (start == std::string_view::npos) return false;
  if (start > 0) {
    const std::string before = trimmed(text.substr(0, start));
    if (!before.ends_with('=')) return false;
    spec.method = trimmed(before.substr(0, before.size() - 1));
    if (spec.method.empty()) return false;
  }
  spec.kind = ErrorSpec::Kind::Returns;
  spec.condition = trimmed(text.substr(start + keyword.size()));
  return !spec.condition.empty();
}

bool read_spec(ErrorSpec& spec) {
  using Kind = ErrorSpec::Kind;
  const std::string_view text = spec.text;
  if (text == "assert") {
    spec.kind = Kind::Assert;
    spec.subject = "assert";
    return true;
  }
  if (const auto rest = after(text, "throws:"); !rest.empty()) return read_throws(spec, rest);
  if (spec.subject = after(text, "reach:"); !spec.subject.empty()) {
    spec.kind = Kind::Reach;
    return true;
  }
  if (spec.subject = after(text, "error:"); !spec.subject.empty()) {
    spec.kind = Kind::Named;
    return true;
  }
  if (spec.condition = after(text, "state:"); !spec.condition.empty()) {
    spec.kind = Kind::InState;
    return true;
  }
  return read_returns(spec, text);
}

} // namespace

bool ErrorSpec::concerns(std::string_view name) const {
  return method.empty() || name_matches(method, name) || takes_call(method, name);
}

Result<AsideSite> parse_aside(const std::string& text) {
  const std::size_t at = text.rfind('@');
  AsideSite aside;
  if (at != std::string::npos) {
    aside.call = trimmed(std::string_view(text).substr(0, at));
    aside.site = trimmed(std::string_view(text).substr(at + 1));
  }
  if (aside.call.empty() || aside.site.empty())
    return fail("cannot read the site '{}'; the form is call@file:line", text);
  return aside;
}

Result<ErrorSpec> parse_error_spec(const std::string& text) {
  ErrorSpec spec;
  spec.text = trimmed(text);
  if (!read_spec(spec))
    return fail("cannot read error specification '{}'; the forms are {}", text, forms);
  return spec;
}

} // namespace tacit
