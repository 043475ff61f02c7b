// Integers as vectors of decision diagrams: two's complement, least bit first, of any width.
// Results are as wide as the operands can make them and then cut to the bits that matter, so no
// operation overflows.
#pragma once

#include <optional>
#include <vector>

#include "base/integer.h"
#include "finite/bdd/diagram.h"

namespace tacit {

class Number {
public:
  /// The last bit is the sign; at least one.
  explicit Number(std::vector<Bdd> bits);
  static Number constant(Integer value);
  static Number truth(const Bdd& value);             // 0 or 1
  static Number from_natural(std::vector<Bdd> bits); // without sign bit

  std::size_t width() const { return bits_.size(); }
  /// With sign extension.
  const Bdd& bit(std::size_t index) const {
    return index < bits_.size() ? bits_[index] : bits_.back();
  }
  const Bdd& sign() const { return bits_.back(); }
  /// Of a truth value.
  const Bdd& holds() const { return bits_.front(); }
  std::optional<Integer> as_constant() const;
  bool operator==(const Number& other) const { return bits_ == other.bits_; }

  /// The low bits, the last of which becomes the sign.
  Number cut(std::size_t width) const;

private:
  std::vector<Bdd> bits_;
};

Bdd equal(const Number& a, const Number& b);
Bdd less(const Number& a, const Number& b);
Bdd less_equal(const Number& a, const Number& b);
/// Where the value has no 64-bit representation.
Bdd beyond_64_bits(const Number& a);
Number choose(const Bdd& condition, const Number& then_, const Number& else_);

Number add(const Number& a, const Number& b);
Number subtract(const Number& a, const Number& b);
Number negate(const Number& a);
Number multiply(const Number& a, const Number& b);

/// Truncated towards zero; both are 0 where the divisor is.
struct Division {
  Number quotient, remainder;
};
Division divide(const Number& a, const Number& b);

Number wrap(const Number& a, std::size_t bits, bool is_signed);

/// Bits that hold every value of low … high, the sign included.
std::size_t signed_width(Integer low, Integer high);

} // namespace tacit
