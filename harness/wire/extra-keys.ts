import { jsonObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'

/**
 * Keys of a body that a target requires in addition to those that the suite sends: the binding `body.<operation>`, or
 * `body.signUp` for new accounts, contains them as a JSON object. What the suite itself sends is never replaced.
 */
export function extraKeys(name: string, binding: Binding): Readonly<Record<string, unknown>> {
  const keys = keysIn(binding[`${BODY}${name}`] ?? '')
  return keys ?? {}
}

/** Whether the target file says what the body of an operation contains, if only that there is one: `{}`. */
export function hasExtraKeys(name: string, binding: Binding): boolean {
  return (binding[`${BODY}${name}`] ?? '') !== ''
}

/** Why a value of a binding cannot be used; undefined if it can. */
export function extraKeysProblem(key: string, value: string): string | undefined {
  return key.startsWith(BODY) && keysIn(value) === undefined ? 'must be a JSON object, or empty' : undefined
}

const BODY = 'body.'

function keysIn(text: string): Record<string, unknown> | undefined {
  return text === '' ? {} : jsonObject(text)
}
