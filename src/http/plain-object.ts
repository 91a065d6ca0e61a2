/** Whether an object is a literal, also of another realm, which has its own `Object.prototype`. Jest runs tests in one. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The name of an object's class: `Promise`. */
export function toClassName(object: object): string {
  const name: unknown = Object.getPrototypeOf(object)?.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'a class'
}
