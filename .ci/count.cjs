// Adds up the counts of the reports in a folder, and exits with an error if something failed. CommonJS without packages, so
// that it runs on any Node.
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const [folder] = process.argv.slice(2)
const files = readdirSync(folder)
const sum = { passed: 0, failed: 0, skipped: 0 }
const failedFiles = new Set()

for (const file of files.filter((name) => name.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  sum.passed += report.numPassedTests
  sum.failed += report.numFailedTests
  sum.skipped += report.numPendingTests ?? 0
  if (report.numFailedTests > 0) failedFiles.add(file)
}

// A script that crashed before any test failed counts as a failure.
const isCounted = (part) => [...failedFiles].some((file) => part.startsWith(file.split(/[-.]/)[0]))
for (const file of files.filter((name) => name.endsWith('.failed'))) if (!isCounted(file)) sum.failed++

console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed > 0 ? 1 : 0
