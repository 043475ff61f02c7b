package com.acme.parking;

/** A ticket that is used again and again: issued at the entry, paid, given back at the exit. */
public class Ticket {
    private boolean issued;
    private boolean paid;

    public void issue() {
        if (issued) throw new IllegalStateException("issued already");
        issued = true;
    }

    public void pay(int cents) {
        if (!issued || paid) throw new IllegalStateException("nothing to pay");
        if (cents <= 0) throw new IllegalArgumentException("no amount");
        paid = true;
    }

    public void leave() {
        if (!issued || !paid) throw new NotPaidException();
        issued = false;
        paid = false;
    }

    public void cancel() {
        if (!issued) throw new IllegalStateException("no ticket");
        issued = false;
    }

    public boolean isPaid() {
        return paid;
    }
}
