import java.util.*;

/// Lists and deques are gone through from their first element.
public class ElementsInOrder {
    private enum Kind { LOW, HIGH }

    private final List<Kind> list = new ArrayList<>();
    private final Deque<Kind> stack = new ArrayDeque<>();

    public void add(boolean high) {
        if (list.size() < 2) list.add(high ? Kind.HIGH : Kind.LOW);
    }

    public void push(boolean high) {
        if (stack.size() < 2) stack.push(high ? Kind.HIGH : Kind.LOW);
    }

    public void first() {
        for (Kind k : list) {
            if (k == Kind.HIGH) throw new IllegalStateException();
            return;
        }
    }

    public void top() {
        for (Kind k : stack) {
            if (k == Kind.HIGH) throw new IllegalStateException();
            return;
        }
    }
}
