import { expect, it } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { createReference } from '../reference.ts'

const open = { listRule: '', viewRule: '' }

/** Members of one club, which relates them to each other. */
function clubOf(size: number) {
  return createReference({
    tables: [
      { id: 'clubs0000000001', name: 'clubs', ...open, fields: [{ name: 'name', type: 'text' }] },
      {
        name: 'members',
        ...open,
        createRule: '',
        fields: [{ name: 'club', type: 'relation', collectionId: 'clubs0000000001' }],
      },
    ],
    records: {
      clubs: [{ id: 'theonlyclub0001' }],
      members: Array.from({ length: size }, () => ({ club: 'theonlyclub0001' })),
    },
  })
}

const expanding = (times: number) =>
  `GET /collections/members/records?expand=${Array.from({ length: times }, () => 'club.members_via_club').join('.')}`

it('rejects a response that grows with each relation and its way back, and reports why', async () => {
  const reference = clubOf(18)
  const twice = await call(reference, expanding(2))
  expect(twice.body.items[0].expand.club.expand.members_via_club).toHaveLength(18)
  const thrice = await call(reference, expanding(3))
  expect([thrice.status, thrice.body.message]).toEqual([
    400,
    'A response can expand at most 50000 records: request fewer at a time, with a filter or a shorter expand.',
  ])
})

it('counts the entries of a batch together: they have one response', async () => {
  const reference = clubOf(18)
  const entry = {
    method: 'POST',
    url: `/api/v1/collections/members/records?expand=${'club.members_via_club.'.repeat(2)}club`,
    body: { club: 'theonlyclub0001' },
  }
  const entries = (count: number) => ({ requests: Array.from({ length: count }, () => entry) })
  expect((await call(reference, 'POST /batch', entries(20))).status).toBe(200)
  const { status, text } = await call(reference, 'POST /batch', entries(30))
  expect(status).toBe(400)
  expect(text).toContain('at most 50000 records')
  expect(reference.records.count('members')).toBe(38)
})

it('returns to code what it requests, up to the limit of memory', async () => {
  const reference = clubOf(224)
  const members = await reference.records.list('members', { expand: 'club.members_via_club' })
  expect(members).toHaveLength(224)
  const all = reference.records.list('members', { expand: 'club.members_via_club.club.members_via_club' })
  await expect(all).rejects.toMatchObject({
    name: 'RecordError',
    message:
      'The records of "members" cannot be listed: A response can expand at most 2000000 records: request fewer at a time, with a filter or a shorter expand.',
  })
})
