// Field and method descriptors: `I`, `[Ljava/lang/String;`, `(IJ)V`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::java {

/// What the machine distinguishes on its stack and in locals. Exception and Enumeration are
/// references that lowering keeps as values of their own: a thrown class, a constant of an enum.
enum class Kind { Nothing, Int, Long, Float, Double, Reference, Exception, Enumeration };

struct JavaType {
  char letter = 'V'; // B C D F I J S Z V L [
  std::string name;  // L: the class, [: the whole descriptor

  bool is_reference() const { return letter == 'L' || letter == '['; }
  bool is_wide() const { return letter == 'J' || letter == 'D'; }
  /// As people write it, without packages: `int`, `String`, `byte[]`.
  std::string simple() const;
};

struct Signature {
  std::vector<JavaType> parameters;
  JavaType result;

  /// `(byte[],int)`.
  std::string simple() const;
};

std::optional<JavaType> parse_type(std::string_view descriptor);
std::optional<Signature> parse_signature(std::string_view descriptor);

/// The type of a class constant: a class name or an array descriptor.
JavaType class_type(const std::string& name);

} // namespace tacit::java
