public class Router {
  private boolean sealed;

  public void add(String path) {
    if (sealed) throw new IllegalStateException("sealed");
    if (path.isEmpty() || path.charAt(0) != '/') throw new IllegalArgumentException(path);
  }

  public void seal() {
    sealed = true;
  }
}
