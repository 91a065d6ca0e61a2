import { HttpResponse, http } from 'msw'

/** A list that breaks the specification: its item lacks what is required. */
export default [http.get('*/v1/inventory', () => HttpResponse.json([{ petId: 1 }]))]
