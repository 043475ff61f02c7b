// Class files (JVM specification, chapter 4) up to version 69, as far as lowering needs them.
//
// A ClassFile owns its names but refers to the bytes it was parsed from for method bodies: these
// must outlive it. Names are internal (`java/util/List`); descriptors stay text (descriptor.h reads
// them). Everything that indexes the constant pool is checked while parsing, so that what is parsed
// can be used without further tests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/integer.h"
#include "frontend/java/bytes.h"

namespace tacit::java {

inline constexpr unsigned newest_class_version = 69;

namespace access {
inline constexpr unsigned is_public = 0x0001, is_private = 0x0002, is_protected = 0x0004,
                          is_static = 0x0008, is_final = 0x0010, is_bridge = 0x0040,
                          is_native = 0x0100, is_interface = 0x0200, is_abstract = 0x0400,
                          is_synthetic = 0x1000, is_annotation = 0x2000, is_enum = 0x4000,
                          is_module = 0x8000;
}

enum class ConstantTag : std::uint8_t {
  None = 0,
  Utf8 = 1,
  Integer = 3,
  Float = 4,
  Long = 5,
  Double = 6,
  Class = 7,
  String = 8,
  Field = 9,
  Method = 10,
  InterfaceMethod = 11,
  NameAndType = 12,
  MethodHandle = 15,
  MethodType = 16,
  Dynamic = 17,
  InvokeDynamic = 18,
  Module = 19,
  Package = 20,
};

struct Constant {
  ConstantTag tag = ConstantTag::None;
  std::uint16_t first = 0, second = 0; // indices, or bootstrap method and name-and-type
  std::uint64_t bits = 0;              // numbers
  std::string text;                    // Utf8, as UTF-8
};

/// A field or method named by an instruction.
struct MemberRef {
  std::string owner; // internal name, or an array descriptor
  std::string name;
  std::string descriptor;
};

struct LineEntry {
  std::uint16_t pc = 0, line = 0;
};

struct LocalEntry {
  std::uint16_t pc = 0, length = 0, slot = 0;
  std::string name, descriptor;
};

struct ExceptionEntry {
  std::uint16_t start = 0, end = 0, handler = 0;
  std::string type; // empty: any
};

struct Code {
  std::uint16_t max_stack = 0, max_locals = 0;
  Bytes bytes;
  std::vector<ExceptionEntry> handlers;
  std::vector<LineEntry> lines; // ascending pc
  std::vector<LocalEntry> locals;
};

struct Field {
  unsigned flags = 0;
  std::string name, descriptor;
  std::string generic;                   // Signature: the type with its arguments; may be empty
  std::optional<std::uint16_t> constant; // ConstantValue: an index into the pool
};

struct Method {
  unsigned flags = 0;
  std::string name, descriptor;
  std::vector<std::string> throws;
  std::optional<Code> code;

  bool is(unsigned flag) const { return (flags & flag) != 0; }
};

struct BootstrapMethod {
  MemberRef method;
  std::vector<std::uint16_t> arguments;
};

struct ClassFile {
  unsigned version = 0;
  unsigned flags = 0;
  std::string name;
  std::string super; // empty for java/lang/Object
  std::vector<std::string> interfaces;
  std::vector<Field> fields;
  std::vector<Method> methods;
  std::vector<Constant> pool;
  std::string source;             // SourceFile
  std::string nest_host;          // empty: none named
  std::vector<std::string> nest;  // NestMembers
  std::vector<std::string> inner; // classes of InnerClasses
  std::vector<BootstrapMethod> bootstrap;

  bool is(unsigned flag) const { return (flags & flag) != 0; }
  const Method* find_method(std::string_view name, std::string_view descriptor) const;
  const Field* find_field(std::string_view name) const;

  // Constants that instructions name; nothing when the index or its kind is wrong.
  std::optional<std::string> class_at(unsigned index) const;
  std::optional<MemberRef> member_at(unsigned index) const;
  /// Of a Dynamic or InvokeDynamic constant: name, descriptor, and its bootstrap method.
  struct DynamicRef {
    std::string name, descriptor;
    const BootstrapMethod* bootstrap = nullptr;
  };
  std::optional<DynamicRef> dynamic_at(unsigned index) const;
};

/// `where` names the file in messages.
Result<ClassFile> parse_class_file(Bytes data, const std::string& where);

/// `java/util/Map$Entry` is `java.util.Map$Entry`.
std::string dotted(std::string_view internal);
/// The part behind the last `/` or `.`.
std::string unpackaged(std::string_view name);

} // namespace tacit::java
