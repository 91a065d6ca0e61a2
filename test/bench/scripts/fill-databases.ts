// Makes so many databases of @mswjs/data with one pet each, and prints what each cost.
import { measureGrowth } from './measure-growth.ts'

const [url = '', count = '0'] = process.argv.slice(2)
const { factory, primaryKey } = (await import(url)) as typeof import('@mswjs/data')

const databases: { pet: { count(): number } }[] = []
const growth = measureGrowth(Number(count), (turn) => {
  const database = factory({ pet: { petId: primaryKey(String), quantity: Number, status: String } })
  database.pet.create({ petId: String(1 + turn), quantity: 1000, status: 'available' })
  databases.push(database)
})
console.log(JSON.stringify({ ...growth, isRight: databases.every(({ pet }) => pet.count() === 1) }))
