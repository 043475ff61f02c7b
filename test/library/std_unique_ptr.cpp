// Constructors of the library's class are templates with default arguments; its checks are asserts.
// tacit: --methods operator*,operatorbool,reset,release,get
// legal: reset operatorbool:returns=true operator*
// refused: get operator*
// refused: reset operatorbool:returns=true release operator*
#define _GLIBCXX_ASSERTIONS 1
#include <memory>
using T = std::unique_ptr<int>;
