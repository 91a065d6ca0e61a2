import { mountConsole } from './mount-console.tsx'

const element = document.getElementById('console')
if (element !== null) mountConsole(element)
