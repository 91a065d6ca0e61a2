import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

if (import.meta.env.DEV) await import('./mock.ts')

createRoot(document.querySelector('#root') ?? document.body).render(<App />)
