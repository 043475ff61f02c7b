#include "finite/bdd/number.h"

#include <algorithm>
#include <bit>

namespace tacit {
namespace {

/// a + b + carry to the given width.
std::vector<Bdd> sum(const Number& a, const Number& b, bool inverted, std::size_t width) {
  std::vector<Bdd> bits;
  Bdd carry(inverted);
  for (std::size_t i = 0; i < width; ++i) {
    const Bdd& x = a.bit(i);
    const Bdd y = inverted ? !b.bit(i) : b.bit(i);
    const Bdd both = x ^ y;
    bits.push_back(both ^ carry);
    if (i + 1 < width) carry = ite(both, carry, x);
  }
  return bits;
}

Number absolute(const Number& a) { return choose(a.sign(), negate(a), a); }

} // namespace

Number::Number(std::vector<Bdd> bits) : bits_(std::move(bits)) {
  while (bits_.size() > 1 && bits_.back() == bits_[bits_.size() - 2]) bits_.pop_back();
}

Number Number::constant(Integer value) {
  std::vector<Bdd> bits;
  for (; value != 0 && value != -1; value >>= 1) bits.emplace_back((value & 1) != 0);
  bits.emplace_back(value < 0);
  return Number(std::move(bits));
}

Number Number::truth(const Bdd& value) { return Number({value, Bdd(false)}); }

Number Number::from_natural(std::vector<Bdd> bits) {
  bits.emplace_back(false);
  return Number(std::move(bits));
}

std::optional<Integer> Number::as_constant() const {
  Integer value = sign().is_true() ? -1 : 0;
  for (std::size_t i = bits_.size(); i-- > 0;) {
    if (!bits_[i].is_constant()) return std::nullopt;
    value = value * 2 + (bits_[i].is_true() ? 1 : 0);
  }
  return value;
}

Number Number::cut(std::size_t width) const {
  if (bits_.size() <= width) return *this;
  return Number(
      std::vector<Bdd>(bits_.begin(), bits_.begin() + static_cast<std::ptrdiff_t>(width)));
}

Bdd equal(const Number& a, const Number& b) {
  Bdd all(true);
  for (std::size_t i = 0; i < std::max(a.width(), b.width()) && !all.is_false(); ++i)
    all &= same(a.bit(i), b.bit(i));
  return all;
}

Bdd less(const Number& a, const Number& b) {
  const std::size_t width = std::max(a.width(), b.width());
  Bdd below(false);
  for (std::size_t i = 0; i + 1 < width; ++i) below = ite(a.bit(i) ^ b.bit(i), b.bit(i), below);
  return ite(a.sign() ^ b.sign(), a.sign(), below);
}

Bdd less_equal(const Number& a, const Number& b) { return !less(b, a); }

Bdd beyond_64_bits(const Number& a) {
  Bdd some(false);
  for (std::size_t i = 64; i < a.width(); ++i) some |= a.bit(i) ^ a.bit(63);
  return some;
}

Number choose(const Bdd& condition, const Number& then_, const Number& else_) {
  if (condition.is_true()) return then_;
  if (condition.is_false()) return else_;
  std::vector<Bdd> bits;
  for (std::size_t i = 0; i < std::max(then_.width(), else_.width()); ++i)
    bits.push_back(ite(condition, then_.bit(i), else_.bit(i)));
  return Number(std::move(bits));
}

Number add(const Number& a, const Number& b) {
  return Number(sum(a, b, false, std::max(a.width(), b.width()) + 1));
}

Number subtract(const Number& a, const Number& b) {
  return Number(sum(a, b, true, std::max(a.width(), b.width()) + 1));
}

Number negate(const Number& a) { return subtract(Number::constant(0), a); }

Number multiply(const Number& a, const Number& b) {
  if (b.width() > a.width()) return multiply(b, a);
  // The sum of a·2^i over the bits of b, the sign bit counting negatively.
  Number total = Number::constant(0);
  std::vector<Bdd> shifted;
  for (std::size_t i = 0; i < a.width(); ++i) shifted.push_back(a.bit(i));
  for (std::size_t i = 0; i < b.width(); ++i) {
    const Number part = choose(b.bit(i), Number(shifted), Number::constant(0));
    total = i + 1 == b.width() ? subtract(total, part) : add(total, part);
    shifted.insert(shifted.begin(), Bdd(false));
  }
  return total;
}

Division divide(const Number& a, const Number& b) {
  const Number dividend = absolute(a), divisor = absolute(b);
  std::vector<Bdd> quotient(dividend.width());
  Number rest = Number::constant(0);
  for (std::size_t i = dividend.width(); i-- > 0;) {
    std::vector<Bdd> bits{dividend.bit(i)};
    for (std::size_t j = 0; j < rest.width(); ++j) bits.push_back(rest.bit(j));
    rest = Number(std::move(bits));
    quotient[i] = less_equal(divisor, rest);
    rest = choose(quotient[i], subtract(rest, divisor), rest).cut(divisor.width() + 1);
  }
  const Number zero = Number::constant(0), whole = Number::from_natural(std::move(quotient));
  const Bdd by_zero = equal(b, zero);
  return {choose(by_zero, zero, choose(a.sign() ^ b.sign(), negate(whole), whole)),
          choose(by_zero, zero, choose(a.sign(), negate(rest), rest))};
}

Number wrap(const Number& a, std::size_t bits, bool is_signed) {
  std::vector<Bdd> low;
  for (std::size_t i = 0; i < bits; ++i) low.push_back(a.bit(i));
  return is_signed ? Number(std::move(low)) : Number::from_natural(std::move(low));
}

std::size_t signed_width(Integer low, Integer high) {
  std::size_t width = 1;
  while (low < -(Integer{1} << (width - 1)) || high >= (Integer{1} << (width - 1))) ++width;
  return width;
}

} // namespace tacit
