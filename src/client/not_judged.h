// What of a Java client is not judged: the ways into it besides the methods and constructors of
// its outermost class, and the fields through which others get to its objects.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "client/conformance.h"
#include "frontend/java/class_pool.h"

namespace tacit {

struct JavaComponent {
  std::string name;            // internal
  bool made_anyhow = false;    // none of its constructors is ever refused
  std::set<std::string> calls; // names of its methods
};

/// Whether a class, or one that is nested in it, names the component.
bool nest_mentions(java::ClassPool& pool, const std::string& name, const JavaComponent& component);

/// Static initialisers, and methods and constructors of nested classes and of interfaces, that use
/// the component: an unknown verdict for each. `name` is the outermost class, internal.
std::vector<FunctionVerdict> not_judged(java::ClassPool& pool, const std::string& name,
                                        const JavaComponent& component);

/// Whether other classes get to objects of the component by the fields of a class, its
/// superclasses and its nest.
bool has_open_fields(java::ClassPool& pool, const std::string& name,
                     const JavaComponent& component);

} // namespace tacit
