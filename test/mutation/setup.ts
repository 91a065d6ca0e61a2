import fc from 'fast-check'

// Each mutant is tried with generated cases again; fewer of them will do.
fc.configureGlobal({ numRuns: 30 })
