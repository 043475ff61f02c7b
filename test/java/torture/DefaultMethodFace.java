public interface DefaultMethodFace {
  boolean isOn();
  default void use() {
    if (!isOn()) throw new IllegalStateException();
  }
}
