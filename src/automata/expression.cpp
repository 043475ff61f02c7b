#include "automata/expression.h"

#include <algorithm>
#include <utility>

#include "base/should.h"

namespace tacit {

namespace {

constexpr std::size_t longest = SIZE_MAX / 4;

} // namespace

Expressions::Expressions(Names name) : name_(std::move(name)) {
  make(Kind::Nothing, 0, {});
  make(Kind::Epsilon, 0, {});
}

Expression Expressions::letter(Letter letter) { return make(Kind::Symbol, letter, {}); }

Expression Expressions::make(Kind kind, Letter letter, std::vector<Expression> parts) {
  auto [place, is_new] =
      known_.try_emplace(std::tuple(kind, letter, parts), static_cast<Expression>(nodes_.size()));
  if (!is_new) return place->second;

  std::size_t length = 0;
  for (Expression part : parts)
    length = std::min(longest, length + this->length(part) + 2 * needs_parentheses(kind, part));
  const auto is_nullable = [&](Expression part) { return nullable(part); };
  bool nullable = false;
  switch (kind) {
  case Kind::Nothing: length = std::string_view("∅").size(); break;
  case Kind::Epsilon: length = std::string_view("ε").size(), nullable = true; break;
  case Kind::Symbol: length = name_(letter).size(); break;
  case Kind::Concat:
    length += parts.size() - 1;
    nullable = std::ranges::all_of(parts, is_nullable);
    break;
  case Kind::Union:
    length += 3 * (parts.size() - 1);
    nullable = std::ranges::any_of(parts, is_nullable);
    break;
  case Kind::Star:
  case Kind::Optional: length += 1, nullable = true; break;
  case Kind::Plus: length += 1, nullable = is_nullable(parts.front()); break;
  }
  nodes_.push_back({kind, letter, std::move(parts), nullable, length});
  return place->second;
}

std::vector<Expression> Expressions::parts_as(Kind kind, Expression e) const {
  if (nodes_[e].kind == kind) return nodes_[e].parts;
  return {e};
}

// Whether it is plain to see that the language of e lies in that of body*.
bool Expressions::within_star(Expression e, Expression body) const {
  if (e == body) return true;
  if (kind(body) == Kind::Union && std::ranges::count(nodes_[body].parts, e) > 0) return true;
  switch (kind(e)) {
  case Kind::Nothing:
  case Kind::Epsilon: return true;
  case Kind::Symbol: return false;
  default:
    return std::ranges::all_of(nodes_[e].parts,
                               [&](Expression part) { return within_star(part, body); });
  }
}

// --- concatenation

Expression Expressions::concat(std::vector<Expression> parts) {
  std::vector<Expression> flat;
  for (Expression part : parts) {
    if (kind(part) == Kind::Nothing) return nothing();
    if (kind(part) == Kind::Epsilon) continue;
    auto inner_parts = parts_as(Kind::Concat, part);
    flat.insert(flat.end(), inner_parts.begin(), inner_parts.end());
  }
  // Every success shortens the list, and may make another one possible.
  for (std::size_t i = 0; i + 1 < flat.size();)
    if (simplify_concat_at(flat, i))
      i = 0;
    else
      ++i;
  if (flat.empty()) return epsilon();
  if (flat.size() == 1) return flat.front();
  return make(Kind::Concat, 0, std::move(flat));
}

// Tries the rules of concat() on parts[i] and parts[i+1].
bool Expressions::simplify_concat_at(std::vector<Expression>& parts, std::size_t i) {
  const Expression x = parts[i], y = parts[i + 1];
  const auto at = [&](std::size_t index) {
    return parts.begin() + static_cast<std::ptrdiff_t>(index);
  };

  if (repeats(y) && nullable(x) && within_star(x, inner(y))) return parts.erase(at(i)), true;
  if (repeats(x) && nullable(y) && within_star(y, inner(x))) return parts.erase(at(i + 1)), true;

  if (kind(y) == Kind::Star) { // S S*, where S may be several parts
    const auto body = parts_as(Kind::Concat, inner(y));
    if (body.size() <= i + 1 && std::equal(body.begin(), body.end(), at(i + 1 - body.size()))) {
      parts[i + 1] = plus(inner(y));
      parts.erase(at(i + 1 - body.size()), at(i + 1));
      return true;
    }
  }
  if (kind(x) == Kind::Star) { // S* S
    const auto body = parts_as(Kind::Concat, inner(x));
    if (i + 1 + body.size() <= parts.size() && std::equal(body.begin(), body.end(), at(i + 1))) {
      parts[i] = plus(inner(x));
      parts.erase(at(i + 1), at(i + 1 + body.size()));
      return true;
    }
  }
  if (Expression joined = denest(x, y); joined != nothing()) {
    parts[i] = joined;
    parts.erase(at(i + 1));
    return true;
  }
  return false;
}

// (S* y)* S* and S* (y S*)* as (S | y)*; nothing() if it is neither.
Expression Expressions::denest(Expression first, Expression second) {
  if (kind(first) != Kind::Star || kind(second) != Kind::Star) return nothing();
  if (auto body = parts_as(Kind::Concat, inner(first)); body.size() > 1 && body.front() == second) {
    body.erase(body.begin());
    return star(unite({inner(second), concat(body)}));
  }
  if (auto body = parts_as(Kind::Concat, inner(second)); body.size() > 1 && body.back() == first) {
    body.pop_back();
    return star(unite({inner(first), concat(body)}));
  }
  return nothing();
}

// --- union

Expression Expressions::unite(std::vector<Expression> parts) {
  bool with_epsilon = false;
  bool changed = true;
  while (changed) {
    // Flatten; x? gives x, with the ε put aside.
    std::vector<Expression> flat;
    while (!parts.empty()) {
      const Expression part = parts.back();
      parts.pop_back();
      if (kind(part) == Kind::Union || kind(part) == Kind::Optional) {
        with_epsilon |= kind(part) == Kind::Optional;
        const auto& inner_parts = nodes_[part].parts;
        parts.insert(parts.end(), inner_parts.begin(), inner_parts.end());
      } else if (kind(part) == Kind::Epsilon) {
        with_epsilon = true;
      } else if (kind(part) != Kind::Nothing) {
        flat.push_back(part);
      }
    }
    std::ranges::sort(flat, [&](Expression a, Expression b) { return compare(a, b) < 0; });
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    parts = std::move(flat);
    changed = absorb(parts, with_epsilon) || factor(parts, true) || factor(parts, false);
  }

  Expression result = parts.empty()       ? (with_epsilon ? epsilon() : nothing())
                      : parts.size() == 1 ? parts.front()
                                          : make(Kind::Union, 0, std::move(parts));
  return with_epsilon ? optional(result) : result;
}

// Drops one part that lies within another one, S* or S+; false if there is none.
bool Expressions::absorb(std::vector<Expression>& parts, bool& with_epsilon) const {
  for (Expression big : parts) {
    if (!repeats(big)) continue;
    auto small = std::ranges::find_if(
        parts, [&](Expression e) { return e != big && within_star(e, inner(big)); });
    if (small == parts.end()) continue;
    with_epsilon |= nullable(*small); // S+ may not have it
    parts.erase(small);
    return true;
  }
  return false;
}

// Takes common first (or last) factors out; false if there are none.
bool Expressions::factor(std::vector<Expression>& parts, bool from_front) {
  struct Group {
    Expression factor;
    std::vector<Expression> rests;
  };
  std::vector<Group> groups;
  for (Expression part : parts) {
    auto factors = parts_as(Kind::Concat, part);
    const Expression common = from_front ? factors.front() : factors.back();
    factors.erase(from_front ? factors.begin() : factors.end() - 1);
    auto group = std::ranges::find(groups, common, &Group::factor);
    if (group == groups.end()) group = groups.insert(groups.end(), {common, {}});
    group->rests.push_back(concat(std::move(factors)));
  }
  if (groups.size() == parts.size()) return false;

  parts.clear();
  for (Group& group : groups) {
    const Expression rest = unite(std::move(group.rests));
    parts.push_back(from_front ? concat({group.factor, rest}) : concat({rest, group.factor}));
  }
  return true;
}

// --- repetition

Expression Expressions::star(Expression part) {
  std::vector<Expression> parts = parts_as(Kind::Union, part);
  if (!simplify_star_body(parts)) {
    if (kind(part) == Kind::Nothing || kind(part) == Kind::Epsilon) return epsilon();
    return make(Kind::Star, 0, {part});
  }
  return star(unite(std::move(parts)));
}

// One step of the rules of star() on the alternatives below it.
bool Expressions::simplify_star_body(std::vector<Expression>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Expression part = parts[i];
    if (repeats(part) || kind(part) == Kind::Optional) {
      parts[i] = inner(part);
      return true;
    }
    if (kind(part) != Kind::Concat) continue;
    auto factors = nodes_[part].parts;
    if (nullable(part)) { // all factors are: their order plays no role
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      parts.insert(parts.end(), factors.begin(), factors.end());
      return true;
    }
    // x y? | … where the others do for y as well.
    std::vector<Expression> others = parts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (others.empty()) continue;
    const Expression rest = unite(others);
    if (within_star(part, rest)) {
      parts = std::move(others);
      return true;
    }
    const std::size_t before = factors.size();
    const auto superfluous = [&](Expression f) { return nullable(f) && within_star(f, rest); };
    while (superfluous(factors.back())) factors.pop_back();
    while (superfluous(factors.front())) factors.erase(factors.begin());
    if (factors.size() != before) {
      parts[i] = concat(std::move(factors));
      return true;
    }
  }
  return false;
}

