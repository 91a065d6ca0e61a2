import { mountConsole } from './mount-console.tsx'

const element = document.getElementById('console')
element?.replaceChildren()
if (element !== null) mountConsole(element, { problem: explainUnknown(new URLSearchParams(location.search)) })

function explainUnknown(parameters: URLSearchParams): string | undefined {
  const unknown = [...parameters.keys()].find((name) => name !== 'sandbox')
  if (unknown === undefined) return undefined
  return `Unknown parameter “${unknown}” in the address of this page. Known: sandbox, as in ?sandbox=checkout-7.`
}
