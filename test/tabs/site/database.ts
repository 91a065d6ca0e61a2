/** Hands on the database, as somebody with the browser's developer tools would have them. */
export interface DatabaseHands {
  /** Changes records, or adds them. */
  put(store: string, change: (record: Record<string, unknown>) => void): Promise<void>
  readAll(store: string): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

const NAME = 'petstore-mock/default'

export const databaseHands: DatabaseHands = {
  async put(store, change) {
    const database = await open()
    const objects = database.transaction(store, 'readwrite').objectStore(store)
    await new Promise<void>((resolve) => {
      objects.openCursor().onsuccess = (event) => {
        const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result
        if (cursor === null) return
        const record = cursor.value
        change(record)
        cursor.update(record)
        cursor.continue()
      }
      objects.transaction.oncomplete = () => resolve()
    })
    database.close()
  },
  async readAll(store) {
    const database = await open()
    const records = await settle(database.transaction(store).objectStore(store).getAll())
    database.close()
    return records
  },
  remove: async () => void (await settle(indexedDB.deleteDatabase(NAME))),
}

function open(): Promise<IDBDatabase> {
  return settle(indexedDB.open(NAME))
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
