import java.util.*;

/// What a library callee throws in a helper reaches the handlers of its callers.
public class HelperThrows {
    private int state;

    private Object fetch() { return new ArrayList<Object>().iterator().next(); }

    private Object through() {
        try {
            return fetch();
        } finally {
            state = 2;
        }
    }

    public void go() {
        try {
            through();
        } catch (NoSuchElementException e) {
            state = 1;
        }
    }

    public void check() { if (state == 1) throw new IllegalStateException(); }
}
