import java.util.*;

/// One object under two keys: what is changed through one is seen through the other.
public class ElementTwice {
    private static final class Entry {
        boolean open;
    }

    private final Map<Boolean, Entry> entries = new HashMap<>();

    public void both() {
        Entry e = new Entry();
        entries.put(true, e);
        entries.put(false, e);
    }

    public void loop() {
        Entry e = new Entry();
        for (int i = 0; i < 2; i++) entries.put(i == 0, e);
    }

    public void open(boolean key) {
        Entry e = entries.get(key);
        if (e != null) e.open = true;
    }

    public void use(boolean key) {
        Entry e = entries.get(key);
        if (e != null && e.open) throw new IllegalStateException();
    }
}
