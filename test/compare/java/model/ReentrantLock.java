package model;

/** What the clients use of java.util.concurrent.locks.ReentrantLock; one that is held is not to be taken again. */
public class ReentrantLock {
    private boolean held;

    public void lock() {
        if (held) throw new IllegalStateException("held");
        held = true;
    }

    public boolean tryLock() {
        if (held || !Turn.isOurs()) return false;
        held = true;
        return true;
    }

    public void unlock() {
        if (!held) throw new IllegalMonitorStateException();
        held = false;
    }
}

/** The other threads. */
class Turn {
    static native boolean isOurs();
}
