public class Aliases {
  private boolean open = true;
  private Aliases other;
  public void link() {
    other = this;
  }
  public void closeOther() {
    if (other != null) other.open = false;
  }
  public void use() {
    if (!open) throw new IllegalStateException();
  }
}
