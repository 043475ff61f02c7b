public class EnumOrdinal {
  enum Level {
    LOW, MIDDLE, HIGH
  }
  private Level level = Level.LOW;
  public void up() {
    if (level.ordinal() == 2) throw new IllegalStateException();
    level = level == Level.LOW ? Level.MIDDLE : Level.HIGH;
  }
  public void reset() {
    level = Level.LOW;
  }
}
