import java.util.EnumSet;
import java.util.Set;

public class Parcel {
    enum Step {
        PACKED {
            @Override Set<Step> next() { return EnumSet.of(SENT, LOST); }
        },
        SENT {
            @Override Set<Step> next() { return Set.of(ARRIVED, LOST); }
        },
        ARRIVED, LOST;

        Set<Step> next() { return EnumSet.noneOf(Step.class); }

        Set<Step> before() {
            switch (this) {
                case SENT: return EnumSet.of(PACKED);
                case ARRIVED: return EnumSet.of(SENT);
                default: return Set.of();
            }
        }
    }

    private Step step = Step.PACKED;

    public void move(Step to) {
        if (!step.next().contains(to)) throw new IllegalStateException();
        step = to;
    }

    public void back() {
        if (step.before().isEmpty()) throw new IllegalStateException();
        step = Step.PACKED;
    }
}
