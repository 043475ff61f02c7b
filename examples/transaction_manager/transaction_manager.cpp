// Transactions of one thread: one that is worked in, one that is put aside.
#include <optional>
#include <stdexcept>
#include <utility>

struct IllegalState : std::logic_error {
  using std::logic_error::logic_error;
};

class TransactionManager {
public:
  void begin() {
    if (current_) throw IllegalState("transactions do not nest");
    current_ = Transaction{};
  }

  void suspend() {
    needs_current();
    suspended_ = std::exchange(current_, std::nullopt);
  }

  void resume() {
    if (current_.has_value()) throw IllegalState("there is a current transaction");
    if (!suspended_.has_value()) throw IllegalState("there is none to resume");
    current_ = std::exchange(suspended_, std::nullopt);
  }

  void commit() {
    needs_current();
    current_.reset();
  }

  void rollback() {
    needs_current();
    current_.reset();
  }

  void setRollbackOnly() {
    needs_current();
    current_->rollback_only = true;
  }

private:
  struct Transaction {
    bool rollback_only = false;
  };

  void needs_current() const {
    if (!current_) throw IllegalState("there is no current transaction");
  }

  std::optional<Transaction> current_, suspended_;
};
