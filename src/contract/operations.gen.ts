// Made from spec/openapi.yaml by `npm run generate`. Do not edit.

/** The version that the interface description gives itself. */
export const SPECIFICATION_VERSION = '1.0.0'

/** Every operation of the specification, with the statuses it lists. */
export const OPERATIONS = [
  {
    id: 'listInventory',
    method: 'GET',
    path: '/inventory',
    statuses: [200, 401],
    hasBody: false,
    specified: true,
    stability: 'stable',
    deprecated: false,
    petIdParameter: undefined,
  },
  {
    id: 'updateInventory',
    method: 'PATCH',
    path: '/inventory/{petId}',
    statuses: [200, 400, 401, 404],
    hasBody: true,
    specified: true,
    stability: 'experimental',
    deprecated: false,
    petIdParameter: 'petId',
  },
  {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    statuses: [401],
    hasBody: false,
    specified: false,
    stability: 'deprecated',
    deprecated: true,
    petIdParameter: 'petId',
  },
  {
    id: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    statuses: [401],
    hasBody: false,
    specified: false,
    stability: 'stable',
    deprecated: false,
    petIdParameter: undefined,
  },
] as const

/** The operationId of an operation. */
export type OperationId = (typeof OPERATIONS)[number]['id']
