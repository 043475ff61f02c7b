// What counts as an error where nobody says: every unchecked exception that own code makes, and
// those that contracts raise because own code misused a library class.
#pragma once

#include <set>

#include "frontend/java/class_pool.h"
#include "program/ir/module.h"

namespace tacit::java {

/// Error specifications, sorted. Exceptions that the machine raises by itself (null, an index, a
/// cast) are among them only where own code also throws them by name.
std::vector<std::string> default_errors(ClassPool& pool, const std::set<std::string>& own_classes,
                                        const Module& module);

/// The exceptions that instructions throw by themselves, as far as specifications name them or what
/// they are a kind of.
std::set<std::string> implicit_errors(ClassPool& pool, const std::vector<std::string>& specs);

} // namespace tacit::java
