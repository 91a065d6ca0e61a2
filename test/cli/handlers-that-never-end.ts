import { delay, http } from 'msw'

/** Never answers, and keeps a timer for it. */
export const handlers = [http.get('*/inventory', () => delay(600_000))]
