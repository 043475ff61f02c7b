// byte packing and masks
public class BytePacking {
  private byte flags; private int word = 0x1234;
  public void on() { flags |= 0x80; }
  public void chk() { if (flags < 0) throw new IllegalStateException(); }
  public void off() { flags &= 0x7f; }
  public void uns() { int u = flags & 0xff; if (u > 127) throw new IllegalStateException(); }
  public void hi() { if ((byte) (word >> 8) != 0x12) throw new IllegalStateException(); word = word << 4 & 0xffff; }
}
