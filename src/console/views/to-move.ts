/** Where a key leads to in a list, if it leads anywhere. */
export function toMove(
  key: string,
  { index, count, page }: { index: number; count: number; page: number },
): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const target = moves[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1)
}
