import { expect, it } from 'vitest'
import { createReference } from '../create-reference.ts'
import type { TableInput } from '../define-tables.ts'

const members: TableInput = {
  name: 'members',
  type: 'auth',
  fields: [
    { name: 'role', type: 'text' },
    { name: 'team', type: 'relation', collectionId: 'teams' },
  ],
}
const teams: TableInput = { name: 'teams', fields: [{ name: 'label', type: 'text' }] }

it('takes no field of a related record that is called body for the body of a request', () => {
  const comments: TableInput = {
    name: 'comments',
    listRule: 'post.body != "" && post.auth != ""',
    fields: [{ name: 'post', type: 'relation', collectionId: 'posts' }],
  }
  const fields = ['body', 'auth'].map((name) => ({ name, type: 'text' }) as const)
  expect(createReference({ tables: [{ name: 'posts', fields }, comments] }).notices).toEqual([])
})

function noticesOf(rule: string, name = 'createRule', type: 'base' | 'auth' = 'base'): readonly string[] {
  const posts = { name: 'posts', type, [name]: rule, fields: [{ name: 'owner', type: 'text' } as const] }
  return createReference({ tables: [members, teams, posts] }).notices
}

it.each([
  ['@request.auth.idd = owner', 'is always null: no auth table has a field "idd". Did you mean "id"?'],
  ['@request.auth.rle:lower = "x"', 'no auth table has a field "rle". Did you mean "role"?'],
  ['@request.auth.zzzzzzzzz = "x"', 'no auth table has a field "zzzzzzzzz".'],
  ['owner = @request.body.ownr', 'the table has no field "ownr". Did you mean "owner"?'],
  ['owner = "" && (@request.body.ownr:isset = false || owner = "x")', 'no field "ownr"'],
  ['geoDistance(@request.auth.lon, 1, 1, 1) < 1', 'no auth table has a field "lon".'],
  [
    '@request.auth.team.labl = "x"',
    'no signed-in caller satisfies it. Unknown name "labl" in "team.labl". Did you mean "label"?',
  ],
  ['@request.auth.posts_via_ownr.id != ""', 'Unknown name "posts_via_ownr"'],
  ['@request.auth.id:each = "x"', 'the modifier ":each" does not fit.'],
])('notices %s', (rule, notice) => {
  const notices = noticesOf(rule)
  expect(notices).toEqual([expect.stringContaining(notice)])
  expect(notices[0]).toMatch(/^createRule of table "posts": /)
})

it('names each misspelled name once, and the rule', () => {
  expect(noticesOf('@request.auth.idd = owner || @request.auth.idd = ""', 'listRule')).toEqual([
    'listRule of table "posts": "@request.auth.idd" is always null: no auth table has a field "idd". Did you mean "id"?',
  ])
})

it.each([
  ['@request.auth.id = owner && @request.auth.collectionName = "members"'],
  ['@request.auth.role = "x" && @request.auth.team.label = "x" && @request.auth.verified = true'],
  ['@request.auth.role:isset = false'],
  ['@request.body.owner:changed = false && @request.query.any = "" && @request.headers.any = ""'],
])('has nothing to say about %s', (rule) => {
  expect(noticesOf(rule)).toEqual([])
})

it('knows the keys of an account, and that a sign-in sends others', () => {
  expect(noticesOf('@request.body.passwordConfirm != ""', 'createRule', 'auth')).toEqual([])
  expect(noticesOf('@request.body.identity != ""', 'authRule', 'auth')).toEqual([])
})

it('knows the fields that every account has, without auth tables', () => {
  const tables: TableInput[] = [{ name: 'posts', listRule: '@request.auth.email != ""' }]
  expect(createReference({ tables }).notices).toEqual([])
})
