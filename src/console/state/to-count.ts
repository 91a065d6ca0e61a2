/** A number of things: `1 fault`, `1,500 pets`. */
export function toCount(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}
