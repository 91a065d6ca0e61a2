const CONTROL = 'http://127.0.0.1:4100/_mock'

beforeEach(() => {
  cy.request('POST', `${CONTROL}/reset`)
})

it('shows what is in stock', () => {
  cy.request('PUT', `${CONTROL}/pets/1`, { quantity: 3, status: 'available' })
  cy.visit('/')
  cy.contains('3 in stock')
})

it('shows an outage', () => {
  cy.request('POST', `${CONTROL}/faults`, { operation: 'listInventory', status: 503 })
  cy.visit('/')
  cy.contains('The stock cannot be loaded')
})
