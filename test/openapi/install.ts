// Installs the packages of this folder, if they are not those of its lockfile: the first step of `npm run test:openapi`.
import { hasDevPackages } from '../../tools/has-dev-packages.js'
import { runNpm } from '../../tools/run-npm.js'

const FOLDER = import.meta.dirname

if (!hasDevPackages(FOLDER)) {
  console.log('Installing the tools that read the OpenAPI document…')
  const { status } = runNpm(process.execPath, ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
