import fc from 'fast-check'

// Each mutant is tried with generated cases again: the same ones, so that a score can be repeated, and fewer.
fc.configureGlobal({ numRuns: 50, seed: 1 })
