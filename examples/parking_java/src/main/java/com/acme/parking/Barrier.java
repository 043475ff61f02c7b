package com.acme.parking;

/** The arm at the exit. It can be locked for the night. */
public class Barrier {
    private enum Position { DOWN, UP, LOCKED }

    private Position position = Position.DOWN;

    private void require(Position wanted) {
        if (position != wanted) throw new IllegalStateException("the barrier is elsewhere");
    }

    public void raise() {
        require(Position.DOWN);
        position = Position.UP;
    }

    public void lower() {
        require(Position.UP);
        position = Position.DOWN;
    }

    public void lock() {
        require(Position.DOWN);
        position = Position.LOCKED;
    }

    public void unlock() {
        require(Position.LOCKED);
        position = Position.DOWN;
    }
}
