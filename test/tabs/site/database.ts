/** Changes the database, as somebody with the browser's developer tools would. */
export interface DatabaseHands {
  put(key: string, value: unknown): Promise<void>
  get(key: string): Promise<unknown>
  /** What the page of a later release does. */
  upgrade(): Promise<void>
  remove(): Promise<void>
  /** Makes all others wait until `release()`. */
  hold(): Promise<void>
  release(): void
}

let isHeld = false
const NAME = 'petstore-mock/default'

export const databaseHands: DatabaseHands = {
  async put(key, value) {
    const database = await settle(indexedDB.open(NAME))
    await settle(database.transaction('state', 'readwrite').objectStore('state').put(value, key))
    database.close()
  },
  async get(key) {
    const database = await settle(indexedDB.open(NAME))
    const value: unknown = await settle(database.transaction('state').objectStore('state').get(key))
    database.close()
    return value
  },
  upgrade: async () => (await settle(indexedDB.open(NAME, 3))).close(),
  async hold() {
    const database = await settle(indexedDB.open(NAME))
    const store = database.transaction('state', 'readwrite').objectStore('state')
    isHeld = true
    // A transaction ends when it has no request.
    const keep = (): void => {
      if (isHeld) store.get('seq').onsuccess = keep
      else database.close()
    }
    await settle(store.get('seq'))
    keep()
  },
  release() {
    isHeld = false
  },
  remove: async () => void (await settle(indexedDB.deleteDatabase(NAME))),
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
