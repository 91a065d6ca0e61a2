import { http } from 'msw'

/** Leaves two errors behind, and the request to the mock. */
export default [
  http.all('*', () => {
    void Promise.reject(new Error('rejected later'))
    setTimeout(() => {
      throw new Error('thrown later')
    })
  }),
]
