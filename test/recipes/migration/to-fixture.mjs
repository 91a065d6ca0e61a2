import { readFileSync } from 'node:fs'

// json-server calls the key `id`; the service calls it `petId` and has no other properties.
const { inventory } = JSON.parse(readFileSync('db.json', 'utf8'))
const pets = inventory.map(({ id, quantity, status }) => ({ petId: id, quantity, status }))
console.log(JSON.stringify({ inventory: pets }, null, 2))
