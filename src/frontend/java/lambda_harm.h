// What a lambda expression of a client may do to objects of the component when somebody runs it
// that nobody sees: later, or from code that is not given.
#pragma once

#include <functional>
#include <string>

#include "frontend/java/class_pool.h"
#include "frontend/java/descriptor.h"

namespace tacit::java {

enum class LambdaHarm {
  None,
  Captured,  // to objects that it was made with
  Everything // to objects in fields, or to what else the client keeps there
};

/// `site` is where it is made. `touches` tells whether a type may be that of such an object.
LambdaHarm lambda_harm(ClassPool& pool, const ClassFile& file, const ClassFile::DynamicRef& site,
                       const std::function<bool(const JavaType&)>& touches);

} // namespace tacit::java
