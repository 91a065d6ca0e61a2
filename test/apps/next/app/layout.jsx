import { WithMock } from './with-mock.jsx'

export default function Layout({ children }) {
  const url = process.env.PETSTORE_MOCK_URL
  return (
    <html lang="en">
      <body>{url === undefined ? children : <WithMock url={url}>{children}</WithMock>}</body>
    </html>
  )
}
