import { HttpResponse, http } from 'msw'

/** A handler that answers none of the hostile requests: they go through msw, and then to the mock's own operations. */
export default [http.get('*/v1/nobody-asks-for-this', () => HttpResponse.json({}))]
