/// Arrays that do not take what is stored, and monitors that are not held.
public class MachineRefuses {
    private final Object[] items = new Integer[2];
    private int state;

    private void put(Object o) { items[0] = o; }
    public void store() { try { put("x"); } catch (ArrayStoreException e) { state = 1; } }
    public void wake() { try { notify(); } catch (IllegalMonitorStateException e) { state = 2; } }
    public synchronized void held() { notifyAll(); state = 0; }
    public void stored() { if (state == 1) throw new IllegalStateException(); }
    public void woken() { if (state == 2) throw new IllegalStateException(); }
}
