'use client'
import { useEffect, useState } from 'react'

/** Shows the page as soon as the mock answers its requests. */
export function WithMock({ children }) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    startMock().then(() => setReady(true))
  }, [])
  return isReady ? children : null
}

let started

// React's strict mode runs effects twice.
function startMock() {
  started ??= Promise.all([import('petstore-mock'), import('petstore-mock/browser')]).then(
    ([{ createMock }, { startWorker }]) => startWorker(createMock()),
  )
  return started
}
