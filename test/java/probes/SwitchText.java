// open: it rests on what is not followed
public class SwitchText {
  private int mode;
  public void set(String s) { switch (s) { case "a": mode = 1; case "b": mode++; break; case "open": mode = 7; break; default: mode = 0; } }
  public void check() { if (mode == 2) throw new IllegalStateException(); }
  public void check7() { if (mode == 7) throw new IllegalStateException(); }
  public void hash() { String s = mode == 1 ? "Aa" : "BB"; switch (s) { case "Aa": throw new IllegalStateException(); case "BB": mode = 5; } }
}
