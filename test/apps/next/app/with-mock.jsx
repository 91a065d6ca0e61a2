'use client'
import { useEffect, useState } from 'react'

export function WithMock({ url, children }) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    startMock(url).then(() => setReady(true))
  }, [url])
  return isReady ? children : null
}

let started

// React's strict mode runs effects twice.
function startMock(url) {
  started ??= Promise.all([import('petstore-mock/client'), import('petstore-mock/browser')]).then(
    ([{ connectMock }, { startWorker }]) => startWorker(connectMock(url), { mode: 'page' }),
  )
  return started
}
