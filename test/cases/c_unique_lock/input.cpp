#include <mutex>
