/**
 * Writes a draft down in the target's words, and sends it.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { toTheirs } from '../../../harness/target/mapped-table.ts'
import type { Api, ApiResponse, RawRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { extraKeys } from '../../../harness/wire/extra-keys.ts'
import { pathSegment } from '../../../harness/wire/paths.ts'
import { moveToHeaders, targetNames, withExtra } from '../../../harness/wire/target-names.ts'
import { documentPrefix, prefixOf } from '../../../spec/prefix.ts'
import { requiredValues } from '../records/required-values.ts'
import type { DerivedCase } from './case.ts'
import { applied, type Draft, draftAgain, draftText, isRaw } from './draft.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
/** In a form: JSON that is read like a body of it. */
const PAYLOAD = '@jsonPayload'

/** Everything that is known where a draft is sent. */
export interface Sender {
  context: Pick<CheckContext, 'api' | 'binding' | 'unique'>
  /** Who sends it, with the token that belongs to it. */
  as: Api
  /** The table whose records it is about, if its fields have other names there, or it requires some. */
  table?: TableRef | undefined
}

/** The response to the draft, with the difference of the case if there is one. */
export function sendDraft(sender: Sender, draft: Draft, derived?: DerivedCase): Promise<ApiResponse> {
  const { context, as } = sender
  // A body as a whole is written in the target's words before it is changed, a key of it by its own name.
  const sent =
    derived === undefined
      ? named(sender, draft)
      : derived.place === 'body'
        ? applied(named(sender, draft), derived)
        : named(sender, applied(draft, derived))
  // The client of an actor adds its token if there is none: a guest's client does not.
  const api = derived?.name === 'Authorization' ? context.api.as('guest') : as
  return api.raw(written(sender, sent))
}

/** The draft with the names that the target has for the keys of the body. */
function named({ context, as, table }: Sender, draft: Draft): Draft {
  const extra = extraKeys(draft.operation, context.binding)
  const needsBody = Object.keys(extra).length > 0 || as.wantsObject(draft.operation)
  if (draft.body === undefined && draft.text === undefined && needsBody)
    return { ...draft, body: extra, headers: { 'content-type': 'application/json', ...draft.headers } }
  if (!isObject(draft.body)) return draft
  const ofRecord = draft.operation === 'createRecord' || draft.operation === 'updateRecord'
  // A key without a name of theirs is one that the target does not have.
  const namesOf = (key: string): string[] => {
    const one = { [key]: '' }
    const theirs = ofRecord ? toTheirs(table ?? {}, one) : targetNames(draft.operation, one, context.binding)
    const names = Object.keys(theirs as object)
    return names.filter((name) => name === key || !(name in extra)).slice(0, 1)
  }
  const entries = Object.entries(draft.body).flatMap(([key, value]) => {
    const again = key.endsWith(draftAgain) ? draftAgain : ''
    const names = namesOf(again === '' ? key : key.slice(0, -again.length))
    // A header cannot be sent twice here.
    const repeatable = again === '' ? names : names.filter((name) => !name.startsWith('header:'))
    return repeatable.map((name) => [name + again, value])
  })
  const headers: Record<string, string> = { ...draft.headers }
  const required = draft.operation === 'createRecord' && table ? requiredValues(context, table) : undefined
  const body = withExtra(Object.fromEntries(entries), { ...required, ...extra })
  return { ...draft, body: moveToHeaders(body, headers), headers }
}

function written({ context: { binding } }: Sender, draft: Draft): RawRequest {
  const template = prefixOf(binding.prefix) + draft.template.slice(documentPrefix.length)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = draft.path[name] ?? ''
    return isRaw(value) ? value.raw : pathSegment(value)
  })
  const pairs = draft.query.flatMap(([name, value]) => {
    const [, known = name, suffix = ''] = /^(\w+)(\[.*)?$/.exec(name) ?? []
    const theirs = binding[`list.${known}`] ?? (known === 'mfaId' ? binding['mfa.id'] : undefined) ?? known
    // The target has no parameter if it has no name for it.
    if (theirs === '' || theirs.startsWith('header:')) return []
    const text = isRaw(value) ? value.raw : encodeURIComponent(value.toWellFormed())
    return [`${encodeURIComponent(theirs)}${suffix}=${text}`]
  })
  return {
    method: draft.method,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    ...contentOf(draft),
  }
}

/** Headers and body as they go out. A form in parts names its own boundary, and what has no body has no media type. */
function contentOf({ body, text, encoding, headers }: Draft): Pick<RawRequest, 'headers' | 'body'> {
  if (text !== undefined) return { headers, body: text }
  const { 'content-type': _type, ...untyped } = headers
  if (body === undefined) return { headers: untyped }
  if (encoding !== FORM && encoding !== MULTIPART) return { headers, body: draftText(body) }
  const parts = partsOf(body)
  if (encoding === FORM) return { headers, body: new URLSearchParams(parts).toString() }
  const form = new FormData()
  for (const [key, value] of parts) form.append(key, value)
  return { headers: untyped, body: form }
}

function partsOf(body: unknown): [string, string][] {
  if (!isObject(body)) return []
  if ('requests' in body) return [[PAYLOAD, draftText(body)]]
  return Object.entries(body).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : draftText(value),
  ])
}
