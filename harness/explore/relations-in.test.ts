import { describe, expect, it } from 'vitest'
import type { FoundTable } from './find-tables.ts'
import { relationsIn, relationsMentioned, relationsNamed } from './relations-in.ts'

const table = (name: string, rows: FoundTable['rows'], auth = false): FoundTable => ({
  name,
  auth,
  open: true,
  rows,
})
const posts = table('posts', [
  { id: 'p1', title: 'One post' },
  { id: 'p2', title: 'Another post' },
])

/** Name, text and relation of one table, name and text of the other. */
function pair(child: [string, string, string], [name, text]: [string, string?]) {
  return {
    child: { role: 'child', name: child[0], fields: { name: child[1], parent: child[2] } },
    parent: { role: 'parent', name, fields: text === undefined ? {} : { name: text } },
  }
}

describe('a relation', () => {
  it('is a field that holds the id of a record, whatever its name', () => {
    const comments = table('comments', [{ id: 'c1', text: 'First one', about: 'p2', kind: 'p9' }])
    expect(relationsIn([comments, posts])).toEqual([pair(['comments', 'text', 'about'], ['posts', 'title'])])
  })

  it('is a field without values that has the name of a table, after those with values', () => {
    const tasks = table('tasks', [
      { id: 't1', title: 'Do it', project: '', parent: 't2' },
      { id: 't2', title: 'Do that', project: '', parent: '' },
    ])
    const projects = table('projects', [])
    expect(relationsIn([tasks, projects])).toEqual([
      pair(['tasks', 'title', 'parent'], ['tasks', 'title']),
      pair(['tasks', 'title', 'project'], ['projects']),
    ])
  })

  it('is not a number that equals an id by accident, and is one that is named after a table', () => {
    const doctors = table('doctors', [
      { id: '1', full_name: 'Dr. Ada', phone: '1' },
      { id: '2', full_name: 'Dr. Bo', phone: '' },
    ])
    const visits = table('visits', [{ id: '1', reason: 'Cough', doctor_id: '2', room: '1' }])
    expect(relationsIn([doctors, visits])).toEqual([
      pair(['visits', 'reason', 'doctor_id'], ['doctors', 'full_name']),
    ])
  })

  it('may be a field of another name that holds several numbers, all of them ids', () => {
    const doctors = table('doctors', [
      { id: '1', full_name: 'Dr. Ada', boss: '2', parent: '' },
      { id: '2', full_name: 'Dr. Bo', boss: '3', parent: '' },
      { id: '3', full_name: 'Dr. Di', boss: '', parent: '1' },
    ])
    expect(relationsIn([doctors])).toEqual(
      ['boss', 'parent'].map((field) => pair(['doctors', 'full_name', field], ['doctors', 'full_name'])),
    )
  })

  it.each([
    ['a list of ids', [{ id: 'c1', text: 'First', posts: ['p1'] }]],
    ['a number', [{ id: 'c1', text: 'First', post: 1 }]],
    ['nothing with a name that fits', [{ id: 'c1', text: 'First', about: '' }]],
  ])('is not %s', (_, rows) => {
    expect(relationsIn([table('comments', rows), posts])).toEqual([])
  })

  it('does not lead to accounts, whose records need more than a text', () => {
    const users = table('users', [{ id: 'u1', email: 'a@example.com', verified: false }], true)
    const notes = table('notes', [{ id: 'n1', text: 'A note', user: 'u1' }])
    expect(relationsIn([users, notes])).toEqual([])
  })
})

it('guesses a relation from the names that a new record shows', () => {
  const child = { name: 'comments', text: 'text' }
  expect(relationsNamed(child, ['state', 'postId'], ['tags', 'posts'])).toEqual([
    pair(['comments', 'text', 'postId'], ['posts']),
  ])
})

it('guesses a relation and a text from the names in a rejection', () => {
  const rejection = '{"data":{"body":{"code":"required"},"post":{"code":"required"}},"posts":1}'
  const [first] = relationsMentioned('comments', rejection, ['comments', 'posts'])
  expect(first).toEqual(pair(['comments', 'body', 'post'], ['posts']))
  expect(relationsMentioned('comments', '{"message":"text is required"}', ['comments', 'posts'])).toEqual([])
})
