import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

public class Sensor {
    private final List<Consumer<Integer>> listeners = new ArrayList<>();
    private boolean told;

    public void listen(Consumer<Integer> listener) {
        listeners.add(java.util.Objects.requireNonNull(listener));
    }

    public void tell() {
        listeners.forEach(l -> l.accept(1));
        told = true;
    }

    public void forget() {
        if (!told) throw new IllegalStateException();
        told = false;
    }
}
