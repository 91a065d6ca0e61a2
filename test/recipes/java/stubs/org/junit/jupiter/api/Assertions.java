package org.junit.jupiter.api;

/** JUnit's assertions, for a machine without JUnit. */
public final class Assertions {
  public static void assertEquals(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
