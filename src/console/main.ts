import { mountConsole } from './mount-console.tsx'

const element = document.getElementById('console')
element?.replaceChildren()
if (element !== null) mountConsole(element)
