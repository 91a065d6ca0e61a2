/** A bearer token that is well formed and that no service is likely to have as a key. */
export const WRONG_KEY = 'petstore-check-wrong-key'
