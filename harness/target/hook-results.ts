/**
 * What hooks return, as docs/targets.md says: a value of another form would end the run somewhere else, with an error
 * that does not name the hook.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'

interface HookResult {
  /** In the words of docs/targets.md. */
  readonly form: string
  fits(value: Record<string, unknown>, input: Record<string, unknown>): boolean
}

const isAbsent = (value: unknown) => value === undefined || value === null
const isText = (value: unknown) => typeof value === 'string'
const areTexts = (values: unknown[]) => values.every((value) => isAbsent(value) || isText(value))

function isEmail(value: unknown): boolean {
  if (!isObject(value)) return false
  const { number, subject, text, html, code, token } = value
  return typeof number === 'number' && areTexts([subject, text, html, code, token])
}

/** The other hooks may return anything, or have an error of their own. */
const results: Readonly<Partial<Record<string, HookResult>>> = {
  mailbox: {
    form: '`{ count, mails }`: a number, and a list of { number, to, from, subject, text, html }',
    fits: ({ count, mails }, { to }) =>
      typeof count === 'number' &&
      (Array.isArray(mails) ? mails.every(isEmail) : to === '' && isAbsent(mails)),
  },
  provider: {
    form: '`{ code, state, error }`: strings',
    fits: ({ code, state, error }) => areTexts([code, state, error]),
  },
  createApiKey: {
    form: '`{ id, key }`: the key as a string, and its id as a string or a number',
    fits: ({ id, key }) => isText(key) && key !== '' && ['undefined', 'string', 'number'].includes(typeof id),
  },
}

/** What is wrong with the result of a hook; undefined for nothing. */
export function wrongHookResult(
  name: string,
  input: Record<string, unknown>,
  value: unknown,
): string | undefined {
  const result = results[name]
  if (result === undefined || (isObject(value) && result.fits(value, input))) return undefined
  return `it must return ${result.form}; it returned ${described(value)}`
}

/** Without its values, which may be secrets. */
function described(value: unknown): string {
  if (isAbsent(value)) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (!isObject(value)) return `a ${typeof value}`
  const entries = Object.entries(value).map(([key, each]) => `${key} (${described(each)})`)
  return entries.length > 0 ? `an object with ${entries.join(', ')}` : 'an empty object'
}
