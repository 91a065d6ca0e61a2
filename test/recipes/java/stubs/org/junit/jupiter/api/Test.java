package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** JUnit's annotation, for a machine without JUnit. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
