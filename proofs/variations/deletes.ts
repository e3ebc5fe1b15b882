/** Deletes: the status and body of their responses. */

import { json, on, wordless } from '../faults/combinators/combinators.ts'
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
