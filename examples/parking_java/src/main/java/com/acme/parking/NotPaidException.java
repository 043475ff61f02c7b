package com.acme.parking;

public class NotPaidException extends RuntimeException {
}
