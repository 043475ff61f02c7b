// The library's own class, by its header, with all its methods: swap is left out.
// tacit: --error throws:std::system_error
// legal: mutex owns_lock:returns=true unlock
// refused: lock
// refused: owns_lock:returns=true unlock unlock
// refused: release unlock
#include <mutex>
using T = std::unique_lock<std::mutex>;
