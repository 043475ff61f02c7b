// What lowered code says in a roundabout way, said plainly: among the last steps before a module is
// handed over. They look at the program only.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// An array whose elements a constructor writes one by one holds nothing else afterwards: it is
/// said of all of it at once, so that nobody asks for what was there before.
void fill_arrays_at_once(Module& module);

/// What is read from a record through a pointer of which nothing is known, to an element of a
/// container that is not followed, is unknown, where the record is never written through any other:
/// then nobody has to keep what such objects hold.
void forget_unknown_objects(Module& module);

/// A product with an unknown factor is unknown: solvers need not reason about it.
void forget_unknown_products(Module& module);

/// Contracts say of a container that holds a key that it is not empty. Nobody needs to hear it
/// where the code never asks for the size.
void drop_idle_sizes(Module& module);

} // namespace tacit
