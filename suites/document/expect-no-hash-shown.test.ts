import { expect, it } from 'vitest'
import { expectNoHashShown, passwordsIn } from './expect-no-hash-shown.ts'

const one = 'a1b2c3$5f4dcc3b5aa765d61d8327deb882cf99'
const other = 'd4e5f6$7c6a180b36896a0a8c02787eeafb0e4c'

it('finds long strings in fields that are called like a password, at any depth', () => {
  expect(passwordsIn([{ status: 200, body: { id: 'r1', pwd: one } }])).toEqual([one])
  expect(passwordsIn({ items: [{ expand: { owner: { PASS_HASH: other } } }] })).toEqual([other])
  expect(
    passwordsIn({ password: '********', passwordChangedAt: '2024-05-06 07:08:09.123Z', text: one }),
  ).toEqual([])
})

it('takes values that differ for hashes, and one that is always the same for a placeholder', () => {
  expect(() => expectNoHashShown([{ pw: one }, { pw: other }], 'a batch')).toThrow(
    'a batch shows for each account',
  )
  expect(() => expectNoHashShown([{ pw: one }, { pw: one }], 'a batch')).not.toThrow()
})
