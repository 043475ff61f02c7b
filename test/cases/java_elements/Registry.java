import java.util.HashMap;
import java.util.Map;

public class Registry {
    private static final class Entry {
        boolean started;
    }

    private final Map<String, Entry> entries = new HashMap<>();

    public void register(String name) {
        if (entries.containsKey(name)) throw new IllegalStateException("twice");
        entries.put(name, new Entry());
    }

    public void start(String name) {
        Entry e = entries.get(name);
        if (e == null) throw new IllegalArgumentException("unknown");
        if (e.started) throw new IllegalStateException("started");
        e.started = true;
    }

    public void stop(String name) {
        Entry e = entries.get(name);
        if (e == null) throw new IllegalArgumentException("unknown");
        if (!e.started) throw new IllegalStateException("not started");
        e.started = false;
    }
}
