// Containers of class files: zip archives (jar, and jmod behind its own header) and the JDK's
// module image (jimage). Read-only, mapped into memory, every offset checked.
//
// A hostile archive cannot make us use much memory: an entry is inflated only when its class is
// asked for, to at most `max_class_bytes`, and what does not stop by then is refused.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/java/bytes.h"

namespace tacit::java {

inline constexpr std::size_t max_class_bytes = 64u << 20;

/// A file mapped into memory.
class MappedFile {
public:
  static Result<std::shared_ptr<MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const { return bytes_; }

private:
  MappedFile() = default;
  Bytes bytes_;
};

/// Somewhere classes come from. Names are internal, without `.class`.
class Container {
public:
  virtual ~Container() = default;
  virtual bool has(const std::string& class_name) const = 0;
  /// The bytes of a class that it has; they live as long as `storage` and the container.
  virtual Result<Bytes> read(const std::string& class_name,
                             std::vector<std::uint8_t>& storage) const = 0;
  virtual std::vector<std::string> names() const = 0;
  /// For messages: the path of the file.
  virtual const std::string& where() const = 0;
};

/// `.jar` or `.jmod`.
Result<std::unique_ptr<Container>> open_archive(const std::string& path);
/// `lib/modules` of a JDK.
Result<std::unique_ptr<Container>> open_image(const std::string& path);

} // namespace tacit::java
