import { WithMock } from './with-mock.jsx'

export default function Layout({ children }) {
  const isMocked = process.env.NODE_ENV === 'development'
  return (
    <html lang="en">
      <body>{isMocked ? <WithMock>{children}</WithMock> : children}</body>
    </html>
  )
}
