// Values as clients pass and see them, and what conditions come to on them. What is not known is
// Unknown, and stays it: three-valued logic as Kleene has it, never a guess.
//
// A reference is null, a text, or an object by its name: equal names are equal objects, other names
// other objects. Of a text, a list and a structure facts are known (its size, what it says, its
// fields), of other objects none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/integer.h"
#include "logic/term/term.h"

namespace tacit {

struct ClientArray;

struct ClientValue {
  enum class Kind { Unknown, Bool, Int, Enum, Null, Text, Object, Array };
  Kind kind = Kind::Unknown;
  Integer number = 0;  // Bool: 0 or 1; Int; Enum: index into the declaration
  std::string text;    // Text: what it says; Object: its name, "" when nobody knows it
  bool certain = true; // Text: surely one, and not the name of an object
  std::map<std::string, ClientValue> facts; // Object
  std::shared_ptr<const ClientArray> array; // sets and maps

  bool known() const { return kind != Kind::Unknown; }
};

/// The name of the one thing that there is to know of an object: what was written through a
/// pointer.
inline constexpr std::string_view any_fact = "*";

/// A total map: the last entry whose key it is, else `otherwise`.
struct ClientArray {
  ClientValue otherwise;
  std::vector<std::pair<ClientValue, ClientValue>> entries;
};

ClientValue unknown_value();
ClientValue boolean_value(bool truth);
ClientValue integer_value(Integer number);
ClientValue enum_value(std::size_t index);
ClientValue null_value();
ClientValue text_value(std::string contents, bool certain = true);
ClientValue object_value(std::string name, std::map<std::string, ClientValue> facts = {});

/// For people: `3`, `"a"`, `null`, `{1, 2}` for a set, `?`. The sort names enumerators and tells
/// sets; it may be null.
std::string to_string(const ClientValue& value, Sort sort = nullptr);

/// Whether nothing tells the two apart; not whether they are the same object (judge.h).
bool identical(const ClientValue& a, const ClientValue& b);

/// A total order for containers that agrees with `identical`.
bool before(const ClientValue& a, const ClientValue& b);

struct JudgeOptions {
  bool utf16 = false; // texts are counted in UTF-16 units, as Java does; else in bytes
  /// Numbers that stand for texts in terms.
  const std::map<std::string, long long>* texts = nullptr;
};

/// The meaning of terms on client values. Variables that the valuation does not know are Unknown;
/// `M[x]`, where M is a variable called `….fact`, is that fact of the object x.
class Judge {
public:
  using Valuation = std::function<ClientValue(Term variable)>;

  explicit Judge(JudgeOptions options = {}) : options_(options) {}

  ClientValue value(Term term, const Valuation& valuation) const;
  /// Of a condition.
  std::optional<bool> truth(Term term, const Valuation& valuation) const;
  /// Texts that say the same need not be the same object: Unknown as references.
  std::optional<bool> same(const ClientValue& a, const ClientValue& b, Sort sort) const;
  /// `size`, `text`, `set`, a field of a structure.
  ClientValue fact(const ClientValue& object, std::string_view name) const;

private:
  ClientValue select(const ClientValue& map, const ClientValue& key, Sort map_sort) const;
  ClientValue selected(Term term, const ClientValue& map, const ClientValue& key) const;
  ClientValue stored(Sort key_sort, const ClientValue& map, const ClientValue& key,
                     ClientValue value) const;
  ClientValue arithmetic(Term term, const ClientValue& a, const ClientValue& b) const;
  std::optional<bool> less(const ClientValue& a, const ClientValue& b, Sort sort,
                           bool or_equal) const;

  JudgeOptions options_;
};

} // namespace tacit
