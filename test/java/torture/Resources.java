public class Resources {
  private boolean open; private int closed;
  private class R implements AutoCloseable { R() { if (open) throw new IllegalStateException(); open = true; } public void close() { open = false; closed++; } }
  public void use() { try (R r = new R()) { if (closed == 2) throw new IllegalStateException(); } }
  public void leak() { new R(); }
  public void bad() { try (R r = new R(); R q = new R()) { closed = 0; } }
  public void need() { if (closed == 0) throw new IllegalStateException(); }
}
