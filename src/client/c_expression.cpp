#include "client/c_expression.h"

#include <fmt/format.h>

#include "logic/term/print.h"

namespace tacit {

namespace {

std::string number(Integer value) {
  // The least one is no literal.
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  return fmt::format("{}LL", static_cast<std::int64_t>(value));
}

bool is_plain(Term term) { return term->op == Op::Var || term->op == Op::IntConst; }

/// A number as the source has it: compared with another such one, it keeps its own type.
std::optional<std::string> plain(Term term, const CName& name) {
  if (term->op == Op::IntConst && term->number >= 0 && term->number <= 0x7fffffff)
    return fmt::format("{}", static_cast<std::int64_t>(term->number));
  return c_expression(term, name);
}

std::optional<std::string> compared(Term term, const char* by, const CName& name) {
  const Term a = term->args[0], b = term->args[1];
  const bool numbers = a->sort->kind == SortKind::Int;
  const auto side = [&](Term one) -> std::optional<std::string> {
    if (!numbers) return c_expression(one, name);
    if (is_plain(a) && is_plain(b)) return plain(one, name);
    const auto text = c_expression(one, name);
    return text ? std::optional("(long long)" + *text) : std::nullopt;
  };
  const auto left = side(a), right = side(b);
  if (!left || !right) return std::nullopt;
  return fmt::format("({} {} {})", *left, by, *right);
}

std::optional<std::string> joined(Term term, const char* by, const CName& name) {
  std::string all;
  for (const Term one : term->args) {
    const auto text = c_expression(one, name);
    if (!text) return std::nullopt;
    const std::string cast = term->sort->kind == SortKind::Int ? "(long long)" : "";
    all += (all.empty() ? "" : fmt::format(" {} ", by)) + cast + *text;
  }
  return "(" + all + ")";
}

std::optional<std::string> wrapped(Term term, const CName& name) {
  const auto inner = c_expression(term->args[0], name);
  if (!inner) return std::nullopt;
  const bool is_signed = term->number < 0;
  const char* type = nullptr;
  switch (static_cast<int>(is_signed ? -term->number : term->number)) {
  case 8: type = is_signed ? "signed char" : "unsigned char"; break;
  case 16: type = is_signed ? "short" : "unsigned short"; break;
  case 32: type = is_signed ? "int" : "unsigned"; break;
  case 64: type = is_signed ? "long long" : "unsigned long long"; break;
  default: return std::nullopt;
  }
  return fmt::format("(({}){})", type, *inner);
}

} // namespace

std::optional<std::string> c_expression(Term term, const CName& name) {
  switch (term->op) {
  case Op::BoolConst: return term->number ? "1" : "0";
  case Op::IntConst:
    if (term->number > std::numeric_limits<std::int64_t>::max() ||
        term->number < std::numeric_limits<std::int64_t>::min())
      return std::nullopt;
    return number(term->number);
  case Op::EnumConst:
    return number(term->sort->decl->values[static_cast<std::size_t>(term->number)].value);
  case Op::RefConst: return term->number == 0 ? std::optional<std::string>("0") : std::nullopt;
  case Op::Var: return name(term);
  case Op::Not: {
    const auto inner = c_expression(term->args[0], name);
    return inner ? std::optional("!" + *inner) : std::nullopt;
  }
  case Op::And: return joined(term, "&&", name);
  case Op::Or: return joined(term, "||", name);
  case Op::Ite: {
    const auto condition = c_expression(term->args[0], name);
    const auto then = c_expression(term->args[1], name), other = c_expression(term->args[2], name);
    if (!condition || !then || !other) return std::nullopt;
    return fmt::format("({} ? {} : {})", *condition, *then, *other);
  }
  case Op::Eq: return compared(term, "==", name);
  case Op::Lt: return compared(term, "<", name);
  case Op::Le: return compared(term, "<=", name);
  case Op::Add: return joined(term, "+", name);
  case Op::Sub: return joined(term, "-", name);
  case Op::Mul: return joined(term, "*", name);
  case Op::Div: return joined(term, "/", name);
  case Op::Mod: return joined(term, "%", name);
  case Op::Neg: {
    const auto inner = c_expression(term->args[0], name);
    return inner ? std::optional("(-(long long)" + *inner + ")") : std::nullopt;
  }
  case Op::Wrap: return wrapped(term, name);
  case Op::ToInt: return c_expression(term->args[0], name);
  case Op::Select:
  case Op::Store:
  case Op::ConstMap: break;
  }
  return std::nullopt;
}

} // namespace tacit
