#include "export/plain_label.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "base/integer.h"
#include "interface/source_words.h"

namespace tacit {

namespace {

constexpr std::size_t most_alternatives = 64; // of a longer label nobody reads them all

constexpr std::string_view operators[] = {"==", "!=", "<=", ">=", "<", ">"};

struct Comparison {
  std::string what;
  std::string_view by;
  std::string with;
};

/// At the only comparison outside of brackets.
std::optional<Comparison> comparison(const std::string& text) {
  std::optional<Comparison> found;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth != 0 || c != ' ') continue;
    if (text.compare(i, 3, " ? ") == 0 || text.compare(i, 4, " => ") == 0) return std::nullopt;
    for (const std::string_view op : operators) {
      if (text.compare(i + 1, op.size(), op) != 0 || i + 1 + op.size() >= text.size() ||
          text[i + 1 + op.size()] != ' ')
        continue;
      if (found) return std::nullopt;
      found = Comparison{text.substr(0, i), op, text.substr(i + op.size() + 2)};
    }
  }
  return found;
}

/// `x + 2` is `x`, and 2 more; a sum without brackets whose last part is a number.
Integer take_offset(std::string& what) {
  Integer offset = 0;
  for (;;) {
    const std::size_t space = what.rfind(' ');
    if (space == std::string::npos || space < 2) return offset;
    const auto number = parse_integer(what.substr(space + 1));
    const std::string before = what.substr(0, space);
    const bool plus = before.ends_with(" +"), minus = before.ends_with(" -");
    if (!number || (!plus && !minus)) return offset;
    const auto sum = plus ? checked_add(offset, *number) : checked_sub(offset, *number);
    if (!sum) return offset;
    offset = *sum;
    what = before.substr(0, before.size() - 2);
  }
}

/// The whole numbers that a comparison, or several, leave.
struct Range {
  std::optional<Integer> least, most;
  std::set<Integer> without; // strictly between them
  bool below = false;        // the label says `<` of what comes after the most

  bool empty() const { return least && most && *least > *most; }
  bool full() const { return !least && !most && without.empty(); }

  void tidy() {
    while (least && without.erase(*least) > 0) ++*least;
    while (most && without.erase(*most) > 0) --*most, below = true;
    std::erase_if(without, [&](Integer n) { return (least && n < *least) || (most && n > *most); });
  }
  void meet(const Range& other) {
    if (other.least && (!least || *other.least > *least)) least = other.least;
    if (other.most && (!most || *other.most < *most)) most = other.most, below = other.below;
    without.insert(other.without.begin(), other.without.end());
    tidy();
  }
  bool contains(Integer n) const {
    return (!least || n >= *least) && (!most || n <= *most) && !without.contains(n);
  }
  bool includes(const Range& other) const {
    if (other.empty()) return true;
    if (least && (!other.least || *other.least < *least)) return false;
    if (most && (!other.most || *other.most > *most)) return false;
    return std::ranges::all_of(without, [&](Integer n) { return !other.contains(n); });
  }
  /// Both together, if that is a range again.
  std::optional<Range> joined(const Range& other) const {
    const auto apart = [](const Range& low, const Range& high) {
      return low.most && high.least && *high.least > *low.most + 1;
    };
    if (apart(*this, other) || apart(other, *this)) return punctured(other);
    Range both;
    if (least && other.least) both.least = std::min(*least, *other.least);
    if (most && other.most) both.most = std::max(*most, *other.most);
    both.below = most && both.most == most ? below : other.below;
    for (const auto* one : {this, &other})
      for (Integer n : one->without)
        if (!contains(n) && !other.contains(n)) both.without.insert(n);
    return both;
  }
  /// `x < 3 || x > 3`.
  std::optional<Range> punctured(const Range& other) const {
    const Range &low = most && other.least && *most < *other.least ? *this : other,
                &high = &low == this ? other : *this;
    if (!low.without.empty() || !high.without.empty() || *high.least - *low.most != 2)
      return std::nullopt;
    return Range{low.least, high.most, {*low.most + 1}, high.below};
  }
};

/// What one alternative says of one thing: a range, a set of enumerators, or yes and no.
struct Said {
  enum class Kind { Range, Members, Truth } kind = Kind::Truth;
  Range range;
  std::set<std::string> members;                    // those that are left
  const std::vector<std::string>* domain = nullptr; // of these
  bool truth = true;

