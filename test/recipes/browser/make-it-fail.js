await fetch('/_mock/faults', { method: 'POST', body: '{"status":503}' })
await fetch('/_mock/delay', { method: 'PUT', body: '{"delay":1000}' })
