package com.acme.shop;

public interface Gateway {
    String authorize(long cents) throws GatewayException;

    void capture(String authorization);
}
