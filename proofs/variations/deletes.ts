/** Deletes: the status and body of their responses. */

import { recordsWhere } from '../faults/combinators/auth.ts'
import { another, json, on, parsedBody, wordless } from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import type { FaultTools } from '../faults/fault.ts'
import { forgivesDelete } from './combinators/forgives-delete.ts'
import { responses } from './combinators/responses.ts'
import { deleted, traffic } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('deletes')

const remove = { because: 'records.statuses', near: deleted } as const

variation('a delete returns 200 and no body', remove, wordless('deleteRecord', 200))
variation('a delete returns 202', remove, wordless('deleteRecord', 202))
variation(
  'a delete returns null',
  remove,
  responses('deleteRecord', 200, () => null),
)
variation(
  'a delete returns a count',
  remove,
  responses('deleteRecord', 200, () => ({ deleted: 1 })),
)
variation(
  'a delete returns a list',
  remove,
  responses('deleteRecord', 200, (_, { id }) => [id]),
)
variation(
  'a delete returns the id',
  remove,
  responses('deleteRecord', 200, (_, { id }) => ({ id })),
)
variation('a delete returns the record', remove, (tools) =>
  on('deleteRecord', async (request, next) => {
    const view = await tools.asSuperuser(new Request(request.url))
    const before = await view.text()
    const response = await next(request)
    return response.ok && view.ok ? json(200, JSON.parse(before)) : response
  })(tools),
)
variation(
  'a second delete returns 204',
  { because: 'records.statuses', near: ['delete.final', 'delete.removes', 'delete.only-one'] },
  forgivesDelete,
)
variation('a delete returns 205', remove, wordless('deleteRecord', 205))
variation(
  'a delete returns 200 and an empty object',
  { ...remove, near: [...deleted, ...traffic] },
  responses('deleteRecord', 200, () => ({})),
)
variation(
  'a delete returns 202 and null',
  { ...remove, near: [...deleted, ...traffic] },
  responses('deleteRecord', 202, () => null),
)
variation(
  'a delete returns the number of records',
  { ...remove, near: [...deleted, ...traffic] },
  responses('deleteRecord', 200, () => 1),
)

/** Records of `related` that refer to this one. */
const referring = (tools: FaultTools, request: Request, table: string, id: string) =>
  table === 'conf_related' ? recordsWhere(tools, request, table, `parent = "${id}"`) : Promise.resolve([])
const referenced = [...deleted, 'relation.leads-to-record', 'list.expand-relation'] as const
variation(
  'a record that another one refers to cannot be deleted',
  { because: 'records.bodies', near: referenced },
  on('deleteRecord', async (request, next, { table = '', id = '' }, tools) =>
    (await referring(tools, request, table, id)).length > 0 ? fieldRejection(409) : next(request),
  ),
)
variation(
  'a record that refers to a deleted one is deleted with it, and the response says how many were',
  { because: 'records.bodies', near: referenced },
  on('deleteRecord', async (request, next, { table = '', id = '' }, tools) => {
    const { pathname } = new URL(request.url)
    for (let more = 0; ; more += 1) {
      const [child] = await referring(tools, request, table, id)
      if (child === undefined) {
        const response = await next(request)
        return response.ok && more > 0 ? json(200, { deleted: 1 + more }) : response
      }
      await tools.asSuperuser(another(request, 'DELETE', pathname.replace(/[^/]+$/, String(child.id))))
    }
  }),
)
variation(
  'the id of a deleted record cannot be chosen',
  { because: 'records.bodies', near: ['create.persists', 'create.only-one', 'batch.parent-with-children'] },
  (tools) => {
    const gone = new Set<unknown>()
    return on(['createRecord', 'deleteRecord'], async (request, next, { operation, id }) => {
      const sent = await parsedBody(request)
      if (operation === 'createRecord' && gone.has(sent?.id)) return fieldRejection(409)
      const response = await next(request)
      if (response.ok && operation === 'deleteRecord') gone.add(id)
      return response
    })(tools)
  },
)
