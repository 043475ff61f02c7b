public class StringState {
  private String mode = "idle";
  public void go() { switch (mode) { case "idle": mode = "run"; break; case "run": throw new IllegalStateException(); default: mode = "idle"; } }
  public void stop() { if (mode.equals("run")) mode = "idle"; else throw new IllegalStateException(); }
  public void pause() { mode = switch (mode) { case "run" -> "paused"; case "paused" -> "run"; default -> throw new IllegalStateException(); }; }
}
