#include "frontend/java/descriptor.h"

#include "frontend/java/class_file.h"

namespace tacit::java {

namespace {

std::optional<JavaType> take_type(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const char letter = text[0];
  if (std::string_view("BCDFIJSZV").find(letter) != std::string_view::npos) {
    text.remove_prefix(1);
    return JavaType{letter, ""};
  }
  if (letter == 'L') {
    const std::size_t end = text.find(';');
    if (end == std::string_view::npos || end < 2) return std::nullopt;
    JavaType type{'L', std::string(text.substr(1, end - 1))};
    text.remove_prefix(end + 1);
    return type;
  }
  if (letter != '[') return std::nullopt;
  std::size_t depth = 0;
  while (depth < text.size() && text[depth] == '[') ++depth;
  if (depth > 255) return std::nullopt;
  std::string_view rest = text.substr(depth);
  const auto element = take_type(rest);
  if (!element || element->letter == 'V') return std::nullopt;
  JavaType type{'[', std::string(text.substr(0, text.size() - rest.size()))};
  text = rest;
  return type;
}

} // namespace

std::string JavaType::simple() const {
  switch (letter) {
  case 'B': return "byte";
  case 'C': return "char";
  case 'D': return "double";
  case 'F': return "float";
  case 'I': return "int";
  case 'J': return "long";
  case 'S': return "short";
  case 'Z': return "boolean";
  case 'L': {
    const std::string last = unpackaged(name);
    const std::size_t cut = last.rfind('$');
    return cut == std::string::npos || cut + 1 == last.size() ? last : last.substr(cut + 1);
  }
  case '[': {
    const std::size_t depth = name.find_first_not_of('[');
    std::string text =
        parse_type(std::string_view(name).substr(depth)).value_or(JavaType{}).simple();
    for (std::size_t i = 0; i < depth; ++i) text += "[]";
    return text;
  }
  default: return "void";
  }
}

std::string Signature::simple() const {
  std::string text = "(";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text += (i ? "," : "") + parameters[i].simple();
  return text + ")";
}

std::optional<JavaType> parse_type(std::string_view descriptor) {
  auto type = take_type(descriptor);
  if (!type || !descriptor.empty()) return std::nullopt;
  return type;
}

std::optional<Signature> parse_signature(std::string_view descriptor) {
  if (descriptor.empty() || descriptor[0] != '(') return std::nullopt;
  descriptor.remove_prefix(1);
  Signature made;
  while (!descriptor.empty() && descriptor[0] != ')') {
    auto type = take_type(descriptor);
    if (!type || type->letter == 'V' || made.parameters.size() > 255) return std::nullopt;
    made.parameters.push_back(std::move(*type));
  }
  if (descriptor.empty()) return std::nullopt;
  descriptor.remove_prefix(1);
  auto result = parse_type(descriptor);
  if (!result) return std::nullopt;
  made.result = std::move(*result);
  return made;
}

JavaType class_type(const std::string& name) {
  if (!name.empty() && name[0] == '[')
    if (auto type = parse_type(name)) return *type;
  return {'L', name};
}

} // namespace tacit::java
