/** A transaction manager for one thread: one current and one suspended transaction. Error: IllegalStateException. */
public class TransactionManager {
  private static class Transaction {
    boolean rollbackOnly;
  }

  private Transaction current, suspended;

  private Transaction active() {
    if (current == null) throw new IllegalStateException("no transaction");
    return current;
  }

  public void begin() {
    if (current != null) throw new IllegalStateException("nested transaction");
    current = new Transaction();
  }

  public void suspend() {
    suspended = active();
    current = null;
  }

  public void resume() {
    if (current != null) throw new IllegalStateException("nested transaction");
    if (suspended == null) throw new IllegalStateException("nothing is suspended");
    current = suspended;
    suspended = null;
  }

  public void commit() {
    active();
    current = null;
  }

  public void rollback() {
    active();
    current = null;
  }

  public void setRollbackOnly() { active().rollbackOnly = true; }
}
