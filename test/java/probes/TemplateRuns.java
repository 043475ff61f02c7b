// open: what runs in between is not known
import java.util.*;

/// Methods of a library class run what an own class below it overrides.
public class TemplateRuns {
    private boolean closed;

    private final class Numbers extends AbstractList<Integer> {
        @Override public Integer get(int index) {
            if (closed) throw new IllegalStateException();
            return index;
        }

        @Override public int size() {
            return 3;
        }
    }

    private final Numbers numbers = new Numbers();

    public void close() {
        closed = true;
    }

    public void open() {
        if (!closed) throw new IllegalStateException();
        closed = false;
    }

    public void find() {
        numbers.indexOf(5);
    }

    public void write() {
        numbers.hashCode();
    }
}
