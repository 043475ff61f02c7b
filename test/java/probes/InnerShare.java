import java.util.*;
public class InnerShare {
  private int open;
  public class Handle { private boolean closed; public void close() { if (!closed) { closed = true; open--; } } }
  private Handle last;
  public void acquire() { open++; last = new Handle(); }
  public void release() { if (last == null) throw new IllegalStateException("none"); last.close(); }
  public void shut() { if (open > 0) throw new IllegalStateException("open"); }
}
