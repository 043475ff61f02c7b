package com.acme.shop;

public class GatewayException extends Exception {
    public GatewayException(String message) {
        super(message);
    }
}
