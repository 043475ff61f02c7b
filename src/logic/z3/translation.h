// Terms as Z3 expressions, and Z3's values as ours.
//
//   bool → Bool, int → Int, enumeration → Int (the index), reference → Int (0 is null),
//   map[k]v → (Array Int v): a Bool key becomes 0 or 1.
//
// Division truncates towards zero and gives 0 for the divisor 0, so that models agree with
// logic/term/evaluate.h. Enumerators are ordered by their values: by index where values ascend.
//
// *Facts* say what the encoding alone does not: an enumeration variable, and what is read from a
// map of enumerators, is an index in range. They are true of every intended valuation, so they are
// asserted as they are wherever the term that needs them is used, in whatever polarity. Entries of
// such a map that nothing reads may still be out of range in a model; value() takes the first
// enumerator there, which changes no term that was translated.
//
// Equality of maps is that of their entries at keys that exist. With Bool or enumeration keys it is
// spelled out; with enumerators as values, "differ" is pinned to a key where both values exist.
//
// This header and the others that include z3++.h are for logic/z3 alone. What Z3 cannot do, or we
// cannot say, is thrown as z3::exception and caught where the layer ends.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include <z3++.h>

#include "logic/term/evaluate.h"
#include "logic/term/term.h"

namespace tacit {

class Translation {
public:
  struct Entry {
    z3::expr expr;
    unsigned size = 1;  // as a tree; saturates
    bool facts = false; // a subterm has facts
    bool maps = false;  // a subterm is a map
    bool const_maps = false;
    bool nonlinear = false; // a product of variables or a division by one
  };

  /// `declared` is told every new constant's name and sort.
  explicit Translation(z3::context& context,
                       std::function<void(const z3::expr&)> declared = nullptr)
      : context_(context), declared_(std::move(declared)) {}

  const Entry& of(Term term);
  z3::expr of(const Value& value, Sort sort);
  z3::sort of(Sort sort);

  /// Visits the subterms of `root` that have facts, each once.
  void for_facts(Term root,
                 const std::function<void(Term node, const std::vector<z3::expr>& facts)>& visit);

  /// A Bool constant that nobody else uses.
  z3::expr fresh_bool(const std::string& prefix);

  /// The variable that this constant stands for; null when it is none of ours.
  Term variable(const z3::expr& constant) const;

  /// What an expression without variables is; `model` explains function interpretations and may be
  /// null. Fails when a number is too large or the value has a form we do not know.
  Result<Value> read(const z3::expr& value, Sort sort, const z3::model* model);

  // Encodings that the way back (back.h) must recognise.
  static z3::expr truncated_div(const z3::expr& a, const z3::expr& b);
  static z3::expr truncated_mod(const z3::expr& a, const z3::expr& b);
  z3::expr wrapped(const z3::expr& a, int bits, bool is_signed);

  z3::context& context() { return context_; }
  z3::expr numeral(Integer number);

private:
  Entry build(Term term);
  z3::expr constant(const std::string& name, const z3::sort& sort);
  z3::expr key(const z3::expr& key, Sort sort);
  z3::expr compare(Op op, Term left, Term right);
  z3::expr enum_value(const z3::expr& index, Sort sort);
  z3::expr in_range(const z3::expr& index, Sort sort);
  z3::expr equal(const z3::expr& a, const z3::expr& b, Sort sort, std::vector<z3::expr>& facts);
  z3::expr differ_visibly(const z3::expr& a, const z3::expr& b, Sort sort);
  Result<Value> read_map(const z3::expr& value, Sort sort, const z3::model* model);

  z3::context& context_;
  std::function<void(const z3::expr&)> declared_;
  std::unordered_map<Term, Entry> entries_;
  std::unordered_map<Term, std::vector<z3::expr>> facts_;
  std::unordered_map<unsigned, Term> variables_; // by the constant's number, which entries_ keep
  std::unordered_map<std::string, unsigned> names_;
};

/// The number of a numeral; no value when it is none or too large.
std::optional<Integer> number_of(const z3::expr& numeral);

/// How many keys a map has; no value when there are infinitely many.
std::optional<Integer> key_count(Sort map);

/// The enumerators' values ascend with the index.
bool ascending(Sort enumeration);
/// An enumerator's value is its index.
bool value_is_index(Sort enumeration);

} // namespace tacit
