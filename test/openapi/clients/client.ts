/** What the programs of this folder do with a generated client. */
export interface InventoryClient {
  list(key: string): Promise<Result<Pet[]>>
  update(key: string, change: { readonly petId: number; readonly quantity: number }): Promise<Result<Pet>>
}

export type CreateClient = (baseUrl: string) => InventoryClient

export type Result<Data> =
  | { readonly status: number; readonly data: Data }
  | {
      readonly status: number
      readonly error: { readonly code: string; readonly message: string; readonly status: number }
    }

export interface Pet {
  readonly petId: number
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}
