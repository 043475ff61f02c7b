// The contracts of one or more files, and the questions that front ends have about a name. Files
// that come first go first, and so do items within a file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "program/contracts/contract.h"

namespace tacit {

/// What is known about one callee when a contract is looked for.
struct CallShape {
  struct Parameter {
    Type type;
    std::string object_class; // of the value or of what it points to; may be empty
  };
  std::vector<Parameter> parameters;
  std::optional<Type> returns;
  /// The types of the class's template arguments; none for one that has no values here.
  std::vector<std::optional<Type>> type_arguments;
};

/// The shape of a callee of which no more is known than its types.
CallShape shape_of(const std::vector<Variable>& parameters, const std::optional<Type>& returns);

class Contracts {
public:
  /// The contracts that bear a name, overloads in order; none for most names.
  std::vector<const Contract*> named(std::string_view name) const;
  /// The first one that fits the types of a callee.
  const Contract* find(std::string_view name, const CallShape& shape) const;

  /// Whether a function, or a class, has an attribute: the first `about` that names it and speaks
  /// of it decides. With a shape, only contracts that fit it count.
  bool has(Attribute attribute, std::string_view function, const CallShape* shape = nullptr) const;
  bool class_has(Attribute attribute, std::string_view class_name) const;

  /// The facts kept about objects of a class (without template arguments); null for most.
  const ClassFacts* facts(std::string_view class_name) const;
  /// The class that contracts speak of: a part of a library class stands for the whole.
  std::string whole(const std::string& class_name) const;

  /// The exception that an exception is a kind of; empty for roots and those that no file declares.
  std::string parent(std::string_view exception) const;

  /// What a later file says counts where the earlier ones say nothing.
  void append(const Contracts& more);

  // For the reader.
  struct About {
    NamePattern pattern;
    bool of_class = false;
    Attribute attribute = Attribute::Pure;
    bool holds = true;
  };
  void add(const Contract& contract, const std::vector<NamePattern>& names);
  void add(ClassFacts facts);
  void add(About about) { about_[about.attribute].push_back(std::move(about)); }
  void add_part(const std::string& part, const std::string& whole) { wholes_.emplace(part, whole); }
  void add_exception(const std::string& name, const std::string& parent) {
    parents_.emplace(name, parent);
  }
  bool empty() const { return contracts_.empty() && facts_.empty() && about_.empty(); }
  const std::vector<std::shared_ptr<const Contract>>& all() const { return contracts_; }

private:
  bool said(Attribute attribute, std::string_view name, bool of_class) const;

  std::vector<std::shared_ptr<const Contract>> contracts_;
  /// Names are looked up for every function of a program: without making a string.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };

  std::unordered_map<std::string, std::vector<std::size_t>, NameHash, std::equal_to<>> by_name_;
  std::vector<std::pair<NamePattern, std::size_t>> wild_;
  std::vector<ClassFacts> facts_;
  std::map<Attribute, std::vector<About>> about_;
  std::map<std::string, std::string, std::less<>> wholes_, parents_;
};

/// Whether a contract fits: as many parameters, of these sorts and classes.
bool fits(const Contract& contract, const CallShape& shape);

} // namespace tacit
