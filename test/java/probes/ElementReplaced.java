import java.util.*;

/// Who holds an element whose place in the map was given to another one changes that element no more.
public class ElementReplaced {
    private static final class Entry {
        boolean open;
        int uses;

        Entry(boolean open) {
            this.open = open;
        }
    }

    private final Map<Boolean, Entry> entries = new HashMap<>();

    public void put(boolean key) {
        Entry made = new Entry(false);
        help(key, made);
        made.uses = 2;
    }

    private void help(boolean key, Entry e) {
        entries.put(key, e);
        e.uses = 7;
    }

    public void replace(boolean key) {
        Entry old = entries.get(key);
        Entry made = new Entry(false);
        entries.put(key, made);
        if (old == null) return;
        old.open = true;
        old.uses = 7;
        if (made.open) throw new IllegalStateException();
    }

    public void open(boolean key) {
        Entry e = entries.get(key);
        if (e != null) e.open = true;
    }

    public void gone(boolean key) {
        Entry e = entries.remove(key);
        if (e != null) e.open = false;
    }

    public void use(boolean key) {
        Entry e = entries.get(key);
        if (e != null && e.open) throw new IllegalStateException();
    }

    public void count(boolean key) {
        Entry e = entries.get(key);
        if (e != null && e.uses == 7) throw new IllegalStateException();
    }
}
