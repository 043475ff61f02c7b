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
    return {
        .reducible = true,
        .open_exceptions = true,
        // Argument checks and what the machine raises by itself are no client's protocol.
        .errors = {
            "throws:java.lang.RuntimeException", "throws:java.lang.Error",
            "-throws:java.lang.IllegalArgumentException", "-throws:java.lang.NullPointerException",
            "-throws:java.lang.IndexOutOfBoundsException", "-throws:java.lang.ClassCastException",
            "-throws:java.lang.ArithmeticException", "-throws:java.lang.ArrayStoreException",
            "-throws:java.lang.NegativeArraySizeException",
            "-throws:java.lang.VirtualMachineError"}};
  if (language == "c" || language == "cpp" || language == "c++")
    return {.reducible = true,
            .focused = true,
            .valid_pointers = true,
            .classless = language == "c",
            .errors = {"assert", "throws:*"}};
  return {};
}

} // namespace tacit
