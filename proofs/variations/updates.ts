/** Updates: the status and body of their responses. */

import { isSecretKey } from '../../exchange/secrets/secret-key.ts'
import { another, json, on, parsedBody, rewriteBody, wordless } from '../faults/combinators/combinators.ts'
import { responses } from './combinators/responses.ts'
import { updated } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('updates')

const update = { because: 'records.bodies', near: updated } as const

variation('an update returns 204', update, wordless('updateRecord', 204))
variation('an update returns 200 and no body', update, wordless('updateRecord', 200))
variation(
  'an update returns 201',
  update,
  responses('updateRecord', 201, (record) => record),
)
variation('an update returns 202 and no body', update, wordless('updateRecord', 202))
variation(
  'an update returns null',
  update,
  responses('updateRecord', 200, () => null),
)
variation(
  'an update returns true',
  update,
  responses('updateRecord', 200, () => true),
)
variation(
  'an update returns a count',
  update,
  responses('updateRecord', 200, () => ({ matched: 1, modified: 1 })),
)
variation(
  'an update returns the id',
  update,
  responses('updateRecord', 200, ({ id }) => ({ id })),
)
variation(
  'an update is wrapped in data',
  update,
  responses('updateRecord', 200, (record) => ({ data: record })),
)
variation(
  'an update returns a list of one',
  update,
  responses('updateRecord', 200, (record) => [record]),
)
variation('an update returns the record as it was', update, (tools) =>
  on('updateRecord', async (request, next) => {
    const view = await tools.asSuperuser(new Request(request.url))
    const before = await view.text()
    const response = await next(request)
    return response.ok && view.ok ? json(200, JSON.parse(before)) : response
  })(tools),
)
variation('an update returns 205', update, wordless('updateRecord', 205))
variation(
  'an update returns an empty object',
  update,
  responses('updateRecord', 200, () => ({})),
)
variation(
  'an update returns the number of records',
  update,
  responses('updateRecord', 200, () => 1),
)
/** No response contains a secret, `wire.no-secrets`. */
function withoutSecrets(sent: object): object {
  const kept = Object.entries(sent).filter(([name]) => !isSecretKey(name) && !/password|^pin$/i.test(name))
  return Object.fromEntries(kept)
}

variation(
  'an update returns the values that were sent',
  update,
  on('updateRecord', async (request, next) => {
    const sent = await parsedBody(request)
    const response = await next(request)
    return response.ok && sent !== undefined ? json(200, withoutSecrets(sent)) : response
  }),
)
variation(
  'an update ignores the id that it sends',
  { because: 'records.bodies', near: ['record.id-stable', 'update.applies'] },
  rewriteBody('updateRecord', ({ id: _, ...body }) => body),
)

/** Of a request or response that mentions the table; a batch names it in the URLs of its entries. */
const renames = (text: string, from: string, to: string) =>
  text.includes('conf_members') ? text.replaceAll(`"${from}":`, `"${to}":`) : text

variation(
  'an account has a nickname instead of a name',
  {
    because: 'fields.types',
    near: ['auth-record.record-endpoints'],
    alone: 'it renames a field of one table in JSON only',
    target: (target) => ({
      ...target,
      tables: {
        ...target.tables,
        members: { role: 'members', name: 'conf_members', fields: { name: 'nickname' } },
      },
    }),
  },
  on('*', async (request, next, { table }) => {
    const isJson = /json/.test(request.headers.get('content-type') ?? '')
    const text = isJson ? await request.clone().text() : ''
    const path = request.url.replaceAll('nickname', 'name').slice(new URL(request.url).origin.length)
    const isTheirs = table?.startsWith('conf_members') === true || text.includes('conf_members')
    if (!isTheirs) return next(request)
    const sent = text.replaceAll('"name":', '"unknown":').replaceAll('"nickname":', '"name":')
    const body: unknown = text === '' ? undefined : JSON.parse(sent)
    const response = await next(another(request, request.method, path, body))
    const shown = renames(await response.text(), 'name', 'nickname')
    return new Response(shown === '' ? null : shown, response)
  }),
)
