/**
 * Servers that do not keep strings as they were sent: what proves that a record is the run's own is not literally there.
 *
 * @module
 */

import { all, another, on, parsedBody, rewriteQuery } from '../faults/combinators/combinators.ts'
import type { Make } from './combinators.ts'
import { liar } from './liar.ts'

/** What a client has to send as it is. */
const exact =
  /^(id|email|username|password|passwordConfirm|oldPassword|relation|parent|owner|team|one|many|pair|twin)$/

/** Longer bodies are about their size or depth, and pass. */
const longest = 10_000

function stored(change: (value: string) => string): Make {
  return on(['createRecord', 'updateRecord'], async (request, next) => {
    const body = await parsedBody(request)
    const { length } = await request.clone().text()
    if (body === undefined || length > longest) return next(request)
    const changed = Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' && !exact.test(key) ? change(value) : value,
    ])
    const { pathname, search } = new URL(request.url)
    return next(another(request, request.method, `${pathname}${search}`, Object.fromEntries(changed)))
  })
}

liar(
  'strings are stored in upper case',
  { says: 'Every string of a create or an update is stored and shown in upper case.', bare: true },
  () => stored((value) => value.toUpperCase()),
)

liar(
  'strings are trimmed and cut',
  {
    says: 'Every string of a create or an update is stored without spaces at its ends, and at most 12 characters.',
  },
  () => stored((value) => value.trim().slice(0, 12)),
)

liar(
  'strings are stored without hyphens',
  {
    says: 'Every string of a create or an update is stored with `_` for `-`, and searched for in the same way.',
  },
  () =>
    all(
      stored((value) => value.replaceAll('-', '_')),
      rewriteQuery('listRecords', (query) => {
        const filter = query.get('filter')
        if (filter !== null) query.set('filter', filter.replaceAll('-', '_'))
      }),
    ),
)

liar(
  'strings are escaped',
  { says: 'Every string of a create or an update is stored as HTML text inside a paragraph.' },
  () => stored((value) => `<p>${value}</p>`),
)
