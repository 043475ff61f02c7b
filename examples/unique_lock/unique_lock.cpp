// The lock of the standard library, straight from the header: `--class 'std::unique_lock<std::mutex>'`.
#include <mutex>
