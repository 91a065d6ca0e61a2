/** Writes a number with its noun: `1 pet`, `2 pets`. */
export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
