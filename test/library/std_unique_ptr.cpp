// Constructors of the library's class are templates with default arguments; its checks are asserts.
// tacit: --constructor unique_ptr(),unique_ptr(nullptr_t) --methods operator*,operatorbool,reset,release,get
// legal: reset operatorbool:returns=true operator*
// refused: operator*
// refused: reset operatorbool:returns=true release operator*
#define _GLIBCXX_ASSERTIONS 1
#include <memory>
using T = std::unique_ptr<int>;
