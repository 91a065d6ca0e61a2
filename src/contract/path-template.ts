/** The parameters of a path, decoded, by name. */
export type PathParams = Readonly<Record<string, string>>

/** Tells whether a path, still percent-encoded, has the form of a template: `undefined` where it has not. */
export type PathMatcher = (path: string) => PathParams | undefined

/** Makes the matcher of a template in OpenAPI's form: `/inventory/{petId}`. A parameter may be empty. */
export function createPathMatcher(template: string): PathMatcher {
  const parts = template.split('/')
  return (path) => {
    const segments = path.split('/')
    if (segments.length !== parts.length) return undefined
    const params: Record<string, string> = {}
    for (const [index, part] of parts.entries()) {
      const segment = decode(segments[index] ?? '')
      if (part.startsWith('{')) params[part.slice(1, -1)] = segment
      else if (part !== segment) return undefined
    }
    return params
  }
}

/** A segment that is not percent-encoded UTF-8 stays as it is: no parameter allows a bare `%`. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