Expression Expressions::plus(Expression part) {
  if (nullable(part)) return star(part);
  if (kind(part) == Kind::Plus) return part;
  return make(Kind::Plus, 0, {part});
}

Expression Expressions::optional(Expression part) {
  if (nullable(part)) return part;
  if (kind(part) == Kind::Nothing) return epsilon();
  if (kind(part) == Kind::Plus) return star(inner(part));
  return make(Kind::Optional, 0, {part});
}

// --- order and text

Letter Expressions::first_letter(Expression e) const {
  while (!nodes_[e].parts.empty()) e = inner(e);
  return nodes_[e].letter;
}

int Expressions::compare(Expression a, Expression b) const {
  if (a == b) return 0;
  const auto key = [&](Expression e) {
    return std::tuple(kind(e) != Kind::Symbol, first_letter(e), length(e), kind(e),
                      nodes_[e].parts.size());
  };
  if (key(a) != key(b)) return key(a) < key(b) ? -1 : 1;
  for (std::size_t i = 0; i < nodes_[a].parts.size(); ++i)
    if (int order = compare(nodes_[a].parts[i], nodes_[b].parts[i]); order != 0) return order;
  should_not_be_reached("different expressions should differ in some part");
}

bool Expressions::needs_parentheses(Kind around, Expression e) const {
  switch (around) {
  case Kind::Concat: return kind(e) == Kind::Union;
  case Kind::Star:
  case Kind::Plus:
  case Kind::Optional: return kind(e) == Kind::Union || kind(e) == Kind::Concat;
  default: return false;
  }
}

std::string Expressions::print(Expression expression) const {
  std::string text;
  print(expression, text);
  return text;
}

void Expressions::print(Expression e, std::string& text) const {
  const Node& node = nodes_[e];
  if (node.kind == Kind::Nothing) text += "∅";
  if (node.kind == Kind::Epsilon) text += "ε";
  if (node.kind == Kind::Symbol) text += name_(node.letter);
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    if (i > 0) text += node.kind == Kind::Union ? " | " : " ";
    const bool parentheses = needs_parentheses(node.kind, node.parts[i]);
    if (parentheses) text += '(';
    print(node.parts[i], text);
    if (parentheses) text += ')';
  }
  if (node.kind == Kind::Star) text += '*';
  if (node.kind == Kind::Plus) text += '+';
  if (node.kind == Kind::Optional) text += '?';
}

} // namespace tacit
