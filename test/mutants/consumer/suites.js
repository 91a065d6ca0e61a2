import assert from 'node:assert/strict'
import { appendFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const find = (pets, id) => pets.find(({ petId }) => petId === id)
const toStock = (pets) => JSON.stringify(pets.map(({ petId, quantity }) => [petId, quantity]).sort(([a], [b]) => a - b))
const refused = (expected) => (error) => error.status === expected

/** Notices every defect, and bears whatever the contract allows. */
function careful(test, connect) {
  test('lists every pet', async () => {
    const pets = await connect().list()
    assert.equal(pets.length, 10)
    assert.equal(find(pets, 1).quantity >= 0, true)
  })

  test('sets the quantity of one pet, and nothing else', async () => {
    const client = connect()
    const before = await client.list()
    const { quantity, status } = find(before, 2)
    assert.equal((await client.setQuantity(2, quantity + 5)).quantity, quantity + 5)
    const after = await client.list()
    assert.equal(find(after, 2).status, status)
    find(before, 2).quantity += 5
    assert.equal(toStock(after), toStock(before))
  })

  test('an unknown pet is a 404', async () => {
    await assert.rejects(connect().setQuantity(404, 1), refused(404))
  })

  test('an invalid quantity is a 400 and changes nothing', async () => {
    const client = connect()
    const before = await client.list()
    await assert.rejects(client.setQuantity(3, 'five'), refused(400))
    assert.equal(toStock(await client.list()), toStock(before))
  })

  test('a wrong key is a 401', async () => {
    await assert.rejects(connect('wrong').list(), refused(401))
    await assert.rejects(connect('wrong').setQuantity(1, 1), refused(401))
  })
}

/** Passes with most defects, and depends on what the contract leaves open. */
function careless(test, connect) {
  test('the first pet is in stock', async () => {
    const [pet] = await connect().list()
    assert.equal(Object.keys(pet).join(), 'petId,quantity,status')
    assert.equal(pet.petId, 1)
  })

  test('an update is accepted', async () => {
    assert.equal((await connect().setQuantity(1, 20)).petId, 1)
  })

  test('an unknown pet is an error', async () => {
    await assert.rejects(connect().setQuantity(404, 1), /answered 4/)
  })
}

/** Notices nothing. */
function empty(test, connect) {
  test('lists pets', () => connect().list())
}

/** Fails in the run of the number FAILS, which it counts in the file RUNS. */
function flaky(test, connect) {
  const { RUNS, FAILS } = process.env
  empty(test, connect)
  test('fails by chance', () => {
    appendFileSync(RUNS, '.')
    assert.notEqual(statSync(RUNS).size, Number(FAILS))
  })
}

/** Fails on every mock. */
function red(test, connect) {
  test('lists eleven pets', async () => assert.equal((await connect().list()).length, 11))
}

/** Takes a second longer, and notices every defect. */
function slow(test, connect) {
  const testSlowly = (title, run) => test(title, () => setTimeout(200).then(run))
  careful(testSlowly, connect)
}

export const SUITES = { careful, careless, empty, flaky, red, slow }
