import type { LaunchOptions } from 'playwright'

/** The name of a host on loopback that is no `localhost`, and so, over http, insecure. */
export const INSECURE_HOST = 'petstore.test'

/** A Chromium that needs no system package, and how to start it so that no request leaves this machine. */
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

/** The package holds a Chromium for Linux on x64; elsewhere Chrome is taken from where it is installed. */
async function findExecutable(): Promise<LaunchOptions> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH !== undefined) return { executablePath: CHROME_PATH }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  const { default: chromium } = await import('@sparticuz/chromium')
  return { executablePath: await chromium.executablePath() }
}
