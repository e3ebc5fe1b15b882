/** 2xx responses to what must not succeed: those that do not say that it was rejected, and those that say so falsely. */

import {
  another,
  forgive,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
} from './combinators/combinators.ts'
import { fault } from './fault.ts'

const said = () => json(200, { ok: false, error: { code: 'not_possible' } })
const changes = ['createRecord', 'updateRecord', 'deleteRecord'] as const

for (const [words, body] of [
  ['an empty object', {}],
  ['true', true],
  ['an object without an error', { ok: true, error: null }],
] as const)
  fault(
    `an update of a missing record returns 200 and ${words}`,
    { trips: ['update.missing-refused', 'delete.final'] },
    forgive('updateRecord', 404, 200, body),
  )
fault(
  'a write to a missing table returns 200 and no errors',
  { trips: ['table.missing-refused'] },
  forgive(changes, 404, 200, { errors: [] }),
)
fault(
  'a write without permission returns 200 and that it failed, but is carried out',
  { trips: ['write.rejected-changes-nothing'] },
  on(changes, async (request, next, _match, tools) => {
    const response = await next(request.clone())
    if (response.status !== 403) return response
    await (await tools.asSuperuser(request)).arrayBuffer()
    return said()
  }),
)
fault(
  'an update of a missing record returns 200 and that it failed, but creates one',
  { trips: ['update.missing-refused', 'delete.final'] },
  on('updateRecord', async (request, next, { id }) => {
    const body = await parsedBody(request)
    const response = await next(request.clone())
    if (response.status !== 404) return response
    const path = new URL(request.url).pathname.replace(/\/[^/]+$/, '')
    await (await next(another(request, 'POST', path, { ...body, id }))).arrayBuffer()
    return said()
  }),
)
fault(
  'a write to a missing table returns 200 and that it failed, but changes another one',
  { trips: ['table.missing-refused'] },
  on(changes, async (request, next, { table = '' }) => {
    const body = await parsedBody(request)
    const response = await next(request.clone())
    if (response.status !== 404 || !table.startsWith('conf_none')) return response
    const path = new URL(request.url).pathname.replace(table, 'conf_plain')
    await (await next(another(request, request.method, path, body))).arrayBuffer()
    return said()
  }),
)
fault(
  'a batch that fails returns 200 and that it failed, but keeps what came before',
  { trips: ['batch.rejected-changes-nothing', 'batch.all-or-nothing'] },
  on('batch', async (request, next) => {
    const { requests } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok) return response
    for (const { method, url, body } of Array.isArray(requests) ? requests.filter(isJsonObject) : []) {
      const alone = await next(another(request, String(method), String(url), body as JsonValue)).catch(
        () => undefined,
      )
      if (alone?.ok !== true) break
    }
    return said()
  }),
)
