// The library's own class, by its header.
// tacit: --error throws:std::bad_optional_access --methods value()const,has_value,reset,emplace --constructor optional()
// legal: emplace value()const
// refused: has_value:returns=false value()const
// refused: value()const
// refused: emplace reset value()const
#include <optional>
using T = std::optional<int>;
