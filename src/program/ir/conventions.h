// What passes and readers may take for granted about a program, whatever language it comes from.
//
// Front ends set the conventions and the text form prints them, so that nothing behind a front end
// asks for a language. A program that somebody wrote by hand grants nothing: what it says is meant,
// and comes back in labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit {

struct Conventions {
  /// Made from source code: variables and statements that do not bear on errors may be left out or
  /// merged.
  bool reducible = false;
  /// Objects are reached by pointers that come from few places: objects behind them are focused on
  /// and loops peeled, so that what is known about one object is not lost among all of its type.
  bool focused = false;
  /// A pointer that is followed is valid: one of which nothing else is known is not null.
  bool valid_pointers = false;
  /// There are more exceptions than the program lists, which are those that its code mentions.
  bool open_exceptions = false;
  /// There are no classes: clauses in the source hold wherever they stand in a file.
  bool classless = false;
  /// The specifications of what counts as an error when the user gives none; empty: every `error`.
  /// With one that begins with `-`, exceptions count one by one: those that own code raises and
  /// that fit one of the others and none that begins so.
  std::vector<std::string> errors;

  bool operator==(const Conventions&) const = default;
};

/// A convention that holds or not, by the word for it in the text form.
struct ConventionWord {
  std::string_view word;
  bool Conventions::* holds;
};
const std::vector<ConventionWord>& convention_words();

/// Those of a language that front ends know (`c`, `cpp`, `java`); none for others.
Conventions conventions_of(std::string_view language);

} // namespace tacit
