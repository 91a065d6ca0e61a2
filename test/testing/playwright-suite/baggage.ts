import { serverTest } from 'petstore-mock/playwright'

export const test = serverTest.extend({
  extraHTTPHeaders: ({ inventory }, use) => use({ baggage: `petstore-mock-sandbox=${inventory.name}` }),
})