  bool empty() const {
    return kind == Kind::Range ? range.empty() : kind == Kind::Members && members.empty();
  }
  bool full() const {
    return kind == Kind::Range ? range.full()
                               : kind == Kind::Members && members.size() == domain->size();
  }
  bool includes(const Said& other) const {
    if (kind == Kind::Range) return range.includes(other.range);
    if (kind == Kind::Members) return std::ranges::includes(members, other.members);
    return truth == other.truth;
  }
  /// False when the two cannot both hold.
  bool meet(const Said& other) {
    if (kind == Kind::Range) {
      range.meet(other.range);
    } else if (kind == Kind::Members) {
      std::erase_if(members, [&](const std::string& m) { return !other.members.contains(m); });
    } else {
      return truth == other.truth;
    }
    return !empty();
  }
  /// Both together; `nothing` is set when that is no restriction.
  std::optional<Said> joined(const Said& other, bool& nothing) const {
    Said both = *this;
    if (kind == Kind::Range) {
      const auto range_of_both = range.joined(other.range);
      if (!range_of_both) return std::nullopt;
      both.range = *range_of_both;
    } else if (kind == Kind::Members) {
      both.members.insert(other.members.begin(), other.members.end());
    }
    nothing = kind == Kind::Truth ? truth != other.truth : both.full();
    return both;
  }
};

/// By what it is said of, in the order of the label.
using Alternative = std::vector<std::pair<std::string, Said>>;

const Said* find(const Alternative& all, const std::string& what) {
  const auto found = std::ranges::find(all, what, [](const auto& one) { return one.first; });
  return found == all.end() ? nullptr : &found->second;
}

std::pair<std::string, Said> said_by(const std::string& conjunct, const EnumDomains& domains) {
  if (auto one = comparison(conjunct)) {
    if (const auto number = parse_integer(one->with)) {
      const auto limit = checked_sub(*number, take_offset(one->what));
      Said said{.kind = Said::Kind::Range};
      if (!limit) return {conjunct, Said{}};
      if (one->by == "!=") said.range.without.insert(*limit);
      if (one->by == "==" || one->by == ">=") said.range.least = *limit;
      if (one->by == "==" || one->by == "<=") said.range.most = *limit;
      said.range.below = one->by == "<";
      if (said.range.below) said.range.most = *limit - 1;
      if (one->by == ">") said.range.least = *limit + 1;
      return {one->what, said};
    }
    const auto domain = domains.find(one->what);
    const bool equal = one->by == "==", differs = one->by == "!=";
    if (domain != domains.end() && (equal || differs) &&
        std::ranges::find(domain->second, one->with) != domain->second.end()) {
      Said said{.kind = Said::Kind::Members, .domain = &domain->second};
      for (const std::string& member : domain->second)
        if ((member == one->with) == equal) said.members.insert(member);
      return {one->what, said};
    }
    if (differs) return {one->what + " == " + one->with, Said{.truth = false}};
    return {conjunct, Said{}};
  }
  if (conjunct.starts_with('!') && conjunct.find(' ') == std::string::npos)
    return {conjunct.substr(1), Said{.truth = false}};
  return {conjunct, Said{}};
}

/// No value when it cannot hold.
std::optional<Alternative> alternative(const std::vector<std::string>& conjuncts,
                                       const EnumDomains& domains) {
  Alternative all;
  for (const std::string& conjunct : conjuncts) {
    if (conjunct == "true") continue;
    auto [what, said] = said_by(conjunct, domains);
    const auto known = std::ranges::find(all, what, [](const auto& one) { return one.first; });
    if (known == all.end())
      all.emplace_back(std::move(what), std::move(said));
    else if (known->second.kind != said.kind)
      all.emplace_back(conjunct, Said{});
    else if (!known->second.meet(said))
      return std::nullopt;
  }
  return all;
}

/// Whether all that the wide one asks of other things than that holds in the narrow one.
bool includes(const Alternative& wide, const Alternative& narrow, const std::string& but = "") {
  return std::ranges::all_of(wide, [&](const auto& one) {
    const Said* other = one.first == but ? nullptr : find(narrow, one.first);
    return one.first == but ||
           (other && other->kind == one.second.kind && one.second.includes(*other));
  });
}

