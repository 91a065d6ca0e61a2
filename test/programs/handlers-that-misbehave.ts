import { delay, http } from 'msw'

/**
 * An update leaves two errors behind, and the request to the mock. A list is never answered, and keeps a timer. A removal
 * leaves an error for the time after the end.
 */
export default [
  http.patch('*', () => {
    void Promise.reject(new Error('rejected later'))
    setTimeout(() => {
      throw new Error('thrown later')
    })
  }),
  http.delete('*', () => {
    setTimeout(() => {
      throw new Error('thrown at the end')
    }, 150)
  }),
  http.get('*/inventory', () => delay(600_000)),
]
