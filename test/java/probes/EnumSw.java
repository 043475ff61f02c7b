// open: it rests on what is not followed
public class EnumSw {
  public enum Mode { OFF { @Override int w() { return 0; } }, ON, AUTO; int w() { return ordinal() * 10; } }
  private Mode m = Mode.OFF;
  public void set(Mode x) { m = x; }
  public void parse(String s) { m = Mode.valueOf(s); }
  public void check() { switch (m) { case ON -> throw new IllegalStateException(); default -> { } } }
  public void w() { if (m.w() == 20) throw new IllegalStateException(); }
  public void name() { if (m.name().equals("AUTO")) throw new IllegalStateException(); }
  public void next() { m = Mode.values()[(m.ordinal() + 1) % 3]; }
}
