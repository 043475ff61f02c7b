public class EnumBodies {
  private enum S { A { S next() { return B; } }, B { S next() { return C; } boolean end() { return false; } }, C { S next() { throw new IllegalStateException(); } }; abstract S next(); boolean end() { return this == C; } }
  private S s = S.A;
  public void step() { s = s.next(); }
  public void back() { if (s.ordinal() == 0) throw new IllegalStateException(); s = S.values()[s.ordinal() - 1]; }
  public void end() { if (!s.end()) throw new IllegalStateException(); }
  public void named() { if (s.name().equals("B")) throw new IllegalStateException(); }
  public void cmp() { if (s.compareTo(S.B) > 0) throw new IllegalStateException(); }
}
