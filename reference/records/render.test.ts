import { expect, it } from 'vitest'
import { call } from '../../test/reference-call.ts'
import { createReference } from '../reference.ts'

const open = { listRule: '', viewRule: '' }

/** Members of one club, who lead to each other by it. */
function clubOf(size: number) {
  return createReference({
    tables: [
      { id: 'clubs0000000001', name: 'clubs', ...open, fields: [{ name: 'name', type: 'text' }] },
      {
        name: 'members',
        ...open,
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

it('refuses an answer that grows with each way there and back, and says why', async () => {
  const reference = clubOf(18)
  const twice = await call(reference, expanding(2))
  expect(twice.body.items[0].expand.club.expand.members_via_club).toHaveLength(18)
  const thrice = await call(reference, expanding(3))
  expect([thrice.status, thrice.body.message]).toEqual([
    400,
    'An answer expands to no more than 50000 records: ask for less at once.',
  ])
})
