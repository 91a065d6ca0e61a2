/** A session that speaks WebDriver over HTTP: https://www.w3.org/TR/webdriver2/ */
export interface WebDriverSession {
  send<Result = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result>
}

/** The name under which WebDriver sends an element. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export async function createSession(driver: string, capabilities: object): Promise<WebDriverSession> {
  const body = { capabilities: { alwaysMatch: capabilities } }
  const { sessionId } = await sendCommand<{ sessionId: string }>(`${driver}/session`, { method: 'POST', body })
  return {
    send: (method, path, body) => sendCommand(`${driver}/session/${sessionId}${path}`, { method, body }),
  }
}

interface Command {
  readonly method: string
  readonly body?: object | undefined
}

async function sendCommand<Result>(url: string, { method, body }: Command): Promise<Result> {
  // WebKitWebDriver reads a body with every POST.
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}
