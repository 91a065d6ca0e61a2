import { mountConsole } from './mount-console.tsx'
import { PLACE_PARAMETERS } from './state/place.ts'

const element = document.getElementById('console')
element?.replaceChildren()
if (element !== null) mountConsole(element, { problem: explainUnknown(new URLSearchParams(location.search)) })

function explainUnknown(parameters: URLSearchParams): string | undefined {
  const unknown = [...parameters.keys()].find((name) => !PLACE_PARAMETERS.some((each) => each === name))
  if (unknown === undefined) return undefined
  return `Unknown parameter “${unknown}” in the address of this page. Known: sandbox, find and request, as in ?sandbox=checkout-7.`
}
