// Precedence-driven printing. Comparisons are turned so that a constant stands on the right; a
// negated equality is
// `!=`, so that labels read as people write them.
#include "logic/term/print.h"

#include <array>
#include <cctype>

namespace tacit {
namespace {

// Binding strength, weakest first; the same ladder as parse.cpp.
enum Level {
  Lowest,
  Conditional,
  Implication,
  Disjunction,
  Conjunction,
  Comparison,
  Sum,
  Product,
  Prefix,
  Postfix
};

constexpr std::array<std::string_view, 14> reserved = {"true", "false", "null", "all", "in",
                                                       "is",   "u8",    "u16",  "u32", "u64",
                                                       "s8",   "s16",   "s32",  "s64"};

std::string print(Term t, Level context);

std::string infix(Term a, std::string_view op, Term b, Level own, Level left, Level right,
                  Level context) {
  std::string text = print(a, left) + " " + std::string(op) + " " + print(b, right);
  return own < context ? "(" + text + ")" : text;
}

std::string join(Term t, std::string_view op, Level own, Level context) {
  std::string text;
  for (Term a : t->args) {
    if (!text.empty()) text += " " + std::string(op) + " ";
    text += print(a, static_cast<Level>(own + 1));
  }
  return own < context ? "(" + text + ")" : text;
}

std::string compare(Term a, std::string_view op, std::string_view turned, Term b, Level context) {
  if (is_constant(a) && !is_constant(b)) return infix(b, turned, a, Comparison, Sum, Sum, context);
  return infix(a, op, b, Comparison, Sum, Sum, context);
}

/// `x == null` or `x != null` for the Boolean that stands for it.
std::string nullness(std::string_view object, std::string_view op, Level context) {
  std::string text = quote_name(object) + " " + std::string(op) + " null";
  return Comparison < context ? "(" + text + ")" : text;
}

std::string print(Term t, Level context) {
  switch (t->op) {
  case Op::BoolConst: return is_true(t) ? "true" : "false";
  case Op::IntConst: {
    std::string text = to_string(t->number);
    return t->number < 0 && context > Prefix ? "(" + text + ")" : text;
  }
  case Op::EnumConst:
    return quote_name(t->sort->decl->values[static_cast<std::size_t>(t->number)].name);
  case Op::RefConst: return t->number == 0 ? "null" : "ref(" + to_string(t->number) + ")";
  case Op::Var:
    if (const auto object = tested_for_null(t)) return nullness(*object, "!=", context);
    return quote_name(t->name);
  case Op::Not:
    if (const auto object = tested_for_null(t->args[0])) return nullness(*object, "==", context);
    if (t->args[0]->op == Op::Eq)
      return infix(t->args[0]->args[0], "!=", t->args[0]->args[1], Comparison, Sum, Sum, context);
    return "!" + print(t->args[0], Prefix);
  case Op::And: return join(t, "&&", Conjunction, context);
  case Op::Or: return join(t, "||", Disjunction, context);
  case Op::Ite: {
    std::string text = print(t->args[0], Implication) + " ? " + print(t->args[1], Implication) +
                       " : " + print(t->args[2], Conditional);
    return Conditional < context ? "(" + text + ")" : text;
  }
  case Op::Eq: return infix(t->args[0], "==", t->args[1], Comparison, Sum, Sum, context);
  case Op::Lt: return compare(t->args[0], "<", ">", t->args[1], context);
  case Op::Le: return compare(t->args[0], "<=", ">=", t->args[1], context);
  case Op::Add: return infix(t->args[0], "+", t->args[1], Sum, Sum, Product, context);
  case Op::Sub: return infix(t->args[0], "-", t->args[1], Sum, Sum, Product, context);
  case Op::Mul: return infix(t->args[0], "*", t->args[1], Product, Product, Prefix, context);
  case Op::Div: return infix(t->args[0], "/", t->args[1], Product, Product, Prefix, context);
  case Op::Mod: return infix(t->args[0], "%", t->args[1], Product, Product, Prefix, context);
  case Op::Neg: return "-(" + print(t->args[0], Lowest) + ")";
  case Op::Wrap: {
    const Integer bits = t->number < 0 ? -t->number : t->number;
    return (t->number < 0 ? "s" : "u") + to_string(bits) + "(" + print(t->args[0], Lowest) + ")";
  }
  case Op::ToInt: return "int(" + print(t->args[0], Lowest) + ")";
  case Op::Select: return print(t->args[0], Postfix) + "[" + print(t->args[1], Lowest) + "]";
  case Op::Store:
    return print(t->args[0], Postfix) + "[" + print(t->args[1], Lowest) +
           " := " + print(t->args[2], Lowest) + "]";
  case Op::ConstMap: return "all(" + print(t->args[0], Lowest) + ")";
  }
  return "?";
}

} // namespace

std::string quote_name(std::string_view name) {
  auto start = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '~';
  };
  auto part = [&](char c) {
    return start(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.';
  };
  bool plain = !name.empty() && start(name[0]) && name.back() != '.';
  for (std::size_t i = 0; i < name.size() && plain; ++i)
    plain = part(name[i]) && !(name[i] == '.' && i + 1 < name.size() && name[i + 1] == '.');
  for (std::string_view word : reserved) plain = plain && name != word;
  if (plain) return std::string(name);
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + "`";
}

std::optional<std::string_view> tested_for_null(Term variable) {
  std::string_view name = variable->name;
  if (variable->op != Op::Var || variable->sort->kind != SortKind::Bool ||
      !name.ends_with(not_null_suffix) || name.size() == not_null_suffix.size())
    return std::nullopt;
  name.remove_suffix(not_null_suffix.size());
  return name;
}

std::string to_string(Term term) { return print(term, Lowest); }

} // namespace tacit
