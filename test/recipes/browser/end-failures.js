await fetch('/_mock/faults', { method: 'DELETE' })
await fetch('/_mock/delay', { method: 'PUT', body: '{"delay":0}' })
