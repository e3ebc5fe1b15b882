import { expect, it } from 'vitest'
import type { Body } from '../vocabulary/api.ts'
import { wholeCreate } from './whole-create.ts'

const notes = { role: 'plain', name: 'notes', values: { kind: 'a', tags: ['x'] } }
const session = {
  target: { tables: { plain: notes } },
  ownership: { mapped: (segment: string) => (segment === 'others' ? undefined : notes) },
  scopes: new Set(['abcdef']),
  addedMarks: new Map(),
  requirements: new Map(),
  options: {},
  check: undefined,
} as unknown as Parameters<typeof wholeCreate>[0]
const title = 'title-abcdef001'

it('adds the values that a table requires, and never replaces what a check sends', () => {
  expect(wholeCreate(session, 'notes', { title } as Body)).toEqual({ title, kind: 'a', tags: ['x'] })
  expect(wholeCreate(session, 'notes', { title, kind: null } as Body)).toEqual({
    title,
    kind: null,
    tags: ['x'],
  })
  expect(wholeCreate(session, 'others', { title } as Body)).toEqual({ title })
})

it('adds them where the path has the identifier of the table', () => {
  expect(wholeCreate(session, 't1', { title } as Body)).toMatchObject({ kind: 'a' })
})

it('adds them to a form', () => {
  const form = new FormData()
  form.append('title', title)
  form.append('file', new File(['bytes'], 'a.txt'))
  const whole = wholeCreate(session, 'notes', form)
  expect([...whole.keys()]).toEqual(['title', 'file', 'kind', 'tags'])
  expect([whole.get('kind'), whole.get('tags'), (whole.get('file') as File).name]).toEqual([
    'a',
    '["x"]',
    'a.txt',
  ])
})

it('puts a mark before what the check sends: a server that loses the last field keeps it', () => {
  const whole = wholeCreate(session, 'notes', { number: 1 } as Body)
  expect(Object.keys(whole)).toEqual(['title', 'kind', 'tags', 'number'])
})

it('makes a word of its own for each create, where a value must be unique', () => {
  const table = { ...notes, values: { username: 'u_{unique}', tags: ['x'] } }
  const unique = { ...session, ownership: { mapped: () => table } } as unknown as typeof session
  const names = [1, 2].map(() => (wholeCreate(unique, 'notes', { title } as Body) as Body).username)
  expect(names[0]).toMatch(/^u_own_[a-z0-9]+$/)
  expect(new Set(names).size).toBe(2)
  expect(wholeCreate(unique, 'notes', { title, username: 'mine' } as Body)).toMatchObject({
    username: 'mine',
  })
})

it('puts the mark into a field of any role that the table has', () => {
  const roles = {
    plain: { role: 'plain', name: 'posts', fields: { title: 'title' } },
    everything: { role: 'everything', name: 'posts', fields: { text: 'title', editor: 'body' } },
  }
  const both = {
    ...session,
    target: { tables: roles },
    ownership: { mapped: () => ({ ...roles.plain }) },
  } as unknown as typeof session
  const whole = wholeCreate(both, 'posts', { title: 'as it is' } as Body)
  expect(whole).toEqual({ title: 'as it is', body: expect.stringMatching(/^own-/) })
})
