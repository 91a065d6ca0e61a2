// Made from spec/openapi.yaml by `npm run generate`. Do not edit.

/** The operations of the service. */
export const OPERATIONS = [
  { id: 'listInventory', method: 'GET', path: '/inventory' },
  { id: 'updateInventory', method: 'PATCH', path: '/inventory/{petId}' },
  { id: 'getPet', method: 'GET', path: '/pets/{petId}' },
  { id: 'listOrders', method: 'GET', path: '/store/orders' },
] as const
