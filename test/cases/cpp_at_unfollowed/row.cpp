// How long the row is that somebody else holds is not known: whether `at` throws is not decided.
#include <memory>
#include <stdexcept>
#include <vector>

struct Table {
  std::vector<int> row;
};

class Cursor {
public:
  explicit Cursor(std::shared_ptr<const Table> table) : table_(std::move(table)) {
    if (!table_) throw std::invalid_argument("table");
  }
  int column(int i) const { return table_->row.at(static_cast<std::size_t>(i)); }

private:
  std::shared_ptr<const Table> table_;
};
