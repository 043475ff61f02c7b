package com.acme.shop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/** From a cart to a paid order, step by step, with a way back. */
public class Checkout implements AutoCloseable {
    public enum Step { CART, ADDRESS, PAYMENT, DONE, ABANDONED }

    private final Gateway gateway;
    private final Map<String, Integer> items = new LinkedHashMap<>();
    private Step step = Step.CART;
    private String address;
    private String authorization;
    private boolean closed;

    public Checkout(Gateway gateway) {
        this.gateway = Objects.requireNonNull(gateway, "gateway");
    }

    public void add(String sku, int count) {
        need(Step.CART);
        if (sku == null || sku.isBlank()) throw new IllegalArgumentException("sku");
        if (count <= 0) throw new IllegalArgumentException("count");
        items.merge(sku, count, Integer::sum);
    }

    public void remove(String sku) {
        need(Step.CART);
        if (items.remove(sku) == null) throw new NoSuchElementException(sku);
    }

    public void toAddress() {
        need(Step.CART);
        if (items.isEmpty()) throw new IllegalStateException("the cart is empty");
        step = Step.ADDRESS;
    }

    public void address(String line) {
        need(Step.ADDRESS);
        if (line == null) throw new IllegalArgumentException("line");
        address = line;
        step = Step.PAYMENT;
    }

    public void pay(long cents) throws GatewayException {
        need(Step.PAYMENT);
        authorization = gateway.authorize(cents);
        if (authorization == null) throw new IllegalStateException("no authorization");
        step = Step.DONE;
    }

    public void back() {
        if (step == Step.PAYMENT) step = Step.ADDRESS;
        else if (step == Step.ADDRESS) step = Step.CART;
        else throw new IllegalStateException("there is no way back from " + step);
    }

    public void abandon() {
        if (step == Step.DONE) throw new IllegalStateException("done");
        step = Step.ABANDONED;
    }

    public void confirm() {
        need(Step.DONE);
        gateway.capture(authorization);
    }

    public String authorization() {
        if (authorization == null) throw new IllegalStateException("not paid");
        return authorization;
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    @Override
    public void close() {
        closed = true;
    }

    private void need(Step wanted) {
        if (closed) throw new IllegalStateException("closed");
        if (step != wanted) throw new IllegalStateException("in " + step + ", not " + wanted);
    }
}
