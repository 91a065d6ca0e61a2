const MARK = 'msw/passthrough'

/**
 * Whether this is a request of msw's `bypass(request)`, which marks it in its Accept header. The mark is taken off: it
 * is not for the network to see (https://mswjs.io/docs/api/bypass).
 */
export function takeBypass({ headers }: Request): boolean {
  const accept = headers.get('accept')
  if (accept === null || !accept.includes(MARK)) return false
  const types = accept.split(/,\s*/).filter((type) => type !== MARK)
  if (types.length === 0) headers.delete('accept')
  else headers.set('accept', types.join(', '))
  return true
}
