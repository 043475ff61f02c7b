public class SameNames {
  private boolean used;
  public void use() {
    if (used) throw new used();
    used = true;
  }
  public void reset() {
    used = false;
  }
}

class used extends IllegalStateException {}
