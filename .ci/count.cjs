// Adds up the counts of the reports in a folder, and exits with an error if something failed. CommonJS without packages, so
// that it runs on any Node.
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const [folder] = process.argv.slice(2)
const files = readdirSync(folder)
const reports = files
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }))
const add = (name) => reports.reduce((sum, report) => sum + (report[name] ?? 0), 0)

// A part that failed, in none of its tests, counts as one failure. Its reports begin with its name.
const parts = files.filter((file) => file.endsWith('.failed')).map((file) => file.replace('.failed', ''))
const crashed = parts.filter(
  (part) => !reports.some((report) => report.file.startsWith(part) && report.numFailedTests > 0),
)
const failed = add('numFailedTests') + crashed.length

for (const { file, testResults = [] } of reports) {
  for (const { name, status, message, assertionResults = [] } of testResults) {
    const tests = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of tests)
      console.log(`FAILED ${file}: ${fullName}\n  ${failureMessages.join('\n  ')}`)
    if (status === 'failed' && tests.length === 0) console.log(`FAILED ${file}: ${name}\n  ${message}`)
  }
}
console.log(`\n${add('numPendingTests')} skipped${parts.map((part) => `, ${part} failed`).join('')}`)
console.log(`${add('numPassedTests')} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
