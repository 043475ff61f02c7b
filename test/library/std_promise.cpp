// The library's own class: contracts stand for its code.
// tacit: --error throws:std::future_error --methods get_future,set_exception,set_value(int&&)
// legal: get_future set_value(int&&)
// legal: set_value(int&&) get_future
// refused: get_future get_future
// refused: set_value(int&&) set_value(int&&)
// refused: set_exception get_future set_value(int&&)
#include <future>
using T = std::promise<int>;
