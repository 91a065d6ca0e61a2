import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { queryClient } from './query-client.ts'

if (import.meta.env.DEV) await import('./mock.ts')

createRoot(document.querySelector('#root') ?? document.body).render(
  <QueryClientProvider client={queryClient}>
    <App />
  </QueryClientProvider>,
)
