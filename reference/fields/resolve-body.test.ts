import { describe, expect, it } from 'vitest'
import { stillEnvironment } from '../../test/support/one-field.ts'
import { Store } from '../store/store.ts'
import { addTables } from '../tables/add-tables.ts'
import { fillGenerated } from './fill-generated.ts'
import { type RecordBody, resolveBody, type UploadParts } from './resolve-body.ts'
import { makeUpload } from './upload.ts'

const [table] = addTables(new Store(), [
  {
    name: 'table',
    fields: [
      { name: 'n', type: 'number' },
      { name: 'list', type: 'select', values: ['a', 'b', 'c'], maxSelect: 3 },
      { name: 'docs', type: 'file', maxSelect: 3 },
      { name: 'code', type: 'text', autogeneratePattern: '[a-z]{4}' },
      { name: 'secret', type: 'text', hidden: true },
    ],
  },
])
if (!table) throw new Error('no table')
const stored = { ...table.zero, n: 5, list: ['a'], docs: ['old.txt', 'older.txt'] }

function resolve(body: RecordBody, parts: UploadParts = {}) {
  if (!table) throw new Error('no table')
  return resolveBody(table, stored, body, parts, stillEnvironment, (field) => field.hidden)
}

describe('resolveBody', () => {
  it.each([
    [{}, 5],
    [{ n: 1 }, 1],
    [{ 'n+': 2 }, 7],
    [{ 'n-': '2' }, 3],
    [{ 'n+': 2, n: 1, 'n-': 1 }, 2],
    [{ '+n': 2 }, 5],
    [{ 'n +': 2 }, 5],
    [{ N: 2 }, 5],
    [{ n: null }, 0],
  ])('%j makes n %d', (body, n) => {
    expect(resolve(body).values.n).toBe(n)
  })

  it('applies keys of one length in body order', () => {
    expect(resolve({ 'list+': 'b', 'list-': 'b' }).values.list).toEqual(['a'])
    expect(resolve({ 'list-': 'b', 'list+': 'b' }).values.list).toEqual(['a', 'b'])
  })

  it('shows rules the resolved value under the plain name, and unknown keys as they came', () => {
    const { body, sent, values } = resolve({ 'n+': 2, other: { a: 1 } })
    expect({ ...body }).toEqual({ n: 7, other: { a: 1 } })
    expect([...sent].sort()).toEqual(['n', 'other'])
    expect(values).not.toHaveProperty('other')
  })

  it('drops what the caller cannot write', () => {
    const { sent, values } = resolve({ secret: 'x' })
    expect(sent.has('secret')).toBe(false)
    expect(values.secret).toBe('')
  })

  it('survives a key named __proto__', () => {
    expect(resolve(JSON.parse('{"__proto__":{"n":1}}')).values.n).toBe(5)
  })

  it('leaves the stored record alone', () => {
    resolve({ n: 9, 'list+': 'c' })
    expect(stored).toMatchObject({ n: 5, list: ['a'] })
  })
})

describe('file parts', () => {
  const upload = makeUpload('new file.txt', new Uint8Array([104, 105]), stillEnvironment)
  const name = upload.storedName

  it.each([
    ['replace the list', {}, { docs: [upload] }, [name]],
    ['join names that are kept', { docs: 'old.txt' }, { docs: [upload] }, ['old.txt', name]],
    ['are appended', {}, { 'docs+': [upload] }, ['old.txt', 'older.txt', name]],
    ['are prepended', {}, { '+docs': [upload] }, [name, 'old.txt', 'older.txt']],
  ])('%s', (_, body, parts, docs) => {
    const { uploads, values } = resolve(body, parts)
    expect(values.docs).toEqual(docs)
    expect(uploads.get(name)).toBe(upload)
  })

  it('are ignored if there is no file field', () => {
    const { uploads, sent } = resolve({}, { n: [upload], other: [upload] })
    expect([...uploads, ...sent]).toEqual([])
  })
})

describe('fillGenerated', () => {
  it('fills what is empty and has a pattern', () => {
    expect(fillGenerated(table, table.zero, stillEnvironment)).toMatchObject({
      id: 'a'.repeat(15),
      code: 'aaaa',
      secret: '',
    })
  })

  it('keeps what was sent', () => {
    expect(fillGenerated(table, { ...table.zero, id: 'mine', code: 'x' }, stillEnvironment)).toMatchObject({
      id: 'mine',
      code: 'x',
    })
  })
})
