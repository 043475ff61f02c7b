// Which class a user means, for all front ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

/// How a name that a user gave fits the full name of a class, whatever separates its components.
enum class ClassFit {
  None,
  Last, // the last components: `Itr` and `ArrayList.Itr` for `java.util.ArrayList$Itr`
  Full
};

ClassFit class_fit(std::string_view wanted, std::string_view name);

/// "there is no class 'X'; did you mean …?": those with nearly that name, else those that bear it
/// elsewhere.
Diagnostic no_class(const Location& where, const std::string& wanted,
                    const std::vector<std::string>& known);

/// "holds 3 classes: name one with --class", with the classes as options to type.
Diagnostic which_class(const Location& where, std::vector<std::string> known);

/// "several classes are named 'X': …".
Diagnostic several_classes(const std::string& wanted, const std::vector<std::string>& found);

} // namespace tacit
