import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type LaunchOptions } from 'playwright'

/** A host name on loopback other than `localhost`, which is insecure over http. */
export const INSECURE_HOST = 'petstore.test'

const PACKAGE = '@sparticuz/chromium'
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache')
/** A system with fonts has this configuration file. */
const FONTS = '<fontconfig><dir prefix="relative">fonts/fonts</dir></fontconfig>\n'
const run = promisify(execFile)

/** A Chromium without system dependencies, and flags that keep all requests on this machine. */
export async function findChromium(): Promise<LaunchOptions> {
  return {
    ...(await findExecutable()),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
    ],
  }
}

/** Why Chromium does not start on this machine, and what to do; `undefined` if it starts. */
export async function explainNoChromium(): Promise<string | undefined> {
  try {
    const options = await findChromium()
    // `--version` fails for a missing library too, and is ten times as fast as a start.
    if (options.executablePath !== undefined && process.platform === 'linux') {
      await run(options.executablePath, ['--version'], { env: options.env })
    } else await (await chromium.launch(options)).close()
    return undefined
  } catch (error) {
    const [reason] = String(error instanceof Error && 'stderr' in error ? error.stderr || error.message : error).split(
      '\n',
    )
    return `The tests in Chromium cannot run, since it does not start here: ${reason}. Install Chrome, and set CHROME_PATH to its program.`
  }
}

/** The package contains Chromium for Linux on x64. Other systems use an installed Chrome. */
async function findExecutable(): Promise<LaunchOptions> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH !== undefined) return { executablePath: CHROME_PATH }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  const folder = await unpack()
  const { LD_LIBRARY_PATH, ...env } = process.env
  const libraries = [join(folder, 'al2023/lib'), LD_LIBRARY_PATH].filter((path) => path !== undefined).join(':')
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { executablePath: join(folder, 'chromium'), env: { ...env, LD_LIBRARY_PATH: libraries, ...fonts } }
}

/**
 * Unpacks Chromium, with libraries and fonts for bare systems, into a folder of this checkout. The package itself would
 * use the shared temporary folder, and unpacks the libraries only on AWS Lambda.
 */
async function unpack(): Promise<string> {
  const manifest = findPackageJSON(PACKAGE, import.meta.url) ?? ''
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const folder = join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  const script = `await (await import('${PACKAGE}')).default.executablePath()`
  const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname, env })
  await chmod(join(unfinished, 'chromium'), 0o755)
  await chmod(unfinished, 0o755)
  await writeFile(join(unfinished, 'fonts.conf'), FONTS)
  // Another process may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}
