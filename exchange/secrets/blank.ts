/**
 * Replaces each value that may be a credential by the name of its kind, such as `$PASSWORD`, for archives that are only
 * read: one placeholder for all would turn a password and a token into the same value. Exchanges that are sent again are
 * redacted by `redactor.ts`.
 *
 * @module
 */

import type { NameValue } from '../har/http-archive.ts'
import { mayAdmit, secretName } from './secret-names.ts'

/** For a body in which secrets cannot be found. */
const hidden = '[redacted]'

/** JSON without its secrets. Any other body is left out, because secrets can only be found in JSON. */
export function blankBody(text: string | undefined, side: 'request' | 'response'): string | undefined {
  if (text === undefined || text === '') return text
  try {
    return JSON.stringify(JSON.parse(text), function (this: Record<string, unknown>, name, value: unknown) {
      if (side === 'response' && isErrorCode(name, this)) return value
      if (mayAdmit(name) && isSecret(value, side)) return kindOf(name)
      return name === 'url' && typeof value === 'string' ? blankUrl(value) : value
    })
  } catch {
    return hidden
  }
}

/** Whether it is the code of an error, `validation_required`: no secret, and readers want to know what was wrong. */
function isErrorCode(name: string, { code, message }: Record<string, unknown>): boolean {
  return name === 'code' && typeof message === 'string' && /^(?:validation|batch)_[a-z_]+$/.test(String(code))
}

/** `passwordConfirm` is a `$PASSWORD` too. */
function kindOf(name: string): string {
  return secretName(name.replace(/:\w+$/, '')) ?? (/password/i.test(name) ? '$PASSWORD' : '$SECRET')
}

/** An object under such a name in a response is an error, or the settings of a method. */
function isSecret(value: unknown, side: 'request' | 'response'): boolean {
  if (typeof value === 'object' && value !== null) return side === 'request' || Array.isArray(value)
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

export function blankHeaders(headers: Headers | undefined): NameValue[] {
  return [...(headers ?? [])].map(([name, value]) => ({ name, value: mayAdmit(name) ? kindOf(name) : value }))
}

/** A URL, or a path as entries of a batch have it. */
export function blankUrl(text: string): string {
  const [path = '', ...rest] = text.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const secrets = [...query.keys()].filter((name) => mayAdmit(name))
  for (const name of secrets) query.set(name, kindOf(name))
  return secrets.length === 0 ? text : `${path}?${query}`
}
