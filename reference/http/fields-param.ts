/**
 * The `fields` parameter on answers (contract-records 1.7). It is read before anything is done, so that a mistake in
 * it never leaves a write behind it without an answer.
 *
 * @module
 */

import { applyPick, parsePick } from '../query/pick.ts'
import type { Json } from '../vocabulary.ts'
import type { Answer } from './respond.ts'

function withItems(body: Json, change: (items: Json) => Json): Json | undefined {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return undefined
  return body.items === undefined || body.totalItems === undefined
    ? undefined
    : { ...body, items: change(body.items) }
}

/**
 * What narrows an answer to the wished fields; in lists each item is narrowed and the paging stays.
 *
 * @throws QueryError when the text is malformed.
 */
export function narrowing(fields: string | undefined, list: boolean): (answer: Answer) => Answer {
  if (!fields) return (answer) => answer
  const pick = parsePick(fields)
  return (answer) => {
    if (answer.body === undefined || answer.status >= 300) return answer
    const change = (value: Json) => applyPick(value, pick)
    const items = list ? withItems(answer.body, change) : undefined
    return { status: answer.status, body: items ?? change(answer.body) }
  }
}
