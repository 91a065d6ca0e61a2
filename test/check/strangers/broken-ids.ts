import { failure } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const INT64 = '2: petId is an int64'
const NOT_FOUND = '4.2, rule 3: when the pet cannot be found, then the response is 404'
const ONE_PET = '4.2: an update sets the stock quantity of one pet, the one identified by petId'

/** Services that find the wrong pet, or none, or one that is not there. */
export const BROKEN_IDS: readonly Stranger[] = [
  {
    name: 'an unknown pet is 400',
    because: NOT_FOUND,
    rules: (_, plain) => ({
      async update(call, petId) {
        const reply = await plain.update(call, petId)
        return reply.status === 404 ? this.fail(400, call) : reply
      },
    }),
  },
  {
    name: 'an id beyond 32 bits is 500',
    because: '4.2: petId is an int64, and a pet that cannot be found is 404',
    stock: '3:12:available 4:7:pending 11:0:sold',
    rules: (_, plain) => ({
      async update(call, petId) {
        const reply = await plain.update(call, petId)
        return reply.status === 404 && Number(petId) > 2 ** 31 ? failure(500) : reply
      },
    }),
  },
  {
    name: 'the path holds a place in the list, not an id',
    because: ONE_PET,
    stock: '1:12:available 2:7:pending 3:0:sold 5:250:available',
    rules: (shop) => ({ find: (id) => shop.pets[Number(id) - 1] }),
  },
  {
    name: 'ids are compared as doubles',
    because: INT64,
    rules: (shop) => ({ find: (id) => shop.pets.find((pet) => Number(pet.id) === Number(id)) }),
  },
  {
    name: 'ids are cut to 64 bits',
    because: ONE_PET,
    rules: () => ({ readPetId: (text) => (/^-?\d+$/.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined) }),
  },
  {
    name: 'the fraction of an id is ignored',
    because: ONE_PET,
    rules: (_, plain) => ({ readPetId: (text) => plain.readPetId(text.replace(/\.\d+$/, '')) }),
  },
]
