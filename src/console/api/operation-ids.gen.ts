// Made from spec/openapi.yaml by `npm run generate`. Do not edit.

/** The operations of the service. */
export const OPERATION_IDS = ['listInventory', 'updateInventory', 'getPet', 'listOrders'] as const
