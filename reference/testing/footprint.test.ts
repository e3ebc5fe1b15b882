import { expect, test } from 'vitest'
import { createReference } from '../reference.ts'

/** Requests for accounts; the path is the part after the table. */
async function footprintOf(...requests: [path: string, body?: object][]) {
  const reference = createReference({ tables: [{ name: 'members', type: 'auth', listRule: '' }] })
  for (const [path, body] of requests)
    await reference.fetch(`/api/v1/collections/members/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return reference.footprint()
}

test.each([
  ['filter', 'list.filter-narrows'],
  ['sort', 'list.sort-keeps-set'],
  ['expand', 'expand.absent'],
  ['fields', 'fields.blank'],
  ['page', 'list.page-beyond-end'],
  ['perPage', 'list.per-page-cap'],
  ['skipTotal', 'list.skip-total'],
])('the parameter %s adds the requirements about it', async (name, id) => {
  const [without, used] = [await footprintOf(['records']), await footprintOf([`records?${name}=1`])]
  expect(without.requirements).not.toContain(id)
  expect(used.requirements).toContain(id)
})

test('a second factor adds the requirements about it', async () => {
  const body = { identity: 'ann', password: 'secret1234' }
  const one = await footprintOf(['auth-with-password', body])
  const two = await footprintOf(['auth-with-password', { ...body, mfaId: 'x' }])
  expect(one.requirements).not.toContain('mfa.two-different')
  expect(two.requirements).toContain('mfa.two-different')
})

test('what it lists is sorted, and each unknown request is there once', async () => {
  const { unknown, requirements } = await footprintOf(['b'], ['records'], ['a'], ['b'])
  expect(unknown).toEqual(['a', 'b'].map((path) => `GET /collections/members/${path}`))
  expect(requirements).toEqual(requirements.toSorted())
})
