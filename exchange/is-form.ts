/**
 * Recognizes forms and files by their methods: test environments such as jsdom replace the global classes, so
 * `instanceof` does not work.
 *
 * @module
 */

/** Whether a value is a FormData. URLSearchParams has the same methods, and can also sort. */
export function isForm(value: unknown): value is FormData {
  return has(value, 'append', 'getAll', 'entries') && !has(value, 'sort')
}

/** Whether a value is a Blob or a File. */
export function isBlob(value: unknown): value is Blob {
  return has(value, 'slice') && typeof value.size === 'number' && typeof value.type === 'string'
}

function has(value: unknown, ...methods: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}
