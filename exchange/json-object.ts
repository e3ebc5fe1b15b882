/** Whether a value of JSON is an object: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A body as an object, if it is one: as text or bytes of JSON, or as the value that becomes JSON. */
export function jsonObject(body: unknown): Record<string, unknown> | undefined {
  if (body instanceof Uint8Array) return jsonObject(new TextDecoder().decode(body))
  if (typeof body === 'string') {
    if (!body.trimStart().startsWith('{')) return undefined
    try {
      const parsed: unknown = JSON.parse(body)
      return isObject(parsed) ? parsed : undefined
    } catch {
      return undefined
    }
  }
  return isObject(body) && Object.getPrototypeOf(body) === Object.prototype ? body : undefined
}

/** Where to look for what a response tells in a form of its own: in the object, alone or in a list, and in the one that it holds. */
export function objectsOf(body: unknown): Record<string, unknown>[] {
  if (Array.isArray(body) && body.length === 1) return objectsOf(body[0])
  if (!isObject(body)) return []
  const inner = Object.values(body).filter(isObject)
  return inner.length === 1 ? [body, ...inner] : [body]
}
