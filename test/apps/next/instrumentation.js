export async function register() {
  const url = process.env.PETSTORE_MOCK_URL
  if (process.env.NEXT_RUNTIME !== 'nodejs' || url === undefined) return
  const { connectMock } = await import('petstore-mock/client')
  const { interceptRequests } = await import('petstore-mock/node')
  interceptRequests(connectMock(url), { onUnhandledRequest: 'bypass' })
}
