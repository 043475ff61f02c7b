#include "frontend/java/class_file.h"

#include <algorithm>

namespace tacit::java {

namespace {

/// The modified UTF-8 of class files as plain UTF-8; what cannot be decoded becomes '?'. Surrogate
/// pairs are joined, and control characters replaced, because names end up in texts with lines.
std::string decode_text(Bytes bytes) {
  std::string text;
  std::vector<std::uint32_t> points;
  bool plain = true;
  for (const std::uint8_t b : bytes) plain = plain && b >= 0x20 && b < 0x7f;
  if (plain) return {bytes.begin(), bytes.end()};
  for (std::size_t i = 0; i < bytes.size();) {
    const unsigned b = bytes[i];
    auto more = [&](std::size_t k) {
      return i + k < bytes.size() && (bytes[i + k] & 0xc0u) == 0x80 ? bytes[i + k] & 0x3fu : 0x100u;
    };
    if (b < 0x80) {
      points.push_back(b);
      i += 1;
    } else if ((b & 0xe0) == 0xc0 && more(1) < 0x100) {
      points.push_back((b & 0x1f) << 6 | more(1));
      i += 2;
    } else if ((b & 0xf0) == 0xe0 && more(1) < 0x100 && more(2) < 0x100) {
      points.push_back((b & 0x0f) << 12 | more(1) << 6 | more(2));
      i += 3;
    } else {
      points.push_back('?');
      i += 1;
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint32_t c = points[i];
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < points.size() && points[i + 1] >= 0xdc00 &&
        points[i + 1] < 0xe000)
      c = 0x10000 + ((c - 0xd800) << 10) + (points[++i] - 0xdc00);
    else if (c >= 0xd800 && c < 0xe000)
      c = '?';
    if (c < 0x20 || c == 0x7f) c = '?';
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else if (c < 0x800) {
      text += static_cast<char>(0xc0 | c >> 6);
      text += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
      text += static_cast<char>(0xe0 | c >> 12);
      text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      text += static_cast<char>(0x80 | (c & 0x3f));
    } else {
      text += static_cast<char>(0xf0 | c >> 18);
      text += static_cast<char>(0x80 | (c >> 12 & 0x3f));
      text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      text += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return text;
}

class ClassParser {
public:
  ClassParser(Bytes data, const std::string& where) : data_(data), where_{where}, in_(data) {}

  Result<ClassFile> run() {
    if (in_.u4() != 0xcafebabe) return fail(where_, "not a class file: the magic number is wrong");
    const unsigned minor = in_.u2();
    made_.version = in_.u2();
    if (!in_.ok()) return truncated("header");
    if (made_.version > newest_class_version)
      return fail(where_, "class file version {}.{} is newer than {}, the newest understood",
                  made_.version, minor, newest_class_version);
    if (made_.version < 45)
      return fail(where_, "class file version {}.{} does not exist", made_.version, minor);
    if (auto read = pool(); !read) return std::unexpected(read.error());
    made_.flags = in_.u2();
    const auto name = made_.class_at(in_.u2());
    const unsigned super = in_.u2();
    if (!in_.ok()) return truncated("class header");
    if (!name || name->empty()) return fail(where_, "the class has no name");
    made_.name = *name;
    if (super != 0) {
      const auto parent = made_.class_at(super);
      if (!parent) return fail(where_, "the superclass is no class constant");
      made_.super = *parent;
    }
    for (unsigned n = in_.u2(); n > 0 && in_.ok(); --n) {
      const auto one = made_.class_at(in_.u2());
      if (!one) return fail(where_, "an interface is no class constant");
      made_.interfaces.push_back(*one);
    }
    if (auto read = fields(); !read) return std::unexpected(read.error());
    if (auto read = methods(); !read) return std::unexpected(read.error());
    if (auto read = attributes(); !read) return std::unexpected(read.error());
    if (in_.left() > 0) return fail(where_, "{} bytes follow the end of the class", in_.left());
    return std::move(made_);
  }

private:
  std::unexpected<Diagnostic> truncated(std::string_view what) const {
    return fail(where_, "the class file ends inside its {}", what);
  }

  Result<void> pool() {
    const unsigned count = in_.u2();
    if (!in_.ok() || count == 0) return truncated("constant pool");
    made_.pool.resize(count);
    for (unsigned i = 1; i < count; ++i) {
      Constant& c = made_.pool[i];
      const unsigned tag = in_.u1();
      c.tag = static_cast<ConstantTag>(tag);
      switch (c.tag) {
      case ConstantTag::Utf8: c.text = decode_text(in_.take(in_.u2())); break;
      case ConstantTag::Integer:
      case ConstantTag::Float: c.bits = in_.u4(); break;
      case ConstantTag::Long:
      case ConstantTag::Double:
        c.bits = in_.u8();
        ++i; // takes two entries
        break;
      case ConstantTag::Class:
      case ConstantTag::String:
      case ConstantTag::MethodType:
      case ConstantTag::Module:
      case ConstantTag::Package: c.first = in_.u2(); break;
      case ConstantTag::Field:
      case ConstantTag::Method:
      case ConstantTag::InterfaceMethod:
      case ConstantTag::NameAndType:
      case ConstantTag::Dynamic:
      case ConstantTag::InvokeDynamic:
        c.first = in_.u2();
        c.second = in_.u2();
        break;
      case ConstantTag::MethodHandle:
        c.first = in_.u1();
        c.second = in_.u2();
        break;
      default:
        if (!in_.ok()) return truncated("constant pool");
        return fail(where_, "constant {} has the unknown tag {}", i, tag);
      }
      if (!in_.ok()) return truncated("constant pool");
    }
    return {};
  }

  const std::string* text(unsigned index) const {
    if (index == 0 || index >= made_.pool.size() || made_.pool[index].tag != ConstantTag::Utf8)
      return nullptr;
    return &made_.pool[index].text;
  }

  struct Attribute {
    const std::string* name = nullptr;
    Bytes bytes;
  };

  Result<Attribute> attribute(ByteReader& in) const {
    Attribute one;
    one.name = text(in.u2());
    one.bytes = in.take(in.u4());
    if (!in.ok()) return truncated("attributes");
    if (!one.name) return fail(where_, "an attribute has no name");
    return one;
  }

  Result<void> fields() {
    for (unsigned n = in_.u2(); n > 0; --n) {
      Field field;
      field.flags = in_.u2();
      const std::string* name = text(in_.u2());
      const std::string* descriptor = text(in_.u2());
      unsigned attributes = in_.u2();
      if (!in_.ok()) return truncated("fields");
      if (!name || !descriptor) return fail(where_, "a field has no name or no descriptor");
      field.name = *name;
      field.descriptor = *descriptor;
      for (; attributes > 0; --attributes) {
        auto one = attribute(in_);
        if (!one) return std::unexpected(one.error());
        if (*one->name != "ConstantValue" && *one->name != "Signature") continue;
        ByteReader value(one->bytes);
        const std::uint16_t index = value.u2();
        if (*one->name == "Signature") {
          if (value.ok() && index < made_.pool.size()) field.generic = made_.pool[index].text;
        } else if (value.ok() && index > 0 && index < made_.pool.size())
          field.constant = index;
      }
      made_.fields.push_back(std::move(field));
    }
    if (!in_.ok()) return truncated("fields");
    return {};
  }

  Result<void> methods() {
    for (unsigned n = in_.u2(); n > 0; --n) {
      Method method;
      method.flags = in_.u2();
      const std::string* name = text(in_.u2());
      const std::string* descriptor = text(in_.u2());
      unsigned attributes = in_.u2();
      if (!in_.ok()) return truncated("methods");
      if (!name || !descriptor) return fail(where_, "a method has no name or no descriptor");
      method.name = *name;
      method.descriptor = *descriptor;
      for (; attributes > 0; --attributes) {
        auto one = attribute(in_);
        if (!one) return std::unexpected(one.error());
        if (*one->name == "Exceptions") {
          ByteReader in(one->bytes);
          for (unsigned k = in.u2(); k > 0 && in.ok(); --k)
            if (const auto type = made_.class_at(in.u2())) method.throws.push_back(*type);
        }
        if (*one->name == "Code") {
          auto body = code(one->bytes, method.name);
          if (!body) return std::unexpected(body.error());
          method.code = std::move(*body);
        }
      }
      made_.methods.push_back(std::move(method));
    }
    if (!in_.ok()) return truncated("methods");
    return {};
  }

  Result<Code> code(Bytes bytes, const std::string& method) const {
    ByteReader in(bytes);
    Code made;
    made.max_stack = in.u2();
    made.max_locals = in.u2();
    made.bytes = in.take(in.u4());
    if (!in.ok() || made.bytes.empty() || made.bytes.size() > 0xffff)
      return fail(where_, "the code of {} is cut short or of a wrong size", method);
    for (unsigned n = in.u2(); n > 0; --n) {
      ExceptionEntry entry;
      entry.start = in.u2();
      entry.end = in.u2();
      entry.handler = in.u2();
      const unsigned type = in.u2();
      if (!in.ok()) return truncated("exception table");
      if (type != 0) {
        const auto name = made_.class_at(type);
        if (!name) return fail(where_, "a handler of {} catches no class", method);
        entry.type = *name;
      }
      if (entry.start >= entry.end || entry.end > made.bytes.size() ||
          entry.handler >= made.bytes.size())
        return fail(where_, "a handler of {} covers no code", method);
      made.handlers.push_back(std::move(entry));
    }
    unsigned attributes = in.u2();
    if (!in.ok()) return truncated("code");
    for (; attributes > 0; --attributes) {
      auto one = attribute(in);
      if (!one) return std::unexpected(one.error());
      ByteReader part(one->bytes);
      if (*one->name == "LineNumberTable")
        for (unsigned n = part.u2(); n > 0 && part.ok(); --n) {
          const std::uint16_t pc = part.u2(), line = part.u2();
          if (part.ok()) made.lines.push_back({pc, line});
        }
      if (*one->name == "LocalVariableTable")
        for (unsigned n = part.u2(); n > 0 && part.ok(); --n) {
          LocalEntry local;
          local.pc = part.u2();
          local.length = part.u2();
          const std::string* name = text(part.u2());
          const std::string* descriptor = text(part.u2());
          local.slot = part.u2();
          if (!part.ok() || !name || !descriptor) continue;
          local.name = *name;
          local.descriptor = *descriptor;
          made.locals.push_back(std::move(local));
        }
    }
    std::ranges::stable_sort(made.lines, {}, &LineEntry::pc);
    return made;
  }

  Result<void> attributes() {
    unsigned count = in_.u2();
    if (!in_.ok()) return truncated("attributes");
    for (; count > 0; --count) {
      auto one = attribute(in_);
      if (!one) return std::unexpected(one.error());
      ByteReader in(one->bytes);
      if (*one->name == "SourceFile") {
        if (const std::string* name = text(in.u2())) made_.source = *name;
      } else if (*one->name == "NestHost") {
        made_.nest_host = made_.class_at(in.u2()).value_or("");
      } else if (*one->name == "NestMembers") {
        for (unsigned n = in.u2(); n > 0 && in.ok(); --n)
          if (const auto member = made_.class_at(in.u2())) made_.nest.push_back(*member);
      } else if (*one->name == "InnerClasses") {
        for (unsigned n = in.u2(); n > 0 && in.ok(); --n) {
          if (const auto member = made_.class_at(in.u2())) made_.inner.push_back(*member);
          in.take(6);
        }
      } else if (*one->name == "BootstrapMethods") {
        for (unsigned n = in.u2(); n > 0 && in.ok(); --n) bootstrap(in);
      }
    }
    return {};
  }

  void bootstrap(ByteReader& in) {
    BootstrapMethod made;
    const unsigned handle = in.u2();
    if (handle < made_.pool.size() && made_.pool[handle].tag == ConstantTag::MethodHandle)
      made.method = made_.member_at(made_.pool[handle].second).value_or(MemberRef{});
    for (unsigned n = in.u2(); n > 0 && in.ok(); --n) made.arguments.push_back(in.u2());
    made_.bootstrap.push_back(std::move(made));
  }

  Bytes data_;
  Location where_;
  ByteReader in_;
  ClassFile made_;
};

} // namespace

const Method* ClassFile::find_method(std::string_view wanted, std::string_view descriptor) const {
  for (const Method& m : methods)
    if (m.name == wanted && m.descriptor == descriptor) return &m;
  return nullptr;
}

const Field* ClassFile::find_field(std::string_view wanted) const {
  for (const Field& f : fields)
    if (f.name == wanted) return &f;
  return nullptr;
}

std::optional<std::string> ClassFile::class_at(unsigned index) const {
  if (index >= pool.size() || pool[index].tag != ConstantTag::Class) return std::nullopt;
  const unsigned text = pool[index].first;
  if (text >= pool.size() || pool[text].tag != ConstantTag::Utf8) return std::nullopt;
  return pool[text].text;
}

namespace {
std::optional<std::pair<std::string, std::string>> name_and_type(const ClassFile& file,
                                                                 unsigned index) {
  const auto& pool = file.pool;
  if (index >= pool.size() || pool[index].tag != ConstantTag::NameAndType) return std::nullopt;
  const unsigned name = pool[index].first, type = pool[index].second;
  if (name >= pool.size() || pool[name].tag != ConstantTag::Utf8 || type >= pool.size() ||
      pool[type].tag != ConstantTag::Utf8)
    return std::nullopt;
  return std::pair(pool[name].text, pool[type].text);
}
} // namespace

std::optional<MemberRef> ClassFile::member_at(unsigned index) const {
  if (index >= pool.size()) return std::nullopt;
  const Constant& c = pool[index];
  if (c.tag != ConstantTag::Field && c.tag != ConstantTag::Method &&
      c.tag != ConstantTag::InterfaceMethod)
    return std::nullopt;
  const auto owner = class_at(c.first);
  const auto member = name_and_type(*this, c.second);
  if (!owner || !member) return std::nullopt;
  return MemberRef{*owner, member->first, member->second};
}

std::optional<ClassFile::DynamicRef> ClassFile::dynamic_at(unsigned index) const {
  if (index >= pool.size()) return std::nullopt;
  const Constant& c = pool[index];
  if (c.tag != ConstantTag::Dynamic && c.tag != ConstantTag::InvokeDynamic) return std::nullopt;
  const auto member = name_and_type(*this, c.second);
  if (!member) return std::nullopt;
  DynamicRef found{member->first, member->second, nullptr};
  if (c.first < bootstrap.size()) found.bootstrap = &bootstrap[c.first];
  return found;
}

Result<ClassFile> parse_class_file(Bytes data, const std::string& where) {
  return ClassParser(data, where).run();
}

std::string dotted(std::string_view internal) {
  std::string name(internal);
  std::ranges::replace(name, '/', '.');
  return name;
}

std::string unpackaged(std::string_view name) {
  const std::size_t cut = name.find_last_of("/.");
  return std::string(cut == std::string_view::npos ? name : name.substr(cut + 1));
}

} // namespace tacit::java
