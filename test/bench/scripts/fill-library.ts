// Fills @mswjs/data with so many pets, as its documentation shows, says how many it holds, and stays.
const [url = '', pets = '0'] = process.argv.slice(2)
const { factory, primaryKey } = (await import(url)) as typeof import('@mswjs/data')
const database = factory({ pet: { petId: primaryKey(String), quantity: Number, status: String } })
for (let petId = 1; petId <= Number(pets); petId += 1) {
  database.pet.create({ petId: String(petId), quantity: petId % 100, status: 'available' })
}
process.on('disconnect', () => process.exit())
process.send?.(database.pet.count())
