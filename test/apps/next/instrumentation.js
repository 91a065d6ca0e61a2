export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NODE_ENV !== 'development') return
  const { createMock } = await import('petstore-mock')
  const { interceptRequests } = await import('petstore-mock/node')
  interceptRequests(createMock(), { onUnhandledRequest: 'bypass' })
}
