// The library's own class, by its header.
// tacit: --constructor optional() --methods value()const,has_value,reset,emplace
// legal: emplace value()const
// refused: has_value:returns=false value()const
// refused: reset value()const
// refused: emplace reset value()const
#include <optional>
using T = std::optional<int>;
