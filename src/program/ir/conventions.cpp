#include "program/ir/conventions.h"

namespace tacit {

const std::vector<ConventionWord>& convention_words() {
  static const std::vector<ConventionWord> words = {
      {"reducible", &Conventions::reducible},
      {"focused", &Conventions::focused},
      {"valid_pointers", &Conventions::valid_pointers},
      {"open_exceptions", &Conventions::open_exceptions},
      {"classless", &Conventions::classless}};
  return words;
}

Conventions conventions_of(std::string_view language) {
  if (language == "java")
    return {.reducible = true,
            .open_exceptions = true,
            .errors = {"throws:java.lang.IllegalStateException"}};
  if (language == "c" || language == "cpp" || language == "c++")
    return {.reducible = true,
            .focused = true,
            .valid_pointers = true,
            .classless = language == "c",
            .errors = {"assert", "throws:*"}};
  return {};
}

} // namespace tacit
