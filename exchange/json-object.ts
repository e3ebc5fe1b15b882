import { TextDecoder } from 'node:util'
import { isBytes } from './is-bytes.ts'

/** Whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a JSON value is an object or an array. */
export function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Returns a body as an object, if it is one. Accepts JSON as a string or bytes, or the value that is serialized as
 * JSON.
 */
export function jsonObject(body: unknown): Record<string, unknown> | undefined {
  if (isBytes(body)) return jsonObject(new TextDecoder().decode(body))
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

/**
 * The objects to search in a response whose form is unspecified: the object itself or the only entry of a list, and the
 * object nested in it.
 */
export function objectsOf(body: unknown): Record<string, unknown>[] {
  if (Array.isArray(body) && body.length === 1) return objectsOf(body[0])
  if (!isObject(body)) return []
  const inner = Object.values(body).filter(isObject)
  return inner.length === 1 ? [body, ...inner] : [body]
}
