import { HttpResponse, http } from 'msw'

export default (mock) => [
  http.get('*/pets/:petId', ({ params }) => HttpResponse.json(mock.inventory.get(params.petId))),
]
