import { type OpenDemo, QUIET } from '../../../demo/open-demo.ts'

/** Changes all records of a store, as a fault of the disk or another version would, while no page has the demo open. */
export async function damage({ page, site }: OpenDemo, text: string): Promise<void> {
  await page.goto(`${site.url}icon.svg`)
  await page.evaluate(
    (text) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('petstore-mock/demo /')
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('state', 'readwrite')
          transaction.objectStore('state').put(text, 'text')
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    text,
  )
  await page.goto(site.url + QUIET)
}
