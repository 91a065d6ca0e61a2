import { HttpResponse, http } from 'msw'

export default (mock) => [
  http.get('*/pets/:petId', ({ params }) => {
    const pet = mock.inventory.get(params.petId)
    return pet === undefined ? HttpResponse.json({ code: 'not_found' }, { status: 404 }) : HttpResponse.json(pet)
  }),
]
