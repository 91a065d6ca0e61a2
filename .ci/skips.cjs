// What a test run has skipped, by its report: `skips.cjs REPORT` fails if a test was skipped for a reason that allowed-skips
// does not name, or if the tests of a file did not run at all; `skips.cjs REPORT --files` lists the files with skipped tests.
// CommonJS without packages, so that it runs on any Node.
const { execFileSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const [path, option] = process.argv.slice(2)
const { testResults } = JSON.parse(readFileSync(path, 'utf8'))
const toFile = (name) => name.replace(/^.*?\/(?=test\/)/, '')
const skipped = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => ({ file: toFile(name), fullName })),
)

if (option === '--files') {
  console.log([...new Set(skipped.map(({ file }) => file))].join('\n'))
} else {
  const allowed = readFileSync(join(__dirname, 'allowed-skips'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isAllowed = ({ fullName }) => allowed.some((reason) => fullName.includes(`(${reason})`))
  const all = execFileSync('git', ['ls-files', 'test/*.test.ts'], { encoding: 'utf8' }).trim().split('\n')
  const ran = new Set(testResults.map(({ name }) => toFile(name)))
  const problems = [
    ...skipped.filter((test) => !isAllowed(test)).map(({ file, fullName }) => `skipped: ${file}: ${fullName}`),
    ...all
      .filter((file) => !/^test\/(long|openapi)\//.test(file) && !ran.has(file))
      .map((file) => `did not run: ${file}`),
  ]
  console.log([...problems, `${skipped.length} skipped`].join('\n'))
  process.exitCode = problems.length > 0 ? 1 : 0
}