/// Makes the second one say less, as far as the first covers that. True when it does.
bool relax(const Alternative& one, Alternative& other) {
  for (const auto& [what, said] : one) {
    const auto at = std::ranges::find(other, what, [](const auto& x) { return x.first; });
    if (at == other.end() || at->second.kind != said.kind || said.includes(at->second) ||
        !includes(one, other, what))
      continue;
    bool nothing = false;
    const auto both = at->second.joined(said, nothing);
    if (!both) continue;
    if (nothing) {
      other.erase(at);
      return true;
    }
    if (at->second.includes(said) || !includes(other, one, what)) continue;
    at->second = *both;
    return true;
  }
  return false;
}

void join(std::vector<Alternative>& all) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size();) {
        if (i == j) {
          ++j;
        } else if (includes(all[i], all[j])) {
          all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
          if (j < i) --i;
          changed = true;
        } else {
          changed |= relax(all[i], all[j]);
          ++j;
        }
      }
  }
}

void write(const std::string& what, const Range& range, std::vector<std::string>& conjuncts) {
  const auto add = [&](std::string_view by, Integer n) {
    conjuncts.push_back(fmt::format("{} {} {}", what, by, to_string(n)));
  };
  if (range.least && range.most && *range.least == *range.most) return add("==", *range.least);
  if (range.least) *range.least == 1 ? add(">", 0) : add(">=", *range.least);
  if (range.most)
    range.below || *range.most == -1 ? add("<", *range.most + 1) : add("<=", *range.most);
  for (Integer n : range.without) add("!=", n);
}

std::string negated(const std::string& text) {
  if (const auto one = comparison(text)) return one->what + " != " + one->with;
  return "!" + text;
}

std::vector<std::string> written(const Alternative& all) {
  std::vector<std::string> conjuncts;
  for (const auto& [what, said] : all) {
    if (said.kind == Said::Kind::Range) {
      write(what, said.range, conjuncts);
    } else if (said.kind == Said::Kind::Truth) {
      conjuncts.push_back(said.truth ? what : negated(what));
    } else if (2 * said.members.size() < said.domain->size() || said.members.size() == 1) {
      std::vector<std::string> some;
      for (const std::string& member : *said.domain)
        if (said.members.contains(member)) some.push_back(what + " == " + member);
      const auto text = fmt::format("{}", fmt::join(some, " || "));
      conjuncts.push_back(some.size() == 1 ? text : "(" + text + ")");
    } else {
      for (const std::string& member : *said.domain)
        if (!said.members.contains(member)) conjuncts.push_back(what + " != " + member);
    }
  }
  if (conjuncts.empty()) conjuncts.emplace_back("true");
  return conjuncts;
}

/// `(!a && b || a)` in brackets of its own.
std::string plain_conjunct(const std::string& conjunct, const EnumDomains& domains) {
  if (!conjunct.starts_with('(') || !conjunct.ends_with(')')) return conjunct;
  const std::string inside = conjunct.substr(1, conjunct.size() - 2);
  int depth = 0;
  for (const char c : inside) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) return conjunct; // `(a) == (b)`
  }
  std::vector<std::string> all;
  for (const auto& one : plain_alternatives(inside, domains))
    all.push_back(fmt::format("{}", fmt::join(one, " && ")));
  return all.size() == 1 && all[0].find(" ? ") == std::string::npos
             ? all[0]
             : fmt::format("({})", fmt::join(all, " || "));
}

} // namespace

std::vector<std::vector<std::string>> plain_alternatives(const std::string& label,
                                                         const EnumDomains& domains) {
  const auto as_it_is = alternatives_of(label);
  if (label.empty() || as_it_is.size() > most_alternatives) return as_it_is;
  std::vector<Alternative> all;
  for (auto conjuncts : as_it_is) {
    for (std::string& conjunct : conjuncts) conjunct = plain_conjunct(conjunct, domains);
    if (auto one = alternative(conjuncts, domains)) all.push_back(std::move(*one));
  }
  if (all.empty()) return as_it_is;
  join(all);
  std::vector<std::vector<std::string>> plain;
  for (const Alternative& one : all) plain.push_back(written(one));
  return plain;
}

} // namespace tacit
