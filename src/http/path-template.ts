/** The parameters of a path, decoded, by name. */
export type PathParams = Readonly<Record<string, string>>

/** Tells whether the segments of a path, still percent-encoded, have the form of a template: `undefined` where not. */
export type PathMatcher = (segments: readonly string[]) => PathParams | undefined

/** Makes the matcher of a template in OpenAPI's form: `/inventory/{petId}`. A parameter may be empty. */
export function createPathMatcher(template: string): PathMatcher {
  const parts = template.split('/').map((text) => ({ text, name: /^\{(.*)\}$/.exec(text)?.[1] }))
  return (segments) => {
    if (segments.length !== parts.length) return undefined
    const params: Record<string, string> = {}
    for (const [index, { text, name }] of parts.entries()) {
      const segment = decode(segments[index] ?? '')
      if (name !== undefined) params[name] = segment
      else if (text !== segment) return undefined
    }
    return params
  }
}

/** A segment that is not percent-encoded UTF-8 stays as it is: no parameter allows a bare `%`. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
