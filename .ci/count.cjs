// Adds the counts of the reports in a folder, and ends with an error where something failed. CommonJS without packages,
// for whatever Node the machine has.
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

// What broke a part off before a test of it was counted as failed is a failure by itself.
const isCounted = (part) => [...failedFiles].some((file) => part.startsWith(file.split(/[-.]/)[0]))
for (const file of files.filter((name) => name.endsWith('.failed'))) if (!isCounted(file)) sum.failed++

console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed > 0 ? 1 : 0
