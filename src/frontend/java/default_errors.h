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

} // namespace tacit::java
