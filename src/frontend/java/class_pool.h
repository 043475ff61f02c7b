// All classes that can be named: class files, folders around them, archives, a JDK's image. Nothing
// is parsed before it is asked for; what is parsed stays, so that pointers to classes live as long
// as the pool. One pool can hold a whole JDK. One thread at a time.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/java/archive.h"
#include "frontend/java/class_file.h"

namespace tacit::java {

class ClassPool {
public:
  /// `x.class`, `x.jar`, `x.jmod`, `jdk:` or `jdk:FOLDER`. A class file also opens the folder that
  /// its package stands in, so that neighbours and nested classes are found.
  Result<void> add(const std::string& source);

  /// A class file that is in memory already; its name.
  Result<std::string> add_bytes(std::vector<std::uint8_t> bytes, const std::string& where);

  /// The installed JDK for everything not found elsewhere, if there is one.
  void add_default_jdk();

  /// Null when there is no such class or it is damaged (see `damaged`).
  const ClassFile* find(const std::string& name);
  /// The same with the reason, near names included. Names may be binary (`java.util.Map$Entry`),
  /// internal or as in source (`java.util.Map.Entry`); a name without a package is searched among
  /// the classes that were added by file.
  Result<const ClassFile*> load(const std::string& name);

  /// Internal names of all classes of the sources, sorted; without those of the default JDK.
  std::vector<std::string> names() const;

  /// The class, then its superclasses. A class that is its own superclass is an error.
  Result<std::vector<const ClassFile*>> ancestry(const ClassFile& file);
  /// Whether `name` is `ancestor` or extends or implements it, as far as classes are known.
  bool is_subtype(const std::string& name, const std::string& ancestor);
  /// The class and all that it extends or implements, as far as classes are known.
  const std::set<std::string>& ancestors(const std::string& name);
  bool is_throwable(const std::string& name) { return is_subtype(name, "java/lang/Throwable"); }

  /// The declaration that a reference means: in the class, its superclasses, its superinterfaces.
  struct Found {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr;
  };
  Found find_method(const std::string& owner, const std::string& name,
                    const std::string& descriptor);
  struct FoundField {
    const ClassFile* owner = nullptr;
    const Field* field = nullptr;
  };
  FoundField find_field(const std::string& owner, const std::string& name);

  /// Version of the JDK in use, empty when there is none.
  const std::string& jdk_version() const { return jdk_version_; }

private:
  struct Entry {
    std::unique_ptr<ClassFile> file;
    std::vector<std::uint8_t> storage;
    Diagnostic problem;
    std::set<std::string> ancestors; // the class itself among them, once somebody has asked
  };

  Result<void> add_class_file(const std::string& path);
  Result<void> add_folder(const std::string& folder);
  Result<void> add_jdk(const std::string& folder, bool fallback);
  Entry& entry(const std::string& name);
  Result<Bytes> bytes_of(const std::string& name, std::vector<std::uint8_t>& storage,
                         std::string& where);

  std::vector<std::unique_ptr<Container>> containers_;
  std::unique_ptr<Container> fallback_;
  std::vector<std::string> folders_;
  std::map<std::string, std::string> files_; // class name to path
  std::unordered_map<std::string, Entry> entries_;
  std::string jdk_version_;
};

/// The folder of the installed JDK: JAVA_HOME, then where `java` on the PATH stands, then the usual
/// places; empty when none has a module image.
std::string find_jdk();

} // namespace tacit::java
