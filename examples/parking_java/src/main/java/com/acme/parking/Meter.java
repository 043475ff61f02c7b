package com.acme.parking;

/** Counts coins; says what came of a call instead of throwing. */
public class Meter {
    public enum Result { OK, BAD_STATE, BAD_AMOUNT }

    private boolean running;
    private int total;

    public Result start() {
        if (running) return Result.BAD_STATE;
        running = true;
        return Result.OK;
    }

    public Result insert(int cents) {
        if (!running) return Result.BAD_STATE;
        if (cents <= 0 || cents > 500) return Result.BAD_AMOUNT;
        total += cents;
        return Result.OK;
    }

    public Result stop() {
        if (!running) return Result.BAD_STATE;
        running = false;
        return Result.OK;
    }

    public int total() {
        return total;
    }
}
