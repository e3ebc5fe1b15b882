/** Whether a value of JSON is an object: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where to look for what an answer tells in a form of its own: in the object itself and in the one that it holds. */
export function objectsOf(body: unknown): Record<string, unknown>[] {
  if (!isObject(body)) return []
  const inner = Object.values(body).filter(isObject)
  return inner.length === 1 ? [body, ...inner] : [body]
}
