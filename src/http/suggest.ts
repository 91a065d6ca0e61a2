/** The clause after an unknown name: `is not known. Did you mean port? Known: host, port.` */
export function explainUnknown(name: string, known: readonly string[]): string {
  const all = known.length === 0 ? 'None are allowed here.' : `Known: ${known.join(', ')}.`
  return `is not known.${suggest(name, known)} ${all}`
}

/**
 * Returns ` Did you mean port?` if a known name is similar to the unknown one, otherwise an empty string. Append it to
 * the sentence that rejects the name.
 */
export function suggest(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((each) => ({ each, distance: toDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, each.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest === undefined ? '' : ` Did you mean ${nearest.each}?`
}

/**
 * The edit distance, where swapping two neighbouring letters is one edit. Long names cannot be misspellings: skip them.
 */
function toDistance(from: string, to: string): number {
  if (from.length > 64) return from.length
  let [before, row] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let index = 1; index <= from.length; index += 1) {
    const next = [index]
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[index - 1] === to[column - 1] ? 0 : 1
      const isSwapped = from[index - 1] === to[column - 2] && from[index - 2] === to[column - 1]
      next.push(
        Math.min(
          at(row, column - 1) + cost,
          at(row, column) + 1,
          at(next, column - 1) + 1,
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, row] = [row, next]
  }
  return at(row, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
