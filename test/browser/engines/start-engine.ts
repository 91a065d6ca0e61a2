import type { Engine, EngineName } from './engine.ts'
import { findFirefox, startFirefox } from './firefox.ts'
import { findWebKit, startWebKit } from './webkit.ts'

/** How a Debian or an Ubuntu gets what is missing. */
const INSTALL =
  'Install it: apt-get install --no-install-recommends firefox-esr webkit2gtk-driver xvfb dbus-x11 xauth fonts-dejavu-core.'

function hasEngine(name: EngineName): boolean {
  return name === 'chromium' || (name === 'firefox' ? findFirefox() : findWebKit()) !== undefined
}

/** Why an engine's tests do not run, and what to do; `undefined` where they run. */
export function explainNoEngine(name: EngineName): string | undefined {
  return hasEngine(name) ? undefined : `The tests in ${name} cannot run, since it is not on this machine. ${INSTALL}`
}

/** @throws {Error} where the engine is missing, or does not start. */
export async function startEngine(name: EngineName): Promise<Engine> {
  const firefox = name === 'firefox' ? findFirefox() : undefined
  if (firefox !== undefined) return startFirefox(firefox)
  const webkit = name === 'webkit' ? findWebKit() : undefined
  if (webkit !== undefined) return startWebKit(webkit)
  throw new Error(explainNoEngine(name))
}
